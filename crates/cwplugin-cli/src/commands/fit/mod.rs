//! `cwplugin fit`: learn one weight per class.

mod settings; // from flags to a fit, and the flags that a method does not support
mod source; // rows or statistics
mod summary; // the text summary
mod details; // … of each method

use std::path::Path;

use cwplugin::Error;
use cwplugin::methods::{AutoReport, BaggedReport};

use crate::args::{Common, Fit};
use crate::atomic::AtomicFile;
use crate::command;
use crate::input::{
    constrained_metrics, constraints_by_names, is_priors_file, metric_by_name, metric_file, settled,
};
use crate::output::{Screen, refuse_replacing};
use crate::table::is_stream;
use crate::user_error::UserError;
use settings::Settings;
use source::Source;
pub(crate) use summary::{candidates, constraint_table};

pub(crate) fn run(args: &Fit, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let method = settings::method(args)?;
    refuse_replacing("-o", args.output.as_deref(), &inputs(args))?;
    settings::refuse_unsupported(args, method)?;
    let source = Source::open(args)?;
    let constraints = constraints_by_names(&args.subject_to, source.classes(), args.metric_timeout)?;
    // If only constraints are programs, --metric-timeout is for them.
    let is_for_constraints =
        constrained_metrics(&args.subject_to).any(command::is_named) && !command::is_named(&args.metric);
    let timeout = args.metric_timeout.filter(|_| !is_for_constraints);
    let metric = metric_by_name(&args.metric, source.classes(), timeout)?;
    let (constrained, constraints): (Vec<_>, Vec<_>) = constraints.into_iter().unzip();
    let settings = Settings::new(args, method, &metric, constraints, &source, common.seed)?;
    let as_json = common.json || args.output.as_deref().is_some_and(is_stream);
    let output = args.output.as_deref().filter(|path| !is_stream(path));
    let file_output = output.map(AtomicFile::create).transpose()?; // a bad path fails before the work

    let (name, classes) = (source.name().to_string(), source.classes().to_vec());
    let fit = source.fit(&settings, args, screen).map_err(|error| match error.downcast::<Error>() {
        Ok(error) => user_error(&error, &name, &classes).into(),
        Err(error) => error,
    });
    let fit = settled(std::iter::once(&metric).chain(constrained.iter().map(|metric| &**metric)), fit)?;
    let model = &fit.model;

    let Some(report) = model.report() else { return Ok(()) };
    if let Some(file) = file_output {
        file.write_whole(model.to_json().as_bytes())?;
    }
    if as_json {
        if let Some(verdict) = model.verdict() {
            screen.note(verdict);
        }
        screen.print(model.to_json())?;
    } else {
        screen.print(summary::summary(model, &fit.rows))?;
    }
    summary::warn(screen, report, args.options.get("reference") == Some("best"));
    if report.learning_curve.as_ref().is_some_and(|curve| curve.points.is_empty()) {
        screen.note(
            "note: no learning curve: it needs at least 14 labelled rows, and a method that learns from them",
        );
    }
    if let Some(why) = fit.why_unscored {
        screen.note(format_args!("note: the rows were not scored: {why}"));
    }
    if as_json {
        return Ok(());
    }
    match output {
        Some(path) => screen.note_written(path),
        None => screen.note("hint: save the model for `cwplugin apply` with -o model.json"),
    }
    let has_estimate = report.details::<AutoReport>().is_some()
        || report.details::<BaggedReport>().is_some_and(|bagged| bagged.out_of_bag.is_some());
    if report.score.is_some() && !has_estimate {
        screen.note("hint: these scores are on the fitted rows; run `cwplugin eval` on other rows for an unbiased estimate");
    }
    Ok(())
}

/// The files that the fit reads, which it must not overwrite.
fn inputs(args: &Fit) -> Vec<(&Path, &str)> {
    let mut inputs = vec![(Path::new(&args.data.label), "the labels")];
    let metrics = std::iter::once(&*args.metric).chain(constrained_metrics(&args.subject_to));
    inputs.extend(metrics.filter_map(metric_file));
    inputs.extend(args.path.as_deref().map(|path| (path, "the table")));
    inputs.extend(args.features.iter().map(|file| (Path::new(file), "the features")));
    inputs.extend(args.stats.as_deref().map(|path| (path, "the statistics")));
    let priors = args.options.get("source-priors").map(Path::new).filter(|path| is_priors_file(path));
    inputs.extend(priors.map(|path| (path, "the source priors")));
    inputs
}

fn user_error(error: &Error, file: &str, classes: &[String]) -> UserError {
    match error {
        Error::NotQuasiConcave { .. } => {
            UserError::usage(error.fact()).hint("use --search exact (it is fast), or --force")
        }
        Error::EmptyReference { class } => {
            UserError::new(format!("{file}: reference class \"{}\" has no labelled rows", classes[*class]))
                .hint("use --reference largest, label some rows of it, or use --absent drop")
        }
        Error::MetricNotFinite { .. } => UserError::new(format!("{file}: {error}")).hint(
            "the metric is undefined on these rows: label rows of other classes, or choose another --metric",
        ),
        _ => UserError::new(format!("{file}: {error}")).hint("check the labels and the row weights"),
    }
}
