//! A graph under construction.

use super::proto::{Attribute, Dim, Node, Shape, Tensor, TensorType, Type, ValueInfo};
use super::proto::{DOUBLE, INT, INT64, INTS, STRING, TENSOR};

/// Nodes, constants included; every name begins with the prefix.
#[derive(Debug)]
pub(super) struct Builder {
    prefix: String,
    /// The operator set of the nodes.
    opset: i64,
    pub(super) nodes: Vec<Node>,
}

impl Builder {
    pub(super) fn new(prefix: &str, opset: i64) -> Self {
        Self { prefix: prefix.into(), opset, nodes: Vec::new() }
    }

    /// A name with the prefix.
    pub(super) fn name(&self, stem: &str) -> String {
        format!("{}{stem}", self.prefix)
    }

    /// Adds a node with one output of that name, and returns the full name.
    pub(super) fn node(
        &mut self,
        op: &str,
        inputs: &[&str],
        stem: &str,
        attributes: &[(&str, i64)],
    ) -> String {
        let integer = |&(name, value): &(&str, i64)| Attribute {
            name: name.into(),
            i: Some(value),
            kind: INT,
            ..Attribute::default()
        };
        let attribute = attributes.iter().map(integer).collect();
        self.push(op, inputs.iter().map(ToString::to_string).collect(), stem, attribute)
    }

    fn push(&mut self, op: &str, input: Vec<String>, stem: &str, attribute: Vec<Attribute>) -> String {
        let output = self.name(stem);
        self.nodes.push(Node {
            input,
            output: vec![output.clone()],
            name: format!("{output}_node"),
            op_type: op.into(),
            attribute,
        });
        output
    }

    /// Reduces one axis. The axis is an attribute in old operator sets, an input in new ones.
    pub(super) fn reduce(&mut self, op: &str, input: &str, stem: &str, axis: i64, keep: bool) -> String {
        let from = if op == "ReduceSum" { 13 } else { 18 };
        let mut inputs = vec![input.to_string()];
        let mut attributes = vec![Attribute {
            name: "keepdims".into(),
            i: Some(i64::from(keep)),
            kind: INT,
            ..Attribute::default()
        }];
        if self.opset >= from {
            inputs.push(self.integers(&format!("{stem}_axis"), &[axis]));
        } else {
            attributes.push(Attribute {
                name: "axes".into(),
                ints: vec![axis],
                kind: INTS,
                ..Attribute::default()
            });
        }
        self.push(op, inputs, stem, attributes)
    }

    /// A tensor of doubles.
    pub(super) fn doubles(&mut self, stem: &str, dims: &[usize], values: Vec<f64>) -> String {
        let dims = dims.iter().map(|&dim| dim as i64).collect();
        self.constant(stem, Tensor { dims, data_type: DOUBLE, double_data: values, ..Tensor::default() })
    }

    /// A scalar.
    pub(super) fn double(&mut self, stem: &str, value: f64) -> String {
        self.doubles(stem, &[], vec![value])
    }

    /// A list of integers.
    pub(super) fn integers(&mut self, stem: &str, values: &[i64]) -> String {
        let dims = vec![values.len() as i64];
        let tensor = Tensor { dims, data_type: INT64, int64_data: values.to_vec(), ..Tensor::default() };
        self.constant(stem, tensor)
    }

    /// A list of strings.
    pub(super) fn texts(&mut self, stem: &str, values: &[String]) -> String {
        let string_data = values.iter().map(|value| value.clone().into_bytes()).collect();
        let dims = vec![values.len() as i64];
        self.constant(stem, Tensor { dims, data_type: STRING, string_data, ..Tensor::default() })
    }

    /// A constant node, not an initializer, which old IR versions would list among the inputs.
    fn constant(&mut self, stem: &str, tensor: Tensor) -> String {
        let value = Attribute { name: "value".into(), t: Some(tensor), kind: TENSOR, ..Attribute::default() };
        self.push("Constant", Vec::new(), stem, vec![value])
    }
}

/// An input or output: N rows, with so many columns or none.
pub(super) fn value(name: &str, element: i32, columns: Option<usize>) -> ValueInfo {
    let rows = Dim { value: None, name: Some("N".into()) };
    let columns = columns.map(|columns| Dim { value: Some(columns as i64), name: None });
    let shape = Some(Shape { dim: std::iter::once(rows).chain(columns).collect() });
    let tensor = Some(TensorType { element, shape });
    ValueInfo { name: name.into(), r#type: Some(Type { tensor, sequence: None }) }
}
