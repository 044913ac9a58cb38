//! From flags to a fit.

use cwplugin::plugin::Settings;
use cwplugin::{Constraint, Fit, Method, Metric, Reference, Search, Statistics};

use super::source::Source;
use crate::args::Fit as Args;
use crate::refusal::Refusal;

/// A fit as the user wants it.
pub(super) struct Recipe<'a> {
    pub(super) method: &'static Method,
    pub(super) metric: &'a dyn Metric,
    pub(super) fit: Fit<'a>,
    /// Of Algorithm 1, which can also fit from counts.
    pub(super) settings: Option<Settings>,
    pub(super) is_constrained: bool,
}

impl<'a> Recipe<'a> {
    /// The method with the user's options, which maximises the metric subject to the constraints.
    pub(super) fn new(
        args: &Args,
        method: &'static Method,
        metric: &'a dyn Metric,
        constraints: Vec<Constraint>,
        source: &Source,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let classes = source.classes();
        let is_constrained = !constraints.is_empty();
        let mut fit = Fit::new(metric).method(method.name).seed(seed).constraints(constraints);
        for (option, value) in args.options.resolved(classes)? {
            fit = fit.option(option, value);
        }
        if args.unscored {
            fit = fit.unscored();
        }
        let settings = fit.plugin_settings(classes)?;
        if let (Source::Statistics { statistics, .. }, Some(settings)) = (source, settings) {
            check_statistics(args, settings, statistics)?;
        }
        Ok(Self { method, metric, fit, settings, is_constrained })
    }
}

/// Refuses another reference or grid than those of the statistics.
fn check_statistics(args: &Args, settings: Settings, statistics: &Statistics) -> Result<(), Refusal> {
    let counted = statistics.reference();
    let is_counted = match settings.reference {
        Reference::Class(class) => class == counted,
        Reference::Last => counted + 1 == statistics.classes().len(),
        Reference::Largest => statistics.largest_class() == Some(counted),
        _ => false,
    };
    if let Some(asked) = args.options.0.get("reference").filter(|_| !is_counted) {
        let name = &statistics.classes()[counted];
        let what = format!("--reference {asked}, but the statistics were counted against \"{name}\"");
        return Err(Refusal::usage(what)
            .hint("leave out --reference, or count again: cwplugin stats DATA --reference NAME"));
    }
    let (step, asked) = (statistics.step(), settings.search);
    let is_counted = [Search::Grid(step), Search::Binary(step)].contains(&asked);
    if args.options.0.contains_key("search") && !is_counted {
        let what = format!("--search {asked}, but the statistics were counted on {}", Search::Grid(step));
        let epsilon = step.epsilon();
        return Err(Refusal::usage(what)
            .hint(format!("leave out --search, use binary:{epsilon}, or count again with other --bins")));
    }
    Ok(())
}
