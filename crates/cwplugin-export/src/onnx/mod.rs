//! One ONNX graph, alone or appended to a classifier.
//!
//! Operators of the default set only, in double precision. `label` is the predicted class; `scores` are those of
//! `Rule::scores`, 1/m each if all products are 0. Classes are int64 if all names are integers (`0`, `1`, …), else strings.

mod proto; // the format
mod graph; // nodes under construction
mod rule; // the rule as nodes
mod existing; // the classifier to append to

use std::collections::{BTreeSet, HashMap};

use cwplugin::{Model, Scores};
use prost::Message as _;

use crate::{Error, header};
use existing::Existing;
use graph::{Builder, value};
use proto::{DOUBLE, FLOAT, Opset};
use rule::Labels;

/// The operator set of a standalone model, of 2020, so that old runtimes read it, with the IR version of that time.
const OPSET: i64 = 13;
const IR_VERSION: i64 = 7;

/// The element type of the input of a standalone model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Element {
    /// 64-bit floats.
    #[default]
    Double,
    /// 32-bit floats, converted to doubles.
    Float,
}

/// How columns of a classifier are matched with classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// By class name, if the classifier has class names.
    #[default]
    ByName,
    /// By position.
    ByPosition,
}

/// Options of an ONNX export.
///
/// ```
/// use cwplugin::Scores;
/// use cwplugin_export::onnx::Options;
///
/// let options = Options::default().scores(Scores::Logits).output("logits");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    element: Element,
    scores: Scores,
    output: Option<String>,
    order: Order,
}

impl Options {
    /// The element type of the input; ignored by [`append_to`].
    pub fn element(self, element: Element) -> Self {
        Self { element, ..self }
    }

    /// The kind of the input numbers; probabilities by default.
    pub fn scores(self, scores: Scores) -> Self {
        Self { scores, ..self }
    }

    /// The tensor of the classifier that holds them; found by its shape by default.
    pub fn output(self, name: impl Into<String>) -> Self {
        Self { output: Some(name.into()), ..self }
    }

    /// How columns of the classifier are matched with classes.
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }
}

/// A classifier with an appended model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// The ONNX file: the bytes of the classifier, then the added nodes.
    pub bytes: Vec<u8>,
    /// The tensor that is used as probabilities.
    pub tensor: String,
    /// Whether columns were matched by class name; else by position.
    pub is_order_known: bool,
    /// The names of the new outputs: label and scores.
    pub outputs: [String; 2],
}

/// A standalone ONNX model: `probabilities` (or `logits`, `logprobs`, `percentages`, `features`) in, `label` and `scores` out.
///
/// # Errors
///
/// If the model holds a calibration that is newer than this crate.
pub fn model(model: &Model, options: &Options) -> Result<Vec<u8>, Error> {
    let mut graph = Builder::new("", OPSET);
    let features = model.rule().n_features();
    let input = match (features, options.scores) {
        (Some(_), _) => "features",
        (None, Scores::Logits) => "logits",
        (None, Scores::Logprobs) => "logprobs",
        (None, Scores::Percentages) => "percentages",
        (None, _) => "probabilities",
    };
    let columns = features.unwrap_or(model.classes().len());
    let (element, x) = match options.element {
        Element::Double => (DOUBLE, input.to_string()),
        Element::Float => (FLOAT, graph.node("Cast", &[input], "doubles", &[("to", DOUBLE.into())])),
    };
    let x = if features.is_some() { x } else { rule::probabilities(&mut graph, &x, options.scores)? };
    let outputs = rule::add(&mut graph, model, &x, Labels::IntegersIfPossible)?;
    let file = proto::Model {
        ir_version: IR_VERSION,
        producer_name: "cwplugin".into(),
        producer_version: env!("CARGO_PKG_VERSION").into(),
        doc_string: header::lines(model).join("\n"),
        graph: Some(proto::Graph {
            node: graph.nodes,
            name: "cwplugin".into(),
            input: vec![value(input, element, Some(columns))],
            output: outputs.into(),
        }),
        opset_import: vec![opset()],
    };
    Ok(file.encode_to_vec())
}

/// Appends a model to a classifier, which keeps its outputs and gets two more, `cwplugin_label` and `cwplugin_scores`.
///
/// The bytes of the classifier stay unchanged: concatenated protobuf messages merge.
///
/// # Errors
///
/// If the bytes are not an ONNX model of operator set 11 or newer, if the tensor of probabilities is ambiguous, if the classes
/// differ from those of the model, or if the model uses features.
pub fn append_to(model: &Model, existing: &[u8], options: &Options) -> Result<Appended, Error> {
    if model.rule().n_features().is_some() {
        return Err(Error::TakesFeatures);
    }
    let m = model.classes().len();
    let classifier = Existing::read(existing)?;
    let tensor = classifier.tensor(options.output.as_deref(), m)?;
    let labels = classifier.class_labels(&tensor, m).filter(|_| options.order == Order::ByName);
    let mut graph = Builder::new(&free_prefix(existing), classifier.opset.unwrap_or(OPSET));
    let mut x = graph.node("Cast", &[&tensor], "doubles", &[("to", DOUBLE.into())]);
    if let Some(labels) = &labels {
        let place: HashMap<&String, usize> =
            (0..labels.names.len()).rev().map(|i| (&labels.names[i], i)).collect();
        let places: Option<Vec<usize>> =
            model.classes().iter().map(|class| place.get(class).copied()).collect();
        let Some(places) = places.filter(|places| places.len() == labels.names.len()) else {
            let (found, expected) = (labels.names.clone(), model.classes().to_vec());
            return Err(Error::OtherClasses { found, expected });
        };
        if !places.iter().copied().eq(0..m) {
            let places: Vec<i64> = places.into_iter().map(|place| place as i64).collect();
            let places = graph.integers("places", &places);
            x = graph.node("Gather", &[&x, &places], "ordered", &[("axis", 1)]);
        }
    }
    let x = rule::probabilities(&mut graph, &x, options.scores)?;
    let kind = match &labels {
        Some(labels) if labels.are_strings => Labels::Strings,
        _ => Labels::IntegersIfPossible,
    };
    let outputs = rule::add(&mut graph, model, &x, kind)?;
    let names = outputs.clone().map(|output| output.name);
    let added = proto::Model {
        graph: Some(proto::Graph { node: graph.nodes, output: outputs.into(), ..proto::Graph::default() }),
        opset_import: if classifier.opset.is_some() { Vec::new() } else { vec![opset()] },
        ..proto::Model::default()
    };
    let mut bytes = existing.to_vec();
    bytes.extend(added.encode_to_vec());
    Ok(Appended { bytes, tensor, is_order_known: labels.is_some(), outputs: names })
}

fn opset() -> Opset {
    Opset { domain: Some(String::new()), version: OPSET }
}

/// A prefix for names that occurs nowhere in the file, subgraphs included: `cwplugin_`, else `cwplugin2_`, ….
fn free_prefix(bytes: &[u8]) -> String {
    const STEM: &[u8] = b"cwplugin";
    let (mut is_plain_taken, mut taken) = (false, BTreeSet::new());
    for (place, _) in bytes.windows(STEM.len()).enumerate().filter(|(_, window)| *window == STEM) {
        let rest = &bytes[place + STEM.len()..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if rest.get(digits) == Some(&b'_') {
            is_plain_taken |= digits == 0;
            // A number that does not fit is never reached.
            taken.extend(
                std::str::from_utf8(&rest[..digits]).ok().and_then(|digits| digits.parse::<u64>().ok()),
            );
        }
    }
    let mut number = 2;
    while taken.contains(&number) {
        number += 1;
    }
    if is_plain_taken { format!("cwplugin{number}_") } else { "cwplugin_".to_string() }
}

#[cfg(test)]
mod tests;
