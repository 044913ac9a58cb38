//! The graph agrees with the library, in a minimal runtime.
//!
//! `make exports` runs ONNX Runtime; this one runs thousands of random models in every operator set.

#![allow(clippy::cast_sign_loss)] // sizes and indices

#[path = "../../tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::parts::as_integers;
use proto::{Node, Tensor};
use support::{Case, all_zero_cases, cases};

/// A tensor; booleans are 0 and 1, strings are indices of classes.
#[derive(Debug, Clone)]
struct Array {
    dims: Vec<usize>,
    data: Vec<f64>,
}

impl Array {
    fn constant(tensor: &Tensor) -> Self {
        let dims = tensor.dims.iter().map(|&dim| dim as usize).collect();
        let data = match tensor.data_type {
            DOUBLE => tensor.double_data.clone(),
            proto::INT64 => tensor.int64_data.iter().map(|&value| value as f64).collect(),
            _ => (0..tensor.string_data.len()).map(|place| place as f64).collect(),
        };
        Self { dims, data }
    }

    /// Elementwise with broadcasting.
    fn zip(&self, other: &Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let rank = self.dims.len().max(other.dims.len());
        let of = |array: &Self| [vec![1; rank - array.dims.len()], array.dims.clone()].concat();
        let (a, b) = (of(self), of(other));
        assert!(a.iter().zip(&b).all(|(a, b)| a == b || *a == 1 || *b == 1), "{a:?} and {b:?}");
        let dims: Vec<usize> = a.iter().zip(&b).map(|(a, b)| *a.max(b)).collect();
        let at = |own: &[usize], mut place: usize| {
            let (mut index, mut step) = (0, 1);
            for (own, dim) in own.iter().zip(&dims).rev() {
                index += if *own == 1 { 0 } else { place % dim * step };
                (place, step) = (place / dim, step * own);
            }
            index
        };
        let value = |place| f(self.data[at(&a, place)], other.data[at(&b, place)]);
        Self { data: (0..dims.iter().product()).map(value).collect(), dims }
    }

    fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        Self { dims: self.dims.clone(), data: self.data.iter().map(|&x| f(x)).collect() }
    }

    /// Reduces one axis.
    fn reduce(&self, axis: usize, keep: bool, f: impl Fn(&[f64]) -> f64) -> Self {
        let length = self.dims[axis];
        let inner: usize = self.dims[axis + 1..].iter().product();
        let line = |place: usize| {
            let start = place / inner * inner * length + place % inner;
            f(&(0..length).map(|i| self.data[start + i * inner]).collect::<Vec<_>>())
        };
        let mut dims = self.dims.clone();
        if keep {
            dims[axis] = 1;
        } else {
            dims.remove(axis);
        }
        Self { data: (0..self.data.len() / length).map(line).collect(), dims }
    }
}

fn argmax(values: &[f64]) -> f64 {
    (0..values.len()).fold(0, |best, k| if values[k] > values[best] { k } else { best }) as f64
}

fn compute(node: &Node, inputs: &[&Array], opset: i64) -> Array {
    let attribute = |name: &str| node.attribute.iter().find(|attribute| attribute.name == name);
    let integer = |name: &str| attribute(name).and_then(|attribute| attribute.i);
    let axis = integer("axis").unwrap_or(0) as usize;
    let keep = integer("keepdims").unwrap_or(1) == 1;
    // An attribute in old operator sets, an input in new ones.
    let reduced = |from: i64| match attribute("axes") {
        Some(list) if opset < from => list.ints[0] as usize,
        None if opset >= from => inputs[1].data[0] as usize,
        _ => panic!("{}: axes in operator set {opset}", node.op_type),
    };
    match node.op_type.as_str() {
        "Constant" => Array::constant(attribute("value").unwrap().t.as_ref().unwrap()),
        "Cast" => inputs[0].clone(),
        "Mul" => inputs[0].zip(inputs[1], |a, b| a * b),
        "Add" => inputs[0].zip(inputs[1], |a, b| a + b),
        "Sub" => inputs[0].zip(inputs[1], |a, b| a - b),
        "Div" => inputs[0].zip(inputs[1], |a, b| a / b),
        "Max" => inputs[0].zip(inputs[1], f64::max),
        "Equal" => inputs[0].zip(inputs[1], |a, b| f64::from(u8::from(a == b))),
        "Log" => inputs[0].map(f64::ln),
        "Exp" => inputs[0].map(f64::exp),
        "Floor" => inputs[0].map(f64::floor),
        "ReduceMax" => {
            inputs[0].reduce(reduced(18), keep, |line| line.iter().copied().fold(f64::NEG_INFINITY, f64::max))
        }
        "ReduceSum" => inputs[0].reduce(reduced(13), keep, |line| line.iter().sum()),
        "ArgMax" => inputs[0].reduce(axis, keep, argmax),
        "Reshape" => {
            let dims = inputs[1].data.iter().enumerate();
            let dims =
                dims.map(|(i, &dim)| if dim == 0.0 { inputs[0].dims[i] } else { dim as usize }).collect();
            Array { dims, data: inputs[0].data.clone() }
        }
        "MatMul" => {
            let (d, m) = (inputs[1].dims[0], inputs[1].dims[1]);
            let row = |row: &[f64]| {
                (0..m).map(|k| (0..d).map(|i| row[i] * inputs[1].data[i * m + k]).sum()).collect::<Vec<f64>>()
            };
            let data: Vec<f64> = inputs[0].data.chunks(d).flat_map(row).collect();
            Array { dims: vec![data.len() / m, m], data }
        }
        "Gather" if axis == 0 => inputs[1].map(|place| inputs[0].data[place as usize]),
        "Gather" => {
            let m = inputs[0].dims[1];
            let pick =
                |row: &[f64]| inputs[1].data.iter().map(|&place| row[place as usize]).collect::<Vec<_>>();
            Array { dims: inputs[0].dims.clone(), data: inputs[0].data.chunks(m).flat_map(pick).collect() }
        }
        op => panic!("{op}"),
    }
}

/// The outputs of a file, by name.
fn run(bytes: &[u8], rows: &[Vec<f64>]) -> BTreeMap<String, Array> {
    let file = proto::Model::decode(bytes).unwrap();
    let (graph, opset) = (file.graph.unwrap(), file.opset_import[0].version);
    let input = Array { dims: vec![rows.len(), rows[0].len()], data: rows.concat() };
    let mut known = BTreeMap::from([(graph.input[0].name.clone(), input)]);
    for node in &graph.node {
        let inputs: Vec<&Array> = node.input.iter().map(|name| &known[name]).collect();
        let value = compute(node, &inputs, opset);
        assert!(known.insert(node.output[0].clone(), value).is_none(), "{} is there twice", node.output[0]);
    }
    known.retain(|name, _| graph.output.iter().any(|output| output.name == *name));
    known
}

/// Labels and scores are those of the library.
fn check(case: &Case, labels: &[f64], scores: &[f64], is_map: bool) {
    let m = case.model.classes().len();
    let names: Vec<f64> = match as_integers(case.model.classes()) {
        Some(integers) => integers.into_iter().map(|n| n as f64).collect(),
        None => (0..m).map(|k| k as f64).collect(),
    };
    for (row, products) in case.products.iter().enumerate() {
        let class = case.predicted[row];
        let place = names.iter().position(|name| *name == labels[row]).unwrap();
        let is_close = is_map && products[place] >= products[class] * (1.0 - 1e-12);
        assert!(place == class || is_close, "{place}, not {class}: {products:?}");
        for (expected, score) in case.scores[row].iter().zip(&scores[row * m..]) {
            assert!((score - expected).abs() <= 1e-11, "{score}, not {expected}");
        }
    }
}

#[test]
fn the_prefix_of_new_names_occurs_nowhere_in_the_file() {
    for (bytes, prefix) in [
        ("", "cwplugin_"),
        ("cwplugin", "cwplugin_"),
        ("cwplugin2_", "cwplugin_"),
        ("cwplugin1_", "cwplugin_"),
        ("a cwplugin_label", "cwplugin2_"),
        ("cwplugin3_x, cwplugin_x", "cwplugin2_"),
        ("cwplugin_cwplugin2_cwplugin3", "cwplugin3_"),
        ("cwplugin99999999999999999999999999_cwplugin_", "cwplugin2_"),
    ] {
        assert_eq!(free_prefix(bytes.as_bytes()), prefix, "{bytes}");
    }
}

/// Every prefix that is tried is taken: with one pass for each, 270 kB took 12 s.
#[test]
fn the_prefix_is_found_in_one_pass() {
    let names: Vec<String> = (2..40_000).map(|n| format!("cwplugin{n}_")).collect();
    let start = Instant::now();
    assert_eq!(free_prefix(format!("cwplugin_{}", names.concat()).as_bytes()), "cwplugin40000_");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn rows_whose_products_are_all_zero_score_the_same_for_every_class() {
    for case in all_zero_cases() {
        let outputs = run(&model(&case.model, &Options::default()).unwrap(), &case.rows);
        check(&case, &outputs["label"].data, &outputs["scores"].data, false);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))] // of many rows each

    #[test]
    fn a_graph_agrees_with_the_library(case in cases(), element in prop_oneof![Just(Element::Double), Just(Element::Float)]) {
        let bytes = model(&case.model, &Options::default().element(element)).unwrap();
        let outputs = run(&bytes, &case.rows);
        let is_map = matches!(case.model.rule().calibration(), Some(cwplugin::Calibration::Affine { .. }));
        check(&case, &outputs["label"].data, &outputs["scores"].data, is_map);
    }

    #[test]
    fn an_appended_graph_agrees_with_the_library_in_every_operator_set(case in cases(), opset in 11_i64..24) {
        prop_assume!(case.model.rule().n_features().is_none());
        // A classifier that returns its input.
        let m = case.model.classes().len();
        let mut graph = Builder::new("", opset);
        let output = graph.node("Cast", &["x"], "y", &[("to", FLOAT.into())]);
        let (input, output) = (vec![value("x", DOUBLE, Some(m))], vec![value(&output, FLOAT, Some(m))]);
        let graph = proto::Graph { node: graph.nodes, name: "other".into(), input, output };
        let opset_import = vec![Opset { domain: None, version: opset }];
        let file = proto::Model { graph: Some(graph), opset_import, ..proto::Model::default() };
        let appended = append_to(&case.model, &file.encode_to_vec(), &Options::default()).unwrap();
        prop_assert_eq!((appended.tensor.as_str(), appended.is_order_known), ("y", false));
        let outputs = run(&appended.bytes, &case.rows);
        prop_assert_eq!(outputs.len(), 3);
        let is_map = matches!(case.model.rule().calibration(), Some(cwplugin::Calibration::Affine { .. }));
        check(&case, &outputs["cwplugin_label"].data, &outputs["cwplugin_scores"].data, is_map);
    }
}
