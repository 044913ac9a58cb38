//! A part of many rows: near the summit of the part is near the summit of all.

use super::ascend::{FEW, Problem};
use super::targets::Targets;
use crate::Probabilities;
use crate::probabilities::{Real, with_values};

/// One row in so many, or as many as are few if that is more.
const ONE_IN: usize = 16;

/// Some rows, copied.
pub(super) struct Part {
    probabilities: Probabilities,
    labels: Vec<u32>,
    weights: Option<Vec<f64>>,
    shares: Vec<f64>,
}

impl Part {
    /// Of many rows some; `None` if too few or too many look alike.
    pub(super) fn of(problem: &Problem<'_>) -> Option<Self> {
        let (n, m) = (problem.probabilities.n_rows(), problem.probabilities.n_classes());
        let wanted = (n / ONE_IN).max(FEW / m);
        let rows = with_values!(problem.probabilities, values => chosen(values, m, wanted as f64 / n as f64));
        if rows.len() < wanted / 2 || rows.len() > 2 * wanted {
            return None;
        }
        let probabilities = problem.probabilities.select(&rows);
        let of = |numbers: &[f64]| rows.iter().map(|&row| numbers[row]).collect();
        Some(match problem.targets {
            Targets::Labels { labels, weights } => Self {
                probabilities,
                labels: rows.iter().map(|&row| labels[row]).collect(),
                weights: weights.map(of),
                shares: Vec::new(),
            },
            Targets::Soft(targets) => {
                let shares = rows.iter().flat_map(|row| &targets[row * m..(row + 1) * m]).copied().collect();
                Self { probabilities, labels: Vec::new(), weights: None, shares }
            }
        })
    }

    pub(super) fn problem<'a>(&'a self, is_free: &'a [bool]) -> Problem<'a> {
        let targets = if self.shares.is_empty() {
            Targets::Labels { labels: &self.labels, weights: self.weights.as_deref() }
        } else {
            Targets::Soft(&self.shares)
        };
        Problem { probabilities: &self.probabilities, targets, is_free }
    }
}

/// About this share of the rows. What is in a row chooses it, not its place, nor the order of its classes: the order of
/// rows or classes must not matter.
fn chosen<T: Real>(values: &[T], m: usize, share: f64) -> Vec<usize> {
    let limit = (share * 2.0_f64.powi(32)) as u64;
    let is_chosen = |row: &[T]| {
        let sum = row.iter().fold(0_u64, |sum, &b| {
            let bits = b.into().to_bits();
            sum.wrapping_add((bits ^ bits >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15))
        });
        let mixed = (sum ^ sum >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed >> 32 < limit
    };
    let rows = values.chunks_exact(m).enumerate();
    rows.filter(|(_, row)| is_chosen(row)).map(|(row, _)| row).collect()
}
