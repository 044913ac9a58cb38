//! Which method is meant, and which flags mean nothing to it.

use cwplugin::{METHODS, Method, Recipe};

use super::super::methods;
use crate::args::Fit;
use crate::refusal::Refusal;

/// The method that the user names; else that of the flags, and without any the default.
pub(super) fn method(args: &Fit) -> Result<&'static Method, Refusal> {
    match &args.method {
        Some(name) => methods::by_name(name),
        None if plugin_flag(args).is_some() => methods::by_name("cwplugin"),
        None => methods::by_name(METHODS[0].name),
    }
}

/// Refuses flags that mean nothing to the method, and a method that lacks what it learns from.
pub(super) fn refuse(args: &Fit, method: &Method) -> Result<(), Refusal> {
    if let Some(flag) = args.asking.given() {
        return Err(Refusal::usage(format!("{flag} means nothing without --oracle"))
            .hint("leave it out; it says how a program is asked what weights are worth"));
    }
    let of_others = [
        ("--select", args.select.is_some() && !method.has_penalty(), "dirichlet-full"),
        ("--source-priors", args.source_priors.is_some() && !method.uses_source_priors(), "label-shift"),
        ("--bags", args.bags.is_some() && !method.uses_bags(), "bagged"),
        ("--mixing", args.mixing.is_some() && method.recipe != Recipe::Expected, "expected"),
        ("--subject-to", !args.subject_to.is_empty() && !method.takes_constraints(), "ascent"),
        ("--features", !args.features.is_empty() && !method.needs_features(), "logistic"),
    ];
    if let Some((flag, _, other)) = of_others.into_iter().find(|(_, is_wrong, _)| *is_wrong) {
        return Err(means_nothing(flag, method, other));
    }
    if method.needs_features() && args.features.is_empty() {
        return Err(methods::lacks_features(method));
    }
    match plugin_flag(args) {
        Some(flag) if !matches!(method.recipe, Recipe::Plugin(_)) => {
            Err(means_nothing(flag, method, "cwplugin"))
        }
        _ => Ok(()),
    }
}

/// The first flag that only Algorithm 1 understands.
fn plugin_flag(args: &Fit) -> Option<&'static str> {
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
    given.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
}

fn means_nothing(flag: &str, method: &Method, other: &str) -> Refusal {
    Refusal::usage(format!("{flag} means nothing to --method {}", method.name))
        .hint(format!("leave it out, or use --method {other}"))
}
