//! One graph, alone or behind another.
//!
//! Nothing but operators of the default set, in double precision: `label` is the class, `scores` what it was the largest
//! of, divided by their sum. Classes are given as int64 if all their names are integers (`0`, `1`, …), else as texts.

mod proto; // the format
mod graph; // nodes under construction
mod rule; // the rule as nodes
mod existing; // a classifier of others

use cwplugin::{Model, Scores};
use prost::Message as _;

use crate::{Error, header};
use existing::Existing;
use graph::{Builder, value};
use proto::{DOUBLE, FLOAT, Opset};
use rule::Labels;

/// The operator set of a model that stands alone: of 2020, so that old runtimes read it, and the file format of its time.
const OPSET: i64 = 13;
const IR_VERSION: i64 = 7;

/// What the input of a model that stands alone consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Element {
    /// 64-bit floats.
    #[default]
    Double,
    /// 32-bit floats; they are computed with as doubles all the same.
    Float,
}

/// How the columns of a classifier find their class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// By the class names, if the classifier tells them.
    #[default]
    ByName,
    /// By their position, whatever the classifier calls them.
    ByPosition,
}

/// What to take for what.
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
    /// What the input consists of; says nothing to [`append_to`], which takes what is there.
    pub fn element(self, element: Element) -> Self {
        Self { element, ..self }
    }

    /// What the numbers are: probabilities unless told otherwise.
    pub fn scores(self, scores: Scores) -> Self {
        Self { scores, ..self }
    }

    /// The tensor of the existing classifier that holds them; found by its shape unless told.
    pub fn output(self, name: impl Into<String>) -> Self {
        Self { output: Some(name.into()), ..self }
    }

    /// How the columns of the existing classifier find their class.
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }
}

/// A classifier with a model behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// The ONNX file: the bytes of the classifier, then what was added.
    pub bytes: Vec<u8>,
    /// The tensor that is taken for the probabilities.
    pub tensor: String,
    /// Whether the classifier told its classes; if not, its columns were taken in the order of the model's.
    pub is_order_known: bool,
    /// What the new outputs are called: the class, and the scores.
    pub outputs: [String; 2],
}

/// An ONNX model of its own: `probabilities` (or `logits`, `logprobs`, `features`) in, `label` and `scores` out.
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
        (None, _) => "probabilities",
    };
    let columns = features.unwrap_or(model.classes().len());
    let (element, x) = match options.element {
        Element::Double => (DOUBLE, input.to_string()),
        Element::Float => (FLOAT, graph.node("Cast", &[input], "doubles", &[("to", DOUBLE.into())])),
    };
    let x = if features.is_some() { x } else { rule::probabilities(&mut graph, &x, options.scores)? };
    let outputs = rule::add(&mut graph, model, &x, Labels::IfNumbers)?;
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

/// Puts a model behind an existing classifier, which keeps its outputs and gets two more, `cwplugin_label` and
/// `cwplugin_scores`.
///
/// Not a byte of the classifier changes: messages of this format merge if one is written behind the other.
///
/// # Errors
///
/// If the bytes are no ONNX model of operator set 11 or newer, if it is not clear where its probabilities are, if it
/// names other classes than the model, or if the model takes features.
pub fn append_to(model: &Model, existing: &[u8], options: &Options) -> Result<Appended, Error> {
    if model.rule().n_features().is_some() {
        return Err(Error::TakesFeatures);
    }
    let m = model.classes().len();
    let classifier = Existing::read(existing)?;
    let tensor = classifier.tensor(options.output.as_deref(), m)?;
    let told = classifier.classes(&tensor, m).filter(|_| options.order == Order::ByName);
    let mut graph = Builder::new(&free_prefix(existing), classifier.opset.unwrap_or(OPSET));
    let mut x = graph.node("Cast", &[&tensor], "doubles", &[("to", DOUBLE.into())]);
    if let Some(told) = &told {
        let place = |class: &String| told.names.iter().position(|name| name == class);
        let places: Option<Vec<usize>> = model.classes().iter().map(place).collect();
        let Some(places) = places.filter(|places| places.len() == told.names.len()) else {
            let (found, expected) = (told.names.clone(), model.classes().to_vec());
            return Err(Error::OtherClasses { found, expected });
        };
        if !places.iter().copied().eq(0..m) {
            let places: Vec<i64> = places.into_iter().map(|place| place as i64).collect();
            let places = graph.integers("places", &places);
            x = graph.node("Gather", &[&x, &places], "ordered", &[("axis", 1)]);
        }
    }
    let x = rule::probabilities(&mut graph, &x, options.scores)?;
    let labels = match &told {
        Some(told) if told.are_texts => Labels::Texts,
        _ => Labels::IfNumbers,
    };
    let outputs = rule::add(&mut graph, model, &x, labels)?;
    let names = outputs.clone().map(|output| output.name);
    let added = proto::Model {
        graph: Some(proto::Graph { node: graph.nodes, output: outputs.into(), ..proto::Graph::default() }),
        opset_import: if classifier.opset.is_some() { Vec::new() } else { vec![opset()] },
        ..proto::Model::default()
    };
    let mut bytes = existing.to_vec();
    bytes.extend(added.encode_to_vec());
    Ok(Appended { bytes, tensor, is_order_known: told.is_some(), outputs: names })
}

fn opset() -> Opset {
    Opset { domain: Some(String::new()), version: OPSET }
}

/// A beginning that no name in the file has, be it deep in a subgraph: it occurs nowhere in the bytes.
fn free_prefix(bytes: &[u8]) -> String {
    let is_free = |prefix: &String| !bytes.windows(prefix.len()).any(|window| window == prefix.as_bytes());
    let later = (2_u64..).map(|n| format!("cwplugin{n}_"));
    let mut prefixes = std::iter::once("cwplugin_".to_string()).chain(later);
    prefixes.find(is_free).unwrap_or_default()
}

#[cfg(test)]
mod tests;
