//! The method of a fit, and the flags that it does not support.

use cwplugin::methods::ConstraintSupport;
use cwplugin::{METHODS, Method};

use super::super::methods;
use crate::args::Fit;
use crate::user_error::UserError;

/// The method that the user names; else `cwplugin` if one of its flags is given; else the default.
pub(super) fn method(args: &Fit) -> Result<&'static Method, UserError> {
    let plugin = methods::by_name("cwplugin")?;
    match &args.method {
        Some(name) => methods::by_name(name),
        None if plugin_flag(args).is_some() => Ok(plugin),
        None if args.options.0.keys().any(|option| plugin.option(option).is_some()) => Ok(plugin),
        None => Ok(&METHODS[0]),
    }
}

/// Refuses flags that the method does not support, and a method without the features that it needs.
pub(super) fn refuse_unsupported(args: &Fit, method: &Method) -> Result<(), UserError> {
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
fn plugin_flag(args: &Fit) -> Option<&'static str> {
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
