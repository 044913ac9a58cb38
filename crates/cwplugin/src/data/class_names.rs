//! Class names.

use std::collections::HashSet;
use std::sync::Arc;

use crate::error::Error;

/// The most classes. A confusion matrix of 10,000 classes has 800 MB, and a bootstrap holds two of them for each thread.
pub const MAX_CLASSES: usize = 10_000;

/// Returns an error if there are fewer than two classes, or more than [`MAX_CLASSES`].
pub(crate) fn check_count(found: usize) -> Result<(), Error> {
    match found {
        0 | 1 => Err(Error::TooFewClasses { found }),
        2..=MAX_CLASSES => Ok(()),
        _ => Err(Error::TooManyClasses { found, most: MAX_CLASSES }),
    }
}

/// Default class names: `0`, `1`, ….
pub(crate) fn numbered(n_classes: usize) -> Arc<[String]> {
    (0..n_classes).map(|class| class.to_string()).collect()
}

/// Returns an error if a name occurs twice.
pub(crate) fn check_unique(names: &[String]) -> Result<(), Error> {
    let mut seen = HashSet::with_capacity(names.len());
    match names.iter().find(|name| !seen.insert(*name)) {
        Some(name) => Err(Error::DuplicateClass { name: name.clone() }),
        None => Ok(()),
    }
}
