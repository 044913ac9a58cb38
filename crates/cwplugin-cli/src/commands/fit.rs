//! `cwplugin fit`: learn one weight per class.

use std::path::Path;

mod flags; // which method, and what means nothing to it
mod source; // rows or counters
mod summary; // what the user reads
mod verdict; // … first of all: what it was worth

use cwplugin::{
    Details, Error, FitOptions, Method, Metric, Model, Plugin, Reference, Search, Select, Settings,
    Statistics,
};

use crate::args::{Common, Fit};
use crate::atomic::AtomicFile;
use crate::input::{is_priors_file, metric_by_name, metric_file, quoted, settled, source_priors};
use crate::output::{Screen, refuse_replacing};
use crate::refusal::Refusal;
use crate::table::is_stream;
use source::Source;
use summary::{summary, warn};
pub(crate) use verdict::{trials, verdict};

pub(crate) fn run(args: &Fit, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let method = flags::method(args)?;
    let labels = Path::new(&args.data.label);
    let mut inputs = vec![(labels, "the labels")];
    inputs.extend(metric_file(&args.metric));
    inputs.extend(args.path.as_deref().map(|path| (path, "the table")));
    inputs.extend(args.features.iter().map(|file| (Path::new(file), "the features")));
    inputs.extend(args.stats.as_deref().map(|path| (path, "the statistics")));
    let priors = args.source_priors.as_deref().map(Path::new).filter(|path| is_priors_file(path));
    inputs.extend(priors.map(|path| (path, "the source priors")));
    refuse_replacing(args.output.as_deref(), &inputs)?;
    flags::refuse(args, method)?;
    let source = Source::open(args)?;
    let metric = metric_by_name(&args.metric, source.classes(), args.metric_timeout)?;
    let recipe = if let cwplugin::Recipe::Plugin(settings) = method.recipe {
        Recipe::Plugin(PluginRecipe::new(args, settings, &metric, &source, common.seed)?)
    } else {
        let select = args.select.map_or(Select::InSample, Select::from);
        let priors = args.source_priors.as_ref().map(|text| source_priors(text, source.classes()));
        let (mixing, bags) = (args.mixing.unwrap_or_default(), args.bags.map(usize::from));
        let options =
            FitOptions { seed: common.seed, select, mixing, source_priors: priors.transpose()?, bags };
        Recipe::Method { method, metric: &metric, options }
    };
    let as_json = common.json || args.output.as_deref().is_some_and(is_stream);
    let output = args.output.as_deref().filter(|path| !is_stream(path));
    let file_output = output.map(AtomicFile::create).transpose()?; // a bad path fails before the work

    let (name, classes) = (source.name().to_string(), source.classes().to_vec());
    let fit = source.fit(&recipe, args, screen).map_err(|error| match error.downcast::<Error>() {
        Ok(error) => refuse(&error, &name, &classes).into(),
        Err(error) => error,
    });
    let fit = settled(std::slice::from_ref(&metric), fit)?;
    let model = Model::from_fit(classes, &fit.fitted, method.name, common.seed)?;

    if let Some(file) = file_output {
        file.write_whole(model.to_json().as_bytes())?;
    }
    if as_json {
        if let Some(verdict) = verdict(&fit.fitted) {
            screen.note(verdict);
        }
        screen.print(model.to_json())?;
    } else {
        screen.print(summary(&model, &fit.fitted, &fit.rows))?;
    }
    warn(screen, &fit.fitted, model.classes(), args.reference.as_deref() == Some("best"));
    if fit.fitted.learning_curve().is_some_and(|curve| curve.points.is_empty()) {
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
    let is_honest = match &fit.fitted.report().details {
        Details::Auto(_) => true,
        Details::Bagged(bagged) => bagged.out_of_bag.is_some(),
        _ => false,
    };
    if fit.fitted.report().score.is_some() && !is_honest {
        screen.note("hint: these scores are on the rows that were fitted; `cwplugin eval` on other rows is the honest test");
    }
    Ok(())
}

/// What to fit, and how.
enum Recipe<'a> {
    Plugin(PluginRecipe<'a>),
    Method { method: &'static Method, metric: &'a dyn Metric, options: FitOptions },
}

/// Algorithm 1 with the user's settings.
struct PluginRecipe<'a> {
    plugin: Plugin<&'a dyn Metric>,
    metric: &'a dyn Metric,
    reference: Reference,
    search: Search,
    seed: u64,
}

impl<'a> PluginRecipe<'a> {
    /// The method's own settings, changed where the user says so; statistics have their own grid and reference.
    fn new(
        args: &Fit,
        default: Settings,
        metric: &'a dyn Metric,
        source: &Source,
        seed: u64,
    ) -> Result<Self, Refusal> {
        let asked =
            args.reference.as_ref().map(|name| parse_reference(name, source.classes())).transpose()?;
        let (reference, search) = match source {
            Source::Table(_) => (asked.unwrap_or(default.reference), args.search.unwrap_or(default.search)),
            Source::Statistics { statistics, .. } => {
                (statistics_reference(args, asked, statistics)?, statistics_search(args.search, statistics)?)
            }
        };
        let ties = args.ties.unwrap_or(default.ties);
        let absent = args.absent.unwrap_or(default.absent);
        let plugin = Plugin::new(metric).settings(Settings { reference, search, ties, absent });
        let plugin = if args.force { plugin.allow_any_metric() } else { plugin };
        Ok(Self { plugin, metric, reference, search, seed })
    }
}

/// The class that the statistics were counted against; refuses another one.
fn statistics_reference(
    args: &Fit,
    asked: Option<Reference>,
    statistics: &Statistics,
) -> Result<Reference, Refusal> {
    let counted = statistics.reference();
    let is_counted = match asked {
        None => true,
        Some(Reference::Class(class)) => class == counted,
        Some(Reference::Last) => counted + 1 == statistics.classes().len(),
        Some(Reference::Largest) => statistics.largest_class() == Some(counted),
        Some(_) => false,
    };
    if is_counted {
        return Ok(Reference::Class(counted));
    }
    let asked = args.reference.as_deref().unwrap_or_default();
    let what = format!(
        "--reference {asked}, but the statistics were counted against \"{}\"",
        statistics.classes()[counted]
    );
    Err(Refusal::usage(what)
        .hint("leave out --reference, or count again: cwplugin stats DATA --reference NAME"))
}

/// The grid of the statistics; refuses another one.
fn statistics_search(asked: Option<Search>, statistics: &Statistics) -> Result<Search, Refusal> {
    let step = statistics.step();
    let counted = Search::Grid(step);
    match asked {
        None => Ok(counted),
        Some(asked) if asked == counted || asked == Search::Binary(step) => Ok(asked),
        Some(asked) => {
            Err(Refusal::usage(format!("--search {asked}, but the statistics were counted on {counted}"))
                .hint(format!(
                    "leave out --search, use binary:{}, or count again with other --bins",
                    step.epsilon()
                )))
        }
    }
}

fn parse_reference(name: &str, classes: &[String]) -> Result<Reference, Refusal> {
    Reference::by_name(name, classes).map_err(|_| {
        let names = quoted(classes.iter().map(String::as_str));
        Refusal::usage(format!("--reference {name}: there is no such class")).hint(format!(
            "write last, largest, best or one of {names} (class:NAME for a class called last, largest or best)"
        ))
    })
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
            "on these rows the metric means nothing: label rows of other classes, or choose another --metric",
        ),
        _ => Refusal::new(format!("{file}: {error}")).hint("look at the labels and the row weights"),
    }
}
