//! The posterior mode under one prior, and the evidence of that prior: Laplace's method.

use nalgebra::{Cholesky, DVector, Dyn};

use super::arrow::ArrowLess;
use super::evidence::Evidence;
use super::many_classes::{Blocks, ManyClasses};
use super::own_slopes::OwnSlopes;
use super::penalised::Penalised;
use super::precision::Precision;
use super::prior::{EXACT_CLASSES, EXACT_SLOPES, Prior, SlopeStructure};
use crate::numeric::newton::{self, Optimum, Settings, Stop};
use crate::numeric::solve::factor;
use crate::progress::Stage;

/// The loss is convex and the start is near. It is a sum over rows, so a predicted decrease of 1e-9 is negligible.
const SETTINGS: Settings =
    Settings { stop: Stop::Decrease(1e-9), iterations: 50, halvings: 40, longest: f64::INFINITY };

/// The posterior under one prior.
#[derive(Debug, Clone)]
pub(super) struct Learned {
    pub(super) prior: Prior,
    /// The posterior mode: the shared slope minus 1, the biases, the extra slopes row by row.
    pub(super) parameters: DVector<f64>,
    pub(super) curvature: Curvature,
    /// Log marginal likelihood of the labels under the prior.
    pub(super) evidence: f64,
}

/// The Hessian at the mode, the inverse of the posterior covariance.
#[derive(Debug, Clone)]
pub(super) enum Curvature {
    /// Its Cholesky factor.
    Full(Cholesky<f64, Dyn>),
    /// Without the parts that connect classes.
    Blocks(Blocks),
    /// As an arrow matrix minus outer products.
    Arrow(ArrowLess),
}

impl Curvature {
    /// Half the logarithm of the determinant.
    fn half_log_determinant(&self) -> f64 {
        match self {
            Self::Full(factor) => factor.l_dirty().diagonal().map(f64::ln).sum(),
            Self::Blocks(blocks) => blocks.half_log_determinant(),
            Self::Arrow(arrow) => arrow.half_log_determinant(),
        }
    }

    /// Turns standard normal noise into noise with the posterior covariance; `standard` draws more standard normal numbers.
    pub(super) fn colour(&self, noise: &mut DVector<f64>, mut standard: impl FnMut() -> f64) {
        let common = standard();
        match self {
            // With Hessian L·Lᵀ, Lᵀ⁻¹·noise has the inverse Hessian as covariance.
            Self::Full(factor) => {
                factor.l_dirty().tr_solve_lower_triangular_mut(noise);
            }
            Self::Blocks(blocks) => blocks.colour(noise, common),
            Self::Arrow(arrow) => arrow.colour(noise, standard),
        }
    }
}

impl Learned {
    fn new(prior: Prior, precision: &Precision, optimum: Optimum, curvature: Curvature) -> Self {
        // log ∫ exp(−loss) ≈ −loss + ½ log |prior precision| − ½ log |curvature|
        let evidence = -optimum.value + 0.5 * precision.log_determinant() - curvature.half_log_determinant();
        Self { prior, parameters: optimum.parameters, curvature, evidence }
    }
}

impl Evidence {
    /// Computes the posterior under one prior, from a start that may have fewer parameters; one part of a stage.
    pub(super) fn learn(&self, prior: Prior, start: Option<&DVector<f64>>, stage: &Stage<'_>) -> Learned {
        let mut at = DVector::zeros(1 + self.n_classes() + prior.structure.n_extra(self.n_classes()));
        if let Some(start) = start {
            let shared = start.len().min(at.len());
            at.rows_mut(0, shared).copy_from(&start.rows(0, shared));
        }
        match prior.structure {
            SlopeStructure::Matrix if self.n_classes() > EXACT_CLASSES => self.learn_blocks(prior, at, stage),
            SlopeStructure::Shared | SlopeStructure::PerClass if self.n_classes() > EXACT_SLOPES => {
                self.learn_arrow(prior, at, stage)
            }
            _ => self.learn_exactly(prior, at, stage),
        }
    }

    fn learn_exactly(&self, prior: Prior, start: DVector<f64>, stage: &Stage<'_>) -> Learned {
        let problem = Penalised::new(self, prior);
        let (optimum, hessian) = newton::minimise(&problem, start, &SETTINGS, stage);
        Learned::new(prior, &problem.precision, optimum, Curvature::Full(factor(&hessian)))
    }

    fn learn_blocks(&self, prior: Prior, start: DVector<f64>, stage: &Stage<'_>) -> Learned {
        let problem = ManyClasses::new(self, Precision::new(prior, &self.shift));
        let (optimum, probabilities) = newton::minimise(&problem, start, &SETTINGS, stage);
        Learned::new(prior, &problem.precision, optimum, Curvature::Blocks(problem.blocks(&probabilities)))
    }

    fn learn_arrow(&self, prior: Prior, start: DVector<f64>, stage: &Stage<'_>) -> Learned {
        let problem = OwnSlopes::new(self, prior.structure, Precision::new(prior, &self.shift));
        let (optimum, probabilities) = newton::minimise(&problem, start, &SETTINGS, stage);
        Learned::new(prior, &problem.precision, optimum, Curvature::Arrow(problem.curvature(&probabilities)))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use nalgebra::DMatrix;

    use super::*;
    use crate::methods::expected::prior::priors;
    use crate::numeric::newton::Problem;

    /// Three classes, 60 rows; the labels follow the probabilities half the time.
    pub(crate) fn evidence() -> Evidence {
        let mut logs = Vec::new();
        let mut labels = Vec::new();
        for i in 0..60_usize {
            let p: Vec<f64> = (0..3).map(|k| 1.0 + ((i * 7 + k * 11) % 13) as f64).collect();
            let sum: f64 = p.iter().sum();
            logs.extend(p.iter().map(|p| (p / sum).ln()));
            labels.push((i * i + 1) % 3);
        }
        let weights = (0..60).map(|i| 0.5 + f64::from(i % 3)).collect();
        Evidence::new(logs, labels, weights, vec![0.6, -0.9, 0.3])
    }

    #[test]
    fn the_gradient_vanishes_at_the_mode() {
        let evidence = evidence();
        for prior in priors(3) {
            let learned = evidence.learn(prior, None, &Stage::default());
            let (gradient, _) = Penalised::new(&evidence, prior).derivatives_at(&learned.parameters);
            assert!(gradient.amax() < 1e-3, "{}", gradient.amax());
            let again = evidence.learn(prior, Some(&learned.parameters), &Stage::default());
            assert!((again.evidence - learned.evidence).abs() < 1e-6);
        }
    }

    /// The blocks alone have at most the evidence; with the common direction of the biases, hardly more.
    #[test]
    fn blocks_have_the_same_mode_and_hardly_more_evidence() {
        let evidence = evidence();
        let start = || DVector::zeros(13);
        for prior in priors(3).into_iter().filter(|prior| prior.structure == SlopeStructure::Matrix) {
            let exact = evidence.learn_exactly(prior, start(), &Stage::default());
            let blocks = evidence.learn_blocks(prior, start(), &Stage::default());
            assert!((&exact.parameters - &blocks.parameters).amax() < 1e-4, "{prior:?}");
            let lost = exact.evidence - blocks.evidence;
            assert!((-0.1..0.1 * exact.evidence.abs()).contains(&lost), "{prior:?} {lost}");
            let alone = Prior { shift: 0.0, ..prior };
            let exact = evidence.learn_exactly(alone, start(), &Stage::default());
            let blocks = evidence.learn_blocks(alone, start(), &Stage::default());
            assert!(exact.evidence - blocks.evidence > -1e-6, "{prior:?}");
        }
    }

    #[test]
    fn the_products_are_those_of_the_hessian() {
        let evidence = evidence();
        for prior in priors(3).into_iter().filter(|prior| prior.structure == SlopeStructure::Matrix) {
            let exact = Penalised::new(&evidence, prior);
            let problem = ManyClasses::new(&evidence, exact.precision.clone());
            let vector = |k: usize| DVector::from_fn(13, |i, _| 0.1 * ((i * k % 7) as f64 - 3.0));
            let (at, direction) = (vector(5), vector(3));
            let (loss, derive) = problem.evaluate(&at);
            let (gradient, p) = derive();
            let (exact_gradient, mut hessian) = exact.derivatives_at(&at);
            hessian.fill_upper_triangle_with_lower_triangle();
            assert!((loss - exact.loss(&at).0).abs() < 1e-9);
            assert!((gradient - exact_gradient).amax() < 1e-9);
            assert!((problem.times_hessian(&p, &direction) - &hessian * &direction).amax() < 1e-9);
            assert!((problem.diagonal(&p) - hessian.diagonal()).rows(1, 12).amax() < 1e-9);
        }
    }

    /// Newton's method by conjugate gradients has the same mode, and the arrow matrix the same determinant and covariance,
    /// with more rows than parameters and with fewer.
    #[test]
    fn the_arrow_is_exact() {
        let all = evidence();
        let few = Evidence::new(
            all.logs[..9].to_vec(),
            all.labels[..3].to_vec(),
            vec![0.5, 1.5, 1.0],
            all.shift.clone(),
        );
        for evidence in [all, few] {
            for prior in priors(3).into_iter().filter(|prior| prior.structure != SlopeStructure::Matrix) {
                let n = 4 + prior.structure.n_extra(3);
                let exact = evidence.learn_exactly(prior, DVector::zeros(n), &Stage::default());
                let arrow = evidence.learn_arrow(prior, DVector::zeros(n), &Stage::default());
                assert!((&exact.parameters - &arrow.parameters).amax() < 1e-4, "{prior:?}");
                let lost = exact.evidence - arrow.evidence;
                assert!(lost.abs() < 1e-4, "{prior:?} {lost}");
                let Curvature::Full(factor) = &exact.curvature else { unreachable!() };
                let mut covariance = DMatrix::zeros(n, n);
                for unit in 0..=n + evidence.labels.len() {
                    let one = |i: usize| f64::from(u8::from(i == unit));
                    let mut noise = DVector::from_fn(n, |i, _| one(i));
                    let mut more = (n..).map(one);
                    let Curvature::Arrow(arrow) = &arrow.curvature else { unreachable!() };
                    arrow.colour(&mut noise, || more.next().unwrap());
                    covariance += &noise * noise.transpose();
                }
                let gap = (factor.inverse() - covariance).amax() / factor.inverse().amax();
                assert!(gap < 1e-3, "{prior:?} {gap}");
            }
        }
    }

    /// If the prior allows no change, the evidence is the likelihood itself.
    #[test]
    fn a_prior_that_leaves_no_choice_explains_as_well_as_the_black_box() {
        let evidence = evidence();
        let tight = Prior {
            structure: SlopeStructure::Shared,
            slope: 1e-6,
            bias: 1e-6,
            shift: 0.0,
            own: 1.0,
            other: 1.0,
        };
        let loss: f64 = evidence.rows().map(|(logs, label, weight)| -weight * logs[label]).sum();
        assert!((evidence.learn(tight, None, &Stage::default()).evidence + loss).abs() < 1e-6);
    }
}
