//! The part of the Hessian that connects the parameters of one class with each other and with the shared slope.
//!
//! Sums over the rows, in their order, in memory that belongs together: a cell of the Hessian is far from its neighbours.

use nalgebra::DMatrix;

use crate::numeric::kernel::Kernel;

/// The lower triangle of one block per class, and the column of the shared slope.
pub(super) struct ClassBlocks {
    n_classes: usize,
    /// Parameters of a class: its bias and its slopes.
    width: usize,
    /// By class, column and row; what is above the diagonal is not used.
    blocks: Vec<f64>,
    shared: Vec<f64>,
}

/// A row of the sample, with its calibrated probabilities, and the derivative of every class's logit by its own parameters.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) logs: &'a [f64],
    pub(super) label: usize,
    pub(super) weight: f64,
    pub(super) p: &'a [f64],
    pub(super) features: &'a [f64],
}

impl ClassBlocks {
    /// Starts from a Hessian without rows.
    pub(super) fn of(hessian: &DMatrix<f64>, n_classes: usize, width: usize) -> Self {
        let mut blocks = Vec::with_capacity(n_classes * width * width);
        for class in 0..n_classes {
            for column in 0..width {
                let at = place(class, column, n_classes, width);
                blocks.extend((0..width).map(|row| hessian[(place(class, row, n_classes, width), at)]));
            }
        }
        Self { n_classes, width, blocks, shared: hessian.column(0).as_slice().to_vec() }
    }

    /// Copies the sums into the lower triangle of a Hessian.
    pub(super) fn write(&self, hessian: &mut DMatrix<f64>) {
        let (m, width) = (self.n_classes, self.width);
        hessian.column_mut(0).copy_from_slice(&self.shared);
        for (class, block) in self.blocks.chunks_exact(width * width).enumerate() {
            for (column, cells) in block.chunks_exact(width).enumerate() {
                for (row, cell) in cells.iter().enumerate().skip(column) {
                    hessian[(place(class, row, m, width), place(class, column, m, width))] = *cell;
                }
            }
        }
    }
}

/// The place of a parameter of a class: all biases follow the shared slope, then the slopes class by class.
fn place(class: usize, feature: usize, n_classes: usize, width: usize) -> usize {
    if feature == 0 { 1 + class } else { n_classes + class * (width - 1) + feature }
}

/// Adds a row to the gradient and to the blocks, and writes its `Jᵀ·p`, times the root of its weight.
pub(super) struct AddRow<'a> {
    pub(super) row: Row<'a>,
    pub(super) gradient: &'a mut [f64],
    pub(super) blocks: &'a mut ClassBlocks,
    /// Zeros.
    pub(super) means: &'a mut [f64],
}

impl Kernel for AddRow<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { row: Row { logs, label, weight, p, features }, gradient, blocks, means } = self;
        let ClassBlocks { width, ref mut blocks, ref mut shared, .. } = *blocks;
        let (m, root) = (p.len(), weight.sqrt());
        gradient[0] -= weight * logs[label];
        let classes = features.chunks_exact(width).zip(blocks.chunks_exact_mut(width * width)).enumerate();
        for (class, (own, block)) in classes {
            let with_slope = p[class] * logs[class];
            gradient[0] += weight * with_slope;
            means[0] += root * with_slope;
            shared[0] += weight * with_slope * logs[class];
            let residual = weight * (p[class] - f64::from(u8::from(class == label)));
            let slopes = 1 + m + class * (width - 1);
            for (first, values) in [(1 + class, &own[..1]), (slopes, &own[1..])] {
                let places = first..first + values.len();
                add_scaled(&mut gradient[places.clone()], residual, values);
                add_scaled(&mut shared[places.clone()], weight * with_slope, values);
                add_scaled(&mut means[places], root * p[class], values);
            }
            for (column, cells) in block.chunks_exact_mut(width).enumerate() {
                add_scaled(&mut cells[column..], weight * p[class] * own[column], &own[column..]);
            }
        }
    }
}

#[inline(always)]
fn add_scaled(sums: &mut [f64], scale: f64, values: &[f64]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += scale * value);
}
