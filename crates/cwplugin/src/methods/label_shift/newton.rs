//! Newton's way up a log-likelihood, in the logarithms of the weights.

use nalgebra::DVector;

use super::rows::{Look, Rows};

/// The largest entry of the slope, for each row, at which there is nothing left to gain.
const FLAT: f64 = 1e-12;

/// … and at which a search that rounding has stopped still counts as converged.
const NEARLY_FLAT: f64 = 1e-8;

const ITERATIONS: usize = 200;

/// A step is halved so often before the search gives up: 2⁻⁶⁰ of it is lost in rounding.
const HALVINGS: usize = 60;

/// Share of the promised gain that a step must keep (Armijo).
const KEPT: f64 = 1e-4;

/// No logarithm of a weight moves further in one step: far from the top, where the slope is no guide.
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

/// Where the search ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Top {
    pub(super) theta: DVector<f64>,
    pub(super) iterations: usize,
    pub(super) converged: bool,
}

/// The likelihood around a place.
struct View {
    value: f64,
    slope: DVector<f64>,
    look: Look,
    w: Vec<f64>,
}

impl Likelihood<'_> {
    fn view(&self, theta: &DVector<f64>) -> View {
        let w: Vec<f64> = theta
            .iter()
            .zip(&self.in_play)
            .map(|(theta, &plays)| if plays { theta.clamp(-LARGEST, LARGEST).exp() } else { 0.0 })
            .collect();
        let look = self.rows.look(&w);
        let sign = if self.sign == Sign::Explained { 1.0 } else { -1.0 };
        let mut value = sign * look.log;
        let slope = DVector::from_fn(w.len(), |k, _| {
            value += self.pull[k] * theta[k] - self.toll[k] * w[k] - self.ridge * theta[k] * theta[k];
            let slope =
                sign * look.rows[k] + self.pull[k] - self.toll[k] * w[k] - 2.0 * self.ridge * theta[k];
            if self.in_play[k] { slope } else { 0.0 }
        });
        View { value, slope, look, w }
    }

    #[cfg(test)]
    pub(super) fn value(&self, theta: &DVector<f64>) -> f64 {
        self.view(theta).value
    }

    /// What stands on the diagonal of the curvature beside the products of the `p`.
    ///
    /// Rows that are explained: the curvature in w, measured in units of w. It is definite everywhere, and at the top it
    /// is that in θ.
    fn diagonal(&self, view: &View) -> Vec<f64> {
        match self.sign {
            Sign::Explained => self.pull.clone(),
            Sign::Divided => view.look.rows.iter().map(|rows| rows + 2.0 * self.ridge).collect(),
        }
    }

    /// Climbs from a start to the top.
    pub(super) fn climb(&self, start: DVector<f64>) -> Top {
        let mut theta = start;
        let mut view = self.view(&theta);
        let mut iterations = 0;
        while view.slope.amax() > FLAT * self.size && iterations < ITERATIONS {
            let Some((next, next_view)) = self.rise(&theta, &view) else { break };
            // At the top values differ by rounding alone: then only a flatter place is progress.
            if next_view.value <= view.value && next_view.slope.amax() >= view.slope.amax() {
                break;
            }
            (theta, view) = (next, next_view);
            iterations += 1;
        }
        Top { theta, iterations, converged: view.slope.amax() <= NEARLY_FLAT * self.size }
    }

    /// Halves the step until the value rises by a share of what the slope promises; nothing if it never does.
    fn rise(&self, theta: &DVector<f64>, view: &View) -> Option<(DVector<f64>, View)> {
        let mut step = self.step(view);
        let longest = step.amax();
        if longest > LONGEST {
            step *= LONGEST / longest;
        }
        let rounding = 4.0 * f64::EPSILON * view.value.abs();
        for _ in 0..HALVINGS {
            let next = theta + &step;
            let next_view = self.view(&next);
            if next_view.value >= view.value + KEPT * view.slope.dot(&step) - rounding {
                return Some((next, next_view));
            }
            step /= 2.0;
        }
        None
    }

    /// Solves `curvature·step = slope` by conjugate gradients: as many passes over the rows as there are classes at most,
    /// and no matrix.
    fn step(&self, view: &View) -> DVector<f64> {
        let diagonal = self.diagonal(view);
        let sign = if self.sign == Sign::Explained { 1.0 } else { -1.0 };
        let slope = &view.slope;
        let scale = DVector::from_fn(slope.len(), |k, _| {
            let bend = diagonal[k] + sign * view.look.squares[k];
            // Rounding may eat the bend of a class that is in all rows for certain, or in none.
            if self.in_play[k] { 1.0 / bend.max(f64::EPSILON * self.size) } else { 0.0 }
        });
        let goal = slope.norm() * (slope.norm() / self.size).sqrt().min(0.1);
        let mut step = DVector::zeros(slope.len());
        let mut residual = slope.clone();
        let mut scaled = residual.component_mul(&scale);
        let mut direction = scaled.clone();
        let mut square = residual.dot(&scaled);
        for _ in 0..slope.len() {
            let products = self.rows.products(&view.w, direction.as_slice());
            let product =
                DVector::from_fn(slope.len(), |k, _| diagonal[k] * direction[k] + sign * products[k]);
            let bend = direction.dot(&product);
            if bend <= 0.0 {
                break; // flat up to rounding: what there is of the step is good
            }
            let length = square / bend;
            step.axpy(length, &direction, 1.0);
            residual.axpy(-length, &product, 1.0);
            if residual.norm() <= goal {
                break;
            }
            scaled = residual.component_mul(&scale);
            let next = residual.dot(&scaled);
            direction = &scaled + direction * (next / square);
            square = next;
        }
        if step.amax() > 0.0 { step } else { scaled }
    }
}
