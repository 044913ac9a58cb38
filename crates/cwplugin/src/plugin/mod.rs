//! Algorithm 1 of the paper: tune every class against one fixed class.

pub(crate) mod grid; // the grid of α, and the point at which a row moves
pub(crate) mod pairs; // blocks of rows, reduced to their class and the reference
pub(crate) mod cuts; // the α at which each row changes its prediction
pub(crate) mod count_cuts; // cuts counted in one pass
pub(crate) mod sweep; // the cuts of one pair in order, and the scores between them
pub(crate) mod prune; // drops cuts that cannot be optimal
pub(crate) mod bins; // cuts counted on a grid
pub(crate) mod ties; // which α to take among equally good ones
pub(crate) mod search; // which α to try
pub(crate) mod tune; // the best α of one pair
mod pair_curve; // the metric of one pair at every α
mod reference; // which class is the reference
mod report; // reference, settings and one entry per pair
mod settings; // reference, search, ties and absent classes
mod algorithm; // Algorithm 1: read this file first
pub(crate) mod statistics; // counters that merge across files and machines

pub(crate) use algorithm::Plugin;
pub use grid::Step;
pub use pair_curve::PairCurve;
pub use reference::Reference;
pub use report::PluginReport;
pub use search::{Peak, Search};
pub use settings::{Absent, Settings};
pub use statistics::{Statistics, StatisticsError, StatisticsLine};
pub use ties::Ties;
