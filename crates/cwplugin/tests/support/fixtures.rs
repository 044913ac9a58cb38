//! Numbers made outside, in `testdata/`.

use std::fs;
use std::path::Path;

use cwplugin::{Probabilities, Sample};
use serde_json::Value;

/// A JSON document of `testdata/`.
pub(crate) fn fixture(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Indices of classes; null is none.
pub(crate) fn labels(value: &Value) -> Vec<Option<usize>> {
    let index = |label: &Value| label.as_u64().map(|label| usize::try_from(label).unwrap());
    list(value).iter().map(index).collect()
}

pub(crate) fn probabilities(value: &Value, m: usize) -> Probabilities {
    Probabilities::new(list(value).iter().flat_map(numbers).collect(), m).unwrap()
}

/// The `probabilities`, `labels` and `weights` of a stored sample; its `kind` may be "single precision".
#[allow(clippy::cast_possible_truncation)] // f32 on purpose
pub(crate) fn sample(stored: &Value, m: usize) -> Sample {
    let mut p = probabilities(&stored["probabilities"], m);
    if stored["kind"] == "single precision" {
        let values = p.as_f64().unwrap().iter().map(|&value| value as f32).collect();
        p = Probabilities::from_f32(values, m).unwrap();
    }
    let sample = Sample::new(p, labels(&stored["labels"])).unwrap();
    match &stored["weights"] {
        Value::Null => sample,
        weights => sample.with_weights(numbers(weights)).unwrap(),
    }
}
