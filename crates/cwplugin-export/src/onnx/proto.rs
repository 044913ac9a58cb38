//! The part of the ONNX format that is needed here, by the field numbers of onnx.proto.
//!
//! Reading has its own messages without the tensors, which may be gigabytes: undeclared fields are skipped.

/// Element types of tensors.
pub(super) const FLOAT: i32 = 1;
pub(super) const INT64: i32 = 7;
pub(super) const STRING: i32 = 8;
pub(super) const FLOAT16: i32 = 10;
pub(super) const DOUBLE: i32 = 11;
pub(super) const BFLOAT16: i32 = 16;

/// Kinds of attributes.
pub(super) const INT: i32 = 2;
pub(super) const TENSOR: i32 = 4;
pub(super) const INTS: i32 = 7;

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Model {
    #[prost(int64, tag = 1)]
    pub(super) ir_version: i64,
    #[prost(string, tag = 2)]
    pub(super) producer_name: String,
    #[prost(string, tag = 3)]
    pub(super) producer_version: String,
    #[prost(string, tag = 6)]
    pub(super) doc_string: String,
    #[prost(message, optional, tag = 7)]
    pub(super) graph: Option<Graph>,
    #[prost(message, repeated, tag = 8)]
    pub(super) opset_import: Vec<Opset>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Opset {
    // The default domain is the empty text, and checkers want to see it written.
    #[prost(string, optional, tag = 1)]
    pub(super) domain: Option<String>,
    #[prost(int64, tag = 2)]
    pub(super) version: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Graph {
    #[prost(message, repeated, tag = 1)]
    pub(super) node: Vec<Node>,
    #[prost(string, tag = 2)]
    pub(super) name: String,
    #[prost(message, repeated, tag = 11)]
    pub(super) input: Vec<ValueInfo>,
    #[prost(message, repeated, tag = 12)]
    pub(super) output: Vec<ValueInfo>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Node {
    #[prost(string, repeated, tag = 1)]
    pub(super) input: Vec<String>,
    #[prost(string, repeated, tag = 2)]
    pub(super) output: Vec<String>,
    #[prost(string, tag = 3)]
    pub(super) name: String,
    #[prost(string, tag = 4)]
    pub(super) op_type: String,
    #[prost(message, repeated, tag = 5)]
    pub(super) attribute: Vec<Attribute>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Attribute {
    #[prost(string, tag = 1)]
    pub(super) name: String,
    #[prost(int64, optional, tag = 3)]
    pub(super) i: Option<i64>,
    #[prost(message, optional, tag = 5)]
    pub(super) t: Option<Tensor>,
    #[prost(int64, repeated, tag = 8)]
    pub(super) ints: Vec<i64>,
    #[prost(int32, tag = 20)]
    pub(super) kind: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Tensor {
    #[prost(int64, repeated, tag = 1)]
    pub(super) dims: Vec<i64>,
    #[prost(int32, tag = 2)]
    pub(super) data_type: i32,
    #[prost(bytes = "vec", repeated, tag = 6)]
    pub(super) string_data: Vec<Vec<u8>>,
    #[prost(int64, repeated, tag = 7)]
    pub(super) int64_data: Vec<i64>,
    #[prost(double, repeated, tag = 10)]
    pub(super) double_data: Vec<f64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ValueInfo {
    #[prost(string, tag = 1)]
    pub(super) name: String,
    #[prost(message, optional, tag = 2)]
    pub(super) r#type: Option<Type>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Type {
    #[prost(message, optional, tag = 1)]
    pub(super) tensor: Option<TensorType>,
    // A sequence; its node has the class labels.
    #[prost(message, optional, tag = 4)]
    pub(super) sequence: Option<Nothing>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Nothing {}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct TensorType {
    #[prost(int32, tag = 1)]
    pub(super) element: i32,
    #[prost(message, optional, tag = 2)]
    pub(super) shape: Option<Shape>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Shape {
    #[prost(message, repeated, tag = 1)]
    pub(super) dim: Vec<Dim>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Dim {
    #[prost(int64, optional, tag = 1)]
    pub(super) value: Option<i64>,
    #[prost(string, optional, tag = 2)]
    pub(super) name: Option<String>,
}

/// A model of others, as far as it is looked at.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ReadModel {
    #[prost(message, optional, tag = 7)]
    pub(super) graph: Option<ReadGraph>,
    #[prost(message, repeated, tag = 8)]
    pub(super) opset_import: Vec<Opset>,
}

/// Its graph: all but the weights.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ReadGraph {
    #[prost(message, repeated, tag = 1)]
    pub(super) node: Vec<ReadNode>,
    #[prost(message, repeated, tag = 12)]
    pub(super) output: Vec<ValueInfo>,
    #[prost(message, repeated, tag = 13)]
    pub(super) value_info: Vec<ValueInfo>,
}

/// Its nodes.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ReadNode {
    #[prost(string, repeated, tag = 1)]
    pub(super) input: Vec<String>,
    #[prost(string, repeated, tag = 2)]
    pub(super) output: Vec<String>,
    #[prost(string, tag = 4)]
    pub(super) op_type: String,
    #[prost(message, repeated, tag = 5)]
    pub(super) attribute: Vec<ReadAttribute>,
}

/// Lists among their attributes: classes may be there.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct ReadAttribute {
    #[prost(string, tag = 1)]
    pub(super) name: String,
    #[prost(int64, repeated, tag = 8)]
    pub(super) ints: Vec<i64>,
    #[prost(bytes = "vec", repeated, tag = 9)]
    pub(super) strings: Vec<Vec<u8>>,
}
