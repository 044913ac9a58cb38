//! `bagged`: the mean log-weight of coordinate ascent over bootstrap samples, shrunk towards equal weights.
//!
//! Each refit runs coordinate ascent on a bootstrap sample of the labelled rows in which every class keeps its number
//! of rows. The mean `μ` of the log-weights depends less on single rows than one ascent does. It is multiplied by
//! `‖μ‖² / (‖μ‖² + Σ_k var_k)`, with `var_k` the variance between refits. Out-of-bag rows are scored by the refits that
//! did not draw them.

mod shrink; // mean log-weights, shrunk towards equal weights
mod out_of_bag; // rows scored by refits that did not draw them

use serde::{Deserialize, Serialize};

use crate::data::Sample;
use crate::data::bootstrap::Strata;
use crate::error::Error;
use crate::methods::ascent::{self, Problem, Rows, ascend};
use crate::methods::method::{ConstraintSupport, Method, OptionSpec, Options};
use crate::metric::Metric;
use crate::numeric::parallel;
use crate::progress::Observer;
use crate::report::{FitReport, Fitted};
use crate::rule::Weights;
use shrink::{Shrunken, weights_of};

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

/// The report of bagging.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BaggedReport {
    /// Number of refits.
    pub n_bootstrap: usize,
    /// Factor of the mean log-weights, from 0 (equal weights) to 1 (no shrinkage).
    pub shrinkage: f64,
    /// The spread of the refits, per class.
    pub spread: Vec<WeightSpread>,
    /// The out-of-bag score; `None` if there is no out-of-bag row, or the metric is undefined on those rows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub out_of_bag: Option<OutOfBag>,
}

/// The spread of the weight of one class over the refits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WeightSpread {
    /// 2.5% quantile of the refits, shrunk like their mean, on the scale of the weights.
    pub low: f64,
    /// Median.
    pub median: f64,
    /// 97.5% quantile.
    pub high: f64,
    /// Standard deviation of the log-weight between refits, before shrinkage; 0 for a class that was not tuned.
    pub sd: f64,
}

/// The metric of out-of-bag predictions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OutOfBag {
    /// Rows that at least two refits did not draw.
    pub rows: u64,
    /// The other labelled rows, which are not scored.
    pub unscored_rows: u64,
    /// The metric of the unadjusted black box on the scored rows.
    pub clean: f64,
    /// The metric of the out-of-bag predictions.
    pub fitted: f64,
    /// 95% bootstrap confidence interval of the difference.
    pub gain: [f64; 2],
}

/// One refit.
struct Bag {
    /// Centred log-weights.
    logs: Vec<f64>,
    /// Whether each row was drawn.
    is_drawn: Vec<bool>,
}

fn fit(sample: &Sample, metric: &dyn Metric, options: &Options<'_>) -> Result<Fitted, Error> {
    let rows = sample.labelled();
    let requested = options.read("n-bootstrap", read_n_bootstrap)?;
    let n_bootstrap = requested.unwrap_or_else(|| default_n_bootstrap(&rows));
    let bags = bags(&rows, metric, n_bootstrap, options)?;
    let out_of_bag = out_of_bag::predictions(rows.probabilities(), &bags)?;
    let refits: Vec<Vec<f64>> = bags.into_iter().map(|bag| bag.logs).collect();
    let shrunken = Shrunken::new(&refits);
    let details = BaggedReport {
        n_bootstrap,
        shrinkage: shrunken.factor,
        spread: shrunken.spread(&refits),
        out_of_bag: out_of_bag::score(&rows, &out_of_bag, metric, options)?,
    };
    let mut report = FitReport::new(metric.name(), sample.class_totals(), &details);
    report.warnings = ascent::warnings(sample.class_totals());
    Fitted::of_weights(weights_of(&shrunken.logs())?, report, &rows, metric)
}

fn read_n_bootstrap(text: &str) -> Result<usize, Error> {
    let found =
        text.parse().map_err(|_| Error::UnknownOption { option: "n-bootstrap", value: text.into() })?;
    if found < 2 { Err(Error::TooFewBags { found }) } else { Ok(found) }
}

/// The number of refits that the budget allows.
fn default_n_bootstrap(sample: &Sample) -> usize {
    (BUDGET / (sample.n_rows() * sample.n_classes()).max(1)).clamp(MIN_BAGS, BAGS)
}

/// Refits on bootstrap samples of rows that all have a label and a positive weight.
fn bags(
    sample: &Sample,
    metric: &dyn Metric,
    n_bootstrap: usize,
    options: &Options<'_>,
) -> Result<Vec<Bag>, Error> {
    let stage = options.observer.begin("bagging", n_bootstrap);
    let is_free = Problem::of(sample).is_free;
    let strata = Strata::new(sample.label_indices(), sample.n_classes());
    let bags = parallel::map((0..n_bootstrap).collect(), |bag| {
        let times = strata.draw(options.seed, bag);
        let refitted = refit(sample, metric, &times);
        stage.step();
        let logs = shrink::centred_logs(&refitted?, &is_free);
        Ok(Bag { logs, is_drawn: times.iter().map(|&times| times > 0).collect() })
    });
    bags.into_iter().collect()
}

/// Coordinate ascent from equal weights on the drawn rows, weighted by how often each was drawn.
///
/// It does not start from the weights of the whole sample: those have seen the out-of-bag rows.
fn refit(sample: &Sample, metric: &dyn Metric, times: &[u32]) -> Result<Weights, Error> {
    let drawn: Vec<usize> = (0..times.len()).filter(|&row| times[row] > 0).collect();
    let probabilities = sample.probabilities().select(&drawn);
    let labels: Vec<u32> = drawn.iter().map(|&row| sample.label_indices()[row]).collect();
    let weights: Vec<f64> = drawn.iter().map(|&row| f64::from(times[row]) * sample.weight(row)).collect();
    // Every class keeps its rows, but may lose all rows that give it a positive probability.
    let is_probable = |class: usize| (0..drawn.len()).any(|row| probabilities.get(row, class) > 0.0);
    let is_free =
        (0..sample.n_classes()).map(|class| sample.n_rows_of(class) > 0 && is_probable(class)).collect();
    let (labels, weights) = (&labels[..], Some(&weights[..]));
    let problem = Problem { rows: Rows::Of(&probabilities), labels, weights, is_free };
    let start = Weights::uniform(sample.n_classes())?;
    Ok(ascend(&problem, metric, &[start], Observer::default())?.maximum.weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Probabilities;

    #[test]
    fn many_rows_are_refitted_less_often_unless_asked_for() {
        let rows =
            |n: usize| Sample::new(Probabilities::new([0.5; 2].repeat(n), 2).unwrap(), vec![Some(0); n]);
        let n_bootstrap = |n: usize| default_n_bootstrap(&rows(n).unwrap());
        assert_eq!([1, 200_000, 250_000, 3_000_000].map(n_bootstrap), [50, 50, 40, 10]);
        assert_eq!((read_n_bootstrap("60"), read_n_bootstrap("2")), (Ok(60), Ok(2)));
        assert_eq!(read_n_bootstrap("1"), Err(Error::TooFewBags { found: 1 }));
    }
}
