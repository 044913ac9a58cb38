//! The expected gain with more labels, extrapolated from subsets of the labelled rows.

use std::sync::atomic::{AtomicUsize, Ordering};

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::data::Sample;
use crate::error::Error;
use crate::methods::auto::{AutoReport, MAX_EXTRAPOLATION, WORTH_IT};
use crate::methods::method::{Method, Options};
use crate::methods::refit::refit;
use crate::methods::subsets::{at_most, unlabelled_rows};
use crate::metric::{Metric, checked_score};
use crate::numeric::parallel;
use crate::report::{CurvePoint, Estimate, FitReport, LearningCurve};
use crate::rule::Rule;

/// Sizes of the subsets, in quarters of the labelled rows.
const QUARTERS: [usize; 3] = [1, 2, 3];

/// Smallest subset.
const MIN_ROWS: usize = 10;

/// Subsets per size.
const REPEATS: usize = 10;

/// Maximum number of unlabelled rows added to each subset, as many as `expected` uses.
const MAX_UNLABELLED: usize = 2_000;

/// Folds of `auto`.
const FOLDS: f64 = 5.0;

impl LearningCurve {
    /// The number of fits for this sample.
    pub fn n_fits(sample: &Sample) -> usize {
        sizes(sample.labelled_rows().len()).len() * REPEATS
    }

    /// The curve of a method that was fitted on the sample with this report; for `auto`, of the method it chose or tested.
    /// `done` is called with the number of finished fits.
    pub(crate) fn of(
        report: &FitReport,
        method: &Method,
        sample: &Sample,
        metric: &dyn Metric,
        options: &Options<'_>,
        done: impl Fn(usize) + Sync,
    ) -> Result<Self, Error> {
        // Without a fit there is no curve.
        let Some(fit) = refit(report, method, sample, metric, options)? else { return Ok(Self::default()) };
        let curve = Self::of_fits(fit, sample, metric, options.seed, done);
        Ok(match report.details::<AutoReport>() {
            Some(auto) => curve.anchored(&auto, sample.n_labelled()),
            None => curve,
        })
    }

    /// The curve of any fit function; subsets that cannot be fitted or scored are skipped.
    pub(crate) fn of_fits(
        fit: impl Fn(&Sample) -> Result<Rule, Error> + Sync,
        sample: &Sample,
        metric: &dyn Metric,
        seed: u64,
        done: impl Fn(usize) + Sync,
    ) -> Self {
        let labelled = sample.labelled_rows();
        let sizes = sizes(labelled.len());
        let finished = AtomicUsize::new(0);
        let jobs = sizes.iter().flat_map(|&size| (0..REPEATS).map(move |repeat| (size, repeat)));
        let scores = parallel::map(jobs.collect(), |(size, repeat)| {
            let scores = scores_of_subset(&fit, sample, &labelled, (size, repeat), metric, seed);
            done(finished.fetch_add(1, Ordering::Relaxed) + 1);
            scores.ok()
        });
        let point = |(&size, scores): (&usize, &[Option<(f64, f64)>])| {
            let scores: Vec<(f64, f64)> = scores.iter().copied().flatten().collect();
            let mean =
                |side: fn(&(f64, f64)) -> f64| scores.iter().map(side).sum::<f64>() / scores.len() as f64;
            let gains: Vec<f64> = scores.iter().map(|(clean, fitted)| fitted - clean).collect();
            (scores.len() > 1).then(|| CurvePoint {
                rows: size as u64,
                clean: mean(|scores| scores.0),
                fitted: mean(|scores| scores.1),
                gain: Estimate::of(&gains).mean,
                gain_sd: Estimate::of(&gains).sd,
            })
        };
        let points: Vec<CurvePoint> = sizes.iter().zip(scores.chunks(REPEATS)).filter_map(point).collect();
        let law = fit_law(points.iter().map(|point| (point.rows as f64, point.gain)));
        let rows = labelled.len() as u64;
        // The standard deviation of the largest subsets, scaled to all rows.
        let sd = points.last().map(|point| point.gain_sd * (point.rows as f64 / rows as f64).sqrt());
        let (limit, slope) = law.unzip();
        let mut curve = Self { points, limit, slope, rows_needed: None };
        curve.rows_needed = sd.and_then(|sd| curve.needed(sd, rows));
        curve
    }

    /// Adds the point known from `auto`: the gain of fits on four fifths of the rows, and its uncertainty.
    fn anchored(mut self, report: &AutoReport, rows: u64) -> Self {
        let name = if report.chosen == "clean" { "expected" } else { &report.chosen };
        let candidate = report.candidates.iter().find(|candidate| candidate.method == name);
        let anchor = candidate.map(|candidate| (rows as f64 * (1.0 - 1.0 / FOLDS), candidate.gain));
        let points = self.points.iter().map(|point| (point.rows as f64, point.gain));
        (self.limit, self.slope) = fit_law(points.chain(anchor.filter(|_| !self.points.is_empty()))).unzip();
        self.rows_needed = report.estimated_gain.and_then(|gain| self.needed(gain.sd, rows));
        self
    }

    /// The smallest number of rows at which the gain outweighs the risk of a loss; `sd` is the uncertainty with `rows`.
    fn needed(&self, sd: f64, rows: u64) -> Option<u64> {
        let (limit, slope) = (self.limit?, self.slope?);
        fewest_rows(rows, |n| {
            let gain = limit - slope / n as f64;
            gain > WORTH_IT * sd * (rows as f64 / n as f64).sqrt() && gain > 0.0
        })
    }
}

/// The smallest number of rows that is enough, from the present number to twenty times as many; `None` if even these are not.
///
/// More rows must not become too few: the gain does not decrease with them, and its uncertainty does.
pub(crate) fn fewest_rows(rows: u64, is_enough: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut low, mut high) = (rows, rows.saturating_mul(MAX_EXTRAPOLATION));
    if !is_enough(high) {
        return None;
    }
    while low < high {
        let middle = low.midpoint(high);
        if is_enough(middle) { high = middle } else { low = middle + 1 }
    }
    Some(high)
}

fn sizes(rows: usize) -> Vec<usize> {
    let sizes = QUARTERS.map(|quarters| rows * quarters / 4);
    sizes.into_iter().filter(|&size| size >= MIN_ROWS).collect()
}

/// The metric on the held-out labelled rows, before and after a fit on the others.
fn scores_of_subset(
    fit: &impl Fn(&Sample) -> Result<Rule, Error>,
    sample: &Sample,
    labelled: &[usize],
    (size, repeat): (usize, usize),
    metric: &dyn Metric,
    seed: u64,
) -> Result<(f64, f64), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(10_000 + (size * REPEATS + repeat) as u64);
    let (mut taken, left) = subset(sample, labelled, size, &mut rng);
    taken.extend(at_most(MAX_UNLABELLED, unlabelled_rows(sample), &mut rng));
    taken.sort_unstable();
    let (part, test) = (sample.select(&taken), sample.select(&left));
    let rule = fit(&part)?;
    let clean = checked_score(metric, &Rule::clean(sample.n_classes())?.confusion(&test)?)?;
    Ok((clean, checked_score(metric, &rule.confusion(&test)?)?))
}

/// A random stratified subset, and the rows left out.
fn subset(
    sample: &Sample,
    labelled: &[usize],
    size: usize,
    rng: &mut ChaCha8Rng,
) -> (Vec<usize>, Vec<usize>) {
    let mut rows = labelled.to_vec();
    rows.shuffle(rng);
    // Systematic sampling per class: rows are spaced evenly on [0, 1) from a random offset.
    let starts: Vec<f64> = (0..sample.n_classes()).map(|_| rng.random()).collect();
    let mut counted = vec![0.0; sample.n_classes()];
    let mut places: Vec<(f64, usize)> = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(class) = sample.label(row) else { continue };
        places.push(((counted[class] + starts[class]) / sample.n_rows_of(class) as f64, row));
        counted[class] += 1.0;
    }
    places.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut taken: Vec<usize> = places.into_iter().map(|(_, row)| row).collect();
    let left = taken.split_off(size);
    (taken, left)
}

/// `gain(n) = limit − slope / n` by least squares, with slope ≥ 0.
fn fit_law(points: impl Iterator<Item = (f64, f64)>) -> Option<(f64, f64)> {
    let points: Vec<(f64, f64)> = points.map(|(rows, gain)| (1.0 / rows, gain)).collect();
    if points.is_empty() {
        return None;
    }
    let n = points.len() as f64;
    let (x, y) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let spread: f64 = points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    let common: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let slope = if spread > 0.0 { (-common / spread).max(0.0) } else { 0.0 };
    Some((y + slope * x, slope))
}

#[cfg(test)]
mod tests; // properties of the curve
