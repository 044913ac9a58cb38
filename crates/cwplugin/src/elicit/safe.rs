//! Safe queries: one weight at a time, close to the best weights so far.

use super::line::{Along, LineSearch, best_of, is_clear};
use super::oracle::{CachedOracle, Halt, Oracle};
use super::scale::Scale;
use super::{Elicitation, Elicited, ElicitedLine};
use crate::error::Error;
use crate::rule::Weights;

/// Largest log-factor of the first queries: a factor of four.
const REACH: f64 = 1.386_294_361_119_890_6;

/// Tolerance of a line search as a fraction of its reach; the reach shrinks with every round.
const TOLERANCE: f64 = 0.25;

/// The state of the search.
struct SafeSearch {
    current: Weights,
    lines: Vec<ElicitedLine>,
}

/// Cycles through the classes as far as there are answers.
pub(super) fn safe(recipe: &Elicitation, oracle: &mut dyn Oracle) -> Result<Elicited, Error> {
    let clean = Weights::uniform(recipe.n_classes)?;
    let line = |class| ElicitedLine { class, alpha: 0.5, low: 0.0, high: 1.0, value: None, evaluations: 0 };
    let mut state = SafeSearch { current: clean.clone(), lines: recipe.others().map(line).collect() };
    let mut cached = CachedOracle::new(oracle, recipe.repeats, recipe.budget);
    let is_done = match state.rounds(recipe, &mut cached) {
        Ok(()) => true,
        Err(Halt::Failed(error)) => return Err(error),
        Err(Halt::Waiting | Halt::BudgetUsed) => false,
    };
    let value = cached.known(&state.current);
    let (clean, queries) = (cached.known(&clean), cached.n_queries);
    let SafeSearch { current, lines } = state;
    Ok(Elicited { weights: current, value, clean, queries, lines, is_done })
}

impl SafeSearch {
    /// Runs rounds, each with half the reach, until the steps reach the precision.
    fn rounds(&mut self, recipe: &Elicitation, cached: &mut CachedOracle<'_>) -> Result<(), Halt> {
        cached.measure(&self.current)?;
        let mut reach = REACH;
        while TOLERANCE * reach > recipe.precision {
            let mut is_at_an_end = false;
            for i in 0..self.lines.len() {
                is_at_an_end |= self.step(recipe, cached, i, reach)?;
            }
            if !is_at_an_end {
                reach *= 0.5;
            }
        }
        Ok(())
    }

    /// Moves one class to its best position within reach; true if that is the end of the reach.
    fn step(
        &mut self,
        recipe: &Elicitation,
        cached: &mut CachedOracle<'_>,
        i: usize,
        reach: f64,
    ) -> Result<bool, Halt> {
        let (class, before) = (self.lines[i].class, cached.n_queries);
        let weights = self.current.as_slice().to_vec();
        let scale = Scale::factor(recipe.population.as_ref(), &weights, class, reach);
        let centre = scale.place_of(0.0);
        let mut line = LineSearch::new(Along::Factor { weights, class }, scale, cached);
        let searched = if recipe.quasi_concave {
            line.golden(TOLERANCE * reach)
        } else {
            line.zoom(Some(centre), 2.0 * TOLERANCE * reach)
        };
        let moved = self.move_to_best(&mut line, searched.is_ok());
        let alpha = |log: f64| {
            let odds = self.current.as_slice()[class] / self.current.as_slice()[recipe.reference] * log.exp();
            odds / (1.0 + odds)
        };
        // The bracket is relative to the previous weight.
        let shift = moved.as_ref().ok().copied().flatten().map_or(0.0, |place| line.scale.at(place));
        self.lines[i] = ElicitedLine {
            class,
            alpha: alpha(0.0),
            low: alpha(line.scale.at(line.low) - shift),
            high: alpha(line.scale.at(line.high) - shift),
            value: line.best_visited().map(|(_, estimate)| estimate.mean),
            evaluations: self.lines[i].evaluations + line.cached.n_queries - before,
        };
        searched?;
        let place = moved?;
        Ok(place.is_some_and(|place| !(0.1..=0.9).contains(&place)))
    }

    /// Moves to the best position queried if it is clearly better; `may_ask` allows further queries.
    fn move_to_best(&mut self, line: &mut LineSearch, may_ask: bool) -> Result<Option<f64>, Halt> {
        let Some((place, _)) = line.best_visited() else { return Ok(None) };
        let candidate = line.weights(place)?;
        let compared =
            if may_ask { best_of(line.cached, &[self.current.clone(), candidate.clone()]) } else { Ok(0) };
        let [current, estimate] = [&self.current, &candidate].map(|weights| line.cached.known(weights));
        let is_better =
            current.zip(estimate).is_some_and(|(current, candidate)| is_clear(candidate, current));
        if is_better {
            self.current = candidate;
        }
        compared?;
        Ok(is_better.then_some(place))
    }
}
