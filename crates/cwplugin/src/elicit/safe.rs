//! All classes stay in play: one weight after the other, and never far from the best so far.

use super::golden::golden;
use super::line::{Along, Bracket, Line, best_of, is_clear};
use super::oracle::{Asker, Halt, Oracle};
use super::scale::Scale;
use super::zoom::zoom;
use super::{Elicitation, Elicited, ElicitedLine};
use crate::error::Error;
use crate::rule::Weights;

/// The first queries multiply or divide a weight by at most four.
const REACH: f64 = 1.386_294_361_119_890_6;

/// A line is searched to this part of its reach; later rounds reach less far.
const PART: f64 = 0.25;

/// Where things stand.
struct Walk {
    here: Weights,
    lines: Vec<ElicitedLine>,
}

/// Goes round the classes as far as the answers go.
pub(super) fn safe(recipe: &Elicitation, oracle: &mut dyn Oracle) -> Result<Elicited, Error> {
    let clean = Weights::uniform(recipe.n_classes)?;
    let line = |class| ElicitedLine { class, alpha: 0.5, low: 0.0, high: 1.0, value: None, evaluations: 0 };
    let mut walk = Walk { here: clean.clone(), lines: recipe.others().map(line).collect() };
    let mut asker = Asker::new(oracle, recipe.repeats, recipe.budget);
    let is_done = match walk.rounds(recipe, &mut asker) {
        Ok(()) => true,
        Err(Halt::Failed(error)) => return Err(error),
        Err(Halt::Waiting | Halt::Spent) => false,
    };
    let value = asker.known(&walk.here);
    let (clean, queries) = (asker.known(&clean), asker.asked);
    let Walk { here, lines } = walk;
    Ok(Elicited { weights: here, value, clean, queries, lines, is_done })
}

impl Walk {
    /// Round after round, each with half the reach, until a step is as small as is wanted.
    fn rounds(&mut self, recipe: &Elicitation, asker: &mut Asker<'_>) -> Result<(), Halt> {
        asker.worth(&self.here)?;
        let mut reach = REACH;
        while PART * reach > recipe.precision {
            let mut is_at_an_end = false;
            for i in 0..self.lines.len() {
                is_at_an_end |= self.step(recipe, asker, i, reach)?;
            }
            if !is_at_an_end {
                reach *= 0.5;
            }
        }
        Ok(())
    }

    /// One class to its best place within reach; says whether that is where the reach ends.
    fn step(
        &mut self,
        recipe: &Elicitation,
        asker: &mut Asker<'_>,
        i: usize,
        reach: f64,
    ) -> Result<bool, Halt> {
        let (class, before) = (self.lines[i].class, asker.asked);
        let weights = self.here.as_slice().to_vec();
        let scale = Scale::factor(recipe.population.as_ref(), &weights, class, reach);
        let centre = scale.place_of(0.0);
        let line = Line { along: Along::Factor { weights, class }, scale };
        let mut bracket = Bracket::whole();
        let searched = if recipe.quasi_concave {
            golden(&line, asker, &mut bracket, PART * reach)
        } else {
            zoom(&line, asker, &mut bracket, Some(centre), 2.0 * PART * reach)
        };
        let moved = self.move_to_best(&line, asker, &bracket, searched.is_ok());
        let alpha = |log: f64| {
            let odds = self.here.as_slice()[class] / self.here.as_slice()[recipe.reference] * log.exp();
            odds / (1.0 + odds)
        };
        // The bracket was around where the class stood before.
        let shift = moved.as_ref().ok().copied().flatten().map_or(0.0, |place| line.scale.at(place));
        self.lines[i] = ElicitedLine {
            class,
            alpha: alpha(0.0),
            low: alpha(line.scale.at(bracket.low) - shift),
            high: alpha(line.scale.at(bracket.high) - shift),
            value: line.best_visited(asker, &bracket).map(|(_, worth)| worth.mean),
            evaluations: self.lines[i].evaluations + asker.asked - before,
        };
        searched?;
        let place = moved?;
        Ok(place.is_some_and(|place| !(0.1..=0.9).contains(&place)))
    }

    /// To the best place visited, if that is better than here beyond doubt; `may_ask` until it is.
    fn move_to_best(
        &mut self,
        line: &Line,
        asker: &mut Asker<'_>,
        bracket: &Bracket,
        may_ask: bool,
    ) -> Result<Option<f64>, Halt> {
        let Some((place, _)) = line.best_visited(asker, bracket) else {
            return Ok(None);
        };
        let there = line.weights(place)?;
        let compared = if may_ask { best_of(asker, &[self.here.clone(), there.clone()]) } else { Ok(0) };
        let [here, worth] = [&self.here, &there].map(|weights| asker.known(weights));
        let is_better = here.zip(worth).is_some_and(|(here, there)| is_clear(there, here));
        if is_better {
            self.here = there;
        }
        compared?;
        Ok(is_better.then_some(place))
    }
}
