//! Damped Newton for the softmax problem.

use std::borrow::Cow;

use nalgebra::{DMatrix, DVector};

use super::softmax::Softmax;
use crate::numeric::newton::{self, Optimum, Point, Problem, Settings, Stop};
use crate::numeric::solve::{conjugate_gradients, factor};
use crate::progress::Stage;

/// Largest gradient entry at convergence.
const CONVERGED: f64 = 1e-11;

/// The same with conjugate gradients, where more digits are expensive: the loss is then within about 1e-14 of its minimum.
const CONVERGED_ITERATIVE: f64 = 1e-9;

/// Largest gradient entry at which a search stopped by rounding still counts as converged.
const NEARLY_CONVERGED: f64 = 1e-7;

/// Number of parameters above which the Newton system is solved by conjugate gradients, which is then faster.
const DENSE: usize = 600;

/// Minimises mean log loss plus penalty from a start, as one part of a stage.
pub(crate) fn minimise(problem: &Softmax<'_>, start: DVector<f64>, stage: &Stage<'_>) -> Optimum {
    let flat = if start.len() <= DENSE { CONVERGED } else { CONVERGED_ITERATIVE };
    let settings = Settings {
        stop: Stop::Gradient { flat, nearly_flat: NEARLY_CONVERGED },
        iterations: 200,
        halvings: 60, // 2⁻⁶⁰ of a step is lost in rounding
        longest: f64::INFINITY,
    };
    newton::minimise(problem, start, &settings, stage).0
}

impl Problem for Softmax<'_> {
    /// The Hessian, if it was computed with the gradient.
    type Curvature = Option<DMatrix<f64>>;

    fn evaluate(&self, at: &DVector<f64>) -> (f64, impl FnOnce() -> (DVector<f64>, Self::Curvature)) {
        let (value, gradient, hessian) = self.derivatives(at, DENSE);
        (value, move || (gradient, hessian))
    }

    fn solve(&self, point: &Point<Self::Curvature>) -> DVector<f64> {
        let Point { at, gradient, curvature, .. } = point;
        if at.len() <= DENSE {
            let hessian =
                curvature.as_ref().map_or_else(|| Cow::Owned(self.matrix_hessian(at)), Cow::Borrowed);
            return factor(&hessian).solve(gradient);
        }
        // More exact near the optimum; preconditioned by the diagonal.
        let p = self.probabilities(at);
        let scale = self.hessian_diagonal(&p).map(|entry| 1.0 / entry.max(f64::MIN_POSITIVE));
        let goal = (gradient.norm() * gradient.norm().sqrt().min(0.1)).max(CONVERGED_ITERATIVE / 2.0);
        conjugate_gradients(
            gradient,
            |residual| residual.component_mul(&scale),
            goal,
            |direction| self.hessian_times(&p, direction),
        )
        .unwrap_or_else(|| gradient.clone())
    }
}
