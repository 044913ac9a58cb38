//! How much better a limit looks on the rows that weights were chosen on than on others.

use crate::data::Sample;
use crate::data::bootstrap::Strata;
use crate::error::Error;
use crate::methods::ascent::{Problem, ascend};
use crate::metric::{Bound, Constrained, Constraint};
use crate::numeric::parallel;
use crate::rule::Rule;

/// Bags, each of which is climbed on once.
const BAGS: usize = 20;

/// On more probabilities than these the difference is too small to be worth the climbs.
const MANY: usize = 1 << 20;

/// For each constraint by how much its number is better on the rows that weights were chosen on: the weights are chosen anew on
/// bootstrap samples of the rows, from those of the rule on, and looked at on all rows (Efron's optimism).
pub(super) fn optimism(
    constraints: &[Constraint],
    metric: &Constrained<'_>,
    rule: &Rule,
    rows: &Sample,
    seed: u64,
) -> Result<Vec<f64>, Error> {
    if rows.n_rows() * rows.n_classes() > MANY {
        return Ok(vec![0.0; constraints.len()]);
    }
    let labels = (0..rows.n_rows()).map(|row| rows.label(row)).collect();
    let mended = Sample::new(rule.calibrated_probabilities(rows)?.into_owned(), labels)?;
    let mended = mended.with_weights((0..rows.n_rows()).map(|row| rows.weight(row)).collect())?;
    let strata = Strata::new(mended.label_indices(), mended.n_classes());
    let bags = parallel::map((0..BAGS).collect(), |bag| {
        let times = strata.draw(seed, bag);
        let drawn: Vec<usize> = (0..times.len()).filter(|&row| times[row] > 0).collect();
        let weights = drawn.iter().map(|&row| f64::from(times[row]) * rows.weight(row)).collect();
        let bag = mended.select(&drawn).with_weights(weights)?;
        let is_free: Vec<bool> =
            (0..bag.n_classes()).map(|class| bag.class_totals().probable[class]).collect();
        let problem = Problem::of(&bag, &is_free);
        let chosen = ascend(&problem, metric, std::slice::from_ref(rule.weights()))?.weights;
        let (there, here) = (bag.confusion(&chosen)?, mended.confusion(&chosen)?);
        let better = |constraint: &Constraint| {
            let better = constraint.metric().score(&there) - constraint.metric().score(&here);
            if constraint.bound() == Bound::AtLeast { better } else { -better }
        };
        Ok(constraints.iter().map(better).collect())
    });
    let bags = bags.into_iter().collect::<Result<Vec<Vec<f64>>, Error>>()?;
    let mean = |i: usize| bags.iter().map(|better| better[i]).sum::<f64>() / BAGS as f64;
    Ok((0..constraints.len()).map(|i| mean(i).max(0.0)).collect())
}
