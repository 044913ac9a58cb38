//! `bagged`: the mean log-weight of coordinate ascent over bootstrap samples, shrunk towards equal weights.
//!
//! Each refit runs coordinate ascent on a bootstrap sample of the labelled rows in which every class keeps its number
//! of rows. The mean `μ` of the log-weights depends less on single rows than one ascent does. It is multiplied by
//! `‖μ‖² / (‖μ‖² + Σ_k var_k)`, with `var_k` the variance between refits. Out-of-bag rows are scored by the refits that
//! did not draw them.

mod shrink; // mean log-weights, shrunk towards equal weights
mod out_of_bag; // rows scored by refits that did not draw them
mod report; // the report

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

/// Default number of refits.
const BAGS: usize = 50;

/// Refits on the largest samples: fewer do not estimate a variance.
const MIN_BAGS: usize = 10;

/// Probabilities processed by all refits together, unless the number of refits is given. On large samples the refits
/// hardly differ.
const BUDGET: usize = 20_000_000;

/// One refit.
struct Bag {
    /// Centred log-weights.
    logs: Vec<f64>,
    /// Whether each row was drawn.
    is_drawn: Vec<bool>,
}

/// The result of bagging, for this and other methods.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bagging {
    /// Mean, variance and shrinkage of the log-weights.
    pub(crate) shrunken: Shrunken,
    /// The spread of the refits, per class.
    pub(crate) spread: Vec<WeightSpread>,
    /// The class of each row by the refits that did not draw it; `None` with fewer than two such refits.
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

/// The number of refits: as requested, or as the budget allows.
pub(crate) fn n_bags(sample: &Sample, asked: Option<usize>) -> Result<usize, Error> {
    match asked {
        Some(found) if found < 2 => Err(Error::TooFewBags { found }),
        Some(bags) => Ok(bags),
        None => Ok((BUDGET / (sample.n_rows() * sample.n_classes()).max(1)).clamp(MIN_BAGS, BAGS)),
    }
}

/// Refits on bootstrap samples of rows that all have a label and a positive weight.
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

/// Coordinate ascent from equal weights on the drawn rows, weighted by how often each was drawn.
///
/// It does not start from the weights of the whole sample: those have seen the out-of-bag rows.
fn refit<M: Metric>(sample: &Sample, metric: &M, times: &[u32]) -> Result<Weights, Error> {
    let drawn: Vec<usize> = (0..times.len()).filter(|&row| times[row] > 0).collect();
    let probabilities = sample.probabilities().select(&drawn);
    let labels: Vec<u32> = drawn.iter().map(|&row| sample.label_indices()[row]).collect();
    let weights: Vec<f64> = drawn.iter().map(|&row| f64::from(times[row]) * sample.weight(row)).collect();
    // Every class keeps its rows, but may lose all rows that give it a positive probability.
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
