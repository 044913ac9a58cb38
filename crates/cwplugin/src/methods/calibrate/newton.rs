//! Damped Newton for the softmax problem.

use std::borrow::Cow;

use nalgebra::{DMatrix, DVector};

use super::softmax::Softmax;
use crate::numeric::newton::{self, Optimum, Point, Problem, Settings, Stop};
use crate::numeric::solve::{conjugate_gradients, factor};
use crate::progress::Stage;

/// Largest gradient entry at convergence.
const CONVERGED: f64 = 1e-11;

/// Largest gradient entry at which a search stopped by rounding still counts as converged.
const NEARLY_CONVERGED: f64 = 1e-7;

/// Number of parameters above which the Newton system is solved by conjugate gradients, which is then faster.
const DENSE: usize = 600;

/// The accuracy of an optimum found with conjugate gradients, where more digits are expensive. With fewer parameters, every
/// optimum is as exact as rounding allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Accuracy {
    /// For the fit that is used: the loss is within about 1e-14 of its minimum.
    Full,
    /// For a fit that is only compared with others, whose losses differ in the third digit.
    Comparison,
}

impl Accuracy {
    /// Largest gradient entry at convergence.
    fn converged(self) -> f64 {
        match self {
            Self::Full => 1e-9,
            Self::Comparison => 1e-6,
        }
    }
}

/// Minimises mean log loss plus penalty from a start, as one part of a stage.
pub(crate) fn minimise(
    softmax: &Softmax<'_>,
    start: DVector<f64>,
    accuracy: Accuracy,
    stage: &Stage<'_>,
) -> Optimum {
    let flat = if start.len() <= DENSE { CONVERGED } else { accuracy.converged() };
    let settings = Settings {
        stop: Stop::Gradient { flat, nearly_flat: flat.max(NEARLY_CONVERGED) },
        iterations: 200,
        halvings: 60, // 2⁻⁶⁰ of a step is lost in rounding
        longest: f64::INFINITY,
    };
    newton::minimise(&Search { softmax, flat }, start, &settings, stage).0
}

struct Search<'a> {
    softmax: &'a Softmax<'a>,
    /// Largest gradient entry at convergence.
    flat: f64,
}

impl Problem for Search<'_> {
    /// The Hessian, if it was computed with the gradient.
    type Curvature = Option<DMatrix<f64>>;

    fn evaluate(&self, at: &DVector<f64>) -> (f64, impl FnOnce() -> (DVector<f64>, Self::Curvature)) {
        let (value, gradient, hessian) = self.softmax.derivatives(at, DENSE);
        (value, move || (gradient, hessian))
    }

    fn solve(&self, point: &Point<Self::Curvature>) -> DVector<f64> {
        let Point { at, gradient, curvature, .. } = point;
        let softmax = self.softmax;
        if at.len() <= DENSE {
            let hessian =
                curvature.as_ref().map_or_else(|| Cow::Owned(softmax.matrix_hessian(at)), Cow::Borrowed);
            return factor(&hessian).solve(gradient);
        }
        // More exact near the optimum; preconditioned by the diagonal.
        let p = softmax.probabilities(at);
        let scale = softmax.hessian_diagonal(&p).map(|entry| 1.0 / entry.max(f64::MIN_POSITIVE));
        let goal = (gradient.norm() * gradient.norm().sqrt().min(0.1)).max(self.flat / 2.0);
        conjugate_gradients(
            gradient,
            |residual| residual.component_mul(&scale),
            goal,
            |direction| softmax.hessian_times(&p, direction),
        )
        .unwrap_or_else(|| gradient.clone())
    }
}
