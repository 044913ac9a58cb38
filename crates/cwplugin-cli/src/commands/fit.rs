//! `cwplugin fit`: learn one weight per class.

use std::path::Path;

mod flags; // which method, and what means nothing to it
mod recipe; // what to fit, and how
mod source; // rows or counters
mod summary; // what the user reads
mod candidates; // what `auto` tried, and why it chose

use cwplugin::Error;
use cwplugin::methods::{AutoReport, BaggedReport};

use crate::args::{Common, Fit};
use crate::atomic::AtomicFile;
use crate::command;
use crate::input::{constraints_by_names, is_priors_file, limited, metric_by_name, metric_file, settled};
use crate::output::{Screen, refuse_replacing};
use crate::refusal::Refusal;
use crate::table::is_stream;
pub(crate) use candidates::candidates;
use recipe::Recipe;
use source::Source;
pub(crate) use summary::constraint_table;
use summary::{summary, warn};

pub(crate) fn run(args: &Fit, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let method = flags::method(args)?;
    let labels = Path::new(&args.data.label);
    let mut inputs = vec![(labels, "the labels")];
    inputs.extend(std::iter::once(&*args.metric).chain(limited(&args.subject_to)).filter_map(metric_file));
    inputs.extend(args.path.as_deref().map(|path| (path, "the table")));
    inputs.extend(args.features.iter().map(|file| (Path::new(file), "the features")));
    inputs.extend(args.stats.as_deref().map(|path| (path, "the statistics")));
    let priors = args.options.0.get("source-priors").map(Path::new).filter(|path| is_priors_file(path));
    inputs.extend(priors.map(|path| (path, "the source priors")));
    refuse_replacing(args.output.as_deref(), &inputs)?;
    flags::refuse(args, method)?;
    let source = Source::open(args)?;
    let constraints = constraints_by_names(&args.subject_to, source.classes(), args.metric_timeout)?;
    // Who limits programs, and maximises none, means those by --metric-timeout.
    let is_of_others = limited(&args.subject_to).any(command::is_named) && !command::is_named(&args.metric);
    let timeout = args.metric_timeout.filter(|_| !is_of_others);
    let metric = metric_by_name(&args.metric, source.classes(), timeout)?;
    let (limits, constraints): (Vec<_>, Vec<_>) = constraints.into_iter().unzip();
    let recipe = Recipe::new(args, method, &metric, constraints, &source, common.seed)?;
    let as_json = common.json || args.output.as_deref().is_some_and(is_stream);
    let output = args.output.as_deref().filter(|path| !is_stream(path));
    let file_output = output.map(AtomicFile::create).transpose()?; // a bad path fails before the work

    let (name, classes) = (source.name().to_string(), source.classes().to_vec());
    let fit = source.fit(&recipe, args, screen).map_err(|error| match error.downcast::<Error>() {
        Ok(error) => refuse(&error, &name, &classes).into(),
        Err(error) => error,
    });
    let fit = settled(std::iter::once(&metric).chain(limits.iter().map(|metric| &**metric)), fit)?;
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
        screen.print(summary(model, &fit.rows))?;
    }
    warn(screen, model, args.options.0.get("reference").is_some_and(|name| name == "best"));
    if report.learning_curve.as_ref().is_some_and(|curve| curve.points.is_empty()) {
        screen.note(
            "note: no learning curve: it takes at least 14 labelled rows, and a method that learns from them",
        );
    }
    if let Some(why) = fit.why_unscored {
        screen.note(format_args!("note: the score on all rows is not known: {why}"));
    }
    if as_json {
        return Ok(());
    }
    match output {
        Some(path) => screen.note(format_args!("wrote {}", path.display())),
        None => screen.note("hint: -o model.json keeps the model for `cwplugin apply`"),
    }
    let is_honest = report.details::<AutoReport>().is_some()
        || report.details::<BaggedReport>().is_some_and(|bagged| bagged.out_of_bag.is_some());
    if report.score.is_some() && !is_honest {
        screen.note("hint: these scores are on the rows that were fitted; `cwplugin eval` on other rows is the honest test");
    }
    Ok(())
}

fn refuse(error: &Error, file: &str, classes: &[String]) -> Refusal {
    match error {
        Error::NotQuasiConcave { metric } => Refusal::usage(format!(
            "metric {metric} may have several peaks on a pair, so binary search may miss the best"
        ))
        .hint("use --search exact (it is fast), or --force to search all the same"),
        Error::EmptyReference { class } => {
            Refusal::new(format!("{file}: reference class \"{}\" has no labelled rows", classes[*class]))
                .hint("use --reference largest, or label some rows of it; --absent drop goes on without")
        }
        Error::MetricNotFinite { .. } => Refusal::new(format!("{file}: {error}")).hint(
            "the metric is undefined on these rows: label rows of other classes, or choose another --metric",
        ),
        _ => Refusal::new(format!("{file}: {error}")).hint("look at the labels and the row weights"),
    }
}
