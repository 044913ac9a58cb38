//! Class names.

use std::collections::HashSet;
use std::sync::Arc;

use crate::error::Error;

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
