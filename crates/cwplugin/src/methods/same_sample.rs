//! Values that fits of one sample have in common, whatever their metric.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;

/// Values that depend on the sample and the seed only, so that fits for several metrics, and several methods, compute them
/// once. One of these must not be used for two samples or two seeds.
#[derive(Default)]
pub(crate) struct SameSample {
    /// By type and number.
    values: Mutex<BTreeMap<(TypeId, usize), Arc<dyn Any + Send + Sync>>>,
}

impl SameSample {
    /// The value of this type and number, computed if it is not known yet.
    ///
    /// Nothing is locked meanwhile, because a thread that waits for its part of a computation may begin another fit. Two
    /// threads may then compute the same value, with the same result.
    pub(crate) fn get<T: Any + Send + Sync>(
        &self,
        number: usize,
        compute: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Arc<T>, Error> {
        let key = (TypeId::of::<T>(), number);
        let values = || self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let known = values().get(&key).cloned();
        if let Some(Ok(known)) = known.map(Arc::downcast) {
            return Ok(known);
        }
        let computed = Arc::new(compute()?);
        values().insert(key, computed.clone());
        Ok(computed)
    }
}

impl PartialEq for SameSample {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl fmt::Debug for SameSample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SameSample").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_computed_once_unless_it_fails() {
        let same = SameSample::default();
        assert_eq!(same.get::<u8>(0, || Err(Error::NoLabelledRows)), Err(Error::NoLabelledRows));
        assert_eq!(*same.get(0, || Ok(1_u8)).unwrap(), 1);
        assert_eq!(*same.get(0, || Ok(2_u8)).unwrap(), 1);
        assert_eq!(*same.get(1, || Ok(3_u8)).unwrap(), 3, "another number");
        assert_eq!(*same.get(0, || Ok(4_u16)).unwrap(), 4, "another type");
    }
}
