//! The counts of every class in every draw, for a metric that is a ratio of two sums over the classes.
//!
//! A change of a few classes costs as much as these classes: their terms of both sums are computed again, for all draws at
//! once, and so are the sums of the blocks of classes that they belong to. No sum is updated by differences, so that
//! rounding does not grow.

use super::population::Population;
use crate::metric::{ClassRatio, ManyCounts};
use crate::numeric::kernel::{self, Kernel};

/// Up to this many classes are added one by one: the sums then have the bits of those of one confusion matrix.
const ONE_BLOCK: usize = 64;

/// Classes per block, if there are more.
const BLOCK: usize = 32;

/// The counts by class and draw, and the sums of the terms of the metric.
#[derive(Clone)]
pub(super) struct ClassCountsOfDraws<'a> {
    population: &'a Population,
    ratio: &'a dyn ClassRatio,
    predicted: Vec<f64>,
    correct: Vec<f64>,
    /// The terms of numerator and denominator.
    terms: [Vec<f64>; 2],
    /// Their sums over a block of classes, by block and draw.
    sums: [Vec<f64>; 2],
    /// The classes whose terms are not up to date.
    stale: Classes,
    /// The classes whose counts changed since the last [`Self::copy_changed`].
    changed: Classes,
}

/// A set of classes.
#[derive(Clone)]
struct Classes {
    list: Vec<usize>,
    is_member: Vec<bool>,
}

impl Classes {
    fn none(n_classes: usize) -> Self {
        Self { list: Vec::new(), is_member: vec![false; n_classes] }
    }

    fn add(&mut self, class: usize) {
        if !std::mem::replace(&mut self.is_member[class], true) {
            self.list.push(class);
        }
    }

    fn take(&mut self) -> Vec<usize> {
        let list = std::mem::take(&mut self.list);
        for &class in &list {
            self.is_member[class] = false;
        }
        list
    }
}

impl<'a> ClassCountsOfDraws<'a> {
    /// The counts of these predictions.
    pub(super) fn new(population: &'a Population, ratio: &'a dyn ClassRatio, predictions: &[usize]) -> Self {
        let (m, n_draws) = (population.n_classes(), population.n_draws());
        let zeros = || vec![0.0; m * n_draws];
        let block_sums = || vec![0.0; m.div_ceil(block_length(m)) * n_draws];
        let (stale, changed) = (Classes::none(m), Classes::none(m));
        let (terms, sums) = ([zeros(), zeros()], [block_sums(), block_sums()]);
        let mut counts =
            Self { population, ratio, predicted: zeros(), correct: zeros(), terms, sums, stale, changed };
        for (row, &class) in predictions.iter().enumerate() {
            let predicted = &mut counts.predicted[class * n_draws..][..n_draws];
            for truths in population.truths(row).chunks_exact(n_draws) {
                add(predicted, truths);
            }
            add(&mut counts.correct[class * n_draws..][..n_draws], population.truths_of(row, class));
        }
        (0..m).for_each(|class| counts.stale.add(class));
        counts
    }

    fn change(&mut self, class: usize) {
        self.stale.add(class);
        self.changed.add(class);
    }

    /// Changes the prediction of a row.
    pub(super) fn shift(&mut self, row: usize, from: usize, to: usize) {
        let (population, n) = (self.population, self.population.n_draws());
        subtract(&mut self.predicted[from * n..][..n], population.weights(row));
        subtract(&mut self.correct[from * n..][..n], population.truths_of(row, from));
        add(&mut self.predicted[to * n..][..n], population.weights(row));
        add(&mut self.correct[to * n..][..n], population.truths_of(row, to));
        self.change(from);
        self.change(to);
    }

    /// Sets everything predicted as a class to exactly 0.
    pub(super) fn clear_prediction(&mut self, class: usize) {
        let n = self.population.n_draws();
        self.predicted[class * n..][..n].fill(0.0);
        self.correct[class * n..][..n].fill(0.0);
        self.change(class);
    }

    /// Copies what has changed since the last time to another, which was the same then.
    pub(super) fn copy_changed(&mut self, other: &mut Self) {
        let changed = self.changed.take();
        self.copy_classes(&changed, other);
    }

    fn copy_classes(&self, classes: &[usize], other: &mut Self) {
        let (n, block) = (self.population.n_draws(), block_length(self.population.n_classes()));
        for &class in classes {
            let (of_class, of_block) =
                (class * n..(class + 1) * n, class / block * n..(class / block + 1) * n);
            other.predicted[of_class.clone()].copy_from_slice(&self.predicted[of_class.clone()]);
            other.correct[of_class.clone()].copy_from_slice(&self.correct[of_class.clone()]);
            for part in 0..2 {
                other.terms[part][of_class.clone()].copy_from_slice(&self.terms[part][of_class.clone()]);
                other.sums[part][of_block.clone()].copy_from_slice(&self.sums[part][of_block.clone()]);
            }
        }
        // The sums that were copied lack them.
        self.stale.list.iter().for_each(|&class| other.stale.add(class));
    }

    /// Undoes all changes since the two were the same.
    pub(super) fn restore(&mut self, other: &Self) {
        let changed = self.changed.take();
        other.copy_classes(&changed, self);
    }

    /// The metric of every draw.
    pub(super) fn scores(&mut self) -> Vec<f64> {
        let n = self.population.n_draws();
        let block = block_length(self.population.n_classes());
        let stale = self.stale.take();
        for &class in &stale {
            let of_class = class * n..(class + 1) * n;
            let counts = ManyCounts {
                truth: self.population.truth_of(class),
                predicted: &self.predicted[of_class.clone()],
                correct: &self.correct[of_class.clone()],
            };
            let [above, below] = &mut self.terms;
            self.ratio.fill_terms(counts, [&mut above[of_class.clone()], &mut below[of_class]]);
        }
        let mut blocks: Vec<usize> = stale.iter().map(|class| class / block).collect();
        blocks.sort_unstable();
        blocks.dedup();
        for (terms, sums) in self.terms.iter().zip(&mut self.sums) {
            for &block_index in &blocks {
                let terms = terms.chunks(block * n).nth(block_index).unwrap_or_default();
                add_up(terms, &mut sums[block_index * n..][..n]);
            }
        }
        let [above, below] = self.sums.each_ref().map(|sums| {
            let mut total = vec![0.0; n];
            add_up(sums, &mut total);
            total
        });
        let share = |(above, below): (&f64, &f64)| if *below > 0.0 { above / below } else { 0.0 };
        above.iter().zip(&below).map(share).collect()
    }
}

/// Classes per block.
fn block_length(n_classes: usize) -> usize {
    if n_classes <= ONE_BLOCK { n_classes } else { BLOCK }
}

fn add(sums: &mut [f64], numbers: &[f64]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
}

fn subtract(sums: &mut [f64], numbers: &[f64]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum -= number);
}

/// Sums rows of numbers, each as long as the sums, in their order.
fn add_up(rows: &[f64], sums: &mut [f64]) {
    kernel::run(AddUp { rows, sums });
}

struct AddUp<'a> {
    rows: &'a [f64],
    sums: &'a mut [f64],
}

impl Kernel for AddUp<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.sums.fill(0.0);
        for row in self.rows.chunks_exact(self.sums.len()) {
            self.sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        }
    }
}
