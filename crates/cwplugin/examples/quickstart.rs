//! Learn one weight per class from a few labelled rows, and predict with them.
#![allow(clippy::print_stdout)]

use cwplugin::prelude::*;

fn main() -> Result<(), Error> {
    // What the black box said about eight rows, and what was true: it over-predicts "neutral".
    let rows = [
        [0.40, 0.55, 0.05],
        [0.35, 0.60, 0.05],
        [0.10, 0.85, 0.05],
        [0.05, 0.90, 0.05],
        [0.15, 0.75, 0.10],
        [0.05, 0.50, 0.45],
        [0.05, 0.65, 0.30],
        [0.05, 0.15, 0.80],
    ];
    let classes = ["negative", "neutral", "positive"];
    let sample = Sample::from_rows(rows, &classes)?.labels([0, 0, 1, 1, 1, 2, 2, 2])?;

    // Algorithm 1: every class against the largest one, over every cut. Without `method` it would be `auto`, which leaves
    // predictions unchanged where so few labels show no reliable gain.
    let model = Fit::new(MacroF1).method("cwplugin").fit(&sample)?;
    println!("{}", model.summary());

    let new = Sample::from_rows([[0.30, 0.60, 0.10]], &classes)?;
    println!("a new row: {}", model.predict(&new)?[0]);
    println!("the model file has {} lines", model.to_json().lines().count());
    Ok(())
}
