//! The classifier to append to: its tensor of probabilities and its class names.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use prost::Message as _;

use super::proto::{BFLOAT16, DOUBLE, FLOAT, FLOAT16, INT64, STRING};
use super::proto::{ReadGraph, ReadModel, ReadNode, ValueInfo};
use crate::Error;

/// The oldest operator set with today's meaning of all added operators.
const OLDEST: i64 = 11;

/// The classifier.
#[derive(Debug)]
pub(super) struct Existing {
    graph: ReadGraph,
    /// The version of the default operator set, if it is used at all.
    pub(super) opset: Option<i64>,
}

/// The class names of the classifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClassLabels {
    pub(super) names: Vec<String>,
    pub(super) are_strings: bool,
}

impl Existing {
    /// Decodes untrusted bytes.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Error> {
        let refuse = |reason: &str| Error::NotOnnx { reason: reason.into() };
        if bytes.is_empty() {
            return Err(refuse("the file is empty"));
        }
        // The messages of the decoder name fields of protobuf, not causes.
        let model = ReadModel::decode(bytes).map_err(|_| refuse("it is damaged or truncated"))?;
        let graph = model.graph.ok_or_else(|| refuse("it has no graph"))?;
        if graph.output.is_empty() || graph.node.is_empty() {
            return Err(refuse("its graph has no nodes or no outputs"));
        }
        if model.opset_import.is_empty() {
            return Err(refuse("it names no operator set; the file may be truncated"));
        }
        let is_default = |domain: Option<&str>| matches!(domain, None | Some("" | "ai.onnx"));
        let opset = model.opset_import.iter().find(|set| is_default(set.domain.as_deref()));
        match opset.map(|set| set.version) {
            Some(found) if found < OLDEST => Err(Error::OldOpset { found, oldest: OLDEST }),
            opset => Ok(Self { graph, opset }),
        }
    }

    /// The tensor with one number for each of m classes: the named one, or the only one.
    pub(super) fn tensor(&self, name: Option<&str>, m: usize) -> Result<String, Error> {
        let Some(name) = name else { return self.only_tensor(m) };
        if let Some(zipped) = self.zipped().get(name) {
            return Ok(zipped.to_string());
        }
        let values = self.graph.output.iter().chain(&self.graph.value_info);
        match values.into_iter().find(|value| value.name == name) {
            Some(value) if fits(value, m) == Fit::No => {
                Err(Error::WrongShape { output: described(value), classes: m })
            }
            None if !self.graph.node.iter().any(|node| node.output.iter().any(|output| output == name)) => {
                Err(Error::NoSuchOutput { name: name.into(), outputs: self.outputs() })
            }
            _ => Ok(name.to_string()),
        }
    }

    fn only_tensor(&self, m: usize) -> Result<String, Error> {
        let mut found: BTreeMap<Fit, BTreeSet<&str>> = BTreeMap::new();
        let zipped = self.zipped();
        for output in &self.graph.output {
            let (fit, name) = match zipped.get(output.name.as_str()) {
                Some(zipped) => (Fit::Sure, *zipped),
                None => (fits(output, m), output.name.as_str()),
            };
            found.entry(fit).or_default().insert(name);
        }
        let sure = found.get(&Fit::Sure).or(found.get(&Fit::Perhaps));
        match sure.map(|names| names.iter().collect::<Vec<_>>()).as_deref() {
            Some([name]) => Ok((**name).to_string()),
            _ => Err(Error::WhichOutput { outputs: self.outputs(), classes: m }),
        }
    }

    /// The outputs of every `ZipMap`, each with the input that it is made of; the first node counts.
    fn zipped(&self) -> HashMap<&str, &str> {
        let mut zipped = HashMap::new();
        for node in self.graph.node.iter().filter(|node| node.op_type == "ZipMap") {
            for output in &node.output {
                if let Some(input) = node.input.first() {
                    zipped.entry(output.as_str()).or_insert(input.as_str());
                }
            }
        }
        zipped
    }

    fn outputs(&self) -> Vec<String> {
        self.graph.output.iter().map(described).collect()
    }

    /// The class names of the columns: from the `ZipMap` that uses the tensor, else from the classifiers that produce it.
    pub(super) fn class_labels(&self, tensor: &str, m: usize) -> Option<ClassLabels> {
        let takes =
            |node: &&ReadNode| node.op_type == "ZipMap" && node.input.iter().any(|name| name == tensor);
        if let Some(labels) = self.graph.node.iter().find(takes).and_then(labels_of) {
            return Some(labels);
        }
        let makers: BTreeMap<&str, &ReadNode> = self.graph.node.iter().flat_map(makes).collect();
        let (mut seen, mut next) = (BTreeSet::new(), vec![tensor]);
        let mut lists = Vec::new();
        while let Some(name) = next.pop() {
            let Some(node) = makers.get(name).filter(|_| seen.insert(name)) else { continue };
            match labels_of(node) {
                Some(labels) => lists.push(labels),
                None => next.extend(node.input.iter().map(String::as_str)),
            }
        }
        // Members of an ensemble, or one-vs-rest classifiers, may have other classes than the columns.
        let first = lists.first()?;
        (first.names.len() == m && lists.iter().all(|list| list == first)).then(|| first.clone())
    }
}

fn makes(node: &ReadNode) -> impl Iterator<Item = (&str, &ReadNode)> {
    node.output.iter().filter(|name| !name.is_empty()).map(move |name| (name.as_str(), node))
}

/// The class names in the attributes of a node.
fn labels_of(node: &ReadNode) -> Option<ClassLabels> {
    let attribute = |name: &str| node.attribute.iter().find(|attribute| attribute.name == name);
    if let Some(texts) = attribute("classlabels_strings").filter(|texts| !texts.strings.is_empty()) {
        let names = texts.strings.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();
        return Some(ClassLabels { names, are_strings: true });
    }
    let integers = attribute("classlabels_int64s").or_else(|| attribute("classlabels_ints"))?;
    let names: Vec<String> = integers.ints.iter().map(ToString::to_string).collect();
    (!names.is_empty()).then_some(ClassLabels { names, are_strings: false })
}

/// Whether a tensor can have one number per row and class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Sure,
    Perhaps,
    No,
}

fn fits(value: &ValueInfo, m: usize) -> Fit {
    let Some(tensor) = value.r#type.as_ref().and_then(|kind| kind.tensor.as_ref()) else { return Fit::No };
    if ![FLOAT, DOUBLE, FLOAT16, BFLOAT16].contains(&tensor.element) {
        return Fit::No;
    }
    match tensor.shape.as_ref().map(|shape| &shape.dim[..]) {
        None => Fit::Perhaps,
        Some([_, columns]) => match columns.value {
            Some(columns) if columns == m as i64 => Fit::Sure,
            Some(columns) if columns > 0 => Fit::No,
            _ => Fit::Perhaps,
        },
        Some(_) => Fit::No,
    }
}

/// An output in a message: `"probabilities" (float [N, 3])`.
fn described(value: &ValueInfo) -> String {
    let kind = value.r#type.as_ref();
    let tensor = kind.and_then(|kind| kind.tensor.as_ref());
    let words = match (tensor, kind.and_then(|kind| kind.sequence.as_ref())) {
        (Some(tensor), _) => {
            let element = match tensor.element {
                FLOAT => "float",
                DOUBLE => "double",
                INT64 => "int64",
                STRING => "string",
                FLOAT16 | BFLOAT16 => "half",
                _ => "other",
            };
            let dims = tensor.shape.iter().flat_map(|shape| &shape.dim);
            let dims: Vec<String> = dims
                .map(|dim| {
                    dim.value.map_or_else(|| dim.name.clone().unwrap_or("?".into()), |n| n.to_string())
                })
                .collect();
            format!("{element} [{}]", dims.join(", "))
        }
        (None, Some(_)) => "sequence".into(),
        (None, None) => "of unknown type".into(),
    };
    format!("{:?} ({words})", value.name)
}
