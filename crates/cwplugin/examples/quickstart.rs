//! Learn one weight per class from a few labelled rows, and predict with them.
#![allow(clippy::print_stdout)]

use cwplugin::{Model, Plugin, Probabilities, Sample, metric::MacroF1};

fn main() -> Result<(), cwplugin::Error> {
    let classes = ["negative", "neutral", "positive"].map(String::from).to_vec();

    // What the black box said about eight rows, and what was true: it is too fond of "neutral".
    let probabilities = Probabilities::new(
        vec![
            0.40, 0.55, 0.05, //
            0.35, 0.60, 0.05, //
            0.10, 0.85, 0.05, //
            0.05, 0.90, 0.05, //
            0.15, 0.75, 0.10, //
            0.05, 0.50, 0.45, //
            0.05, 0.65, 0.30, //
            0.05, 0.15, 0.80, //
        ],
        3,
    )?;
    let labels = [0, 0, 1, 1, 1, 2, 2, 2].map(Some).to_vec();
    let sample = Sample::new(probabilities, labels)?;

    // Algorithm 1: every class against the largest one, over every cut.
    let fitted = Plugin::new(MacroF1).fit(&sample)?;
    let report = fitted.report();
    if let Some(score) = report.score {
        println!("macro-f1 on the sample: {:.3} before, {:.3} after", score.clean, score.fitted);
    }
    for (class, weight) in classes.iter().zip(fitted.weights().as_slice()) {
        println!("  {class:8} {weight:.3}");
    }

    // Doubts are values; a model keeps them together with the weights.
    for warning in &report.warnings {
        println!("doubt: {}", warning.message(&classes));
    }
    let model = Model::from_fit(classes, &fitted, "cwplugin", 0)?;

    let new = Probabilities::new(vec![0.30, 0.60, 0.10], 3)?;
    println!("a new row: {}", model.classes()[model.predict(&new)?[0]]);
    println!("the model file has {} lines", model.to_json().lines().count());
    Ok(())
}
