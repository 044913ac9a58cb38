//! The posterior over all priors, each weighted by its evidence.

use nalgebra::DVector;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, StandardNormal};

use super::answers::Maps;
use super::evidence::{self, Evidence};
use super::laplace::Learned;
use super::prior::{Prior, SlopeStructure, priors, representatives};
use crate::data::{Probabilities, Sample};
use crate::error::Error;
use crate::methods::subsets::at_most;
use crate::numeric::parallel;
use crate::progress::{Observer, Stage};
use crate::rule::{AffineMap, MapInput, Slope};

/// Maximum number of labelled rows used: the few parameters are then known well enough.
const MAX_ROWS: usize = 4_000;

/// A prior whose weight is below this fraction of the best is ignored.
const NEGLIGIBLE: f64 = 0.02;

/// Floors to try for the probabilities before taking logarithms, besides the one suggested by the data.
const FLOORS: [f64; 4] = [1e-2, 1e-4, 1e-12, 1e-30];

/// The initial floor if no probability is 0.
const FLOOR: f64 = 1e-6;

/// The gain in log evidence that another floor needs to be chosen.
const BETTER_FLOOR: f64 = 0.5;

/// The posterior of the calibration map.
#[derive(Debug, Clone)]
pub(crate) struct Posterior {
    learned: Vec<Learned>,
    /// The posterior weight of each prior.
    shares: Vec<f64>,
    centre: Vec<f64>,
    /// Smaller probabilities are raised to this value.
    floor: f64,
    maps: Maps,
}

impl Posterior {
    /// Learns from the labelled rows; zeros among the probabilities determine the floor.
    pub(crate) fn learn(sample: &Sample, seed: u64, observer: Observer<'_>) -> Result<Self, Error> {
        let rows = training_rows(sample, seed)?;
        let priors = priors(sample.n_classes());
        let suggested = suggested_floor(sample.probabilities());
        // With zeros, the data determine the floor; others are not tried.
        let floors = if suggested <= FLOOR { &FLOORS[..] } else { &[] };
        let floors = distinct_floors(sample, &rows, suggested, floors);
        // A floor that suits one slope structure may not suit another, so all of them choose it.
        let tried = representatives(sample.n_classes());
        let stage = observer.begin_parts("calibrating", floors.len() * tried.len() + priors.len());
        let trials =
            floors.iter().flat_map(|&floor| tried.iter().map(move |&prior| (floor, prior))).collect();
        let found = parallel::map(trials, |(floor, prior)| {
            evidence(sample, &rows, floor).learn(prior, None, &stage).evidence
        });
        let totals: Vec<f64> = found.chunks_exact(tried.len()).map(log_sum).collect();
        let mut best = (totals[0], suggested);
        for (&floor, &total) in floors.iter().zip(&totals) {
            if total > best.0 + BETTER_FLOOR {
                best = (total, floor);
            }
        }
        let maps = Maps::of(sample.probabilities());
        Ok(Self::under(&evidence(sample, &rows, best.1), &priors, best.1, maps, &stage))
    }

    fn under(evidence: &Evidence, priors: &[Prior], floor: f64, maps: Maps, stage: &Stage<'_>) -> Self {
        // Priors of one slope structure have similar modes: each starts from the last.
        let chains: Vec<&[Prior]> = priors.chunk_by(|a, b| a.structure == b.structure).collect();
        let learned = parallel::map(chains, |chain| {
            let mut found = Found::new(maps, evidence.centre.len());
            let mut last: Option<DVector<f64>> = None;
            for &prior in chain {
                let learned = evidence.learn(prior, last.as_ref(), stage);
                last = Some(learned.parameters.clone());
                found.add(learned);
            }
            found.learned
        });
        let mut found = Found::new(maps, evidence.centre.len());
        learned.into_iter().flatten().for_each(|learned| found.add(learned));
        let learned = found.learned;
        let top = learned.iter().map(|learned| learned.evidence).fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = learned.iter().map(|learned| (learned.evidence - top).exp()).collect();
        let sum: f64 = shares.iter().sum();
        let shares = shares.into_iter().map(|share| share / sum).collect();
        Self { learned, shares, centre: evidence.centre.clone(), floor, maps }
    }

    fn best(&self) -> &Learned {
        let best = (0..self.shares.len()).rev().max_by(|&a, &b| self.shares[a].total_cmp(&self.shares[b]));
        &self.learned[best.unwrap_or(0)]
    }

    /// What is needed to learn again.
    pub(crate) fn choice(&self) -> Choice {
        Choice { prior: self.best().prior, floor: self.floor, maps: self.maps }
    }

    /// The calibration map: the mean of the posterior modes, weighted by the priors' posterior weights.
    pub(crate) fn mean_map(&self) -> Result<AffineMap, Error> {
        let m = self.centre.len();
        let mut bias = vec![0.0; m];
        let mut slopes = vec![0.0; m * m];
        for (learned, share) in self.learned.iter().zip(&self.shares) {
            let (own, extra) = learned.parameters.as_slice().split_at(1 + m);
            for class in 0..m {
                slopes[class * m + class] += share * (1.0 + own[0]);
                bias[class] += share * own[1 + class];
                let (inputs, first) = match learned.prior.structure {
                    SlopeStructure::Shared => (0..0, 0),
                    SlopeStructure::PerClass => (class..class + 1, 0),
                    SlopeStructure::Matrix => (0..m, class * m),
                };
                for input in inputs {
                    let slope = extra[first + input];
                    slopes[class * m + input] += share * slope;
                    bias[class] -= share * slope * self.centre[input];
                }
            }
        }
        let is_diagonal = (0..m * m).all(|i| i / m == i % m || slopes[i] == 0.0);
        let slope = if is_diagonal {
            Slope::Diagonal((0..m).map(|class| slopes[class * m + class]).collect())
        } else {
            Slope::Matrix(slopes)
        };
        AffineMap::new(MapInput::LogProbability, slope, bias)?.with_floor(self.floor)
    }

    /// The calibrated probabilities of rows under maps drawn from the posterior, indexed by row, map, class.
    pub(crate) fn draw(&self, probabilities: &Probabilities, n_draws: usize, seed: u64) -> Vec<f64> {
        let m = self.centre.len();
        let maps = self.draw_parameters(n_draws, seed);
        let mut drawn = vec![0.0; probabilities.n_rows() * n_draws * m];
        let rows: Vec<_> = drawn.chunks_mut((n_draws * m).max(1)).enumerate().collect();
        parallel::map(rows, |(row, drawn)| {
            let logs: Vec<f64> = probabilities.row(row).map(|p| p.max(self.floor).ln()).collect();
            for (map, q) in maps.iter().zip(drawn.chunks_exact_mut(m)) {
                evidence::apply(map.as_slice(), &logs, &self.centre, q);
            }
        });
        drawn
    }

    /// Draws from each prior in proportion to its weight, by systematic sampling.
    fn draw_parameters(&self, n_draws: usize, seed: u64) -> Vec<DVector<f64>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut component, mut passed) = (0, self.shares[0]);
        let draws = (0..n_draws).map(|draw| {
            let at = (draw as f64 + 0.5) / n_draws as f64;
            while passed < at && component + 1 < self.shares.len() {
                component += 1;
                passed += self.shares[component];
            }
            let learned = &self.learned[component];
            let mut noise: DVector<f64> =
                DVector::from_fn(learned.parameters.len(), |_, _| StandardNormal.sample(&mut rng));
            learned.curvature.colour(&mut noise, || StandardNormal.sample(&mut rng));
            &learned.parameters + noise
        });
        draws.collect()
    }
}

/// The most probable prior, the floor and the maps of a posterior, without what it has learned: with many classes, each
/// curvature takes as much memory as the rows it was learned from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice {
    prior: Prior,
    pub(crate) floor: f64,
    maps: Maps,
}

impl Choice {
    /// Learns from these rows, under this prior alone.
    pub(crate) fn learn(&self, sample: &Sample, seed: u64) -> Result<Posterior, Error> {
        let evidence = evidence(sample, &training_rows(sample, seed)?, self.floor);
        Ok(Posterior::under(&evidence, &[self.prior], self.floor, self.maps, &Stage::default()))
    }

    pub(crate) fn slope_structure(&self) -> SlopeStructure {
        self.prior.structure
    }
}

/// The posteriors under several priors, without those that cannot count: with many classes, each takes much memory.
struct Found {
    learned: Vec<Learned>,
    maps: Maps,
    n_classes: usize,
}

impl Found {
    fn new(maps: Maps, n_classes: usize) -> Self {
        Self { learned: Vec::new(), maps, n_classes }
    }

    /// Maps that are not allowed count only while no other is known.
    fn add(&mut self, learned: Learned) {
        let is_allowed = |learned: &Learned| self.maps.allow(learned, self.n_classes);
        let any_allowed = self.learned.first().is_some_and(is_allowed);
        match (is_allowed(&learned), any_allowed) {
            (true, false) => self.learned.clear(),
            (false, true) => return,
            _ => {}
        }
        self.learned.push(learned);
        let top = self.learned.iter().map(|learned| learned.evidence).fold(f64::NEG_INFINITY, f64::max);
        self.learned.retain(|learned| (learned.evidence - top).exp() > NEGLIGIBLE);
    }
}

/// The logarithm of a sum of exponentials.
fn log_sum(logarithms: &[f64]) -> f64 {
    let top = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    top + logarithms.iter().map(|log| (log - top).exp()).sum::<f64>().ln()
}

/// The labelled rows, or a sample of them if there are more than the maximum.
pub(super) fn training_rows(sample: &Sample, seed: u64) -> Result<Vec<usize>, Error> {
    let rows = sample.labelled_rows();
    if rows.is_empty() {
        return Err(Error::NoLabelledRows);
    }
    Ok(at_most(MAX_ROWS, rows, &mut ChaCha8Rng::seed_from_u64(seed)))
}

fn evidence(sample: &Sample, rows: &[usize], floor: f64) -> Evidence {
    let logs = |&row: &usize| sample.probabilities().row(row).map(|p| p.max(floor).ln()).collect::<Vec<_>>();
    // Weights are scaled to mean 1.
    let mean = rows.iter().map(|&row| sample.weight(row)).sum::<f64>() / rows.len() as f64;
    let weights = rows.iter().map(|&row| sample.weight(row) / mean).collect();
    let labels = rows.iter().map(|&row| sample.label(row).unwrap_or(0)).collect();
    Evidence::new(rows.iter().flat_map(logs).collect(), labels, weights, predicted_shares(sample))
}

/// The logarithms of the class shares that the black box predicts, with mean 0. Half a row of every class is added: no share
/// is 0.
fn predicted_shares(sample: &Sample) -> Vec<f64> {
    let mut sums = vec![0.5; sample.n_classes()];
    let total: f64 = (0..sample.n_rows()).map(|row| sample.weight(row)).sum();
    let mean = total / sample.n_rows() as f64;
    for row in 0..sample.n_rows() {
        let weight = sample.weight(row) / mean;
        sums.iter_mut().zip(sample.probabilities().row(row)).for_each(|(sum, p)| *sum += weight * p);
    }
    let logs: Vec<f64> = sums.iter().map(|sum| sum.ln()).collect();
    let centre = logs.iter().sum::<f64>() / logs.len() as f64;
    logs.iter().map(|log| log - centre).collect()
}

/// Half the smallest positive probability if there are zeros: 0 of 9 neighbours does not mean 1e-6.
fn suggested_floor(probabilities: &Probabilities) -> f64 {
    let values = || (0..probabilities.n_rows()).flat_map(|row| probabilities.row(row));
    let smallest = values().filter(|p| *p > 0.0).fold(1.0, f64::min);
    if values().any(|p| p <= 0.0) { (smallest / 2.0).clamp(FLOOR, 0.1) } else { FLOOR }
}

/// The suggested floor and the others, without those that change no row more than an earlier one.
fn distinct_floors(sample: &Sample, rows: &[usize], suggested: f64, others: &[f64]) -> Vec<f64> {
    let values = rows.iter().flat_map(|&row| sample.probabilities().row(row));
    let smallest = values.fold(f64::INFINITY, f64::min);
    let mut floors = vec![suggested];
    for &floor in others {
        if floor > smallest || floors.iter().all(|&floor| floor > smallest) {
            floors.push(floor);
        }
    }
    floors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_below_every_probability_are_one_floor() {
        let floors = |smallest: f64| {
            let p = Probabilities::new(vec![smallest, 1.0 - smallest], 2).unwrap();
            let sample = Sample::new(p, vec![Some(0)]).unwrap();
            distinct_floors(&sample, &[0], FLOOR, &FLOORS)
        };
        assert_eq!(floors(0.0), [1e-6, 1e-2, 1e-4, 1e-12, 1e-30]);
        assert_eq!(floors(1e-8), [1e-6, 1e-2, 1e-4, 1e-12]);
        assert_eq!(floors(1e-3), [1e-6, 1e-2]);
        assert_eq!(floors(0.3), [1e-6]);
    }

    #[test]
    fn predicted_shares_are_centred_logarithms_by_row_weight() {
        let p = Probabilities::new(vec![0.8, 0.2, 0.6, 0.4, 0.0, 1.0], 2).unwrap();
        let sample = Sample::new(p, vec![Some(0), Some(1), None]).unwrap();
        let half = 0.5 * ((1.4_f64 + 0.5) / (1.6 + 0.5)).ln();
        let shares = predicted_shares(&sample);
        assert!((shares[0] - half).abs() < 1e-12 && (shares[1] + half).abs() < 1e-12, "{shares:?}");
        let weighted = predicted_shares(&sample.with_weights(vec![2.0, 1.0, 0.0]).unwrap());
        assert!(weighted[0] > weighted[1], "the row that predicts the second class has no weight");
    }
}
