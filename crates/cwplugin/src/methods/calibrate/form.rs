//! The layout of the parameters of a regression, and its logits.

use nalgebra::{DMatrix, DMatrixView, DVector};

use super::products::{AddLogits, AddPulledBack};
use crate::numeric::kernel;

/// The slopes of a regression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slopes {
    /// One for all classes, each on its own input.
    Shared,
    /// One for each class, on its own input.
    PerClass,
    /// One for each class and input.
    Matrix,
}

/// The layout of the parameters θ: the slopes, row by row for a matrix, then the biases.
///
/// The logits of a row x are linear in θ; J is their derivative:
///
/// ```text
/// z_j = t·x_j + c_j   |   s_j·x_j + c_j   |   Σ_q A_jq·x_q + c_j
/// ```
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Form {
    pub(crate) slopes: Slopes,
    /// Whether there is a bias for each class.
    pub(crate) has_biases: bool,
    /// Number of inputs per row.
    pub(crate) inputs: usize,
    /// The classes of the softmax, by index; also the index of the class's own input.
    pub(crate) present: Vec<usize>,
}

impl Form {
    /// Number of classes of the softmax.
    pub(crate) fn classes(&self) -> usize {
        self.present.len()
    }

    pub(crate) fn n_slopes(&self) -> usize {
        match self.slopes {
            Slopes::Shared => 1,
            Slopes::PerClass => self.classes(),
            Slopes::Matrix => self.classes() * self.inputs,
        }
    }

    pub(crate) fn n_parameters(&self) -> usize {
        self.n_slopes() + if self.has_biases { self.classes() } else { 0 }
    }

    /// For each slope, whether it connects a class with its own input.
    pub(crate) fn own_inputs(&self) -> Vec<bool> {
        match self.slopes {
            Slopes::Shared | Slopes::PerClass => vec![true; self.n_slopes()],
            Slopes::Matrix => {
                let row = |&class: &usize| (0..self.inputs).map(move |input| input == class);
                self.present.iter().flat_map(row).collect()
            }
        }
    }

    /// `J·θ`: the logits, one column per class.
    pub(crate) fn logits(&self, theta: &DVector<f64>, x: &DMatrixView<'_, f64>, z: &mut DMatrix<f64>) {
        let (slopes, biases) = theta.as_slice().split_at(self.n_slopes());
        for (j, mut column) in z.column_iter_mut().enumerate() {
            column.fill(biases.get(j).copied().unwrap_or(0.0));
        }
        match self.slopes {
            Slopes::Shared | Slopes::PerClass => {
                for (j, (&class, mut column)) in self.present.iter().zip(z.column_iter_mut()).enumerate() {
                    let slope = if self.slopes == Slopes::Shared { slopes[0] } else { slopes[j] };
                    column.axpy(slope, &x.column(class), 1.0);
                }
            }
            Slopes::Matrix => kernel::run(AddLogits { x, slopes, z }),
        }
    }

    /// Adds `Jᵀ·r`: the gradient with respect to the parameters for a gradient `r` with respect to the logits.
    pub(crate) fn pull_back(&self, r: &DMatrix<f64>, x: &DMatrixView<'_, f64>, sum: &mut DVector<f64>) {
        let n_slopes = self.n_slopes();
        if self.slopes == Slopes::Matrix {
            kernel::run(AddPulledBack { r, x, sums: &mut sum.as_mut_slice()[..n_slopes] });
        }
        for (j, (&class, column)) in self.present.iter().zip(r.column_iter()).enumerate() {
            match self.slopes {
                Slopes::Shared => sum[0] += column.dot(&x.column(class)),
                Slopes::PerClass => sum[j] += column.dot(&x.column(class)),
                Slopes::Matrix => {}
            }
            if self.has_biases {
                sum[n_slopes + j] += column.sum();
            }
        }
    }
}
