//! The loop of coordinate ascent: round by round, the weight of each class moves to the maximum of its line.

use crate::error::Error;
use crate::progress::Stage;

/// Weights that move one at a time, with the other weights fixed.
pub(super) trait LineSearch {
    /// Maximum number of rounds over the classes.
    const MAX_ROUNDS: usize;
    /// The number of rounds it usually takes.
    const USUAL_ROUNDS: usize;

    /// Moves the weight of a class if that does not lower the best score, and updates the round.
    fn search(&mut self, class: usize, round: &mut Round) -> Result<(), Error>;
}

/// A round over the classes.
#[derive(Default)]
pub(super) struct Round {
    pub(super) number: usize,
    /// The best score before the round, and now.
    pub(super) before: f64,
    pub(super) score: f64,
    /// Whether a class improved the score.
    pub(super) is_better: bool,
    /// Whether the remaining classes are skipped.
    pub(super) is_over: bool,
    pub(super) has_converged: bool,
}

/// Ascends from weights with this score, in one part of a stage; returns the last round.
///
/// After each round, `end_round` prepares the next one, or returns true if the search has converged.
pub(super) fn coordinate_ascent<S: LineSearch>(
    search: &mut S,
    classes: &[usize],
    score: f64,
    stage: &Stage<'_>,
    mut end_round: impl FnMut(&mut S, &Round) -> Result<bool, Error>,
) -> Result<Round, Error> {
    let mut part = stage.part(S::USUAL_ROUNDS * classes.len());
    let mut round = Round { score, ..Round::default() };
    while round.number < S::MAX_ROUNDS && !round.has_converged {
        let Round { number, score, .. } = round;
        round = Round { number: number + 1, before: score, score, ..Round::default() };
        for &class in classes {
            search.search(class, &mut round)?;
            part.round();
            if round.is_over {
                break;
            }
        }
        round.has_converged = end_round(search, &round)?;
    }
    part.finish();
    Ok(round)
}
