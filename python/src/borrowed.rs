//! Numbers that Python keeps for us: read where they are, while a reference keeps them alive.
//!
//! The one place of this package with unsafe code.
#![allow(unsafe_code)]

use std::sync::Arc;

use numpy::{Element, PyArray2, PyArrayMethods as _, PyUntypedArrayMethods as _};
use pyo3::prelude::*;

/// The numbers of an array in C order, and the array.
struct Lent<T> {
    first: *const T,
    length: usize,
    /// Keeps the numbers where they are.
    _array: Py<PyArray2<T>>,
}

// SAFETY: plain numbers that are only read; the array is kept alive by its reference, which may be dropped on any thread. A
// user who writes to an array on another thread while a fit reads it gets a fit of either numbers, as with NumPy itself.
unsafe impl<T: Sync> Send for Lent<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Lent<T> {}

impl<T> AsRef<[T]> for Lent<T> {
    fn as_ref(&self) -> &[T] {
        if self.length == 0 {
            return &[]; // an empty array may be nowhere
        }
        // SAFETY: `lent` saw an aligned array in C order of as many numbers, which lives as long as the reference to it.
        unsafe { std::slice::from_raw_parts(self.first, self.length) }
    }
}

/// The numbers of an array where they are, if they are in C order.
pub(crate) fn lent<T>(array: &Bound<'_, PyArray2<T>>) -> Option<Arc<dyn AsRef<[T]> + Send + Sync>>
where
    T: Element + Copy + Send + Sync + 'static,
{
    // A read-only view checks alignment too.
    let is_plain = array.is_c_contiguous() && array.readonly().as_slice().is_ok();
    is_plain.then(|| {
        let lent =
            Lent { first: array.data().cast_const(), length: array.len(), _array: array.clone().unbind() };
        Arc::new(lent) as Arc<dyn AsRef<[T]> + Send + Sync>
    })
}
