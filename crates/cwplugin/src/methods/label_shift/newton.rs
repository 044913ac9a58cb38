//! Log-likelihoods as functions of log-weights, maximised by damped Newton.

use nalgebra::DVector;

use super::rows::{Rows, Sums};
use crate::numeric::newton::{self, Optimum, Point, Problem, Settings, Stop};
use crate::numeric::solve::conjugate_gradients;
use crate::progress::Stage;

/// Largest gradient entry per row at convergence.
const CONVERGED: f64 = 1e-12;

/// Largest gradient entry per row at which a search stopped by rounding still counts as converged.
const NEARLY_CONVERGED: f64 = 1e-8;

/// Largest change of a log-weight in one step: far from the optimum the gradient is misleading.
const MAX_STEP: f64 = 4.0;

/// Bound on log-weights: larger ones would overflow, and the likelihood does not distinguish them.
const MAX_LOG_WEIGHT: f64 = 300.0;

/// A log-likelihood of the weights `w = exp(θ)`.
///
/// ```text
/// F(θ) = ± Σ u·log Σ_j w_j·b_j  +  Σ_k counts_k·θ_k  −  Σ_k expected_k·w_k  −  ridge·Σ θ_k²
/// ```
#[derive(Debug)]
pub(super) struct Likelihood<'a> {
    pub(super) rows: Rows<'a>,
    /// 1 for unlabelled rows: their likelihood is added, and F is concave in w. −1 for labelled rows: their labels are in
    /// `counts`, the normaliser is subtracted, and F is concave in θ.
    pub(super) sign: f64,
    /// Labelled rows per class.
    pub(super) counts: Vec<f64>,
    /// Expected rows per class if all weights are 1; 0 without source priors.
    pub(super) expected: Vec<f64>,
    pub(super) ridge: f64,
    /// Classes that are estimated; the others have weight 0 in every sum.
    pub(super) is_estimated: Vec<bool>,
    /// Number of rows, to scale the gradient.
    pub(super) size: f64,
}

/// The terms of the Hessian at some weights.
#[derive(Debug)]
pub(super) struct Curvature {
    sums: Sums,
    w: Vec<f64>,
}

impl Likelihood<'_> {
    /// The diagonal of the Hessian without the products of the `p`.
    ///
    /// For unlabelled rows it is the Hessian in w, scaled by w. That is definite everywhere and equals the Hessian in θ at the
    /// maximum.
    fn diagonal(&self, at: &Curvature) -> Vec<f64> {
        if self.sign > 0.0 {
            self.counts.clone()
        } else {
            at.sums.rows.iter().map(|rows| rows + 2.0 * self.ridge).collect()
        }
    }

    /// Maximises from a start, as one part of a stage.
    pub(super) fn maximise(&self, start: DVector<f64>, stage: &Stage<'_>) -> Optimum {
        let settings = Settings {
            stop: Stop::Gradient { flat: CONVERGED * self.size, nearly_flat: NEARLY_CONVERGED * self.size },
            iterations: 200,
            halvings: 60, // 2⁻⁶⁰ of a step is lost in rounding
            longest: MAX_STEP,
        };
        newton::minimise(self, start, &settings, stage).0
    }
}

/// Minimises the negative likelihood.
impl Problem for Likelihood<'_> {
    type Curvature = Curvature;

    fn evaluate(&self, theta: &DVector<f64>) -> (f64, impl FnOnce() -> (DVector<f64>, Curvature)) {
        let weight = |theta: f64| theta.clamp(-MAX_LOG_WEIGHT, MAX_LOG_WEIGHT).exp();
        let classes = theta.iter().zip(&self.is_estimated);
        let w: Vec<f64> = classes.map(|(&theta, is)| if *is { weight(theta) } else { 0.0 }).collect();
        let sums = self.rows.sums(&w);
        let mut value = self.sign * sums.log;
        let gradient = DVector::from_fn(w.len(), |k, _| {
            value += self.counts[k] * theta[k] - self.expected[k] * w[k] - self.ridge * theta[k] * theta[k];
            let slope = self.sign * sums.rows[k] + self.counts[k]
                - self.expected[k] * w[k]
                - 2.0 * self.ridge * theta[k];
            if self.is_estimated[k] { -slope } else { 0.0 }
        });
        (-value, move || (gradient, Curvature { sums, w }))
    }

    /// By conjugate gradients: at most one pass over the rows per class, and no matrix.
    fn solve(&self, point: &Point<Curvature>) -> DVector<f64> {
        let Point { gradient, curvature, .. } = point;
        let diagonal = self.diagonal(curvature);
        let scale = DVector::from_fn(gradient.len(), |k, _| {
            let entry = diagonal[k] + self.sign * curvature.sums.squares[k];
            // Rounding may cancel the diagonal of a class with probability 0 or 1 in all rows.
            if self.is_estimated[k] { 1.0 / entry.max(f64::EPSILON * self.size) } else { 0.0 }
        });
        let goal = gradient.norm() * (gradient.norm() / self.size).sqrt().min(0.1);
        let step = conjugate_gradients(
            gradient,
            |residual| residual.component_mul(&scale),
            goal,
            |direction| {
                let products = self.rows.products(&curvature.w, direction.as_slice());
                DVector::from_fn(gradient.len(), |k, _| diagonal[k] * direction[k] + self.sign * products[k])
            },
        );
        step.unwrap_or_else(|| gradient.component_mul(&scale))
    }
}
