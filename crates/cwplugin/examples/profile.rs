//! Fits random rows again and again on one thread: something to hold a profiler to.
//!
//! ```sh
//! cargo run --release --example profile -- grid 32768 200   # search, rows, repeats
//! ```
//!
//! Prints the nanoseconds per row of the fastest fit. `benches/instructions.py` counts the instructions.

use std::time::Instant;

use cwplugin::metric::MacroF1;
use cwplugin::{Error, Fit, Probabilities, Sample};
use rand::{RngExt, SeedableRng};

const CLASSES: usize = 10;

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, otherwise: usize| {
        arguments.get(i).and_then(|argument| argument.parse().ok()).unwrap_or(otherwise)
    };
    let (rows, repeats) = (number(1, 32_768), number(2, 1));
    let is_exact = arguments.first().is_some_and(|search| search == "exact");
    let search = if is_exact { "exact" } else { "grid:0.01" };
    let sample = random(rows)?;
    let fit = Fit::new(MacroF1).method("cwplugin").option("reference", "last").option("search", search);
    let fit = fit.unscored();
    let mut fastest = f64::INFINITY;
    for _ in 0..repeats {
        let start = Instant::now();
        std::hint::black_box(fit.fit(&sample)?);
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    #[allow(clippy::print_stdout)]
    {
        println!("{}", 1e9 * fastest / rows as f64);
    }
    Ok(())
}

/// A black box that knows something; as many rows of each class. As in `lab bench`.
fn random(rows: usize) -> Result<Sample, Error> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let (mut values, mut labels) = (vec![0.0; rows * CLASSES], vec![0; rows]);
    for (row, label) in values.chunks_exact_mut(CLASSES).zip(&mut labels) {
        *label = rng.random_range(0..CLASSES as u32);
        for (class, value) in row.iter_mut().enumerate() {
            let knowledge = if class == *label as usize { 4.0 } else { 1.0 };
            *value = -rng.random::<f64>().max(1e-300).ln() * knowledge;
        }
        let sum: f64 = row.iter().sum();
        for value in row {
            *value /= sum;
        }
    }
    Sample::from_codes(Probabilities::new(values, CLASSES)?, labels)
}
