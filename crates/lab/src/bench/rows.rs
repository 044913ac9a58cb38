//! Random rows, and the floor: one pass over them.

use cwplugin::Probabilities;
use cwplugin_cli::UserError;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// Values that one thread sums at a time.
const PIECE: usize = 1 << 18;

/// Number of parallel sums, so that one addition need not wait for the previous one.
const LANES: usize = 32;

/// The sum of all values: a lower bound for any algorithm that reads every number.
pub(super) fn sum(probabilities: &Probabilities) -> f64 {
    match (probabilities.as_f64(), probabilities.as_f32()) {
        (Some(values), _) => values.par_chunks(PIECE).map(sum_f64).sum(),
        (None, values) => values.unwrap_or_default().par_chunks(PIECE).map(sum_f32).sum(),
    }
}

fn sum_f64(values: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (blocks, rest) = values.as_chunks::<LANES>();
    for block in blocks {
        sums.iter_mut().zip(block).for_each(|(sum, value)| *sum += value);
    }
    sums.iter().sum::<f64>() + rest.iter().sum::<f64>()
}

fn sum_f32(values: &[f32]) -> f64 {
    let mut sums = [0.0_f32; LANES];
    let (blocks, rest) = values.as_chunks::<LANES>();
    for block in blocks {
        sums.iter_mut().zip(block).for_each(|(sum, value)| *sum += value);
    }
    sums.iter().chain(rest).copied().map(f64::from).sum()
}

/// An informative black box that over-predicts the first classes; equally many rows of each class.
#[allow(clippy::cast_possible_truncation)] // the classes are a u32 on the command line
pub(super) fn random(n: usize, m: usize, seed: u64) -> Result<(Vec<f64>, Vec<u32>), UserError> {
    let (mut values, mut labels) = (Vec::<f64>::new(), Vec::<u32>::new());
    if values.try_reserve_exact(n * m).is_err() || labels.try_reserve_exact(n).is_err() {
        let gib = (n as f64 * (8 * m + 4) as f64 / f64::from(1 << 30)).ceil();
        return Err(UserError::new(format!("{n} rows × {m} classes do not fit into memory: {gib} GiB"))
            .hint("use fewer --rows or --classes"));
    }
    values.resize(n * m, 0.0);
    labels.resize(n, 0);
    let pieces =
        values.par_chunks_mut(PIECE / m.min(PIECE) * m).zip(labels.par_chunks_mut(PIECE / m.min(PIECE)));
    pieces.enumerate().for_each(|(piece, (values, labels))| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(piece as u64);
        for (row, label) in values.chunks_exact_mut(m).zip(labels) {
            *label = rng.random_range(0..m as u32);
            for (class, value) in row.iter_mut().enumerate() {
                let bias = 1.0 + 0.5 / (1.0 + class as f64);
                let knowledge = if class == *label as usize { 4.0 } else { 1.0 };
                *value = -rng.random::<f64>().max(1e-300).ln() * bias * knowledge;
            }
            let sum: f64 = row.iter().sum();
            for value in row {
                *value /= sum;
            }
        }
    });
    Ok((values, labels))
}
