//! Cuts counted on a grid: the sufficient statistics of a line search.

use crate::data::Sample;
use crate::numeric::parallel;
use crate::numeric::tally::Tally;
use crate::plugin::count_cuts::count_sample;
use crate::plugin::cuts::Cut;
use crate::plugin::grid::Grid;
use crate::plugin::{Step, cuts};

/// Counters per cut from which a grid is sparse: sorting the bins is then faster than counting.
const SPARSE: usize = 4;

/// Weight of the rows that move, per class, side (0: rows of the class, 1: rows of the reference) and bin.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bins {
    grid: Grid,
    reference: usize,
    pub(crate) tally: Tally,
}

impl Bins {
    pub(crate) fn new(m: usize, reference: usize, step: Step) -> Self {
        let grid = Grid::new(step);
        let tally = Tally::new(m * 2 * (grid.points() + 1), false);
        Self { grid, reference, tally }
    }

    /// Counts the labelled rows of a sample with the same number of classes.
    pub(crate) fn add(&mut self, sample: &Sample) {
        count_sample(&self.grid, sample, self.reference, &mut self.tally);
    }

    pub(crate) fn points(&self) -> usize {
        self.grid.points()
    }

    /// Index of the counter of a class, side and bin.
    #[inline(always)]
    pub(crate) fn place(&self, class: usize, side: usize, bin: usize) -> usize {
        (class * 2 + side) * (self.points() + 1) + bin
    }

    /// The cumulative weight at each point of the grid.
    pub(crate) fn moved(&self, class: usize) -> Moved {
        let sums = [0, 1].map(|side| {
            let first = self.place(class, side, 0);
            self.tally.running_weights(first..first + self.points())
        });
        Moved { bins: None, weights: sums[0].iter().zip(&sums[1]).map(|(&a, &b)| [a, b]).collect() }
    }
}

/// Weight of the rows of the class and of the reference that have moved, at each point of a grid.
#[derive(Debug)]
pub(crate) struct Moved {
    /// The points at which it changes; `None` = every point.
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

    /// From the bins of single rows, in any order.
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

/// The moved weight at each point of a grid, for every class against the reference.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::Probabilities;

    /// A plain loop over the rows.
    fn plain_loop(sample: &Sample, reference: usize, step: Step) -> Vec<(u64, f64)> {
        let (grid, m) = (Grid::new(step), sample.n_classes());
        let mut counts = vec![(0, 0.0); m * 2 * (grid.points() + 1)];
        for (row, &label) in sample.label_indices().iter().enumerate() {
            let b: Vec<f64> = sample.probabilities().row(row).collect();
            let weight = sample.weights().map_or(1.0, |weights| weights[row]);
            for class in (0..m).filter(|&class| class != reference && weight > 0.0) {
                for side in 0..2 {
                    if label as usize == [class, reference][side] {
                        let bin = grid.bin(b[class], b[reference]);
                        let count = &mut counts[(class * 2 + side) * (grid.points() + 1) + bin];
                        *count = (count.0 + 1, count.1 + weight);
                    }
                }
            }
        }
        counts
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))] // of up to 150,000 numbers

        #[test]
        fn many_rows_are_counted_like_one(
            m in prop_oneof![2..40_usize, Just(127), Just(130), Just(1000)],
            n in 1..150_usize,
            points in prop_oneof![Just(2_usize), Just(100), Just(777)],
            seed in 1..u32::MAX,
            levels in prop_oneof![Just(3_u64), Just(20), Just(1 << 30)],
            is_single in any::<bool>(),
            is_weighted in any::<bool>(),
        ) {
            let mut state = u64::from(seed);
            let mut random = |below: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % below
            };
            let mut values: Vec<f64> = (0..n * m).map(|_| random(levels) as f64).collect();
            for row in values.chunks_exact_mut(m) {
                row[0] += 1.0;
                let sum: f64 = row.iter().sum();
                for value in row {
                    *value /= sum;
                }
            }
            let labels = (0..n).map(|_| Some(random(m as u64 + 1) as usize).filter(|&label| label < m)).collect();
            let reference = random(m as u64) as usize;
            let probabilities = if is_single {
                Probabilities::from_f32(values.iter().map(|&value| value as f32).collect(), m)
            } else {
                Probabilities::new(values, m)
            };
            let mut sample = Sample::new(probabilities.unwrap(), labels).unwrap();
            if is_weighted {
                sample = sample.with_weights((0..n).map(|_| random(5) as f64).collect()).unwrap();
            }
            let step = Step::bins(points).unwrap();
            let mut bins = Bins::new(m, reference, step);
            bins.add(&sample);
            let found: Vec<_> =
                (0..bins.tally.places()).map(|i| (bins.tally.rows(i), bins.tally.weight(i))).collect();
            prop_assert_eq!(found, plain_loop(&sample, reference, step));
        }
    }
}
