//! Damped Newton for the softmax problem.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::curvature::View;
use super::softmax::Softmax;

/// The largest entry of the gradient at which there is nothing left to gain.
const FLAT: f64 = 1e-11;

/// The same without a matrix, where the last digits are dear: the loss is then at its lowest within about 1e-14.
const FLAT_ENOUGH: f64 = 1e-9;

/// … and at which a search that rounding has stopped still counts as converged.
const NEARLY_FLAT: f64 = 1e-7;

/// Parameters above which the Newton system is solved by conjugate gradients: a matrix would take longer.
const DENSE: usize = 600;

const ITERATIONS: usize = 200;

/// A step is halved so often before the search gives up: 2⁻⁶⁰ of it is lost in rounding.
const HALVINGS: usize = 60;

/// Share of the promised decrease that a step must keep (Armijo).
const KEPT: f64 = 1e-4;

/// Where the search ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Optimum {
    pub(crate) parameters: DVector<f64>,
    /// Mean log loss plus penalty.
    pub(crate) value: f64,
    /// Newton steps taken.
    pub(crate) iterations: usize,
    /// Whether the gradient vanishes, up to rounding.
    pub(crate) converged: bool,
}

/// Minimises the problem from a start.
///
/// The Hessian at the optimum is `factor(&problem.hessian(&optimum.parameters))`, its determinant that of the factor.
pub(crate) fn minimise(problem: &Softmax<'_>, start: DVector<f64>) -> Optimum {
    let mut at = start;
    let mut view = problem.look(&at, DENSE);
    let mut iterations = 0;
    let flat = if at.len() <= DENSE { FLAT } else { FLAT_ENOUGH };
    while view.gradient.amax() > flat && iterations < ITERATIONS {
        let step = if at.len() <= DENSE {
            let hessian = view.hessian.take().unwrap_or_else(|| problem.hessian(&at));
            factor(&hessian).solve(&view.gradient)
        } else {
            conjugate_gradients(problem, &at, &view.gradient)
        };
        let Some((next, next_view)) = descend(problem, &at, &view, &step) else {
            break;
        };
        // At the bottom values differ by rounding alone: then only a flatter place is progress.
        if next_view.value >= view.value && next_view.gradient.amax() >= view.gradient.amax() {
            break;
        }
        (at, view) = (next, next_view);
        iterations += 1;
    }
    let converged = view.gradient.amax() <= NEARLY_FLAT;
    Optimum { parameters: at, value: view.value, iterations, converged }
}

/// Halves the step until the value falls by a share of what the slope promises; nothing if it never does.
fn descend(
    problem: &Softmax<'_>,
    at: &DVector<f64>,
    view: &View,
    step: &DVector<f64>,
) -> Option<(DVector<f64>, View)> {
    let promised = view.gradient.dot(step);
    let rounding = 4.0 * f64::EPSILON * view.value.abs();
    let mut share = 1.0;
    for _ in 0..HALVINGS {
        let next = at - step * share;
        let next_view = problem.look(&next, DENSE);
        if next_view.value <= view.value - KEPT * share * promised + rounding {
            return Some((next, next_view));
        }
        share /= 2.0;
    }
    None
}

/// The Cholesky factor of a Hessian; if rounding has cost it its definiteness, the diagonal is raised (Levenberg).
pub(crate) fn factor(hessian: &DMatrix<f64>) -> Cholesky<f64, Dyn> {
    let largest = hessian.diagonal().amax().max(f64::MIN_POSITIVE);
    let mut raised = 0.0;
    loop {
        let mut matrix = hessian.clone();
        for p in 0..matrix.nrows() {
            matrix[(p, p)] += raised;
        }
        // Past its own largest entry the diagonal dominates: only a Hessian that is not finite fails then.
        if raised > largest * 1e3 {
            return Cholesky::pack_dirty(DMatrix::identity(hessian.nrows(), hessian.nrows()));
        }
        if let Some(factor) = Cholesky::new(matrix) {
            return factor;
        }
        raised = if raised > 0.0 { raised * 10.0 } else { largest * 1e-14 };
    }
}

/// Solves `H·step = gradient`, more exactly the nearer the optimum is; every parameter is measured by its own bend.
fn conjugate_gradients(problem: &Softmax<'_>, at: &DVector<f64>, gradient: &DVector<f64>) -> DVector<f64> {
    let p = problem.probabilities(at);
    let scale = problem.hessian_diagonal(&p).map(|bend| 1.0 / bend.max(f64::MIN_POSITIVE));
    let goal = (gradient.norm() * gradient.norm().sqrt().min(0.1)).max(FLAT_ENOUGH / 2.0);
    let mut step = DVector::zeros(at.len());
    let mut residual = gradient.clone();
    let mut scaled = residual.component_mul(&scale);
    let mut direction = scaled.clone();
    let mut square = residual.dot(&scaled);
    for _ in 0..at.len() {
        let product = problem.hessian_times(&p, &direction);
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
    if step.amax() > 0.0 { step } else { gradient.clone() }
}
