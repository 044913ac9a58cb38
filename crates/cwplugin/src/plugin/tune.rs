//! One pair's problem, whatever the search has to know of the rows: find the best α.

use crate::data::Sample;
use crate::error::Error;
use crate::metric::Metric;
use crate::plugin::bins::Moved;
use crate::plugin::cuts::Ratio;
use crate::plugin::prune::Pruned;
use crate::plugin::search::{best_of_few, best_of_grid, best_stretch};
use crate::plugin::sweep::{PairScore, Zero};
use crate::plugin::{Peak, Step, Ties, bins, cuts, prune, sweep};

/// Where the rows of one pair move.
pub(crate) enum Curve {
    /// Every cut; every row weighs 1.
    Cuts(Vec<u64>),
    /// The cuts among which the best are.
    Pruned(Pruned),
    /// Every cut, with the weight of its row.
    WeightedCuts(Vec<(u64, u64)>),
    /// Every point of a grid.
    Grid(Step, Moved),
    /// Few points of a grid, by binary search.
    Few(Step, Moved),
}

impl Curve {
    /// For every class against the reference, for the exact search.
    pub(crate) fn of_cuts<M: Metric + ?Sized>(
        sample: &Sample,
        reference: usize,
        metric: &M,
        ties: Ties,
    ) -> Result<Vec<Self>, Error> {
        if let Some(pruned) = prune::curves(sample, reference, metric, zero(ties))? {
            return Ok(pruned.into_iter().map(Self::Pruned).collect());
        }
        Ok(match sample.weights() {
            None => cuts::of_pairs(sample, reference, &Ratio).into_iter().map(Self::Cuts).collect(),
            Some(_) => {
                cuts::of_pairs(sample, reference, &Ratio).into_iter().map(Self::WeightedCuts).collect()
            }
        })
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
        match self {
            Self::Cuts(cuts) => {
                best_stretch(&sweep::Curve::new(cuts, zero(ties), |moved| pair.score(moved)), pair, ties)
            }
            Self::WeightedCuts(cuts) => {
                best_stretch(&sweep::Curve::new(cuts, zero(ties), |moved| pair.score(moved)), pair, ties)
            }
            Self::Pruned(Pruned { cuts, segments, evaluations }) => {
                let curve = sweep::Curve::of_segments(cuts, segments, |moved| pair.score(moved));
                pair.add_evaluations(evaluations);
                best_stretch(&curve, pair, ties)
            }
            Self::Grid(step, moved) => best_of_grid(step, &moved, pair, ties),
            Self::Few(step, moved) => best_of_few(step, &moved, pair, ties),
        }
    }
}

/// Only the literal reading may take weight 0.
fn zero(ties: Ties) -> Zero {
    if ties == Ties::First { Zero::Counts } else { Zero::Skipped }
}
