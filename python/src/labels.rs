//! Labels become numbers: equal labels the same one, in the order in which they come.

use std::collections::HashMap;

use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// So few different labels are found sooner by looking at all of them than by hashing.
const FEW: usize = 12;

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
        1 => numbered::<1>(bytes),
        4 => numbered::<4>(bytes),
        8 => numbered::<8>(bytes),
        _ => number(bytes.chunks_exact(width)),
    });
    Ok((PyArray1::from_vec(py, codes), PyArray1::from_vec(py, first)))
}

/// The width is known to the compiler: comparing is one instruction.
fn numbered<const WIDTH: usize>(bytes: &[u8]) -> (Vec<u32>, Vec<u64>) {
    number(bytes.as_chunks::<WIDTH>().0.iter())
}

fn number<T: PartialEq + Eq + std::hash::Hash + Copy>(
    labels: impl ExactSizeIterator<Item = T>,
) -> (Vec<u32>, Vec<u64>) {
    let mut known: Vec<T> = Vec::new();
    let mut by_label: HashMap<T, u32> = HashMap::new();
    let mut first = Vec::new();
    let mut codes = Vec::with_capacity(labels.len());
    let mut last: Option<(T, u32)> = None; // labels often come in runs
    for (row, label) in labels.enumerate() {
        if let Some((same, code)) = last
            && same == label
        {
            codes.push(code);
            continue;
        }
        let found = if known.len() <= FEW {
            known.iter().position(|other| *other == label).map(|code| code as u32)
        } else {
            by_label.get(&label).copied()
        };
        let code = found.unwrap_or_else(|| {
            let code = first.len() as u32;
            first.push(row as u64);
            by_label.insert(label, code);
            if known.len() <= FEW {
                known.push(label);
            }
            code
        });
        last = Some((label, code));
        codes.push(code);
    }
    (codes, first)
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
