//! Damped Newton: the one minimiser of the library's smooth convex problems.

use nalgebra::DVector;

/// Share of the promised decrease that a step must achieve (Armijo's condition).
const ARMIJO: f64 = 1e-4;

/// A smooth convex function and how its Newton system is solved.
pub(crate) trait Problem {
    /// What solves the Newton system, besides the gradient.
    type Curvature;

    /// The value at a point, and how to get gradient and curvature there, which only points that are accepted need.
    fn evaluate(&self, at: &DVector<f64>) -> (f64, impl FnOnce() -> (DVector<f64>, Self::Curvature));

    /// Solves `H·step = gradient`; the minimiser moves by minus the step.
    fn solve(&self, point: &Point<Self::Curvature>) -> DVector<f64>;
}

/// A point that was accepted.
#[derive(Debug)]
pub(crate) struct Point<C> {
    pub(crate) at: DVector<f64>,
    pub(crate) value: f64,
    pub(crate) gradient: DVector<f64>,
    pub(crate) curvature: C,
}

/// When the search ends, and how long a step may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) stop: Stop,
    pub(crate) iterations: usize,
    /// How often a step is halved before the search gives up.
    pub(crate) halvings: usize,
    /// No parameter moves further in one step.
    pub(crate) longest: f64,
}

/// Where there is nothing left to gain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stop {
    /// No entry of the gradient exceeds `flat`: the search goes on down to rounding, so a step may raise the value by
    /// rounding if the gradient falls. A search that rounding stops below `nearly_flat` has converged too.
    Gradient { flat: f64, nearly_flat: f64 },
    /// The next step promises (gradient times step) no larger decrease than this.
    Decrease(f64),
}

/// Where the search ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Optimum {
    pub(crate) parameters: DVector<f64>,
    pub(crate) value: f64,
    /// Newton steps taken.
    pub(crate) iterations: usize,
    pub(crate) converged: bool,
}

/// Minimises the problem from a start; also returns the curvature at the optimum.
pub(crate) fn minimise<P: Problem>(
    problem: &P,
    start: DVector<f64>,
    settings: &Settings,
) -> (Optimum, P::Curvature) {
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
        let promised = point.gradient.dot(&step);
        converged = matches!(settings.stop, Stop::Decrease(flat) if promised <= flat);
        if converged {
            break;
        }
        let Some(next) = descend(problem, &point, &step, promised, settings) else { break };
        // At the optimum values differ by rounding alone: then only a flatter point is progress.
        let is_progress = next.value < point.value || next.gradient.amax() < point.gradient.amax();
        if !is_progress && matches!(settings.stop, Stop::Gradient { .. }) {
            break;
        }
        point = next;
        iterations += 1;
    }
    if let Stop::Gradient { nearly_flat, .. } = settings.stop {
        converged = point.gradient.amax() <= nearly_flat;
    }
    (Optimum { parameters: point.at, value: point.value, iterations, converged }, point.curvature)
}

/// Halves the step until the value falls by a share of what the slope promises; `None` if it never does.
fn descend<P: Problem>(
    problem: &P,
    from: &Point<P::Curvature>,
    step: &DVector<f64>,
    promised: f64,
    settings: &Settings,
) -> Option<Point<P::Curvature>> {
    let is_exact = matches!(settings.stop, Stop::Gradient { .. });
    let rounding = if is_exact { 4.0 * f64::EPSILON * from.value.abs() } else { 0.0 };
    let mut share = 1.0;
    for _ in 0..settings.halvings {
        let at = &from.at - step * share;
        let (value, derive) = problem.evaluate(&at);
        if value <= from.value - ARMIJO * share * promised + rounding {
            let (gradient, curvature) = derive();
            return Some(Point { at, value, gradient, curvature });
        }
        drop(derive);
        share /= 2.0;
    }
    None
}
