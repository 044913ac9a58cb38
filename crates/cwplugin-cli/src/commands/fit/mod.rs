//! `cwplugin fit`: learn a decision rule from labelled rows.

mod settings; // from flags to a fit, and the flags that a method does not support
mod pass; // what one reading of a table has found
mod seen; // what a model keeps of rows that were only counted
mod source; // rows or statistics
mod layout; // text and tables within a width
mod candidates; // what was tried, and why the choice
mod classes; // what changes by class
mod summary; // constraints and learning curve
mod details; // what each method reports, for --verbose
mod screen; // the text of a fit
mod warnings; // warnings with advice

use std::path::Path;

use cwplugin::methods::AutoReport;
use cwplugin::model::MoreLabels;
use cwplugin::{Error, FitReport};

use crate::args::{Common, Fit};
use crate::atomic::AtomicFile;
use crate::command;
use crate::input::{
    constrained_metrics, constraints_by_names, is_priors_file, metric_by_name, metric_file, settled,
};
use crate::output::{Screen, refuse_replacing};
use crate::table::is_stream;
use crate::user_error::UserError;
pub(crate) use candidates::candidates;
pub(crate) use layout::screen_width;
use screen::Shown;
use settings::Settings;
use source::{Fitting, Source};
pub(crate) use summary::constraint_table;

/// How much of a fit is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    Short,
    Verbose,
}

pub(crate) fn run(args: &Fit, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let method = settings::method(args)?;
    refuse_replacing("-o", args.output.as_deref(), &inputs(args))?;
    settings::refuse_unsupported(args, method)?;
    let source = Source::open(args, screen)?;
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
        screen.print_bytes(model.to_json().as_bytes())?;
    } else {
        let detail = if args.verbose { Detail::Verbose } else { Detail::Short };
        screen.print(Shown::new(&fit, &name).text(detail, screen_width()))?;
    }
    warnings::warn(screen, &fit, args.options.get("reference") == Some("best"));
    // Statistics leave no choice of the method.
    if let Some(flag) = settings::selecting_flag(args).filter(|_| args.stats.is_none()) {
        screen.note(format_args!("note: {flag} selects --method {}; the default is auto", method.name));
    }
    if report.learning_curve.as_ref().is_some_and(|curve| curve.points.is_empty()) {
        screen.note(
            "note: no learning curve: it needs at least 14 labelled rows, and a method that learns from them",
        );
    }
    if let Some(why) = &fit.why_unscored {
        screen.note(format_args!("note: the rows were not scored: {why}"));
    }
    if as_json {
        return Ok(());
    }
    match output {
        Some(path) => {
            screen.note_written(path);
            screen.note(next_step(report, path));
        }
        None => screen.note("hint: save the model for `cwplugin apply` with -o model.json"),
    }
    Ok(())
}

/// What to do with a model that was written.
fn next_step(report: &FitReport, path: &Path) -> String {
    let is_unchanged = report.details::<AutoReport>().is_some_and(|auto| auto.chosen == "clean");
    if !is_unchanged || report.adjusted == Some(true) {
        return format!(
            "next: cwplugin eval {} TEST  (TEST: labelled rows that were not fitted)",
            path.display()
        );
    }
    match report.more_labels() {
        Some(MoreLabels::Unlikely) => "next: use the unadjusted predictions; the model does not change them",
        _ => "next: label more rows and fit again; the model does not change predictions yet",
    }
    .into()
}

/// A gain with its standard deviation.
fn plus_minus(gain: f64, sd: f64) -> String {
    format!("{gain:+.4} ± {sd:.4}")
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
