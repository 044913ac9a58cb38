//! The best α of one pair, for every kind of search.

use crate::data::Sample;
use crate::error::Error;
use crate::metric::Metric;
use crate::plugin::bins::Moved;
use crate::plugin::cuts::Ratio;
use crate::plugin::prune::Pruned;
use crate::plugin::search::{best_interval, binary_search, line_search};
use crate::plugin::sweep::PairScore;
use crate::plugin::{Peak, Search, Step, Ties, bins, cuts, prune, sweep};

/// Where the rows of one pair move, in the form that each search needs.
pub(crate) enum Curve {
    /// Every cut, for rows of weight 1.
    Cuts(Vec<u64>),
    /// The cuts that may be optimal.
    Pruned(Pruned),
    /// Every cut, with the weight of its row.
    WeightedCuts(Vec<(u64, u64)>),
    /// Moved weight per grid point, for the line search.
    Grid(Step, Moved),
    /// Moved weight per grid point, for the binary search.
    Binary(Step, Moved),
}

impl Curve {
    /// Line 4 for all pairs in one pass: every class against the reference.
    pub(crate) fn of_pairs(
        sample: &Sample,
        reference: usize,
        metric: &dyn Metric,
        search: Search,
        ties: Ties,
    ) -> Result<Vec<Self>, Error> {
        let on_grid = |step: Step, curve: fn(Step, Moved) -> Self| {
            bins::of_pairs(sample, reference, step).into_iter().map(|moved| curve(step, moved)).collect()
        };
        Ok(match search {
            Search::Grid(step) => on_grid(step, Self::Grid),
            Search::Binary(step) => on_grid(step, Self::Binary),
            Search::Exact => match prune::curves(sample, reference, metric, ties)? {
                Some(pruned) => pruned.into_iter().map(Self::Pruned).collect(),
                None if sample.weights().is_none() => {
                    cuts::of_pairs(sample, reference, &Ratio).into_iter().map(Self::Cuts).collect()
                }
                None => {
                    cuts::of_pairs(sample, reference, &Ratio).into_iter().map(Self::WeightedCuts).collect()
                }
            },
        })
    }

    /// Finds the best α of the pair; `ties` selects among equally good ones.
    pub(crate) fn maximise(self, mut pair: PairScore<'_>, ties: Ties) -> Result<Peak, Error> {
        match self {
            Self::Cuts(cuts) => {
                best_interval(&sweep::Curve::new(cuts, ties, |moved| pair.score(moved)), pair, ties)
            }
            Self::WeightedCuts(cuts) => {
                best_interval(&sweep::Curve::new(cuts, ties, |moved| pair.score(moved)), pair, ties)
            }
            Self::Pruned(Pruned { cuts, segments, evaluations }) => {
                let curve = sweep::Curve::of_segments(cuts, segments, |moved| pair.score(moved));
                pair.add_evaluations(evaluations);
                best_interval(&curve, pair, ties)
            }
            Self::Grid(step, moved) => line_search(step, &moved, pair, ties),
            Self::Binary(step, moved) => binary_search(step, &moved, pair, ties),
        }
    }
}
