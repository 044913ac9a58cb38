//! Rows with identical probabilities, whose labels show errors that no map of the probabilities can correct.
//!
//! They occur for leaves of a tree, votes of a few neighbours or rounded outputs. The class frequencies among the labels
//! of such rows are combined with the calibrated probabilities.

use std::collections::HashMap;

use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, Gamma};

use crate::data::Sample;
use crate::error::Error;
use crate::rule::AffineMap;

/// Candidates for the weight of the calibrated probabilities, in rows.
const TRUSTS: [f64; 6] = [3.0, 10.0, 30.0, 100.0, 300.0, 1_000.0];

/// The labels of every output that the black box gave more than once.
#[derive(Debug, Clone)]
pub(crate) struct Repeats {
    /// Index of every distinct output.
    outputs: HashMap<Vec<i64>, usize>,
    /// Labelled rows per output and class.
    counts: Vec<f64>,
    /// Weight of the calibrated probabilities, in rows.
    trust: f64,
}

impl Repeats {
    /// Learns from labelled rows; `None` if the map alone explains their labels as well.
    pub(crate) fn learn(sample: &Sample, rows: &[usize], map: &AffineMap) -> Result<Option<Self>, Error> {
        let m = sample.n_classes();
        let mut outputs = HashMap::new();
        let numbers: Vec<usize> = rows
            .iter()
            .map(|&row| {
                let next = outputs.len();
                *outputs.entry(output_key(sample.probabilities().row(row))).or_insert(next)
            })
            .collect();
        if outputs.len() == rows.len() {
            return Ok(None);
        }
        // Weights are scaled to mean 1.
        let mean = rows.iter().map(|&row| sample.weight(row)).sum::<f64>() / rows.len() as f64;
        let calibrated = map.apply(&sample.probabilities().select(rows))?;
        // Sequential likelihood: the probability of each label given the labels before it (Pólya's urn).
        let explain = |trust: f64| {
            let mut counts = vec![0.0; outputs.len() * m];
            let mut evidence = 0.0;
            for (place, (&row, &number)) in rows.iter().zip(&numbers).enumerate() {
                let (label, weight) = (sample.label(row).unwrap_or(0), sample.weight(row) / mean);
                let seen = &mut counts[number * m..(number + 1) * m];
                let q = calibrated.row(place).nth(label).unwrap_or(0.0).max(f64::MIN_POSITIVE);
                // Infinite weight is the map alone.
                let drawn = seen[label] / trust;
                evidence += weight * ((q + drawn) / (1.0 + seen.iter().sum::<f64>() / trust)).ln();
                seen[label] += weight;
            }
            (evidence, counts)
        };
        let (alone, counts) = explain(f64::INFINITY);
        let found = TRUSTS.map(|trust| (explain(trust).0, trust));
        let best = found.into_iter().fold((f64::NEG_INFINITY, 0.0), |a, b| if b.0 > a.0 { b } else { a });
        // Compares the mean over all candidates with the map alone: the best of several would win by chance.
        let mean =
            found.iter().map(|(evidence, _)| (evidence - best.0).exp()).sum::<f64>() / TRUSTS.len() as f64;
        Ok((best.0 + mean.ln() > alone).then_some(Self { outputs, counts, trust: best.1 }))
    }

    /// Draws class probabilities of rows, given the calibrated ones; identical rows get identical draws.
    pub(crate) fn recalibrate<'q>(
        &self,
        rows: impl Iterator<Item = (Vec<f64>, &'q mut [f64])>,
        rng: &mut ChaCha8Rng,
    ) {
        let mut drawn: HashMap<Vec<i64>, Vec<f64>> = HashMap::new();
        for (row, q) in rows {
            let key = output_key(row.into_iter());
            let shares = drawn.entry(key).or_insert_with_key(|key| {
                let m = q.len();
                let number = self.outputs.get(key);
                let shares: Vec<f64> = (0..m)
                    .map(|class| {
                        let count = number.map_or(0.0, |number| self.counts[number * m + class]);
                        let shape = (self.trust * q[class] + count).max(1e-9);
                        Gamma::new(shape, 1.0).map_or(shape, |gamma| gamma.sample(rng))
                    })
                    .collect();
                let sum: f64 = shares.iter().sum();
                if sum > 0.0 { shares.iter().map(|share| share / sum).collect() } else { q.to_vec() }
            });
            q.copy_from_slice(shares);
        }
    }
}

/// The key of an output: log-probabilities to six digits, so that rounding does not separate equal outputs.
fn output_key(row: impl Iterator<Item = f64>) -> Vec<i64> {
    row.map(|p| (p.ln() * 1e6).round() as i64).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;
    use crate::data::Probabilities;
    use crate::rule::{MapInput, Slope};

    fn identity() -> AffineMap {
        AffineMap::new(MapInput::LogProbability, Slope::Diagonal(vec![1.0; 2]), vec![0.0; 2]).unwrap()
    }

    /// 120 rows with three outputs; where the black box gives 0.7, it is wrong two times in three.
    fn leaves(is_wrong: bool) -> Sample {
        let p = Probabilities::new([0.2, 0.8, 0.7, 0.3, 0.95, 0.05].repeat(40), 2).unwrap();
        let label = |row: usize| match row % 3 {
            0 => usize::from(!(row / 3).is_multiple_of(5)),
            1 if is_wrong => usize::from(!(row / 3).is_multiple_of(3)),
            1 => usize::from(row / 3 % 10 > 6),
            _ => usize::from(row == 2 || row == 5),
        };
        Sample::new(p, (0..120).map(|row| Some(label(row))).collect()).unwrap()
    }

    fn learn(sample: &Sample) -> Option<Repeats> {
        Repeats::learn(sample, &(0..sample.n_rows()).collect::<Vec<_>>(), &identity()).unwrap()
    }

    /// The mean of many draws for one row.
    fn mean(repeats: &Repeats, row: [f64; 2]) -> f64 {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let draw = |_| {
            let mut q = row;
            repeats.recalibrate(std::iter::once((row.to_vec(), &mut q[..])), &mut rng);
            assert!((q[0] + q[1] - 1.0).abs() < 1e-12);
            q[0]
        };
        (0..2_000).map(draw).sum::<f64>() / 2_000.0
    }

    #[test]
    fn answers_that_the_labels_contradict_are_calibrated_and_others_stay() {
        let repeats = learn(&leaves(true)).unwrap();
        let expected = (repeats.trust * 0.7 + 14.0) / (repeats.trust + 40.0);
        assert!((mean(&repeats, [0.7, 0.3]) - expected).abs() < 0.01 && expected < 0.5, "{}", repeats.trust);
        assert!((mean(&repeats, [0.4, 0.6]) - 0.4).abs() < 0.02, "nobody has labelled such a row");
    }

    #[test]
    fn labels_that_are_as_the_black_box_says_or_rows_that_differ_teach_nothing() {
        assert!(learn(&leaves(false)).is_none());
        let p =
            (0..50).flat_map(|row| [0.3 + f64::from(row) / 100.0, 0.7 - f64::from(row) / 100.0]).collect();
        let sample = Sample::new(Probabilities::new(p, 2).unwrap(), vec![Some(0); 50]).unwrap();
        assert!(learn(&sample).is_none());
    }

    #[test]
    fn rounding_does_not_separate_outputs() {
        assert_eq!(output_key([0.8, 1.0 - 0.8].into_iter()), output_key([1.0 - 0.2, 0.2].into_iter()));
        assert_ne!(output_key([0.8, 0.2].into_iter()), output_key([0.800_01, 0.199_99].into_iter()));
        assert_ne!(output_key([1.0, 0.0].into_iter()), output_key([1.0, 1e-20].into_iter()));
    }

    #[test]
    fn rows_that_are_the_same_are_drawn_the_same() {
        let repeats = learn(&leaves(true)).unwrap();
        let mut q = [0.7, 0.3, 0.2, 0.8, 0.7, 0.3];
        let rows = q.to_vec();
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        repeats.recalibrate(rows.chunks(2).map(<[f64]>::to_vec).zip(q.chunks_mut(2)), &mut rng);
        assert_eq!(q[..2], q[4..]);
        assert_ne!(q[0], 0.7);
    }
}
