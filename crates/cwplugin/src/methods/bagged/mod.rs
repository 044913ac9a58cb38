//! `bagged`: the mean log-weight of coordinate ascent over bootstrap samples, shrunk towards equal weights.
//!
//! Each refit runs coordinate ascent on a bootstrap sample of the labelled rows in which every class keeps its number
//! of rows. The mean `μ` of the log-weights depends less on single rows than one ascent does, and the variance between
//! refits says how far to trust it: `μ` is multiplied by `‖μ‖² / (‖μ‖² + Σ_k var_k)`. Rows that a refit did not draw
//! are scored by it, so the out-of-bag score is honest.

mod shrink; // many lists of weights to one
mod out_of_bag; // rows judged by refits that did not see them
mod report; // what bagging found

pub use report::{BaggedReport, OutOfBag, WeightSpread};
pub(crate) use shrink::{Shrunken, weights_of};

use crate::data::Sample;
use crate::data::bootstrap::Strata;
use crate::error::Error;
use crate::methods::ascent::{self, Problem, ascend};
use crate::methods::method::{ConstraintSupport, Method, OptionSpec, Options};
use crate::metric::Metric;
use crate::numeric::parallel;
use crate::report::{FitReport, Fitted};
use crate::rule::Weights;

pub(crate) const METHOD: Method = Method {
    name: "bagged",
    summary: "mean of ascent over bootstrap samples, shrunk towards equal weights; with an out-of-bag score",
    options: &[OptionSpec {
        name: "n-bootstrap",
        value: "N",
        default: "50, fewer on very many rows",
        help: "Refit on N bootstrap samples",
        check: |text| read_n_bootstrap(text).map(drop),
    }],
    uses_metric: true,
    uses_unlabelled: false,
    needs_features: false,
    constraints: ConstraintSupport::Adjust,
    fit,
};

/// Refits, unless told otherwise.
const BAGS: usize = 50;

/// Refits on the largest of samples: a variance from fewer says little.
const FEWEST: usize = 10;

/// So many probabilities are looked at by all refits together, unless a number of refits was asked for; on as many rows
/// the refits hardly differ anyway.
const BUDGET: usize = 20_000_000;

/// One refit.
struct Bag {
    /// Its log-weights, centred.
    logs: Vec<f64>,
    /// Whether it saw the row.
    is_drawn: Vec<bool>,
}

/// What bagging finds: all that another method needs to go on from here.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bagging {
    /// The mean log-weights, their variance and the factor.
    pub(crate) shrunken: Shrunken,
    /// How far the refits are apart, class by class.
    pub(crate) spread: Vec<WeightSpread>,
    /// For each row the class by the refits that did not draw it, if there are two.
    pub(crate) out_of_bag: Vec<Option<u32>>,
}

fn fit(sample: &Sample, metric: &dyn Metric, options: &Options) -> Result<Fitted, Error> {
    let rows = sample.labelled();
    let requested = options.read("n-bootstrap", read_n_bootstrap)?;
    let n_bootstrap = n_bags(&rows, requested)?;
    let found = bag(&rows, &metric, n_bootstrap, options.seed)?;
    let weights = weights_of(&found.shrunken.logs())?;
    let details = BaggedReport {
        n_bootstrap,
        shrinkage: found.shrunken.factor,
        out_of_bag: out_of_bag::score(&rows, &found.out_of_bag, &metric, options.seed)?,
        spread: found.spread,
    };
    let mut report = FitReport::new(metric.name(), sample.class_totals(), &details);
    report.warnings = ascent::warnings(sample.class_totals());
    Fitted::of_weights(weights, report, &rows, metric)
}

fn read_n_bootstrap(text: &str) -> Result<usize, Error> {
    let found =
        text.parse().map_err(|_| Error::UnknownOption { option: "n-bootstrap", value: text.into() })?;
    if found < 2 { Err(Error::TooFewBags { found }) } else { Ok(found) }
}

/// How many refits: as many as asked for, or as many as the rows leave time for.
pub(crate) fn n_bags(sample: &Sample, asked: Option<usize>) -> Result<usize, Error> {
    match asked {
        Some(found) if found < 2 => Err(Error::TooFewBags { found }),
        Some(bags) => Ok(bags),
        None => Ok((BUDGET / (sample.n_rows() * sample.n_classes()).max(1)).clamp(FEWEST, BAGS)),
    }
}

/// Refits on as many bootstrap samples of rows that all have a label and a weight.
///
/// # Errors
///
/// If the metric is not finite.
pub(crate) fn bag<M: Metric>(sample: &Sample, metric: &M, bags: usize, seed: u64) -> Result<Bagging, Error> {
    let class_totals = sample.class_totals();
    let is_free: Vec<bool> = (0..sample.n_classes())
        .map(|class| class_totals.rows(class) > 0 && class_totals.probable[class])
        .collect();
    let strata = Strata::new(sample.label_indices(), sample.n_classes());
    let bags = parallel::map((0..bags).collect(), |bag| {
        let times = strata.draw(seed, bag);
        let logs = shrink::centred_logs(&refit(sample, metric, &times)?, &is_free);
        Ok(Bag { logs, is_drawn: times.iter().map(|&times| times > 0).collect() })
    });
    let bags = bags.into_iter().collect::<Result<Vec<Bag>, Error>>()?;
    let out_of_bag = out_of_bag::predictions(sample.probabilities(), &bags)?;
    let refits: Vec<Vec<f64>> = bags.into_iter().map(|bag| bag.logs).collect();
    let shrunken = Shrunken::new(&refits);
    Ok(Bagging { spread: shrunken.spread(&refits), shrunken, out_of_bag })
}

/// Climbs from unit weights on the rows that were drawn, each as heavy as often it was.
///
/// Not from the weights that are best on the whole sample: those have seen the rows that are to judge this refit.
fn refit<M: Metric>(sample: &Sample, metric: &M, times: &[u32]) -> Result<Weights, Error> {
    let drawn: Vec<usize> = (0..times.len()).filter(|&row| times[row] > 0).collect();
    let probabilities = sample.probabilities().select(&drawn);
    let labels: Vec<u32> = drawn.iter().map(|&row| sample.label_indices()[row]).collect();
    let weights: Vec<f64> = drawn.iter().map(|&row| f64::from(times[row]) * sample.weight(row)).collect();
    // No class has vanished, but one may have lost the only rows that gave it a probability.
    let is_probable = |class: usize| (0..drawn.len()).any(|row| probabilities.get(row, class) > 0.0);
    let is_free: Vec<bool> = (0..sample.n_classes())
        .map(|class| sample.class_totals().rows(class) > 0 && is_probable(class))
        .collect();
    let (labels, weights) = (&labels[..], Some(&weights[..]));
    let problem = Problem { probabilities: &probabilities, labels, weights, is_free: &is_free };
    Ok(ascend(&problem, metric, &[Weights::uniform(sample.n_classes())?])?.weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Probabilities;

    #[test]
    fn many_rows_are_refitted_less_often_unless_asked_for() {
        let rows =
            |n: usize| Sample::new(Probabilities::new([0.5; 2].repeat(n), 2).unwrap(), vec![Some(0); n]);
        let bags = |n: usize, asked: Option<usize>| n_bags(&rows(n).unwrap(), asked);
        assert_eq!([1, 200_000, 250_000].map(|n| bags(n, None)), [Ok(50), Ok(50), Ok(40)]);
        assert_eq!(bags(3_000_000, None), Ok(10));
        assert_eq!((bags(250_000, Some(60)), bags(9, Some(2))), (Ok(60), Ok(2)));
        assert_eq!(bags(9, Some(1)), Err(Error::TooFewBags { found: 1 }));
    }
}
