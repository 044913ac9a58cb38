//! Shared by the tests of both searches.

use super::line::{Along, Bracket, Line};
use super::oracle::{Answer, CachedOracle, Halt};
use super::scale::Scale;
use crate::error::Error;
use crate::rule::Weights;

/// Searches α of one pair for the maximum of these values; returns the position and the number of answers.
pub(super) fn search(
    along: impl Fn(&Line, &mut CachedOracle<'_>, &mut Bracket) -> Result<(), Halt>,
    value: impl Fn(f64) -> f64,
) -> (f64, usize) {
    let mut oracle = |weights: &Weights, _: usize| -> Result<Option<Answer>, Error> {
        Ok(Some(Answer::exact(value(weights.as_slice()[0]))))
    };
    let pair = Along::Pair { class: 0, reference: 1, n_classes: 2 };
    let line = Line { along: pair, scale: Scale::even(0.0, 1.0) };
    let (mut cached, mut bracket) = (CachedOracle::new(&mut oracle, 1, 100), Bracket::whole());
    along(&line, &mut cached, &mut bracket).unwrap();
    (bracket.middle(), cached.n_queries)
}
