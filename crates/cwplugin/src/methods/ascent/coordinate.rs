//! Coordinate ascent: one class after the other to the best place of its line, round after round.
//!
//! The same loop climbs on counted and on expected confusion matrices. Rows that are elsewhere (`distributed`) cannot be
//! asked class by class: there a pass counts the lines of all classes at once.

use crate::error::Error;

/// Weights under search, with the confusion matrix that they produce: counted or expected.
pub(crate) trait Hill {
    /// How a round searches.
    type Round: Copy;

    /// The classes in the order in which a round visits them.
    fn classes(&self) -> Vec<usize>;

    /// Moves the weight of one class to the best place of its line, if that is worth it by the rule of the round; `None`
    /// if the line has no such place.
    fn improve(&mut self, class: usize, seen: f64, round: Self::Round) -> Result<Option<Step>, Error>;

    /// Whether the rest of the round is not worth its time.
    fn is_enough(&self) -> bool {
        false
    }

    /// What follows the last class of a round.
    fn end_round(&mut self, _round: Self::Round, _seen: f64) -> Result<(), Error> {
        Ok(())
    }
}

/// What the search of one line brought.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// The best score so far.
    pub(crate) seen: f64,
    /// Whether it is higher than before, by the rule of the hill.
    pub(crate) is_better: bool,
}

/// How far a climb has come.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Progress {
    /// The best score so far, and the best before the last round.
    pub(crate) seen: f64,
    pub(crate) before: f64,
    /// Whether the last round found anything better.
    pub(crate) is_better: bool,
    /// Rounds over the classes.
    pub(crate) cycles: usize,
    /// Whether the stop rule ended the climb, not the limit on rounds.
    pub(crate) is_done: bool,
}

/// Climbs from weights that score `start`. After each round `next` says how the following one searches; `None` if there is
/// none.
pub(crate) fn climb<H: Hill>(
    hill: &mut H,
    start: f64,
    first: H::Round,
    limit: usize,
    mut next: impl FnMut(&mut H, H::Round, &Progress) -> Result<Option<H::Round>, Error>,
) -> Result<Progress, Error> {
    let mut progress = Progress { seen: start, before: start, is_better: false, cycles: 0, is_done: false };
    let mut round = first;
    while progress.cycles < limit && !progress.is_done {
        (progress.before, progress.is_better) = (progress.seen, false);
        for class in hill.classes() {
            let Some(step) = hill.improve(class, progress.seen, round)? else { continue };
            progress.seen = step.seen;
            progress.is_better |= step.is_better;
            if hill.is_enough() {
                break;
            }
        }
        hill.end_round(round, progress.seen)?;
        progress.cycles += 1;
        match next(hill, round, &progress)? {
            Some(following) => round = following,
            None => progress.is_done = true,
        }
    }
    Ok(progress)
}
