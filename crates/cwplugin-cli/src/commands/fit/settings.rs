//! From flags to a fit.

use cwplugin::plugin;
use cwplugin::{Constraint, Fit, Method, Metric, Reference, Search, Statistics};

use super::source::Source;
use crate::args::Fit as Args;
use crate::input::resolved_options;
use crate::user_error::UserError;

/// The settings of a fit.
pub(super) struct Settings<'a> {
    pub(super) method: &'static Method,
    pub(super) metric: &'a dyn Metric,
    pub(super) fit: Fit<'a>,
    /// For `cwplugin`, which can also fit from statistics.
    pub(super) plugin: Option<plugin::Settings>,
    pub(super) is_constrained: bool,
}

impl<'a> Settings<'a> {
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
        for (option, value) in resolved_options(&args.options, classes)? {
            fit = fit.option(option, value);
        }
        if args.unscored {
            fit = fit.unscored();
        }
        let plugin = fit.plugin_settings(classes)?;
        if let (Source::Statistics { statistics, .. }, Some(plugin)) = (source, plugin) {
            check_statistics(args, plugin, statistics)?;
        }
        Ok(Self { method, metric, fit, plugin, is_constrained })
    }
}

/// Refuses another reference or grid than those of the statistics.
fn check_statistics(args: &Args, plugin: plugin::Settings, statistics: &Statistics) -> Result<(), UserError> {
    let counted = statistics.reference();
    let is_counted = match plugin.reference {
        Reference::Class(class) => class == counted,
        Reference::Last => counted + 1 == statistics.classes().len(),
        Reference::Largest => statistics.largest_class() == Some(counted),
        _ => false,
    };
    if let Some(asked) = args.options.get("reference").filter(|_| !is_counted) {
        let name = &statistics.classes()[counted];
        let what = format!("--reference {asked}, but the statistics were counted against \"{name}\"");
        return Err(UserError::usage(what)
            .hint("omit --reference, or count again: cwplugin stats DATA --reference NAME"));
    }
    let (step, asked) = (statistics.step(), plugin.search);
    let is_counted = [Search::Grid(step), Search::Binary(step)].contains(&asked);
    if args.options.get("search").is_some() && !is_counted {
        let what = format!("--search {asked}, but the statistics were counted on {}", Search::Grid(step));
        let epsilon = step.epsilon();
        return Err(UserError::usage(what)
            .hint(format!("omit --search, use binary:{epsilon}, or count again with other --bins")));
    }
    Ok(())
}
