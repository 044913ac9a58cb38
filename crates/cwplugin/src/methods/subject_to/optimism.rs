//! Optimism: how much better a constraint value is on the rows used for fitting than on new rows.

use crate::data::Sample;
use crate::data::bootstrap::Strata;
use crate::error::Error;
use crate::methods::ascent::{Problem, ascend};
use crate::metric::{Bound, Constrained, Constraint};
use crate::numeric::parallel;
use crate::progress::Observer;
use crate::rule::Rule;

/// Bootstrap samples, each with one ascent.
const BAGS: usize = 20;

/// Number of probabilities above which the optimism is negligible and not computed.
const MAX_PROBABILITIES: usize = 1 << 20;

/// Efron's optimism of each constraint: the weights are fitted on bootstrap samples of the rows, starting from those of the
/// rule, and compared on the bootstrap sample and on all rows.
pub(super) fn optimism(
    constraints: &[Constraint],
    metric: &Constrained<'_>,
    rule: &Rule,
    rows: &Sample,
    (seed, observer): (u64, Observer<'_>),
) -> Result<Vec<f64>, Error> {
    if rows.n_rows() * rows.n_classes() > MAX_PROBABILITIES {
        return Ok(vec![0.0; constraints.len()]);
    }
    let labels = (0..rows.n_rows()).map(|row| rows.label(row)).collect();
    let calibrated = Sample::new(rule.calibrated_probabilities(rows)?.into_owned(), labels)?;
    let calibrated = calibrated.with_weights((0..rows.n_rows()).map(|row| rows.weight(row)).collect())?;
    let strata = Strata::new(calibrated.label_indices(), calibrated.n_classes());
    let stage = observer.begin("checking constraints", BAGS);
    let bags = parallel::map((0..BAGS).collect(), |bag| {
        let times = strata.draw(seed, bag);
        let drawn: Vec<usize> = (0..times.len()).filter(|&row| times[row] > 0).collect();
        let weights = drawn.iter().map(|&row| f64::from(times[row]) * rows.weight(row)).collect();
        let bag = calibrated.select(&drawn).with_weights(weights)?;
        let problem = Problem { is_free: bag.class_totals().probable.clone(), ..Problem::of(&bag) };
        let start = std::slice::from_ref(rule.weights());
        let chosen = ascend(&problem, metric, start, Observer::default())?.maximum.weights;
        stage.step();
        let (there, here) = (bag.confusion(&chosen)?, calibrated.confusion(&chosen)?);
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
