//! Random tables of every kind that could upset the method.

use cwplugin::{Probabilities, Sample};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::metrics::class_names;

/// A sample before it is checked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    pub(crate) m: usize,
    pub(crate) rows: Vec<Vec<f64>>,
    pub(crate) labels: Vec<Option<usize>>,
    pub(crate) weights: Vec<f64>,
}

impl Table {
    pub(crate) fn probabilities(&self) -> Probabilities {
        Probabilities::new(self.rows.concat(), self.m).unwrap()
    }

    /// Its classes are called `c0`, `c1`, ….
    pub(crate) fn sample(&self) -> Sample {
        let sample = Sample::new(self.probabilities(), self.labels.clone()).unwrap();
        let sample = sample.with_classes(class_names(self.m)).unwrap();
        // Rows without weights, the usual case, take a way of their own.
        if self.weights.iter().all(|&weight| weight == 1.0) {
            return sample;
        }
        sample.with_weights(self.weights.clone()).unwrap()
    }

    /// The table with its rows in another order, some left out or repeated.
    pub(crate) fn with_rows(&self, order: &[usize]) -> Self {
        Self {
            m: self.m,
            rows: order.iter().map(|&i| self.rows[i].clone()).collect(),
            labels: order.iter().map(|&i| self.labels[i]).collect(),
            weights: order.iter().map(|&i| self.weights[i]).collect(),
        }
    }

    /// The table with its classes in another order: `order[i]` becomes class `i`.
    pub(crate) fn with_classes(&self, order: &[usize]) -> Self {
        let place = |label| order.iter().position(|&k| k == label).unwrap();
        Self {
            rows: self.rows.iter().map(|row| order.iter().map(|&k| row[k]).collect()).collect(),
            labels: self.labels.iter().map(|label| label.map(place)).collect(),
            ..self.clone()
        }
    }

    /// The table without the rows that have no label or no weight.
    pub(crate) fn labelled(&self) -> Self {
        let counts = |&i: &usize| self.labels[i].is_some() && self.weights[i] > 0.0;
        self.with_rows(&(0..self.rows.len()).filter(counts).collect::<Vec<_>>())
    }

    /// The table with a row of weight 1 as often as the whole weight of each row.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small whole weights
    pub(crate) fn repeated(&self) -> Self {
        let times = |i: usize| std::iter::repeat_n(i, self.weights[i] as usize);
        let repeated = self.with_rows(&(0..self.rows.len()).flat_map(times).collect::<Vec<_>>());
        Self { weights: vec![1.0; repeated.rows.len()], ..repeated }
    }

    /// Labelled rows that weigh something.
    pub(crate) fn counted(&self) -> impl Iterator<Item = (&[f64], usize, f64)> {
        let rows = self.rows.iter().zip(&self.labels).zip(&self.weights);
        rows.filter(|&(_, &weight)| weight > 0.0)
            .filter_map(|((row, label), &weight)| label.map(|label| (row.as_slice(), label, weight)))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Continuous,
    /// Two decimals: many equal cuts, and cuts that fall on a grid.
    Rounded,
    /// `p` and `1 − p` of tenths: cuts that differ in the last bit only.
    Complements,
    Zeros,
    OneHot,
    AllEqual,
    AbsentClass,
    NeverProbable,
    IntegerWeights,
    /// Rounded rows, so that weights of one cut are added in some order.
    FractionalWeights,
    Unlabelled,
}

pub(crate) const KINDS: [Kind; 11] = [
    Kind::Continuous,
    Kind::Rounded,
    Kind::Complements,
    Kind::Zeros,
    Kind::OneHot,
    Kind::AllEqual,
    Kind::AbsentClass,
    Kind::NeverProbable,
    Kind::IntegerWeights,
    Kind::FractionalWeights,
    Kind::Unlabelled,
];

/// One to forty rows of two to five classes (`m` = 0: any number); the same seed gives the same table.
pub(crate) fn random_table(seed: u64, kind: Kind, m: usize) -> Table {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let m = if m == 0 { rng.random_range(2..=5) } else { m };
    let n = rng.random_range(1..=40);
    let odd_class = rng.random_range(0..m);
    let mut labels: Vec<_> = (0..n).map(|_| Some(rng.random_range(0..m))).collect();
    let mut rows: Vec<_> = labels.iter().map(|&label| continuous_row(rng, m, label.unwrap())).collect();
    let mut weights = vec![1.0; n];
    for i in 0..n {
        let row = &mut rows[i];
        match kind {
            Kind::Continuous => {}
            Kind::Rounded => round_to(row, 100.0),
            Kind::Complements => complements(rng, row),
            Kind::Zeros => set_zero(row, |_| rng.random_bool(0.3)),
            Kind::OneHot => {
                let hot = rng.random_range(0..m);
                if rng.random_bool(0.5) {
                    set_zero(row, |k| k != hot);
                }
            }
            Kind::AllEqual => row.fill(1.0 / m as f64),
            Kind::AbsentClass => labels[i] = labels[i].map(|k| if k == odd_class { (k + 1) % m } else { k }),
            Kind::NeverProbable => set_zero(row, |k| k == odd_class),
            Kind::IntegerWeights => weights[i] = f64::from(rng.random_range(0..4_u8)),
            Kind::FractionalWeights => {
                weights[i] = rng.random::<f64>() * 3.0;
                round_to(row, 20.0);
            }
            Kind::Unlabelled => labels[i] = labels[i].filter(|_| rng.random_bool(0.6)),
        }
    }
    Table { m, rows, labels, weights }
}

/// More probability on the label, less on later classes: a black box that is right more often than not, and biased.
fn continuous_row(rng: &mut ChaCha8Rng, m: usize, label: usize) -> Vec<f64> {
    let odds = |k: usize| {
        let right = if k == label { 3.0 } else { 1.0 };
        right * (0.02 + rng.random::<f64>()) / (k + 1) as f64
    };
    normalised((0..m).map(odds).collect())
}

fn normalised(row: Vec<f64>) -> Vec<f64> {
    let sum: f64 = row.iter().sum();
    row.into_iter().map(|b| b / sum).collect()
}

/// Whole multiples of `1 / parts` that sum to 1; the first class takes what rounding leaves over.
fn round_to(row: &mut [f64], parts: f64) {
    let mut left = parts;
    for b in row.iter_mut().skip(1) {
        let share = (*b * parts).floor();
        left -= share;
        *b = share / parts;
    }
    row[0] = left / parts;
}

fn complements(rng: &mut ChaCha8Rng, row: &mut [f64]) {
    row.fill(0.0);
    let p = f64::from(rng.random_range(1..10_u8)) / 10.0;
    let (a, b) = (rng.random_range(0..row.len()), rng.random_range(1..row.len()));
    row[a] = if rng.random_bool(0.5) { p } else { 1.0 - p };
    row[(a + b) % row.len()] = 1.0 - row[a];
}

/// The requested zeros, unless all values would be zero.
fn set_zero(row: &mut [f64], mut is_zero: impl FnMut(usize) -> bool) {
    let kept: Vec<f64> = row.iter().enumerate().map(|(k, &b)| if is_zero(k) { 0.0 } else { b }).collect();
    if kept.iter().any(|&b| b > 0.0) {
        row.copy_from_slice(&normalised(kept));
    }
}
