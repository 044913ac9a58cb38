//! Damped Newton method for smooth convex problems.

use nalgebra::DVector;

use crate::progress::Stage;

/// Share of the predicted decrease that a step must achieve (Armijo condition).
const ARMIJO: f64 = 1e-4;

/// Steps that a search usually takes; the limits are for the worst case.
const USUAL: usize = 5;

/// A smooth convex function with a solver for its Newton system.
pub(crate) trait Problem {
    /// Second-order information for [`Problem::solve`].
    type Curvature;

    /// The value at a point, and a closure for gradient and curvature, called only at accepted points.
    fn evaluate(&self, at: &DVector<f64>) -> (f64, impl FnOnce() -> (DVector<f64>, Self::Curvature));

    /// Solves `H·step = gradient`; the minimiser moves by `-step`.
    fn solve(&self, point: &Point<Self::Curvature>) -> DVector<f64>;
}

/// An accepted point.
#[derive(Debug)]
pub(crate) struct Point<C> {
    pub(crate) at: DVector<f64>,
    pub(crate) value: f64,
    pub(crate) gradient: DVector<f64>,
    pub(crate) curvature: C,
}

/// Stopping rule and limits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) stop: Stop,
    pub(crate) iterations: usize,
    /// Maximum number of halvings in a line search.
    pub(crate) halvings: usize,
    /// Maximum change of a parameter per step.
    pub(crate) longest: f64,
}

/// The stopping rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stop {
    /// Stop when no entry of the gradient exceeds `flat`. This is close to rounding, so a step may raise the value by
    /// rounding if the gradient shrinks. A search that rounding stops below `nearly_flat` also counts as converged.
    Gradient { flat: f64, nearly_flat: f64 },
    /// Stop when the predicted decrease (gradient · step) is at most this.
    Decrease(f64),
}

/// The end of the search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Optimum {
    pub(crate) parameters: DVector<f64>,
    pub(crate) value: f64,
    /// Newton steps taken.
    pub(crate) iterations: usize,
    pub(crate) converged: bool,
}

/// Minimises the problem from a starting point, as one part of a stage; also returns the curvature at the optimum.
pub(crate) fn minimise<P: Problem>(
    problem: &P,
    start: DVector<f64>,
    settings: &Settings,
    stage: &Stage<'_>,
) -> (Optimum, P::Curvature) {
    let mut part = stage.part(USUAL);
    let (value, derive) = problem.evaluate(&start);
    let (gradient, curvature) = derive();
    let mut point = Point { at: start, value, gradient, curvature };
    let (mut iterations, mut converged) = (0, false);
    while iterations < settings.iterations {
        if matches!(settings.stop, Stop::Gradient { flat, .. } if point.gradient.amax() <= flat) {
            break;
        }
        let mut step = problem.solve(&point);
        let longest = step.amax();
        if longest > settings.longest {
            step *= settings.longest / longest;
        }
        let predicted = point.gradient.dot(&step);
        converged = matches!(settings.stop, Stop::Decrease(flat) if predicted <= flat);
        if converged {
            break;
        }
        let Some(next) = line_search(problem, &point, &step, predicted, settings) else { break };
        // Near the optimum values differ only by rounding, so a smaller gradient counts as progress.
        let is_progress = next.value < point.value || next.gradient.amax() < point.gradient.amax();
        if !is_progress && matches!(settings.stop, Stop::Gradient { .. }) {
            break;
        }
        point = next;
        iterations += 1;
        part.round();
    }
    part.finish();
    if let Stop::Gradient { nearly_flat, .. } = settings.stop {
        converged = point.gradient.amax() <= nearly_flat;
    }
    (Optimum { parameters: point.at, value: point.value, iterations, converged }, point.curvature)
}

/// Line search: halves the step until the Armijo condition holds; `None` if it never does.
fn line_search<P: Problem>(
    problem: &P,
    from: &Point<P::Curvature>,
    step: &DVector<f64>,
    predicted: f64,
    settings: &Settings,
) -> Option<Point<P::Curvature>> {
    let is_exact = matches!(settings.stop, Stop::Gradient { .. });
    let rounding = if is_exact { 4.0 * f64::EPSILON * from.value.abs() } else { 0.0 };
    let mut share = 1.0;
    for _ in 0..settings.halvings {
        let at = &from.at - step * share;
        let (value, derive) = problem.evaluate(&at);
        if value <= from.value - ARMIJO * share * predicted + rounding {
            let (gradient, curvature) = derive();
            return Some(Point { at, value, gradient, curvature });
        }
        drop(derive);
        share /= 2.0;
    }
    None
}
