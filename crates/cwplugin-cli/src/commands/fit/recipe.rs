//! What to fit, and how: a method with the user's settings.

use cwplugin::{
    Constraint, FitOptions, Fitter, Method, Metric, Plugin, Reference, Search, Select, Settings, Statistics,
};

use super::source::Source;
use crate::args::Fit;
use crate::input::{NamedMetric, quoted, source_priors};
use crate::refusal::Refusal;

/// What to fit, and how.
pub(super) struct Recipe<'a> {
    pub(super) method: &'static Method,
    pub(super) metric: &'a dyn Metric,
    /// For rows that are kept.
    pub(super) fitter: Fitter<'a, NamedMetric>,
    /// Algorithm 1 has more ways: rows may be counted and forgotten.
    pub(super) plugin: Option<PluginRecipe<'a>>,
    pub(super) is_constrained: bool,
}

/// Algorithm 1 with the user's settings.
pub(super) struct PluginRecipe<'a> {
    pub(super) plugin: Plugin<&'a dyn Metric>,
    pub(super) reference: Reference,
    pub(super) search: Search,
}

impl<'a> Recipe<'a> {
    /// The method with the user's settings, which maximises the metric within the constraints.
    pub(super) fn new(
        args: &Fit,
        method: &'static Method,
        metric: &'a dyn Metric,
        constraints: &'a [Constraint<NamedMetric>],
        source: &Source,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let select = args.select.map_or(Select::InSample, Select::from);
        let priors = args.source_priors.as_ref().map(|text| source_priors(text, source.classes()));
        let (mixing, bags) = (args.mixing.unwrap_or_default(), args.bags.map(usize::from));
        let options = FitOptions { seed, select, mixing, source_priors: priors.transpose()?, bags };
        let fitter = Fitter::new(method, metric, options).subject_to(constraints);
        let is_constrained = !constraints.is_empty();
        let cwplugin::Recipe::Plugin(own) = method.recipe else {
            return Ok(Self { method, metric, fitter, plugin: None, is_constrained });
        };
        let settings = settings(args, own, source)?;
        let plugin = Plugin::new(metric).settings(settings);
        let plugin = if args.force { plugin.allow_any_metric() } else { plugin };
        let fitter = fitter.settings(settings).allow_any_metric(args.force).unscored(args.unscored);
        let Settings { reference, search, .. } = settings;
        let plugin = Some(PluginRecipe { plugin, reference, search });
        Ok(Self { method, metric, fitter, plugin, is_constrained })
    }
}

/// The method's own settings, changed where the user says so; statistics have their own grid and reference.
fn settings(args: &Fit, own: Settings, source: &Source) -> Result<Settings, Refusal> {
    let asked = args.reference.as_ref().map(|name| parse_reference(name, source.classes())).transpose()?;
    let (reference, search) = match source {
        Source::Table(_) => (asked.unwrap_or(own.reference), args.search.unwrap_or(own.search)),
        Source::Statistics { statistics, .. } => {
            (statistics_reference(args, asked, statistics)?, statistics_search(args.search, statistics)?)
        }
    };
    let (ties, absent) = (args.ties.unwrap_or(own.ties), args.absent.unwrap_or(own.absent));
    Ok(Settings { reference, search, ties, absent })
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
