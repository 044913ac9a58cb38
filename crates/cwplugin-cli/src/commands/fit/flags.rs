//! Which method is meant, and which flags it does not support.

use cwplugin::methods::ConstraintSupport;
use cwplugin::{METHODS, Method};

use super::super::methods;
use crate::args::Fit;
use crate::refusal::Refusal;

/// The method that the user names; else Algorithm 1 if a flag is its own, and without any the default.
pub(super) fn method(args: &Fit) -> Result<&'static Method, Refusal> {
    let plugin = methods::by_name("cwplugin")?;
    match &args.method {
        Some(name) => methods::by_name(name),
        None if plugin_flag(args).is_some() => Ok(plugin),
        None if args.options.0.keys().any(|option| plugin.option(option).is_some()) => Ok(plugin),
        None => Ok(&METHODS[0]),
    }
}

/// Refuses flags that the method does not support, and a method that lacks what it learns from.
pub(super) fn refuse(args: &Fit, method: &Method) -> Result<(), Refusal> {
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

/// The first flag about how Algorithm 1 gets its rows.
fn plugin_flag(args: &Fit) -> Option<&'static str> {
    let given = [
        ("--stats", args.stats.is_some()),
        ("--buffer", args.buffer.is_some()),
        ("--unscored", args.unscored),
    ];
    given.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
}

fn not_supported(flag: &str, method: &Method, other: &str) -> Refusal {
    Refusal::usage(format!("{flag} is not supported by --method {}", method.name))
        .hint(format!("leave it out, or use --method {other}"))
}
