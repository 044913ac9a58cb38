//! Numbers that are read where NumPy keeps them, while a reference keeps the array alive and nobody writes to it.
#![allow(unsafe_code)]

use std::sync::Arc;

use numpy::{Element, PyArray2, PyArrayMethods as _, PyUntypedArrayMethods as _};
use pyo3::prelude::*;

/// The numbers of an array in C order, and the array.
struct Borrowed<T> {
    first: *const T,
    length: usize,
    /// Keeps the numbers where they are.
    _array: Py<PyArray2<T>>,
}

// SAFETY: plain numbers that are only read; the array is kept alive by its reference, which may be dropped on any thread. Nobody
// writes to them meanwhile:
// * A fit, which reads for long, and work after the call get an array in place only if neither it nor an array that it is a part
//   of is writeable (`Use::Often`); others are copied while the interpreter is locked.
// * A single pass (`Use::Once`) ends within the call, and its caller holds a `PyReadonlyArray` until then, so that no Rust code
//   writes. Python code on another thread could. That is a race of the user's own, as in every function of NumPy that releases the
//   lock (`numpy.add(a, 1, out=b)` while another thread reads `b`): Python's memory model leaves the numbers open, and no address
//   or length depends on them.
unsafe impl<T: Sync> Send for Borrowed<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Borrowed<T> {}

impl<T> AsRef<[T]> for Borrowed<T> {
    fn as_ref(&self) -> &[T] {
        if self.length == 0 {
            return &[]; // the pointer of an empty array may be null
        }
        // SAFETY: `borrowed` saw an aligned array in C order of as many numbers, which lives as long as the reference to it.
        unsafe { std::slice::from_raw_parts(self.first, self.length) }
    }
}

/// The numbers of an array where they are, if they are in C order.
pub(crate) fn borrowed<T>(array: &Bound<'_, PyArray2<T>>) -> Option<Arc<dyn AsRef<[T]> + Send + Sync>>
where
    T: Element + Copy + Send + Sync + 'static,
{
    // A read-only view checks alignment too.
    let is_plain = array.is_c_contiguous() && array.readonly().as_slice().is_ok();
    is_plain.then(|| {
        let (first, length) = (array.data().cast_const(), array.len());
        Arc::new(Borrowed { first, length, _array: array.clone().unbind() })
            as Arc<dyn AsRef<[T]> + Send + Sync>
    })
}
