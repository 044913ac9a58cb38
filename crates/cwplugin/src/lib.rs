#![doc = include_str!("../README.md")]
// Tests compare bits: "the same input gives the same bits" is a contract here.
#![cfg_attr(test, allow(clippy::float_cmp))]
// The modules stand in the order in which the data passes through them.

mod error; // every way the input can be wrong
mod exact_sum; // sums that do not depend on the order
mod tally; // … of rows in places
mod probabilities; // what the black box said: n × m, checked once
mod census; // how many rows each class has
mod sample; // … with labels and row weights: the paper's S
mod features; // what else is known of the rows
mod calibrate; // probabilities made to mean what they say
mod confusion; // what is counted
pub mod metric; // what is maximised
mod kernel; // loops over all rows, for the processor at hand
mod predict; // argmax_k w_k·b_k, many rows at once
mod grid; // α on a grid, and the point at which a row moves
mod pairs; // rows reduced to their own class and the reference
mod cuts; // where every row moves
mod count_cuts; // … counted, in one pass
mod sweep; // every cut of one pair, with the scores between them
mod prune; // … without those that cannot be the best
mod bins; // cuts counted on a grid
mod statistics; // … that merge across files and machines
mod ties; // which of equally good α to take
mod search; // which α to try
mod tune; // the best α of one pair
mod reference; // which class stays fixed
mod weights; // what comes out
mod plugin; // Algorithm 1: the file to read first
mod method; // its settings by name
mod report; // what was tried, found and doubted
mod model; // the file that is kept
mod evaluate; // before and after, with intervals
mod stable_json; // documents of stable bytes
mod parallel; // one loop, on one thread or many

pub use calibrate::{AffineMap, Calibrated, Family, LogLoss, Logistic, MapInput, Select, Slope, Strength};
pub use confusion::{ClassCounts, Confusion};
pub use error::Error;
pub use evaluate::{Interval, Outcomes, ScoreInterval, Side};
pub use features::Features;
pub use grid::Step;
pub use method::{METHODS, Method};
pub use metric::Metric;
pub use model::{FitRecord, Model, ModelError, PairRecord, ScorePair, WarningRecord};
pub use plugin::{Absent, FittedPlugin, Plugin};
pub use probabilities::{Probabilities, RowSums, Scores};
pub use reference::Reference;
pub use report::{PairReport, Report, Warning};
pub use sample::Sample;
pub use search::{Peak, Search};
pub use statistics::{Statistics, StatisticsError, StatisticsLine};
pub use ties::Ties;
pub use weights::{Weights, argmax_weighted};
