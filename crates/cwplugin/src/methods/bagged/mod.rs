//! Bagging: the mean log-weight of coordinate ascent over bootstrap samples, pulled towards unit weights.

mod draw; // bootstrap samples
mod shrink; // many lists of weights to one
mod out_of_bag; // rows judged by refits that did not see them
mod report; // what is told of it

pub use report::{BaggedReport, OutOfBag, WeightSpread};
pub(crate) use shrink::{Shrunken, weights_of};

use crate::data::Sample;
use crate::error::Error;
use crate::methods::ascent::{Problem, Targets, ascend};
use crate::methods::{Details, Fitted, Report};
use crate::metric::{Metric, checked_score};
use crate::numeric::parallel;
use crate::rule::Weights;
pub(crate) use draw::Strata;

/// Refits, unless told otherwise.
const BAGS: usize = 50;

/// Refits on the largest of samples: a variance from fewer says little.
const FEWEST: usize = 10;

/// So many probabilities are looked at by all refits together, unless a number of refits was asked for; on as many rows
/// the refits hardly differ anyway.
const BUDGET: usize = 20_000_000;

/// The recipe of bagging: which metric, how many refits, which seed.
///
/// Each refit climbs, as [`Ascent`](crate::methods::Ascent) does, on a bootstrap sample of the labelled rows in which every class
/// keeps its number of rows. The mean of the refits' log-weights depends less on single rows than one climb does,
/// and how far the refits are apart says how far to believe it: the mean `μ` is multiplied by
/// `‖μ‖² / (‖μ‖² + Σ_k var_k)`. Rows that a refit did not draw judge it, so the report has an honest score.
///
/// ```
/// use cwplugin::{Bagged, Details, Probabilities, Sample, metric::MacroF1};
///
/// // A black box that is too fond of class 0.
/// let p = Probabilities::new([0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8].repeat(10), 2)?;
/// let labels = [0, 1, 1, 1].map(Some).repeat(10);
/// let fitted = Bagged::new(MacroF1).bags(20).seed(1).fit(&Sample::new(p, labels)?)?;
/// let Details::Bagged(report) = &fitted.report().details else { unreachable!() };
/// assert!(report.shrinkage > 0.9);
/// assert!(report.out_of_bag.is_some_and(|score| score.fitted > score.clean));
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Bagged<M> {
    metric: M,
    bags: Option<usize>,
    seed: u64,
}

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

impl<M: Metric> Bagged<M> {
    /// Maximises this metric.
    pub fn new(metric: M) -> Self {
        Self { metric, bags: None, seed: 0 }
    }

    /// Refits so often, at least twice [default: 50, on very many rows fewer].
    #[must_use]
    pub fn bags(self, bags: usize) -> Self {
        Self { bags: Some(bags), ..self }
    }

    /// Seed of the bootstrap samples [default: 0].
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Learns one weight per class from the labelled rows.
    ///
    /// # Errors
    ///
    /// If there is no labelled row, fewer than two refits are asked for, or the metric is for another number of classes or
    /// not finite.
    pub fn fit(&self, sample: &Sample) -> Result<Fitted, Error> {
        let census = sample.census();
        census.check_for(&self.metric)?;
        let rows = sample.labelled(); // the others would only stand in the way
        let bags = n_bags(&rows, self.bags)?;
        let found = bag(&rows, &self.metric, bags, self.seed)?;
        let weights = weights_of(&found.shrunken.logs())?;

        let clean = Weights::uniform(sample.n_classes())?;
        let [before, after] = rows.confusions([&clean, &weights])?;
        let before = checked_score(&self.metric, &before)?;
        let after = checked_score(&self.metric, &after)?;
        let details = Details::Bagged(BaggedReport {
            bags,
            asked: self.bags.unwrap_or(BAGS),
            shrinkage: found.shrunken.factor,
            out_of_bag: out_of_bag::score(&rows, &found.out_of_bag, &self.metric, self.seed)?,
            spread: found.spread,
        });
        let report = Report::unscored(self.metric.name(), census, details);
        Ok(Fitted::new(weights.into(), report).scored(before, after))
    }
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
    let census = sample.census();
    let is_free: Vec<bool> =
        (0..sample.n_classes()).map(|class| census.rows(class) > 0 && census.probable[class]).collect();
    let strata = Strata::new(sample.labels(), sample.n_classes());
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
    let labels: Vec<u32> = drawn.iter().map(|&row| sample.labels()[row]).collect();
    let weights: Vec<f64> = drawn.iter().map(|&row| f64::from(times[row]) * sample.weight(row)).collect();
    // No class has vanished, but one may have lost the only rows that gave it a probability.
    let is_probable = |class: usize| (0..drawn.len()).any(|row| probabilities.get(row, class) > 0.0);
    let is_free: Vec<bool> =
        (0..sample.n_classes()).map(|class| sample.census().rows(class) > 0 && is_probable(class)).collect();
    let targets = Targets::Labels { labels: &labels, weights: Some(&weights) };
    let problem = Problem { probabilities: &probabilities, targets, is_free: &is_free };
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
