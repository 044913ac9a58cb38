//! From flags to a fit.

use cwplugin::methods::ConstraintSupport;
use cwplugin::plugin;
use cwplugin::{Constraint, Fit, METHODS, Method, Metric, Reference, Search, Statistics};

use super::super::methods;
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
        Ok(Self { method, metric, fit, plugin })
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

/// The method that selecting flags stand for.
const SELECTED: &str = "cwplugin";

/// The method that the user names; else `cwplugin` if one of its flags is given; else the default.
pub(super) fn method(args: &Args) -> Result<&'static Method, UserError> {
    match &args.method {
        Some(name) => methods::by_name(name),
        None if selecting_flag(args).is_some() => methods::by_name(SELECTED),
        None => Ok(&METHODS[0]),
    }
}

/// The flag that selects `cwplugin`, because the user names no method.
pub(super) fn selecting_flag(args: &Args) -> Option<String> {
    let plugin = Method::by_name(SELECTED).ok()?;
    let option = args.options.0.keys().find(|option| plugin.option(option).is_some());
    let flag = option.map(|option| format!("--{option}")).or_else(|| plugin_flag(args).map(str::to_owned));
    flag.filter(|_| args.method.is_none())
}

/// Refuses flags that the method does not support, and a method without the features that it needs.
pub(super) fn refuse_unsupported(args: &Args, method: &Method) -> Result<(), UserError> {
    if let Some(option) = args.options.0.keys().find(|option| method.option(option).is_none()) {
        let other = Method::supporting(option).map_or("auto", |other| other.name);
        return Err(not_supported(&format!("--{option}"), method, other));
    }
    if !args.subject_to.is_empty() && method.constraints == ConstraintSupport::None {
        return Err(not_supported("--subject-to", method, "ascent"));
    }
    if !args.features.is_empty() && !method.needs_features {
        return Err(not_supported("--features", method, "logistic"));
    }
    if method.needs_features && args.features.is_empty() {
        return Err(methods::lacks_features(method));
    }
    match plugin_flag(args).filter(|_| method.option("search").is_none()) {
        Some(flag) => Err(not_supported(flag, method, "cwplugin")),
        None => Ok(()),
    }
}

/// The first flag about how `cwplugin` reads its rows.
fn plugin_flag(args: &Args) -> Option<&'static str> {
    let given = [
        ("--stats", args.stats.is_some()),
        ("--buffer", args.buffer.is_some()),
        ("--unscored", args.unscored),
    ];
    given.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
}

fn not_supported(flag: &str, method: &Method, other: &str) -> UserError {
    UserError::usage(format!("{flag} is not supported by --method {}", method.name))
        .hint(format!("omit it, or use --method {other}"))
}
