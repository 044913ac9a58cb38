//! Metrics that are a ratio of two sums over the classes, computed for many confusion matrices at once.

use super::{ClassCounts, Confusion, share};
use crate::numeric::kernel::{self, Kernel};

/// A metric that is a ratio of two sums over the classes, such as the mean of a rate over the classes that have rows.
///
/// If the counts of two classes change, only their terms change. A search over many confusion matrices then need not compute
/// the whole metric again. No term may be negative, and the ratio is at most 1.
pub trait ClassRatio: Sync {
    /// What a class adds to the numerator and to the denominator.
    fn terms(&self, class: ClassCounts) -> [f64; 2];

    /// The terms of a class in several matrices.
    fn fill_terms(&self, counts: ManyCounts<'_>, terms: [&mut [f64]; 2]) {
        kernel::run(Fill { ratio: self, counts, terms });
    }
}

/// The counts of one class in several matrices.
#[derive(Debug, Clone, Copy)]
pub struct ManyCounts<'a> {
    /// Weight of the rows of the class, in each matrix.
    pub truth: &'a [f64],
    /// Weight of the rows predicted as the class.
    pub predicted: &'a [f64],
    /// Weight of the rows of the class predicted as the class.
    pub correct: &'a [f64],
}

struct Fill<'a, R: ?Sized> {
    ratio: &'a R,
    counts: ManyCounts<'a>,
    terms: [&'a mut [f64]; 2],
}

impl<R: ClassRatio + ?Sized> Kernel for Fill<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let ManyCounts { truth, predicted, correct } = self.counts;
        let counts = truth.iter().zip(predicted).zip(correct);
        let [above, below] = self.terms;
        for ((above, below), ((&truth, &predicted), &correct)) in above.iter_mut().zip(below).zip(counts) {
            [*above, *below] = self.ratio.terms(ClassCounts { truth, predicted, correct });
        }
    }
}

/// The ratio of the sums of these terms; 0 if the denominator is 0.
pub(super) fn ratio_of(confusion: &Confusion, terms: impl Fn(ClassCounts) -> [f64; 2]) -> f64 {
    let [above, below] = confusion.per_class().fold([0.0, 0.0], |[above, below], class| {
        let terms = terms(class);
        [above + terms[0], below + terms[1]]
    });
    share(above, below)
}

/// The terms of a mean over some classes.
pub(super) fn in_mean(is_counted: bool, value: f64) -> [f64; 2] {
    if is_counted { [value, 1.0] } else { [0.0, 0.0] }
}
