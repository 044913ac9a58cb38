//! Options of methods, checked against the classes.

use cwplugin::{Reference, quoted};

use super::priors::source_priors;
use crate::args::MethodOptions;
use crate::user_error::UserError;

/// The values as the library reads them: source priors in the order of the classes, and a reference that exists.
pub(crate) fn resolved_options(
    options: &MethodOptions,
    classes: &[String],
) -> Result<Vec<(&'static str, String)>, UserError> {
    let resolve = |(&option, value): (&&'static str, &String)| match option {
        "source-priors" => {
            let priors = source_priors(value, classes)?;
            Ok((option, priors.iter().map(f64::to_string).collect::<Vec<_>>().join(",")))
        }
        "reference" => reference(value, classes, "last, largest, best").map(|_| (option, value.clone())),
        _ => Ok((option, value.clone())),
    };
    options.0.iter().map(resolve).collect()
}

/// The reference class of `--reference`; `words` are the values that are not names of classes.
pub(crate) fn reference(name: &str, classes: &[String], words: &str) -> Result<Reference, UserError> {
    Reference::by_name(name, classes).map_err(|_| {
        UserError::usage(format!("--reference {name}: unknown class")).hint(format!(
            "write {words} or one of {} (class:NAME for a class called last, largest or best)",
            quoted(classes)
        ))
    })
}
