//! Coordinate ascent: sets one class after the other to the maximum of its line, in rounds.
//!
//! Shared by counted and expected confusion matrices. `distributed` cannot query rows class by class; there one pass
//! counts the lines of all classes.

use crate::error::Error;

/// The weights being tuned, with their counted or expected confusion matrix.
pub(crate) trait CoordinateAscent {
    /// How a round searches.
    type Round: Copy;

    /// The classes in the order in which a round visits them.
    fn classes(&self) -> Vec<usize>;

    /// Moves the weight of one class to the maximum of its line, if the rule of the round accepts it; `None` if the line has
    /// no such point.
    fn improve(&mut self, class: usize, seen: f64, round: Self::Round) -> Result<Option<Step>, Error>;

    /// Whether to skip the rest of the round.
    fn ends_round(&self) -> bool {
        false
    }

    /// Runs after the last class of a round.
    fn end_round(&mut self, _round: Self::Round, _seen: f64) -> Result<(), Error> {
        Ok(())
    }
}

/// The result of searching one line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// The best score so far.
    pub(crate) seen: f64,
    /// Whether the score improved, by the criterion of the implementation.
    pub(crate) is_better: bool,
}

/// The state of an ascent after a round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Progress {
    /// The best score so far, and before the last round.
    pub(crate) seen: f64,
    pub(crate) before: f64,
    /// Whether the last round improved the score.
    pub(crate) is_better: bool,
    /// Rounds over the classes.
    pub(crate) cycles: usize,
    /// Whether the stopping rule ended the ascent, not the limit on rounds.
    pub(crate) is_done: bool,
}

/// Ascends from weights that score `start`. After each round `next` returns the kind of the following round, or `None` to
/// stop.
pub(crate) fn coordinate_ascent<A: CoordinateAscent>(
    state: &mut A,
    start: f64,
    first: A::Round,
    limit: usize,
    mut next: impl FnMut(&mut A, A::Round, &Progress) -> Result<Option<A::Round>, Error>,
) -> Result<Progress, Error> {
    let mut progress = Progress { seen: start, before: start, is_better: false, cycles: 0, is_done: false };
    let mut round = first;
    while progress.cycles < limit && !progress.is_done {
        (progress.before, progress.is_better) = (progress.seen, false);
        for class in state.classes() {
            let Some(step) = state.improve(class, progress.seen, round)? else { continue };
            progress.seen = step.seen;
            progress.is_better |= step.is_better;
            if state.ends_round() {
                break;
            }
        }
        state.end_round(round, progress.seen)?;
        progress.cycles += 1;
        match next(state, round, &progress)? {
            Some(following) => round = following,
            None => progress.is_done = true,
        }
    }
    Ok(progress)
}
