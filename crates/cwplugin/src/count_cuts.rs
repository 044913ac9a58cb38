//! One pass that counts where rows move.

use crate::kernel::Kernel;
use crate::pairs::{Pairs, ReferenceRows};
use crate::probabilities::Real;
use crate::tally::Count;

/// Divides the line on which rows move into places to count them in.
pub(crate) trait Locate: Sync {
    /// Where only [`Locate::place`] can tell.
    const NEAR: u64 = u64::MAX;

    /// How many places there are.
    fn places(&self) -> usize;

    /// Where a row is counted, if the first place is number `base`.
    fn place(&self, numbers: (f64, f64, u32)) -> usize;

    /// The same without a branch, so that many rows are done at once; or [`Locate::NEAR`].
    fn quick_place(&self, b_class: f64, b_reference: f64, base: u32) -> u64;
}

/// The rows of a pass, and what is asked of them.
pub(crate) struct Pass<'a, T, L> {
    pub(crate) locate: &'a L,
    pub(crate) m: usize,
    pub(crate) reference: usize,
    pub(crate) values: &'a [T],
    pub(crate) labels: &'a [u32],
}

/// Counts every row in the pair of its class, and rows of the reference in all pairs; rows without a pair are counted
/// where the pair of the reference with itself would be.
pub(crate) struct CountCuts<'a, T, L, C> {
    pub(crate) pass: Pass<'a, T, L>,
    pub(crate) counter: C,
}

impl<T: Real, L: Locate, C: Count> Kernel for CountCuts<'_, T, L, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { pass: Pass { locate, m, reference, values, labels }, mut counter } = self;
        let first_place = |class: usize, side: usize| ((class * 2 + side) * locate.places()) as u32;
        let mut pairs = Pairs::new(m, reference, |class| first_place(class, 0));
        let mut references = ReferenceRows::new(m, reference, |class| first_place(class, 1));
        for first in (0..labels.len()).step_by(Pairs::BLOCK) {
            let (values, labels) = (&values[first * m..], &labels[first..]);
            pairs.gather(values, labels);
            let places =
                pairs.map(|b_class, b_reference, base| locate.quick_place(b_class, b_reference, base));
            for (i, &place) in places[..labels.len().min(Pairs::BLOCK)].iter().enumerate() {
                let place = if place == L::NEAR { locate.place(pairs.get(i)) } else { place as usize };
                counter.count(place, first + i);
            }
            for &row in pairs.of_reference() {
                if references.push(first + row as usize, &values[row as usize * m..][..m]) {
                    count_references(locate, &mut references, &mut counter);
                }
            }
        }
        count_references(locate, &mut references, &mut counter);
    }
}

#[inline(always)]
fn count_references<L: Locate>(locate: &L, references: &mut ReferenceRows, counter: &mut impl Count) {
    references.map(|b_class, b_reference, base| locate.quick_place(b_class, b_reference, base));
    for (row, first, places) in references.rows() {
        for (i, &place) in places.iter().enumerate() {
            let place =
                if place == L::NEAR { locate.place(references.get(first + i)) } else { place as usize };
            counter.count(place, row);
        }
    }
    references.clear();
}
