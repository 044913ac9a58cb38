//! `model.json`: it is refused, or it reads back equal, predicts classes, and can be exported.

use cwplugin::metric::MacroF1;
use cwplugin::{Features, Fit, METHODS, Model, Probabilities, Rule, Sample};
use cwplugin_export::{Dialect, SqlOptions, onnx, python, rust, sql};

use crate::support::tables::{Kind, random_table};
use crate::{Door, rows};

pub(super) const DOOR: Door = Door { name: "models", title: "`model.json`", longest: 8 << 10, check, seeds };

/// The most numbers in a calibration that are exported: the texts grow with them.
const SMALL: usize = 400;

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match Model::from_json(text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(model) => check_model(&model),
    }
}

/// What holds for every model.
pub(super) fn check_model(model: &Model) {
    let written = model.to_json();
    let read = Model::from_json(&written).unwrap();
    assert_eq!(read.to_json(), written, "the same model gives the same bytes");
    drop((model.verdict(), model.overlap(), model.constraints()));
    drop(model.report().map(|report| (report.explanation(), report.more_labels(), report.gain())));
    let sample = sample_for(model.rule());
    rows::check_predictions(model, &sample);
    drop(model.evaluate(&sample).map(|evaluation| evaluation.to_json()));
    if model.rule().n_features().unwrap_or(1) * model.classes().len() < SMALL {
        drop((python(model), rust(model), onnx::model(model, &onnx::Options::default())));
        for dialect in Dialect::ALL {
            drop(sql(model, dialect, &SqlOptions::default()));
        }
    }
}

/// Labelled rows: equal, one-hot, zeros and tiny numbers, with features if the model needs them.
fn sample_for(rule: &Rule) -> Sample {
    let m = rule.n_classes();
    let hot = |hot: usize, rest: f64| {
        (0..m).map(move |k| if k == hot { 1.0 - rest * (m - 1) as f64 } else { rest })
    };
    let each = 1.0 / m as f64;
    let values = hot(0, each).chain(hot(0, 0.0)).chain(hot(m - 1, each / 2.0)).chain(hot(m / 2, 1e-300));
    let probabilities = Probabilities::new(values.collect(), m).unwrap();
    let sample = Sample::new(probabilities, vec![Some(0), Some(m - 1), None, Some(m / 2)]).unwrap();
    let Some(d) = rule.n_features() else { return sample };
    let features = (0..4 * d).map(|i| [0.0, -1.5, 1e3, 1e-9, 1e100][i % 5]).collect();
    sample.with_features(Features::new(features, d).unwrap()).unwrap()
}

/// A model of every method, with and without constraints.
pub(super) fn models() -> Vec<Model> {
    let table = random_table(7, Kind::Rounded, 3);
    let plain = table.sample();
    let features = (0..2 * plain.n_rows()).map(|i| f64::from((i * 7 % 11) as u8)).collect();
    let with_features = plain.clone().with_features(Features::new(features, 2).unwrap()).unwrap();
    let mut models = Vec::new();
    for method in METHODS {
        let sample = if method.needs_features { &with_features } else { &plain };
        models.extend(Fit::new(MacroF1).method(method.name).fit(sample));
        models.extend(Fit::new(MacroF1).method(method.name).subject_to("accuracy>=0.2").fit(sample));
    }
    models
}

fn seeds() -> Vec<Vec<u8>> {
    models().iter().map(|model| model.to_json().into_bytes()).collect()
}
