//! Shared by the tests of both searches.

use super::line::{Along, LineSearch};
use super::oracle::{Answer, CachedOracle, Halt};
use super::scale::Scale;
use crate::error::Error;
use crate::rule::Weights;

/// Searches α of one pair for the maximum of these values; returns the position and the number of answers.
pub(super) fn search(
    along: impl Fn(&mut LineSearch<'_, '_>) -> Result<(), Halt>,
    value: impl Fn(f64) -> f64,
) -> (f64, usize) {
    let mut oracle = |weights: &Weights, _: usize| -> Result<Option<Answer>, Error> {
        Ok(Some(Answer::exact(value(weights.as_slice()[0]))))
    };
    let pair = Along::Pair { class: 0, reference: 1, n_classes: 2 };
    let mut cached = CachedOracle::new(&mut oracle, 1, 100);
    let mut line = LineSearch::new(pair, Scale::even(0.0, 1.0), &mut cached);
    along(&mut line).unwrap();
    (line.middle(), cached.n_queries)
}
