//! Standardised features.

use nalgebra::DMatrix;

use crate::data::Features;

/// A column whose standard deviation is below this fraction of its mean is constant up to rounding.
const CONSTANT: f64 = 1e-13;

/// Mean and standard deviation of each column over the rows used.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Standard {
    mean: Vec<f64>,
    /// 1 for a constant column.
    scale: Vec<f64>,
}

impl Standard {
    pub(crate) fn of(features: &Features, rows: &[usize], weights: &[f64]) -> Self {
        let d = features.n_columns();
        let mass: f64 = weights.iter().sum();
        let mut row_values = vec![0.0; d];
        let mut mean = vec![0.0; d];
        for (&row, weight) in rows.iter().zip(weights) {
            features.copy_row(row, &mut row_values);
            mean.iter_mut().zip(&row_values).for_each(|(mean, x)| *mean += weight / mass * x);
        }
        let mut scale = vec![0.0; d];
        for (&row, weight) in rows.iter().zip(weights) {
            features.copy_row(row, &mut row_values);
            for ((scale, mean), x) in scale.iter_mut().zip(&mean).zip(&row_values) {
                *scale += weight / mass * (x - mean) * (x - mean);
            }
        }
        for (scale, mean) in scale.iter_mut().zip(&mean) {
            let deviation = scale.sqrt();
            *scale = if deviation > CONSTANT * mean.abs() { deviation } else { 1.0 };
        }
        Self { mean, scale }
    }

    /// `(x − mean) / scale` of these rows.
    pub(crate) fn matrix(&self, features: &Features, rows: &[usize]) -> DMatrix<f64> {
        let mut row_values = vec![0.0; self.mean.len()];
        let mut matrix = DMatrix::zeros(rows.len(), self.mean.len());
        for (i, &row) in rows.iter().enumerate() {
            features.copy_row(row, &mut row_values);
            for (q, x) in row_values.iter().enumerate() {
                matrix[(i, q)] = (x - self.mean[q]) / self.scale[q];
            }
        }
        matrix
    }

    /// Converts the slopes of one class on standardised features to the original scale; returns the correction of the bias.
    pub(crate) fn unfold(&self, slopes: &mut [f64]) -> f64 {
        let mut shift = 0.0;
        for ((slope, mean), scale) in slopes.iter_mut().zip(&self.mean).zip(&self.scale) {
            *slope /= scale;
            shift -= *slope * mean;
        }
        shift
    }
}
