//! What the tests of both searches share.

use super::line::{Along, Bracket, Line};
use super::oracle::{Answer, Asker, Halt};
use super::scale::Scale;
use crate::error::Error;
use crate::rule::Weights;

/// Searches α of one pair for the best of these values; where it ended, and after how many answers.
pub(super) fn search(
    along: impl Fn(&Line, &mut Asker<'_>, &mut Bracket) -> Result<(), Halt>,
    value: impl Fn(f64) -> f64,
) -> (f64, usize) {
    let mut oracle = |weights: &Weights, _: usize| -> Result<Option<Answer>, Error> {
        Ok(Some(Answer::exact(value(weights.as_slice()[0]))))
    };
    let pair = Along::Pair { class: 0, reference: 1, n_classes: 2 };
    let line = Line { along: pair, scale: Scale::even(0.0, 1.0) };
    let (mut asker, mut bracket) = (Asker::new(&mut oracle, 1, 100), Bracket::whole());
    along(&line, &mut asker, &mut bracket).unwrap();
    (bracket.middle(), asker.asked)
}
