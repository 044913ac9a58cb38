//! Restricted queries: one class against the reference, as in the paper.

use super::line::{Along, LineSearch};
use super::oracle::{CachedOracle, Halt, Oracle};
use super::scale::Scale;
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
        let scale = Scale::pair(recipe.population.as_ref(), class, reference);
        let mut line = LineSearch::new(Along::Pair { class, reference, n_classes }, scale, &mut cached);
        let tolerance = 2.0 * recipe.precision;
        let searched = if recipe.quasi_concave { line.golden(tolerance) } else { line.zoom(None, tolerance) };
        match searched {
            Ok(()) => (),
            Err(Halt::Failed(error)) => return Err(error),
            Err(Halt::Waiting | Halt::BudgetUsed) => is_done = false,
        }
        // Without an answer the pair stays unadjusted.
        let alpha = if line.visited.is_empty() { 0.5 } else { line.scale.at(line.middle()) };
        weights[class] = alpha / (1.0 - alpha);
        queries += line.cached.n_queries;
        lines.push(ElicitedLine {
            class,
            alpha,
            low: line.scale.at(line.low),
            high: line.scale.at(line.high),
            value: line.best_visited().map(|(_, estimate)| estimate.mean),
            evaluations: line.cached.n_queries,
        });
    }
    let weights = Weights::new(weights)?;
    Ok(Elicited { weights, value: None, clean: None, queries, lines, is_done })
}
