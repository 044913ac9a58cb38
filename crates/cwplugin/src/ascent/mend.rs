//! As few moves as keep to constraints.

use super::climb::{CYCLES, Climber, Summit};
use super::targets::Truth;
use crate::constraint::Constrained;
use crate::probabilities::Real;
use crate::ties::is_as_good;
use crate::{Error, Metric, Weights};

impl<T: Real, Y: Truth, M: Metric + ?Sized> Climber<'_, T, Y, M> {
    /// Moves the one weight by which most is won, again and again, until a score is allowed or nothing is won.
    ///
    /// A climb would go on to the summit of these rows; whoever chose the start had reasons not to stand there.
    pub(super) fn mend(&mut self, start: &Weights) -> Result<Summit, Error> {
        self.seen = self.stand_at(start)?;
        let mut summit = Summit { weights: start.clone(), score: self.seen, cycles: 0, is_proven: false };
        while summit.cycles < CYCLES && !Constrained::is_allowed(self.seen) {
            let (seen, metric) = (self.seen, self.metric);
            let mut best: Option<(usize, f64, f64)> = None;
            for class in self.free.clone() {
                let (line, ledger) = self.line(class);
                let place = line.best(ledger, metric, seen)?.filter(|place| !is_as_good(seen, place.score));
                if let Some(place) = place.filter(|place| best.is_none_or(|best| best.2 < place.score)) {
                    best = Some((class, place.factor, place.score));
                }
            }
            let Some((class, factor, score)) = best else { break };
            if !self.reweight(class, factor) {
                break;
            }
            self.seen = score;
            summit.cycles += 1;
        }
        // The weights as they will be used: dividing them by their sum may tip a row that hangs on a tie.
        let weights = Weights::new(self.weights.clone())?;
        let score = self.stand_at(&weights)?;
        if is_as_good(score, summit.score) {
            (summit.weights, summit.score) = (weights, score);
        }
        Ok(summit)
    }
}
