//! Structured scaling: temperature scaling, then slopes and biases under a prior that depends on the number of classes.

use nalgebra::{DMatrix, DVector};

use super::form::{Form, Slopes};
use super::newton::{Accuracy, minimise};
use super::select::training_rows;
use super::softmax::{Penalty, Softmax};
use super::{AffineMap, Calibrated, LogLoss, MapInput, Slope};
use crate::data::Sample;
use crate::error::Error;
use crate::progress::Observer;
use crate::rule::Tempering;

/// Bounds of the logarithm of the temperature step's slope, as in probmetrics.
const LOG_SLOPES: [f64; 2] = [-16.0, 16.0];

/// Probabilities are clipped from below at the smallest normal number of single precision, as in probmetrics.
const FLOOR: f64 = f32::MIN_POSITIVE as f64;

/// The search for a temperature ends when its logarithm is known this exactly.
const SAME_LOG_SLOPE: f64 = 1e-14;

/// Newton steps in that search, at most; then the interval is halved, which always ends.
const NEWTON_STEPS: usize = 20;

/// Structured vector and matrix scaling (SVS and SMS) with the definitions of the Python package `probmetrics` 1.3.
///
/// ```text
/// t = argmin over t in [e⁻¹⁶, e¹⁶] of the mean log loss of softmax(t·log b)
/// x = log((1 − u)·softmax(t·log b) + u/m)                                   u = 1/(n + 1)
/// minimise over A, c    mean log loss of softmax(A·x + c)
///                       + m/n·(Σ_j (A_jj − 1)² + Σ_j c_j²) + m·(m − 1)/n·Σ_{i≠j} A_ij²
/// ```
///
/// n is the number of labelled rows of positive weight, m the number of classes. The penalty is a normal prior around the
/// identity, with the same standard deviations for every n: `1/√(2m)` for biases and diagonal, `1/√(2m(m − 1))` for the
/// other slopes. A class without labelled rows is in the softmax; the prior keeps its bias finite. Row weights are relative
/// to their mean.
///
/// ```
/// use cwplugin::methods::Structured;
/// use cwplugin::{Probabilities, Sample};
///
/// let p = Probabilities::new([0.9, 0.1, 0.6, 0.4].repeat(10), 2)?;
/// let sample = Sample::new(p.clone(), [Some(0), Some(1)].repeat(10))?;
/// let fitted = Structured::Matrix.learn(&sample)?;
/// assert!(fitted.map.apply(&p)?.get(1, 0) < 0.5);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structured {
    /// A is diagonal (SVS).
    Vector,
    /// A is a matrix (SMS).
    Matrix,
}

impl Structured {
    /// Learns the map from a sample.
    ///
    /// # Errors
    ///
    /// If no row has a label and a positive weight.
    pub fn learn(self, sample: &Sample) -> Result<Calibrated, Error> {
        self.learn_with_progress(sample, Observer::default())
    }

    pub(super) fn learn_with_progress(
        self,
        sample: &Sample,
        observer: Observer<'_>,
    ) -> Result<Calibrated, Error> {
        let rows = training_rows(sample)?;
        let (n, m) = (rows.len() as f64, sample.n_classes());
        let labels: Vec<u32> =
            rows.iter().filter_map(|&row| sample.label(row)).map(|label| label as u32).collect();
        let total: f64 = rows.iter().map(|&row| sample.weight(row)).sum();
        let weights: Vec<f64> = rows.iter().map(|&row| sample.weight(row) / total).collect();
        let mut x = DMatrix::zeros(rows.len(), m);
        for (i, &row) in rows.iter().enumerate() {
            for (class, b) in sample.probabilities().row(row).enumerate() {
                x[(i, class)] = MapInput::LogProbability.of(b, FLOOR);
            }
        }
        let slope = best_slope(&x, &labels, &weights);
        let tempering = Tempering::new(slope, 1.0 / (n + 1.0))?;
        let mut row = vec![0.0; m];
        for mut x in x.row_iter_mut() {
            row.iter_mut().zip(x.iter()).for_each(|(to, from)| *to = *from);
            tempering.apply(&mut row);
            x.iter_mut().zip(&row).for_each(|(to, from)| *to = *from);
        }

        let slopes = if self == Self::Vector { Slopes::PerClass } else { Slopes::Matrix };
        let form = Form { slopes, has_biases: true, inputs: m, present: (0..m).collect() };
        let penalty = prior(&form, n);
        let start = penalty.centre.clone();
        let problem = Softmax { inputs: &x, labels: &labels, weights: &weights, form: &form, penalty };
        let optimum = minimise(&problem, start, Accuracy::Full, &observer.begin_parts("calibrating", 1));
        let (slopes, biases) = optimum.parameters.as_slice().split_at(form.n_slopes());
        let slope = match self {
            Self::Vector => Slope::Diagonal(slopes.to_vec()),
            Self::Matrix => Slope::Matrix(slopes.to_vec()),
        };
        let map = AffineMap::new(MapInput::LogProbability, slope, biases.to_vec())?;
        let map = map.with_floor(FLOOR)?.with_tempering(tempering)?;
        Ok(Calibrated {
            log_loss: LogLoss {
                before: AffineMap::identity(m)?.log_loss(sample),
                after: map.log_loss(sample),
            },
            map,
            penalty: None,
            iterations: optimum.iterations,
            converged: optimum.converged,
            absent: (0..m).filter(|&class| sample.n_rows_of(class) == 0).collect(),
        })
    }
}

/// The penalty on the mean log loss of n rows: a normal prior around the identity.
fn prior(form: &Form, n: f64) -> Penalty {
    let m = form.classes() as f64;
    let size = form.n_parameters();
    let mut strength = DVector::from_element(size, m / n);
    let mut centre = DVector::zeros(size);
    for (p, own) in form.own_inputs().into_iter().enumerate() {
        (strength[p], centre[p]) = if own { (m / n, 1.0) } else { (m * (m - 1.0) / n, 0.0) };
    }
    Penalty { strength, centre }
}

/// The slope of the temperature step: Newton steps between bounds that close in on the optimum.
fn best_slope(x: &DMatrix<f64>, labels: &[u32], weights: &[f64]) -> f64 {
    let present = (0..x.ncols()).collect();
    let form = Form { slopes: Slopes::Shared, has_biases: false, inputs: x.ncols(), present };
    let penalty = Penalty { strength: DVector::zeros(1), centre: DVector::zeros(1) };
    let problem = Softmax { inputs: x, labels, weights, form: &form, penalty };
    let [mut low, mut high] = LOG_SLOPES;
    let (mut at, mut round): (f64, usize) = (0.0, 0);
    while high - low > SAME_LOG_SLOPE {
        let slope = at.exp();
        let (_, gradient, hessian) = problem.derivatives(&DVector::from_element(1, slope), 1);
        // A flat loss counts as falling, as in probmetrics: rows that are all correct get the largest slope.
        if gradient[0] > 0.0 {
            high = at;
        } else {
            low = at;
        }
        let curvature = hessian.map_or(0.0, |hessian| hessian[(0, 0)]);
        let newton = (slope - gradient[0] / curvature).ln(); // NaN beyond the positive numbers
        let is_inside = newton > low && newton < high && round < NEWTON_STEPS;
        if is_inside && (newton - at).abs() <= SAME_LOG_SLOPE {
            return newton.exp();
        }
        at = if is_inside { newton } else { f64::midpoint(low, high) };
        round += 1;
    }
    f64::midpoint(low, high).exp()
}
