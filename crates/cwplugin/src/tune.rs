//! One pair's problem, whatever the search has to know of the rows: find the best α.

use crate::bins::{self, Moved};
use crate::cuts::{self, Ratio};
use crate::search::{best_of_few, best_of_grid, best_stretch};
use crate::sweep::{self, PairScore, Zero};
use crate::{Error, Metric, Peak, Sample, Step, Ties, prune};

/// Where the rows of one pair move.
pub(crate) enum Curve {
    /// Every cut; every row weighs 1.
    Cuts(Vec<u64>),
    /// Every cut, with the weight of its row.
    WeightedCuts(Vec<(u64, u64)>),
    /// Every point of a grid.
    Grid(Step, Moved),
    /// Few points of a grid, by binary search.
    Few(Step, Moved),
}

impl Curve {
    /// For every class against the reference, for the exact search.
    pub(crate) fn of_cuts(sample: &Sample, reference: usize) -> Vec<Self> {
        match sample.weights() {
            None => cuts::of_pairs(sample, reference, &Ratio).into_iter().map(Self::Cuts).collect(),
            Some(_) => {
                cuts::of_pairs(sample, reference, &Ratio).into_iter().map(Self::WeightedCuts).collect()
            }
        }
    }

    /// For every class against the reference, for the paper's line search.
    pub(crate) fn of_grid(sample: &Sample, reference: usize, step: Step) -> Vec<Self> {
        bins::of_pairs(sample, reference, step).into_iter().map(|moved| Self::Grid(step, moved)).collect()
    }

    /// For every class against the reference, for the binary search.
    pub(crate) fn of_few(sample: &Sample, reference: usize, step: Step) -> Vec<Self> {
        bins::of_pairs(sample, reference, step).into_iter().map(|moved| Self::Few(step, moved)).collect()
    }

    /// Finds the best α of the pair; `ties` decides among equals.
    pub(crate) fn maximise<M: Metric + ?Sized>(
        self,
        mut pair: PairScore<M>,
        ties: Ties,
    ) -> Result<Peak, Error> {
        let zero = if ties == Ties::First { Zero::Counts } else { Zero::Skipped };
        match self {
            Self::Cuts(cuts) => best_stretch(&prune::curve(cuts, zero, &mut pair), pair, ties),
            Self::WeightedCuts(cuts) => {
                best_stretch(&sweep::Curve::new(cuts, zero, |moved| pair.score(moved)), pair, ties)
            }
            Self::Grid(step, moved) => best_of_grid(step, &moved, pair, ties),
            Self::Few(step, moved) => best_of_few(step, &moved, pair, ties),
        }
    }
}
