//! `cwplugin fit`: learn one weight per class.

use std::path::Path;

mod source; // rows or counters
mod summary; // what the user reads

use cwplugin::{
    Details, Error, FitOptions, Method, Metric, Model, Plugin, Reference, Search, Select, Settings,
    Statistics,
};

use super::methods;
use crate::args::{Common, Fit};
use crate::atomic::AtomicFile;
use crate::input::{is_priors_file, metric_by_name, quoted, source_priors};
use crate::output::{Screen, refuse_replacing};
use crate::refusal::Refusal;
use crate::table::is_stream;
use source::Source;
use summary::{summary, warn};

pub(crate) fn run(args: &Fit, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let method = methods::by_name(&args.method)?;
    let labels = Path::new(&args.data.label);
    let costs = Path::new(args.metric.strip_prefix("cost:").unwrap_or_default());
    let mut inputs = vec![(labels, "the labels"), (costs, "the cost matrix")];
    inputs.extend(args.path.as_deref().map(|path| (path, "the table")));
    inputs.extend(args.features.iter().map(|file| (Path::new(file), "the features")));
    inputs.extend(args.stats.as_deref().map(|path| (path, "the statistics")));
    let priors = args.source_priors.as_deref().map(Path::new).filter(|path| is_priors_file(path));
    inputs.extend(priors.map(|path| (path, "the source priors")));
    refuse_replacing(args.output.as_deref(), &inputs)?;
    if args.select.is_some() && !method.has_penalty() {
        return Err(means_nothing("--select", method, "dirichlet-full").into());
    }
    if args.source_priors.is_some() && !method.uses_source_priors() {
        return Err(means_nothing("--source-priors", method, "label-shift").into());
    }
    if args.bags.is_some() && !method.uses_bags() {
        return Err(means_nothing("--bags", method, "bagged").into());
    }
    match (method.needs_features(), args.features.is_empty()) {
        (true, true) => return Err(methods::lacks_features(method).into()),
        (false, false) => return Err(means_nothing("--features", method, "logistic").into()),
        _ => {}
    }
    if !matches!(method.recipe, cwplugin::Recipe::Plugin(_)) {
        refuse_plugin_flags(args, method)?;
    }
    let source = Source::open(args)?;
    let metric = metric_by_name(&args.metric, source.classes())?;
    let recipe = if let cwplugin::Recipe::Plugin(settings) = method.recipe {
        Recipe::Plugin(PluginRecipe::new(args, settings, &*metric, &source)?)
    } else {
        let select = args.select.map_or(Select::InSample, Select::from);
        let priors = args.source_priors.as_ref().map(|text| source_priors(text, source.classes()));
        let bags = args.bags.map(usize::from);
        let options = FitOptions { seed: common.seed, select, source_priors: priors.transpose()?, bags };
        Recipe::Method { method, metric: &*metric, options }
    };
    let as_json = common.json || args.output.as_deref().is_some_and(is_stream);
    let output = args.output.as_deref().filter(|path| !is_stream(path));
    let file_output = output.map(AtomicFile::create).transpose()?; // a bad path fails before the work

    let (name, classes) = (source.name().to_string(), source.classes().to_vec());
    let fit = source.fit(&recipe, args, screen).map_err(|error| match error.downcast::<Error>() {
        Ok(error) => refuse(&error, &name, &classes).into(),
        Err(error) => error,
    })?;
    let model = Model::from_fit(classes, &fit.fitted, method.name, common.seed)?;

    if let Some(file) = file_output {
        file.write_whole(model.to_json().as_bytes())?;
    }
    if as_json {
        screen.print(model.to_json())?;
    } else {
        screen.print(summary(&model, &fit.fitted, &fit.rows))?;
    }
    warn(screen, &fit.fitted, model.classes(), args.reference.as_deref() == Some("best"));
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
    let is_honest =
        matches!(&fit.fitted.report().details, Details::Bagged(bagged) if bagged.out_of_bag.is_some());
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
}

impl<'a> PluginRecipe<'a> {
    /// The method's own settings, changed where the user says so; statistics have their own grid and reference.
    fn new(args: &Fit, default: Settings, metric: &'a dyn Metric, source: &Source) -> Result<Self, Refusal> {
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
        Ok(Self { plugin, metric, reference, search })
    }
}

/// Refuses flags that mean nothing to a method other than Algorithm 1.
fn refuse_plugin_flags(args: &Fit, method: &Method) -> Result<(), Refusal> {
    let given = [
        ("--stats", args.stats.is_some()),
        ("--reference", args.reference.is_some()),
        ("--search", args.search.is_some()),
        ("--ties", args.ties.is_some()),
        ("--absent", args.absent.is_some()),
        ("--force", args.force),
        ("--buffer", args.buffer.is_some()),
        ("--unscored", args.unscored),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((flag, _)) => Err(means_nothing(flag, method, "cwplugin")),
    }
}

fn means_nothing(flag: &str, method: &Method, other: &str) -> Refusal {
    Refusal::usage(format!("{flag} means nothing to --method {}", method.name))
        .hint(format!("leave it out, or use --method {other}"))
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
