//! Maximise a metric of your own: the expected profit of a campaign.
#![allow(clippy::print_stdout)]

use cwplugin::prelude::*;

/// Class 1 buys. Each letter costs postage, and each buyer who gets one brings a margin.
struct Profit {
    margin: f64,
    postage: f64,
}

impl Metric for Profit {
    fn name(&self) -> &'static str {
        "profit-per-customer"
    }

    fn score(&self, confusion: &Confusion) -> f64 {
        // The matrix may be over two classes of many, so ask it where the buyers are.
        let Some(buyers) = confusion.position(1) else {
            return 0.0;
        };
        let letters = confusion.class(buyers);
        (self.margin * letters.correct - self.postage * letters.predicted) / confusion.total()
    }
}

fn main() -> Result<(), Error> {
    // (customers of a kind, buyers among them, probability to buy according to the black box)
    let kinds = [(40, 1, 0.02), (30, 3, 0.08), (20, 5, 0.15), (10, 6, 0.35)];
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    for (customers, buyers, probability) in kinds {
        rows.extend(vec![[1.0 - probability, probability]; customers]);
        labels.extend((0..customers).map(|i| if i < buyers { "buys" } else { "stays" }));
    }
    let sample = Sample::from_rows(rows, &["stays", "buys"])?.labels(labels)?;

    // The black box calls nobody a buyer, so nobody gets a letter.
    let fit = Fit::new(Profit { margin: 9.0, postage: 1.0 }).method("cwplugin").option("reference", "stays");
    let model = fit.fit(&sample)?;
    if let Some(score) = model.report().and_then(|report| report.score) {
        println!("profit per customer: {:.2} before, {:.2} after", score.clean, score.fitted);
    }

    // Two weights are a threshold: write to everybody whose w_1·b_1 exceeds w_0·b_0.
    let [stay, write] = model.weights().as_slice() else { unreachable!("two classes") };
    println!("write from a probability of {:.3}", stay / (stay + write));
    let new = Sample::from_rows(kinds.map(|(_, _, p)| [1.0 - p, p]), &["stays", "buys"])?;
    for ((_, _, probability), class) in kinds.into_iter().zip(model.predict(&new)?) {
        println!("  {probability:.2} {}", if class == "buys" { "letter" } else { "no letter" });
    }
    Ok(())
}
