//! Restricted queries: one class against the reference, as in the paper.

use super::golden::golden;
use super::line::{Along, Bracket, Line};
use super::oracle::{CachedOracle, Halt, Oracle};
use super::scale::Scale;
use super::zoom::zoom;
use super::{Elicitation, Elicited, ElicitedLine};
use crate::error::Error;
use crate::rule::Weights;

/// Searches every pair independently, as far as there are answers.
pub(super) fn restricted(recipe: &Elicitation, oracle: &mut dyn Oracle) -> Result<Elicited, Error> {
    let (reference, n_classes) = (recipe.reference, recipe.n_classes);
    let pairs = n_classes - 1;
    let mut weights = vec![1.0; n_classes];
    let (mut lines, mut queries, mut is_done) = (Vec::with_capacity(pairs), 0, true);
    for (i, class) in recipe.others().enumerate() {
        let budget = recipe.budget / pairs + usize::from(i < recipe.budget % pairs);
        let mut cached = CachedOracle::new(oracle, recipe.repeats, budget);
        let line = Line {
            along: Along::Pair { class, reference, n_classes },
            scale: Scale::pair(recipe.population.as_ref(), class, reference),
        };
        let (mut bracket, tolerance) = (Bracket::whole(), 2.0 * recipe.precision);
        let searched = if recipe.quasi_concave {
            golden(&line, &mut cached, &mut bracket, tolerance)
        } else {
            zoom(&line, &mut cached, &mut bracket, None, tolerance)
        };
        match searched {
            Ok(()) => (),
            Err(Halt::Failed(error)) => return Err(error),
            Err(Halt::Waiting | Halt::BudgetUsed) => is_done = false,
        }
        // Without an answer the pair stays unadjusted.
        let alpha = if bracket.visited.is_empty() { 0.5 } else { line.scale.at(bracket.middle()) };
        weights[class] = alpha / (1.0 - alpha);
        queries += cached.n_queries;
        lines.push(ElicitedLine {
            class,
            alpha,
            low: line.scale.at(bracket.low),
            high: line.scale.at(bracket.high),
            value: line.best_visited(&cached, &bracket).map(|(_, estimate)| estimate.mean),
            evaluations: cached.n_queries,
        });
    }
    let weights = Weights::new(weights)?;
    Ok(Elicited { weights, value: None, clean: None, queries, lines, is_done })
}
