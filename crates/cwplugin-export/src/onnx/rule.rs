//! The rule as nodes: rows of doubles in, labels and scores out.

use cwplugin::rule::Tempering;
use cwplugin::{AffineMap, MapInput, Mixture, Model, Scores, Slope};

use super::graph::{Builder, value};
use super::proto::{DOUBLE, INT64, STRING, ValueInfo};
use crate::Error;
use crate::parts::{Map, as_integers, map_of};

/// Shares are rounded to multiples of 2^-36, as in the library.
const SHARE_STEPS: f64 = (1_u64 << 36) as f64;

/// The type of the labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Labels {
    /// Integers, if all class names are integers.
    IntegersIfPossible,
    /// Strings.
    Strings,
}

/// The probabilities of a classifier that gives probabilities, logits, logarithms or percentages.
pub(super) fn probabilities(graph: &mut Builder, x: &str, scores: Scores) -> Result<String, Error> {
    match scores {
        Scores::Probabilities => Ok(x.to_string()),
        Scores::Logits => Ok(softmax(graph, x, "given")),
        Scores::Logprobs => Ok(graph.node("Exp", &[x], "given", &[])),
        Scores::Percentages => {
            let sum = graph.reduce("ReduceSum", x, "given_sum", 1, true);
            Ok(graph.node("Div", &[x, &sum], "given", &[]))
        }
        _ => Err(Error::UnknownCalibration),
    }
}

/// Adds the rule behind `x`, and returns its outputs: label and scores.
pub(super) fn add(
    graph: &mut Builder,
    model: &Model,
    x: &str,
    labels: Labels,
) -> Result<[ValueInfo; 2], Error> {
    let m = model.classes().len();
    let calibrated = match map_of(model)? {
        Map::Identity => x.to_string(),
        Map::Affine(map) => affine(graph, map, x),
        Map::Mixture(mixture) => shares(graph, mixture, x),
    };
    let weights = graph.doubles("weights", &[m], model.weights().as_slice().to_vec());
    let products = graph.node("Mul", &[&calibrated, &weights], "products", &[]);
    let best = graph.node("ArgMax", &[&products], "best", &[("axis", 1), ("keepdims", 0)]);
    let integers = as_integers(model.classes()).filter(|_| labels == Labels::IntegersIfPossible);
    let (element, classes) = match integers {
        Some(integers) => (INT64, graph.integers("classes", &integers)),
        None => (STRING, graph.texts("classes", model.classes())),
    };
    let label = graph.node("Gather", &[&classes, &best], "label", &[("axis", 0)]);
    // If all products are 0, every score is (0 + 1/m) / (0 + 1).
    let sum = graph.reduce("ReduceSum", &products, "sum", 1, true);
    let zero = graph.double("zero", 0.0);
    let is_zero = graph.node("Equal", &[&sum, &zero], "is_zero", &[]);
    let one = graph.node("Cast", &[&is_zero], "one_if_zero", &[("to", DOUBLE.into())]);
    let divisor = graph.node("Add", &[&sum, &one], "divisor", &[]);
    let even = graph.double("even", 1.0 / m as f64);
    let even = graph.node("Mul", &[&one, &even], "even_if_zero", &[]);
    let dividend = graph.node("Add", &[&products, &even], "dividend", &[]);
    let scores = graph.node("Div", &[&dividend, &divisor], "scores", &[]);
    Ok([value(&label, element, None), value(&scores, DOUBLE, Some(m))])
}

/// `softmax(A·x + c)`.
fn affine(graph: &mut Builder, map: &AffineMap, x: &str) -> String {
    let (m, d) = (map.n_classes(), map.n_inputs());
    let input = if map.input() == MapInput::LogProbability {
        let floor = graph.double("floor", map.floor());
        let raised = graph.node("Max", &[x, &floor], "raised", &[]);
        let logarithms = graph.node("Log", &[&raised], "logarithms", &[]);
        match map.tempering() {
            Some(tempering) => tempered(graph, tempering, m, &logarithms),
            None => logarithms,
        }
    } else {
        x.to_string()
    };
    let sloped = match map.slope() {
        Slope::Diagonal(slopes) => {
            let slopes = graph.doubles("slopes", &[m], slopes.clone());
            graph.node("Mul", &[&input, &slopes], "sloped", &[])
        }
        Slope::Matrix(slopes) => {
            let transposed = (0..d).flat_map(|i| (0..m).map(move |k| slopes[k * d + i])).collect();
            let slopes = graph.doubles("slopes", &[d, m], transposed);
            graph.node("MatMul", &[&input, &slopes], "sloped", &[])
        }
    };
    let bias = graph.doubles("bias", &[m], map.bias().to_vec());
    let logits = graph.node("Add", &[&sloped, &bias], "mapped_logits", &[]);
    softmax(graph, &logits, "mapped")
}

/// The logarithms after a temperature step.
fn tempered(graph: &mut Builder, tempering: Tempering, m: usize, logarithms: &str) -> String {
    // The largest is subtracted first, so that a large slope does not overflow.
    let top = graph.reduce("ReduceMax", logarithms, "logarithms_top", 1, true);
    let below = graph.node("Sub", &[logarithms, &top], "logarithms_below", &[]);
    let slope = graph.double("tempering_slope", tempering.slope());
    let sloped = graph.node("Mul", &[&below, &slope], "tempering_sloped", &[]);
    let softmax = softmax(graph, &sloped, "tempering");
    let kept = graph.double("tempering_kept", 1.0 - tempering.uniform());
    let kept = graph.node("Mul", &[&softmax, &kept], "tempering_scaled", &[]);
    let each = graph.double("tempering_each", tempering.uniform() / m as f64);
    let mixed = graph.node("Add", &[&kept, &each], "tempering_mixed", &[]);
    graph.node("Log", &[&mixed], "tempered", &[])
}

/// A softmax over each row; written out, as the operator Softmax changed its meaning in set 13.
fn softmax(graph: &mut Builder, logits: &str, stem: &str) -> String {
    let top = graph.reduce("ReduceMax", logits, &format!("{stem}_top"), 1, true);
    let below = graph.node("Sub", &[logits, &top], &format!("{stem}_below"), &[]);
    let exp = graph.node("Exp", &[&below], &format!("{stem}_exp"), &[]);
    let sum = graph.reduce("ReduceSum", &exp, &format!("{stem}_sum"), 1, true);
    graph.node("Div", &[&exp, &sum], stem, &[])
}

/// The share of every class, on a tensor of rows × steps × classes.
fn shares(graph: &mut Builder, mixture: &Mixture, x: &str) -> String {
    let (m, n) = (mixture.n_classes(), mixture.steps().len());
    let factors = mixture.steps().iter().flat_map(|step| step.factors.iter().copied()).collect();
    let factors = graph.doubles("factors", &[n, m], factors);
    let shares = mixture.steps().iter().map(|step| step.share).collect();
    let shares = graph.doubles("step_shares", &[n, 1], shares);
    // 0 keeps the number of rows.
    let sizes = graph.integers("row_sizes", &[0, 1, m as i64]);
    let rows = graph.node("Reshape", &[x, &sizes], "rows", &[]);
    let products = graph.node("Mul", &[&rows, &factors], "step_products", &[]);
    let picked = graph.node("ArgMax", &[&products], "picked", &[("axis", 2), ("keepdims", 1)]);
    let numbers = graph.integers("class_numbers", &(0..m as i64).collect::<Vec<_>>());
    let is_picked = graph.node("Equal", &[&picked, &numbers], "is_picked", &[]);
    let ones = graph.node("Cast", &[&is_picked], "ones", &[("to", DOUBLE.into())]);
    let parts = graph.node("Mul", &[&ones, &shares], "parts", &[]);
    let sums = graph.reduce("ReduceSum", &parts, "share_sums", 1, false);
    // Sums that differ by rounding only become equal. The operator Round would round halves to even.
    let steps = graph.double("share_steps", SHARE_STEPS);
    let half = graph.double("half", 0.5);
    let counted = graph.node("Mul", &[&sums, &steps], "counted", &[]);
    let above = graph.node("Add", &[&counted, &half], "counted_above", &[]);
    let whole = graph.node("Floor", &[&above], "whole", &[]);
    graph.node("Div", &[&whole, &steps], "shares", &[])
}
