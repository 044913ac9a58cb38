//! Algorithm 1 of the paper: tune every class against one fixed class.

pub(crate) mod grid; // α on a grid, and the point at which a row moves
pub(crate) mod pairs; // rows reduced to their own class and the reference
pub(crate) mod cuts; // the α at which each row changes its class
pub(crate) mod count_cuts; // cuts counted in one pass
pub(crate) mod sweep; // every cut of one pair, with the scores between them
pub(crate) mod prune; // without the cuts that cannot be the best
pub(crate) mod bins; // cuts counted on a grid
pub(crate) mod ties; // which of equally good α to take
pub(crate) mod search; // which α to try
pub(crate) mod tune; // the best α of one pair
mod pair_curve; // the score of one pair at every α
mod reference; // which class stays fixed
mod report; // what it found
mod settings; // search, ties, reference and absent classes
mod algorithm; // Algorithm 1: read this file first
pub(crate) mod statistics; // counts that merge across files and machines

pub(crate) use algorithm::Plugin;
pub use grid::Step;
pub use pair_curve::PairCurve;
pub use reference::Reference;
pub use report::PluginReport;
pub use search::{Peak, Search};
pub use settings::{Absent, Settings};
pub use statistics::{Statistics, StatisticsError, StatisticsLine};
pub use ties::Ties;
