//! How damped Newton solves the softmax problem.

use std::borrow::Cow;

use nalgebra::{DMatrix, DVector};

use super::softmax::Softmax;
use crate::numeric::newton::{self, Optimum, Point, Problem, Settings, Stop};
use crate::numeric::solve::{conjugate_gradients, factor};

/// The largest entry of the gradient at which there is nothing left to gain.
const FLAT: f64 = 1e-11;

/// The same without a matrix, where the last digits are dear: the loss is then at its lowest within about 1e-14.
const FLAT_ENOUGH: f64 = 1e-9;

/// … and at which a search that rounding has stopped still counts as converged.
const NEARLY_FLAT: f64 = 1e-7;

/// Parameters above which the Newton system is solved by conjugate gradients: a matrix would take longer.
const DENSE: usize = 600;

/// Minimises mean log loss plus penalty from a start.
pub(crate) fn minimise(problem: &Softmax<'_>, start: DVector<f64>) -> Optimum {
    let flat = if start.len() <= DENSE { FLAT } else { FLAT_ENOUGH };
    let settings = Settings {
        stop: Stop::Gradient { flat, nearly_flat: NEARLY_FLAT },
        iterations: 200,
        halvings: 60, // 2⁻⁶⁰ of a step is lost in rounding
        longest: f64::INFINITY,
    };
    newton::minimise(problem, start, &settings).0
}

impl Problem for Softmax<'_> {
    /// The Hessian, if it came cheaply with the gradient.
    type Curvature = Option<DMatrix<f64>>;

    fn evaluate(&self, at: &DVector<f64>) -> (f64, impl FnOnce() -> (DVector<f64>, Self::Curvature)) {
        let view = self.look(at, DENSE);
        (view.value, move || (view.gradient, view.hessian))
    }

    fn solve(&self, point: &Point<Self::Curvature>) -> DVector<f64> {
        let Point { at, gradient, curvature, .. } = point;
        if at.len() <= DENSE {
            let hessian = curvature.as_ref().map_or_else(|| Cow::Owned(self.hessian(at)), Cow::Borrowed);
            return factor(&hessian).solve(gradient);
        }
        // More exactly the nearer the optimum is; every parameter is measured by its own curvature.
        let p = self.probabilities(at);
        let scale = self.hessian_diagonal(&p).map(|bend| 1.0 / bend.max(f64::MIN_POSITIVE));
        let goal = (gradient.norm() * gradient.norm().sqrt().min(0.1)).max(FLAT_ENOUGH / 2.0);
        conjugate_gradients(gradient, &scale, goal, |direction| self.hessian_times(&p, direction))
            .unwrap_or_else(|| gradient.clone())
    }
}
