//! Multinomial logistic regression on features, without the black box.

use nalgebra::DMatrix;

use super::form::{Biases, Slopes};
use super::select::{Choice, Prior, Task, training_rows};
use super::space::Space;
use super::standard::Standard;
use super::{AffineMap, Calibrated, LogLoss, MapInput, Slope, Strength};
use crate::data::{Features, Sample};
use crate::error::Error;

/// The grid for λ, strongest first.
const STRENGTHS: [f64; 7] = [1e2, 1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-4];

/// The weakest penalty on slopes: separable samples have no optimum without one.
const TINY: f64 = 1e-9;

/// Penalty on the biases: only makes the optimum unique.
const BIAS_PENALTY: f64 = 1e-12;

/// The bias of a class without labelled rows. The logits of the others have mean 0, so its probability is always 0
/// (`exp(-1000)` underflows), but the value is finite and can be stored.
const NEVER: f64 = -1e3;

/// Multinomial logistic regression on features alone, as a baseline without the black box.
///
/// ```text
/// minimise   mean log loss of softmax(A·z + c)  +  λ/2·‖A‖²        z = (x − mean) / sd over the labelled rows
/// ```
///
/// The biases are not penalised. λ is chosen among 100, 10, …, 0.0001 by the log loss in five stratified folds; a class
/// with two rows or more is in every training set. The map takes features on their original scale. A class without
/// labelled rows is never predicted: its probability is 0.
///
/// ```
/// use cwplugin::methods::Logistic;
/// use cwplugin::{Features, Probabilities, Sample};
///
/// let sample = Sample::new(Probabilities::new(vec![0.5; 8], 2)?, vec![Some(0), Some(0), Some(1), Some(1)])?;
/// let features = Features::new(vec![1.0, 2.0, 7.0, 8.0], 1)?;
/// let fitted = Logistic::default().learn(&sample, &features, 0)?;
/// assert!(fitted.map.apply_to_features(&features)?.get(0, 0) > 0.5);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Logistic {
    lambdas: Vec<f64>,
}

impl Default for Logistic {
    fn default() -> Self {
        Self { lambdas: STRENGTHS.to_vec() }
    }
}

impl Logistic {
    /// Uses this λ instead of cross-validation.
    ///
    /// # Errors
    ///
    /// If it is not a finite number ≥ 0. Values below 2e-9 are raised to 2e-9, so that an optimum always exists.
    pub fn with_lambda(lambda: f64) -> Result<Self, Error> {
        Strength { lambda, mu: 0.0 }.check()?;
        Ok(Self { lambdas: vec![lambda] })
    }

    /// Learns a map from features to probabilities. Only labels and row weights of the sample are used, except that
    /// [`Calibrated::log_loss`] has the loss of the black box as `before`.
    ///
    /// # Errors
    ///
    /// If features and sample differ in the number of rows, or no row has a label and a positive weight.
    pub fn learn(&self, sample: &Sample, features: &Features, seed: u64) -> Result<Calibrated, Error> {
        if features.n_rows() != sample.n_rows() {
            let (found, expected) = (features.n_rows(), sample.n_rows());
            return Err(Error::LengthMismatch { what: "rows of features", found, expected });
        }
        let m = sample.n_classes();
        let rows = training_rows(sample)?;
        let labels: Vec<usize> = rows.iter().filter_map(|&row| sample.label(row)).collect();
        let weights: Vec<f64> = rows.iter().map(|&row| sample.weight(row)).collect();
        let standard = Standard::of(features, &rows, &weights);
        let (inputs, space) = Space::of(&standard.matrix(features, &rows));
        let absent: Vec<usize> = (0..m).filter(|&class| sample.n_rows_of(class) == 0).collect();
        let (slopes, biases) = (Slopes::Matrix, Biases::PerClass);
        let task = Task { inputs, labels, weights, n_classes: m, slopes, biases };
        let choice = if absent.len() + 1 < m { task.choose(&[self.chain()], Some(seed)) } else { None };
        drop(task);

        let d = features.n_columns();
        let mut slope = vec![0.0; m * d];
        let mut bias = vec![NEVER; m];
        (0..m).filter(|class| !absent.contains(class)).for_each(|class| bias[class] = 0.0);
        if let Some(choice) = &choice {
            let standardised = centred(&space.slopes(choice));
            for (j, &class) in choice.form.present.iter().enumerate() {
                let row = &mut slope[class * d..(class + 1) * d];
                row.iter_mut().zip(standardised.row(j).iter()).for_each(|(slope, &a)| *slope = a);
                bias[class] = choice.optimum.parameters[choice.form.n_slopes() + j];
            }
            let mean = choice.form.present.iter().map(|&class| bias[class]).sum::<f64>();
            let mean = mean / choice.form.classes() as f64;
            for &class in &choice.form.present {
                bias[class] -= mean;
                bias[class] += standard.unfold(&mut slope[class * d..(class + 1) * d]);
            }
        }
        let map = AffineMap::new(MapInput::Features, Slope::Matrix(slope), bias)?;
        let before = AffineMap::identity(m)?.log_loss(sample);
        let log_loss = LogLoss { before, after: map.log_loss_on(features, sample) };
        let strength = |choice: &Choice| Strength { lambda: self.lambdas[choice.place.1], mu: 0.0 };
        Ok(Calibrated {
            map,
            log_loss,
            penalty: choice.as_ref().map(strength),
            iterations: choice.as_ref().map_or(0, |choice| choice.iterations),
            converged: choice.is_none_or(|choice| choice.optimum.converged),
            absent,
        })
    }

    fn chain(&self) -> Vec<Prior> {
        let prior = |&lambda: &f64| {
            let half = (lambda / 2.0).max(TINY);
            Prior { centre: 0.0, own: half, other: half, bias: BIAS_PENALTY }
        };
        self.lambdas.iter().map(prior).collect()
    }
}

/// Slopes that sum to 0 over the classes, as at the optimum.
fn centred(slopes: &DMatrix<f64>) -> DMatrix<f64> {
    let mean = slopes.row_mean();
    DMatrix::from_fn(slopes.nrows(), slopes.ncols(), |j, q| slopes[(j, q)] - mean[q])
}
