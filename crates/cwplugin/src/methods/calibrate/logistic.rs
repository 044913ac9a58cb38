//! Multinomial logistic regression on features, without the black box.

use nalgebra::DMatrix;

use super::form::Slopes;
use super::principal_components::principal_components;
use super::select::{Choice, Prior, Task, training_rows};
use super::standard::Standard;
use super::{AffineMap, Calibrated, MapInput, Slope, Strength};
use crate::data::{Features, Sample};
use crate::error::Error;
use crate::progress::Observer;

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
        self.learn_with_progress(sample, features, seed, Observer::default())
    }

    pub(super) fn learn_with_progress(
        &self,
        sample: &Sample,
        features: &Features,
        seed: u64,
        observer: Observer<'_>,
    ) -> Result<Calibrated, Error> {
        if features.n_rows() != sample.n_rows() {
            let (found, expected) = (features.n_rows(), sample.n_rows());
            return Err(Error::LengthMismatch { what: "rows of features", found, expected });
        }
        let m = sample.n_classes();
        let rows = training_rows(sample)?;
        let labels: Vec<usize> = rows.iter().filter_map(|&row| sample.label(row)).collect();
        let weights: Vec<f64> = rows.iter().map(|&row| sample.weight(row)).collect();
        let standard = Standard::of(features, &rows, &weights);
        let (inputs, directions) = principal_components(&standard.matrix(features, &rows));
        let task = Task { inputs, labels, weights, n_classes: m, slopes: Slopes::Matrix, has_biases: true };
        let choice = task.choose(&[self.chain()], Some(seed), observer);
        drop(task);

        let d = features.n_columns();
        let mut slope = vec![0.0; m * d];
        let is_absent = |class: usize| sample.n_rows_of(class) == 0;
        let mut bias: Vec<f64> = (0..m).map(|class| if is_absent(class) { NEVER } else { 0.0 }).collect();
        if let Some(choice) = &choice {
            let form = &choice.form;
            let (slopes, biases) = choice.optimum.parameters.as_slice().split_at(form.n_slopes());
            let slopes = DMatrix::from_column_slice(form.inputs, form.classes(), slopes);
            let slopes = (directions * slopes).transpose();
            // At the optimum slopes and biases sum to 0 over the classes; removes the rounding.
            let mean_slopes = slopes.row_mean();
            let mean_bias = biases.iter().sum::<f64>() / form.classes() as f64;
            for (j, &class) in form.present.iter().enumerate() {
                let own = &mut slope[class * d..(class + 1) * d];
                own.iter_mut().enumerate().for_each(|(q, own)| *own = slopes[(j, q)] - mean_slopes[q]);
                bias[class] = biases[j] - mean_bias + standard.unfold(own);
            }
        }
        let map = AffineMap::new(MapInput::Features, Slope::Matrix(slope), bias)?;
        let loss = map.log_loss_on(features, sample);
        let strength = |choice: &Choice| Some(Strength { lambda: self.lambdas[choice.place.1], mu: 0.0 });
        Calibrated::new(map, loss, choice.as_ref(), strength, sample)
    }

    fn chain(&self) -> Vec<Prior> {
        let prior = |&lambda: &f64| {
            let half = (lambda / 2.0).max(TINY);
            Prior { centre: 0.0, own: half, other: half, bias: BIAS_PENALTY }
        };
        self.lambdas.iter().map(prior).collect()
    }
}
