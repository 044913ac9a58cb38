//! Labels become codes: equal labels the same one, in order of first appearance.

use std::collections::HashMap;
use std::hash::Hash;

use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Labels that were seen lately, each in the one place that its bits say; as many as the cache of a processor likes.
const PLACES: usize = 1 << PLACE_BITS;
const PLACE_BITS: u32 = 9;

/// The number of every label and, for each number, the row in which it comes first.
type Factors<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u64>>);

/// Numbers labels of equal width, given as the bytes that they lie in: whole numbers, truth values, texts.
#[pyfunction]
pub(crate) fn factorize<'py>(py: Python<'py>, bytes: PyReadonlyArray2<'py, u8>) -> PyResult<Factors<'py>> {
    let view = bytes.as_array();
    let (n, width) = view.dim();
    let bytes = bytes.as_slice()?;
    let (codes, first) = py.detach(|| match width {
        0 => (vec![0; n], Vec::from_iter((n > 0).then_some(0))),
        1 => number(bytes.iter().copied()),
        4 => number(bytes.as_chunks().0.iter().map(|&label| u32::from_ne_bytes(label))),
        8 => number(bytes.as_chunks().0.iter().map(|&label| u64::from_ne_bytes(label))),
        _ => number(bytes.chunks_exact(width)),
    });
    Ok((PyArray1::from_vec(py, codes), PyArray1::from_vec(py, first)))
}

/// A label, with a place among those seen lately.
trait Label: Copy + Eq + Hash {
    fn bits(self) -> u64;

    fn place(self) -> usize {
        // The golden ratio spreads neighbours; the upper bits have seen all of them.
        (self.bits().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PLACE_BITS)) as usize
    }
}

impl Label for u8 {
    fn bits(self) -> u64 {
        self.into()
    }
}

impl Label for u32 {
    fn bits(self) -> u64 {
        self.into()
    }
}

impl Label for u64 {
    fn bits(self) -> u64 {
        self
    }
}

impl Label for &[u8] {
    fn bits(self) -> u64 {
        let (words, rest) = self.as_chunks();
        let rest = rest.iter().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        let mix = |bits: u64, word: u64| (bits ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
        words.iter().map(|&word| u64::from_ne_bytes(word)).fold(rest, mix)
    }
}

fn number<T: Label>(labels: impl ExactSizeIterator<Item = T>) -> (Vec<u32>, Vec<u64>) {
    let mut lately: Vec<Option<(T, u32)>> = vec![None; PLACES];
    let mut known: HashMap<T, u32> = HashMap::new();
    let mut first = Vec::new();
    let codes = labels.enumerate().map(|(row, label)| {
        let place = &mut lately[label.place()];
        if let Some((same, code)) = *place
            && same == label
        {
            return code;
        }
        let code = *known.entry(label).or_insert_with(|| {
            first.push(row as u64);
            first.len() as u32 - 1
        });
        *place = Some((label, code));
        code
    });
    (codes.collect(), first)
}

/// Numbers labels that are any objects, by their own notion of equality.
#[pyfunction]
pub(crate) fn factorize_objects<'py>(labels: &Bound<'py, PyList>) -> PyResult<Factors<'py>> {
    let py = labels.py();
    let known = PyDict::new(py);
    let mut first: Vec<u64> = Vec::new();
    let mut codes: Vec<u32> = Vec::with_capacity(labels.len());
    for (row, label) in labels.iter().enumerate() {
        if let Some(code) = known.get_item(&label)? {
            codes.push(code.extract()?);
            continue;
        }
        codes.push(first.len() as u32);
        known.set_item(&label, first.len())?;
        first.push(row as u64);
    }
    Ok((PyArray1::from_vec(py, codes), PyArray1::from_vec(py, first)))
}
