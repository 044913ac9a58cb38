//! From one pass to the next.

use super::pass::Look;
use super::route::{self, Move};
use super::stand::Stand;
use super::{Best, Pass, PassCounts, PassError, Passes, Stage, line};
use crate::data::class_totals::ClassTotals;
use crate::error::Error;
use crate::methods::Start;
use crate::methods::ascent::{label_shift_of_sums, negligible_gain, settled};
use crate::metric::{Metric, checked_score};
use crate::numeric::exact_sum::ExactSum;
use crate::numeric::tolerance::is_as_good;
use crate::plugin::{Plugin, Statistics};
use crate::rule::Weights;

/// After so many passes it is enough.
const PASSES: usize = 30;

impl<M: Metric> Passes<M> {
    /// The roll was called: which classes there are, and where to begin.
    pub(super) fn called(&mut self, counts: &PassCounts) -> Result<(), PassError> {
        let Some(statistics) = &counts.statistics else { return Err(PassError::OtherPass) };
        let class_totals = statistics.class_totals().clone();
        class_totals.check_for(&self.metric)?;
        let m = self.classes.len();
        let is_free: Vec<bool> = (0..m)
            .map(|class| {
                class_totals.rows(class) > 0 && (class_totals.probable[class] || self.behind.is_some())
            })
            .collect();
        let look = Look::new(is_free, self.metric.is_by_class(), unit_of(&class_totals))?;
        let (mut starts, mut stands) = (vec![Start::Clean], vec![Weights::uniform(m)?]);
        let mut reference = None;
        if let Some(model) = &self.behind {
            stands = vec![model.weights().clone()];
        } else {
            let predicted: Vec<f64> = counts.predicted.iter().map(ExactSum::value).collect();
            if let Some(weights) = label_shift_of_sums(&class_totals.weights(), &predicted) {
                starts.push(Start::LabelShift);
                stands.push(weights?);
            }
            reference = statistics.largest_class();
        }
        let most = look.most_stands();
        starts.truncate(most);
        stands.truncate(most);
        self.class_totals = Some(class_totals);
        self.route.limit(most);
        let pass = self.pass(stands, look, reference);
        self.stage = Stage::Starts(pass, starts);
        Ok(())
    }

    fn pass(&self, stands: Vec<Weights>, look: Look, reference: Option<usize>) -> Pass {
        Pass { classes: self.classes.clone(), behind: self.behind.clone(), reference, stands, look }
    }

    /// Keeps the best of the weights that were counted, if it is better than what is known.
    pub(super) fn compare(&mut self, pass: &Pass, stands: &[Stand], starts: &[Start]) -> Result<(), Error> {
        for ((weights, stand), &start) in pass.stands.iter().zip(stands).zip(starts) {
            let score = checked_score(&self.metric, &line::confusion(stand, &pass.look))?;
            self.evaluations += 1;
            let is_same = self.best.as_ref().is_some_and(|best| best.weights == *weights); // looked at more closely
            if is_same || self.best.as_ref().is_none_or(|best| !is_as_good(best.score, score)) {
                let (weights, stand, look) = (weights.clone(), stand.clone(), pass.look.clone());
                self.best = Some(Best { weights, score, start, stand, look });
            }
        }
        Ok(())
    }

    /// The starts were counted; Algorithm 1 against the heaviest class is one more.
    pub(super) fn begin_climb(&mut self, counts: &PassCounts) -> Result<(), PassError> {
        let Some((best, class_totals)) = self.best.as_ref().zip(self.class_totals.as_ref()) else {
            return Ok(());
        };
        self.tolerance = negligible_gain(
            &self.metric,
            &class_totals.weights(),
            class_totals.n_labelled() as f64,
            best.score,
        );
        if let Some(statistics) = &counts.statistics {
            let weights = self.plugin_weights(statistics)?;
            self.route.also(Move { weights, start: Start::Plugin { reference: statistics.reference() } });
        }
        self.go_on()
    }

    /// Algorithm 1 on a grid; a class that it gives no weight at all keeps a little.
    fn plugin_weights(&self, statistics: &Statistics) -> Result<Weights, Error> {
        let fitted = Plugin::new(&self.metric).fit_statistics(statistics)?;
        let weights = fitted.weights().as_slice();
        let least = weights.iter().copied().filter(|&weight| weight > 0.0).fold(1.0, f64::min);
        Weights::new(
            weights.iter().map(|&weight| if weight > 0.0 { weight } else { least / 100.0 }).collect(),
        )
    }

    /// From the best weights so far to the next ones.
    pub(super) fn go_on(&mut self) -> Result<(), PassError> {
        let Some(best) = &self.best else { return Ok(()) };
        let (places, evaluations) = line::best_places(&best.stand, &best.look, &self.metric);
        self.evaluations += evaluations;
        let next = self.route.next(best, &places, self.tolerance)?;
        self.stage = match next {
            route::Next::Stand(weights, look) if self.made < PASSES => {
                Stage::Climb(self.pass(weights, look, None))
            }
            next => {
                self.is_converged = matches!(next, route::Next::Arrived);
                self.settle()?
            }
        };
        Ok(())
    }

    /// A last pass tells whether the classes that are not searched may get the mean, in logarithms, of those that are.
    fn settle(&self) -> Result<Stage, Error> {
        let Some(best) = &self.best else { return Ok(Stage::Done) };
        let (free, fixed): (Vec<usize>, Vec<usize>) =
            (0..best.look.is_free.len()).partition(|&class| best.look.is_free[class]);
        let settled = settled(best.weights.as_slice(), &free, &fixed);
        let Some(settled) = settled.filter(|_| self.behind.is_none()) else { return Ok(Stage::Done) };
        Ok(Stage::Settle(self.pass(vec![Weights::new(settled)?], best.look.clone(), None)))
    }
}

/// A power of two of which the weights of rows are taken to be multiples: 1 if they have none, else so small that
/// all rows together are 2^51 of them.
pub(super) fn unit_of(class_totals: &ClassTotals) -> f64 {
    if !class_totals.classes.is_weighted() {
        return 1.0;
    }
    let total: f64 = class_totals.weights().iter().sum();
    2.0_f64.powi(total.log2().ceil() as i32 - 51)
}
