//! Cuts counted on a grid: all that a line search needs to know of the rows.

use std::ops::Range;

use crate::count_cuts::{CountCuts, Pass};
use crate::cuts::{self, Cut};
use crate::grid::{Grid, Step};
use crate::kernel;
use crate::probabilities::with_values;
use crate::tally::Tally;
use crate::{Sample, parallel};

/// A grid with this many counters for each cut, or more, is mostly empty: sorting the bins takes less.
const SPARSE: usize = 4;

/// For each class, side (0: rows of the class, 1: of the reference) and bin the rows that move there.
#[derive(Debug, Clone)]
pub(crate) struct Bins {
    grid: Grid,
    m: usize,
    reference: usize,
    tally: Tally,
}

impl Bins {
    pub(crate) fn new(m: usize, reference: usize, step: Step) -> Self {
        let grid = Grid::new(step);
        let tally = Tally::new(m * 2 * (grid.points() + 1), false);
        Self { grid, m, reference, tally }
    }

    /// Counts the labelled rows of a sample of as many classes.
    pub(crate) fn add(&mut self, sample: &Sample) {
        let Self { grid, m, reference, tally } = self;
        let (m, reference) = (*m, *reference);
        let count = |tally: &mut Tally, rows: Range<usize>| {
            let labels = &sample.labels()[rows.clone()];
            with_values!(sample.probabilities(), values => {
                let values = &values[rows.start * m..rows.end * m];
                let pass = Pass { locate: &*grid, m, reference, values, labels };
                match sample.weights() {
                    None => kernel::run(CountCuts { pass, counter: tally.ones() }),
                    Some(weights) => kernel::run(CountCuts { pass, counter: tally.weighed(&weights[rows]) }),
                }
            });
        };
        if sample.n_rows() <= parallel::PIECE {
            count(tally, 0..sample.n_rows()); // a chunk of a stream
        } else {
            let (places, is_weighted) = (tally.places(), sample.weights().is_some());
            let empty = || Tally::new(places, is_weighted);
            tally.merge(&parallel::count(sample.n_rows(), parallel::PIECE, empty, count, Tally::merged));
        }
        self.forget_nowhere();
    }

    /// Adds the counters of other rows for the same grid and reference.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
    }

    pub(crate) fn points(&self) -> usize {
        self.grid.points()
    }

    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    pub(crate) fn tally_mut(&mut self) -> &mut Tally {
        &mut self.tally
    }

    /// Where the rows of one class, side and bin are counted.
    #[inline(always)]
    pub(crate) fn place(&self, class: usize, side: usize, bin: usize) -> usize {
        (class * 2 + side) * (self.points() + 1) + bin
    }

    /// The reference has no pair with itself: what was counted there is nothing.
    fn forget_nowhere(&mut self) {
        let first = self.place(self.reference, 0, 0);
        self.tally.clear(first..first + 2 * (self.points() + 1));
    }

    /// What has moved at each point of the grid.
    pub(crate) fn moved(&self, class: usize) -> Moved {
        let sums = [0, 1].map(|side| {
            let first = self.place(class, side, 0);
            self.tally.running_weights(first..first + self.points())
        });
        Moved { bins: None, weights: sums[0].iter().zip(&sums[1]).map(|(&a, &b)| [a, b]).collect() }
    }
}

impl PartialEq for Bins {
    fn eq(&self, other: &Self) -> bool {
        self.m == other.m && self.reference == other.reference && self.tally == other.tally
    }
}

/// The weight of the rows of class and reference that have moved at each point of a grid.
#[derive(Debug)]
pub(crate) struct Moved {
    /// The points at which it changes; `None` = every one.
    bins: Option<Vec<u64>>,
    weights: Vec<[f64; 2]>,
}

impl Moved {
    pub(crate) fn at(&self, point: usize) -> [f64; 2] {
        match &self.bins {
            None => self.weights[point],
            Some(bins) => {
                let passed = bins.partition_point(|&bin| bin <= point as u64);
                if passed == 0 { [0.0; 2] } else { self.weights[passed - 1] }
            }
        }
    }

    /// From the bins of rows, in any order.
    fn of_cuts<C: Cut>(mut cuts: Vec<C>, points: usize) -> Self {
        use cuts::Sum as _;
        cuts.retain(|cut| cut.place() < points as u64);
        parallel::sort(&mut cuts);
        let mut moved = [C::Sum::default(), C::Sum::default()];
        let (mut bins, mut weights) = (Vec::new(), Vec::new());
        for in_bin in cuts.chunk_by(|a, b| a.place() == b.place()) {
            for cut in in_bin {
                moved[cut.side()].add(cut.weight());
            }
            bins.push(in_bin[0].place());
            weights.push(moved.each_ref().map(C::Sum::value));
        }
        Self { bins: Some(bins), weights }
    }
}

/// What has moved at each point of a grid, for every class against the reference.
pub(crate) fn of_pairs(sample: &Sample, reference: usize, step: Step) -> Vec<Moved> {
    let m = sample.n_classes();
    let cuts = sample.n_labelled() as usize + (m - 1) * sample.n_rows_of(reference) as usize;
    if m * step.points() < SPARSE * cuts {
        let mut bins = Bins::new(m, reference, step);
        bins.add(sample);
        return (0..m).map(|class| bins.moved(class)).collect();
    }
    let grid = Grid::new(step);
    let points = grid.points();
    if sample.weights().is_none() {
        let cuts = cuts::of_pairs::<u64>(sample, reference, &grid);
        cuts.into_iter().map(|cuts| Moved::of_cuts(cuts, points)).collect()
    } else {
        let cuts = cuts::of_pairs::<(u64, u64)>(sample, reference, &grid);
        cuts.into_iter().map(|cuts| Moved::of_cuts(cuts, points)).collect()
    }
}
