//! Counters of cuts that merge across files and machines.

mod json; // the JSON document
mod lines; // the table

pub use json::StatisticsError;
pub use lines::StatisticsLine;

use std::hint::black_box;

use crate::data::class_names::{check_count, check_unique};
use crate::data::class_totals::ClassTotals;
use crate::data::{Sample, check_length};
use crate::error::Error;
use crate::plugin::bins::{Bins, Moved};
use crate::plugin::{Reference, Step};

/// The largest number of counters: 2 GiB.
const MOST_COUNTERS: usize = 1 << 28;

/// The largest number of counters in a document with weights: 1 GiB.
const MOST_WEIGHTED: usize = 1 << 25;

/// The sufficient statistics of a line search on a grid: for every class against the reference, the number and weight of
/// the rows that move at each grid point.
///
/// Rows may be added in any order, and statistics of parts of the rows merged in any order: a fit from them equals the
/// grid fit of all rows, bit for bit. The statistics do not depend on the metric. Memory does not grow with the number of
/// rows.
///
/// ```
/// use cwplugin::{Fit, Sample, Statistics, Step, metric::MacroF1};
///
/// let rows = [[0.9, 0.1], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8]];
/// let sample = Sample::from_rows(rows, &["ham", "spam"])?.labels(["ham", "spam", "spam", "spam"])?;
///
/// let mut statistics = Statistics::new(vec!["ham".into(), "spam".into()], 1, Step::bins(100)?)?;
/// statistics.add_rows(&sample)?;
/// let fit = Fit::new(MacroF1).method("cwplugin").option("reference", "spam").option("search", "grid:0.01");
/// assert_eq!(fit.fit_statistics(&statistics)?.weights(), fit.fit(&sample)?.weights());
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    classes: Vec<String>,
    reference: usize,
    step: Step,
    class_totals: ClassTotals,
    bins: Bins,
}

impl Statistics {
    /// Empty statistics for these classes, this reference and this grid.
    ///
    /// # Errors
    ///
    /// If there are fewer than two or too many classes, a name occurs twice, the reference is out of range, or there are too many
    /// counters.
    pub fn new(classes: Vec<String>, reference: usize, step: Step) -> Result<Self, Error> {
        let m = classes.len();
        check_count(m)?;
        check_unique(&classes)?;
        if reference >= m {
            return Err(Error::UnknownReference { class: reference, classes: m });
        }
        if m.saturating_mul(2 * (step.points() + 1)) > MOST_COUNTERS {
            return Err(Error::TooManyCounters { classes: m, bins: step.points(), most: MOST_COUNTERS });
        }
        let mut room = Vec::<u64>::new();
        let counters = m * 2 * (step.points() + 1);
        let has_room = room.try_reserve_exact(counters).is_ok();
        black_box(&room); // or the compiler would leave the allocation out
        if !has_room {
            return Err(Error::OutOfMemory { bytes: counters * size_of::<u64>() });
        }
        drop(room);
        let (class_totals, bins) =
            (ClassTotals::empty(classes.as_slice().into()), Bins::new(m, reference, step));
        Ok(Self { classes, reference, step, class_totals, bins })
    }

    /// Returns an error if weights for all counters, which take more memory than rows, would be too many.
    fn check_weighted(&self) -> Result<(), Error> {
        if self.bins.tally.places() > MOST_WEIGHTED {
            let (classes, bins) = (self.classes.len(), self.step.points());
            return Err(Error::TooManyCounters { classes, bins, most: MOST_WEIGHTED });
        }
        Ok(())
    }

    /// Adds the rows of a sample.
    ///
    /// # Errors
    ///
    /// If the sample has another number of classes.
    pub fn add_rows(&mut self, sample: &Sample) -> Result<(), Error> {
        check_length("classes", sample.n_classes(), self.classes.len())?;
        self.class_totals.merge(sample.class_totals());
        self.bins.add(sample);
        Ok(())
    }

    /// Adds the counters of other rows.
    ///
    /// # Errors
    ///
    /// If classes, grid or reference differ.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        let differ = |what, ours: String, theirs: String| Err(Error::StatisticsDiffer { what, ours, theirs });
        if self.classes != other.classes {
            return differ("classes", self.classes.join(", "), other.classes.join(", "));
        }
        if self.step != other.step {
            let bins = |statistics: &Self| format!("{} bins", statistics.step.points());
            return differ("grid", bins(self), bins(other));
        }
        if self.reference != other.reference {
            let name = |statistics: &Self| statistics.classes[statistics.reference].clone();
            return differ("reference", name(self), name(other));
        }
        self.class_totals.merge(&other.class_totals);
        self.bins.tally.merge(&other.bins.tally);
        Ok(())
    }

    /// Class names.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The index of the reference class.
    pub fn reference(&self) -> usize {
        self.reference
    }

    /// The grid.
    pub fn step(&self) -> Step {
        self.step
    }

    /// Labelled rows with a weight above 0.
    pub fn n_labelled(&self) -> u64 {
        self.class_totals.n_labelled()
    }

    /// Rows without a label.
    pub fn n_unlabelled(&self) -> u64 {
        self.class_totals.unlabelled
    }

    /// Labelled rows of a class with a weight above 0.
    pub fn n_rows_of(&self, class: usize) -> u64 {
        self.class_totals.rows(class)
    }

    /// The candidate references on the rows counted so far, in the order in which they are tried.
    ///
    /// # Errors
    ///
    /// If there is no such class.
    pub fn references(&self, reference: Reference) -> Result<Vec<usize>, Error> {
        reference.candidates(&self.class_totals)
    }

    /// The class with the largest total row weight, the lowest index among ties; `None` if no row is labelled.
    pub fn largest_class(&self) -> Option<usize> {
        Reference::Largest.candidates(&self.class_totals).ok()?.first().copied()
    }

    pub(crate) fn class_totals(&self) -> &ClassTotals {
        &self.class_totals
    }

    pub(crate) fn moved(&self, class: usize) -> Moved {
        self.bins.moved(class)
    }
}
