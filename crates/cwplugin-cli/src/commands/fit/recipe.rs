//! What to fit, and how: a method with the user's settings.

use cwplugin::{FitOptions, Method, Metric, Plugin, Reference, Search, Select, Settings, Statistics};

use super::source::Source;
use crate::args::Fit;
use crate::input::{quoted, source_priors};
use crate::refusal::Refusal;

/// What to fit, and how.
pub(super) enum Recipe<'a> {
    Plugin(PluginRecipe<'a>),
    Method { method: &'static Method, metric: &'a dyn Metric, options: FitOptions },
}

impl<'a> Recipe<'a> {
    /// The method with the user's settings: `metric` is what is scored, `searched` what a search maximises.
    pub(super) fn new(
        args: &Fit,
        method: &'static Method,
        metric: &'a dyn Metric,
        searched: &'a dyn Metric,
        source: &Source,
        seed: u64,
    ) -> anyhow::Result<Self> {
        if let cwplugin::Recipe::Plugin(settings) = method.recipe {
            return Ok(Self::Plugin(PluginRecipe::new(args, settings, [metric, searched], source, seed)?));
        }
        let select = args.select.map_or(Select::InSample, Select::from);
        let priors = args.source_priors.as_ref().map(|text| source_priors(text, source.classes()));
        let (mixing, bags) = (args.mixing.unwrap_or_default(), args.bags.map(usize::from));
        let options = FitOptions { seed, select, mixing, source_priors: priors.transpose()?, bags };
        Ok(Self::Method { method, metric, options })
    }
}

/// Algorithm 1 with the user's settings.
pub(super) struct PluginRecipe<'a> {
    pub(super) plugin: Plugin<&'a dyn Metric>,
    /// What is scored; the plugin may search it within constraints.
    pub(super) metric: &'a dyn Metric,
    pub(super) reference: Reference,
    pub(super) search: Search,
    pub(super) seed: u64,
}

impl<'a> PluginRecipe<'a> {
    /// The method's own settings, changed where the user says so; statistics have their own grid and reference.
    fn new(
        args: &Fit,
        default: Settings,
        [metric, searched]: [&'a dyn Metric; 2],
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
        let plugin = Plugin::new(searched).settings(Settings { reference, search, ties, absent });
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
