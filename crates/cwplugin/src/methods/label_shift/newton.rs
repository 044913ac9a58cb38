//! Log-likelihoods in the logarithms of the weights, and how damped Newton maximises them.

use nalgebra::DVector;

use super::rows::{Look, Rows};
use crate::numeric::newton::{self, Optimum, Point, Problem, Settings, Stop};
use crate::numeric::solve::conjugate_gradients;

/// The largest entry of the gradient, for each row, at which there is nothing left to gain.
const FLAT: f64 = 1e-12;

/// … and at which a search that rounding has stopped still counts as converged.
const NEARLY_FLAT: f64 = 1e-8;

/// No logarithm of a weight moves further in one step: far from the optimum, where the gradient is no guide.
const LONGEST: f64 = 4.0;

/// Logarithms beyond this would overflow; no likelihood tells such weights apart.
const LARGEST: f64 = 300.0;

/// A log-likelihood of the weights `w = exp(θ)`.
///
/// ```text
/// F(θ) = ± Σ u·log Σ_j w_j·b_j  +  Σ_k pull_k·θ_k  −  Σ_k toll_k·w_k  −  ridge·Σ θ_k²
/// ```
#[derive(Debug)]
pub(super) struct Likelihood<'a> {
    pub(super) rows: Rows<'a>,
    pub(super) sign: Sign,
    pub(super) pull: Vec<f64>,
    pub(super) toll: Vec<f64>,
    pub(super) ridge: f64,
    /// Classes that are not in play have weight 0 in every sum.
    pub(super) in_play: Vec<bool>,
    /// Rows that speak, however indirectly: the slope is measured against it.
    pub(super) size: f64,
}

/// How the rows of the sum enter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// Their labels are not known: the better the weights explain them, the better. Concave in w.
    Explained,
    /// Their labels are in `pull`: what all classes have together is divided by. Concave in θ.
    Divided,
}

impl Sign {
    fn factor(self) -> f64 {
        if self == Self::Explained { 1.0 } else { -1.0 }
    }
}

/// What the curvature at some weights is made of.
#[derive(Debug)]
pub(super) struct Curvature {
    look: Look,
    w: Vec<f64>,
}

impl Likelihood<'_> {
    /// What stands on the diagonal of the curvature beside the products of the `p`.
    ///
    /// Rows that are explained: the curvature in w, measured in units of w. It is definite everywhere, and at the top it
    /// is that in θ.
    fn diagonal(&self, at: &Curvature) -> Vec<f64> {
        match self.sign {
            Sign::Explained => self.pull.clone(),
            Sign::Divided => at.look.rows.iter().map(|rows| rows + 2.0 * self.ridge).collect(),
        }
    }

    /// Maximises from a start.
    pub(super) fn maximise(&self, start: DVector<f64>) -> Optimum {
        let settings = Settings {
            stop: Stop::Gradient { flat: FLAT * self.size, nearly_flat: NEARLY_FLAT * self.size },
            iterations: 200,
            halvings: 60, // 2⁻⁶⁰ of a step is lost in rounding
            longest: LONGEST,
        };
        newton::minimise(self, start, &settings).0
    }
}

/// Minus the likelihood is minimised.
impl Problem for Likelihood<'_> {
    type Curvature = Curvature;

    fn evaluate(&self, theta: &DVector<f64>) -> (f64, impl FnOnce() -> (DVector<f64>, Curvature)) {
        let w: Vec<f64> = theta
            .iter()
            .zip(&self.in_play)
            .map(|(theta, &plays)| if plays { theta.clamp(-LARGEST, LARGEST).exp() } else { 0.0 })
            .collect();
        let look = self.rows.look(&w);
        let sign = self.sign.factor();
        let mut value = sign * look.log;
        let gradient = DVector::from_fn(w.len(), |k, _| {
            value += self.pull[k] * theta[k] - self.toll[k] * w[k] - self.ridge * theta[k] * theta[k];
            let slope =
                sign * look.rows[k] + self.pull[k] - self.toll[k] * w[k] - 2.0 * self.ridge * theta[k];
            if self.in_play[k] { -slope } else { 0.0 }
        });
        (-value, move || (gradient, Curvature { look, w }))
    }

    /// By conjugate gradients: at most as many passes over the rows as there are classes, and no matrix.
    fn solve(&self, point: &Point<Curvature>) -> DVector<f64> {
        let Point { gradient, curvature, .. } = point;
        let diagonal = self.diagonal(curvature);
        let sign = self.sign.factor();
        let scale = DVector::from_fn(gradient.len(), |k, _| {
            let bend = diagonal[k] + sign * curvature.look.squares[k];
            // Rounding may cancel the curvature of a class that is in all rows for certain, or in none.
            if self.in_play[k] { 1.0 / bend.max(f64::EPSILON * self.size) } else { 0.0 }
        });
        let goal = gradient.norm() * (gradient.norm() / self.size).sqrt().min(0.1);
        let step = conjugate_gradients(gradient, &scale, goal, |direction| {
            let products = self.rows.products(&curvature.w, direction.as_slice());
            DVector::from_fn(gradient.len(), |k, _| diagonal[k] * direction[k] + sign * products[k])
        });
        step.unwrap_or_else(|| gradient.component_mul(&scale))
    }
}
