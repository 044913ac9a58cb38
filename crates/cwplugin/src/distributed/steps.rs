//! The steps between passes.

use super::pass::Resolution;
use super::planner::{Move, next_moves};
use super::point_counts::PointCounts;
use super::{Best, Pass, PassCounts, PassError, Passes, Stage, line};
use crate::data::class_totals::ClassTotals;
use crate::error::Error;
use crate::methods::Start;
use crate::methods::ascent::{label_shift_of_sums, negligible_gain};
use crate::methods::log_weights::with_mean_for_fixed;
use crate::metric::{Metric, checked_score};
use crate::numeric::exact_sum::ExactSum;
use crate::numeric::tolerance::is_as_good;
use crate::plugin::{Plugin, Statistics};
use crate::rule::Weights;

/// Maximum number of passes.
const MAX_PASSES: usize = 30;

impl<M: Metric> Passes<M> {
    /// After the first pass: determines the classes and the starts.
    pub(super) fn start_from(&mut self, counts: &PassCounts) -> Result<(), PassError> {
        let Some(statistics) = &counts.statistics else { return Err(PassError::OtherPass) };
        let class_totals = statistics.class_totals().clone();
        class_totals.check_for(&self.metric)?;
        let m = self.classes.len();
        let is_free: Vec<bool> = (0..m)
            .map(|class| {
                class_totals.rows(class) > 0 && (class_totals.probable[class] || self.model.is_some())
            })
            .collect();
        let resolution = Resolution::new(is_free, self.metric.is_by_class(), unit_of(&class_totals))?;
        let (mut starts, mut points) = (vec![Start::Clean], vec![Weights::uniform(m)?]);
        let mut reference = None;
        if let Some(model) = &self.model {
            points = vec![model.weights().clone()];
        } else {
            let predicted: Vec<f64> = counts.predicted.iter().map(ExactSum::value).collect();
            if let Some(weights) = label_shift_of_sums(&class_totals.weights(), &predicted) {
                starts.push(Start::LabelShift);
                points.push(weights?);
            }
            reference = statistics.largest_class();
        }
        let most = resolution.max_points();
        starts.truncate(most);
        points.truncate(most);
        self.class_totals = Some(class_totals);
        self.ask(points, resolution, reference, Stage::Starts(starts));
        Ok(())
    }

    /// Sets the pending pass.
    fn ask(&mut self, weights: Vec<Weights>, resolution: Resolution, reference: Option<usize>, stage: Stage) {
        let (classes, model) = (self.classes.clone(), self.model.clone());
        self.pending = Some((Pass { classes, model, reference, weights, resolution }, stage));
    }

    /// Keeps the best of the counted weights, if it is better than the best so far.
    pub(super) fn compare(
        &mut self,
        pass: &Pass,
        points: &[PointCounts],
        starts: &[Start],
    ) -> Result<(), Error> {
        for ((weights, point), &start) in pass.weights.iter().zip(points).zip(starts) {
            let score = checked_score(&self.metric, &line::confusion(point, &pass.resolution))?;
            self.evaluations += 1;
            // The same weights may be counted again at a finer resolution.
            let is_same = self.best.as_ref().is_some_and(|best| best.weights == *weights);
            if is_same || self.best.as_ref().is_none_or(|best| !is_as_good(best.score, score)) {
                let (weights, point, resolution) = (weights.clone(), point.clone(), pass.resolution.clone());
                self.best = Some(Best { weights, score, start, point, resolution });
            }
        }
        Ok(())
    }

    /// After the starts are counted: adds the start of Algorithm 1 against the heaviest class.
    pub(super) fn begin_ascent(&mut self, counts: &PassCounts) -> Result<(), PassError> {
        let Some((best, class_totals)) = self.best.as_ref().zip(self.class_totals.as_ref()) else {
            return Ok(());
        };
        self.tolerance = negligible_gain(
            &self.metric,
            &class_totals.weights(),
            class_totals.n_labelled() as f64,
            best.score,
        );
        let late = counts.statistics.as_ref().map(|statistics| {
            let start = Start::Plugin { reference: statistics.reference() };
            Ok::<_, Error>(Move { weights: self.plugin_weights(statistics)?, start })
        });
        self.plan_next(late.transpose()?)
    }

    /// Algorithm 1 on a grid; a weight of 0 is replaced by a small one.
    fn plugin_weights(&self, statistics: &Statistics) -> Result<Weights, Error> {
        let fitted = Plugin::new(&self.metric).fit_statistics(statistics)?;
        let weights = fitted.weights().as_slice();
        let least = weights.iter().copied().filter(|&weight| weight > 0.0).fold(1.0, f64::min);
        Weights::new(
            weights.iter().map(|&weight| if weight > 0.0 { weight } else { least / 100.0 }).collect(),
        )
    }

    /// Plans the next pass from the best weights so far and a late start.
    pub(super) fn plan_next(&mut self, late: Option<Move>) -> Result<(), PassError> {
        let Some(best) = &self.best else { return Ok(()) };
        let (places, evaluations) = line::best_places(&best.point, &best.resolution, &self.metric);
        self.evaluations += evaluations;
        match next_moves(best, &places, late, &mut self.last_score, self.tolerance)? {
            Some((moves, resolution)) if self.made < MAX_PASSES => {
                let (weights, starts) = moves.into_iter().map(|next| (next.weights, next.start)).unzip();
                self.ask(weights, resolution, None, Stage::Ascent(starts));
            }
            next => {
                self.is_converged = next.is_none();
                self.settle()?;
            }
        }
        Ok(())
    }

    /// A last pass tests whether classes that are not tuned may get the geometric mean of those that are.
    fn settle(&mut self) -> Result<(), Error> {
        let Some(best) = &self.best else { return Ok(()) };
        let (free, fixed): (Vec<usize>, Vec<usize>) =
            (0..best.resolution.is_free.len()).partition(|&class| best.resolution.is_free[class]);
        let settled = with_mean_for_fixed(best.weights.as_slice(), &free, &fixed);
        if let Some(settled) = settled.filter(|_| self.model.is_none()) {
            self.ask(vec![Weights::new(settled)?], best.resolution.clone(), None, Stage::Settle);
        }
        Ok(())
    }
}

/// A power of two of which row weights are taken to be multiples: 1 without row weights, else so small that the total
/// weight is 2^51 units.
pub(super) fn unit_of(class_totals: &ClassTotals) -> f64 {
    if !class_totals.classes.is_weighted() {
        return 1.0;
    }
    let total: f64 = class_totals.weights().iter().sum();
    2.0_f64.powi(total.log2().ceil() as i32 - 51)
}
