#![doc = include_str!("../README.md")]
// Tests compare bits: "the same input gives the same bits" is a contract here.
#![cfg_attr(test, allow(clippy::float_cmp))]
// The modules stand in the order in which the data passes through them.

mod error; // every way the input can be wrong
mod probabilities; // what the black box said: n × m, checked once
mod sample; // … with labels and row weights: the paper's S
mod confusion; // what is counted
pub mod metric; // what is maximised
mod sweep; // every cut of one pair
mod ties; // which of equally good α to take
mod search; // which α to try
mod reference; // which class stays fixed
mod weights; // what comes out
mod plugin; // Algorithm 1: the file to read first
mod method; // its settings by name
mod report; // what was tried, found and doubted
mod model; // the file that is kept
mod evaluate; // before and after, with intervals
mod parallel; // one loop, on one thread or many

pub use confusion::{ClassCounts, Confusion};
pub use error::Error;
pub use evaluate::{Interval, Outcomes, ScoreInterval, Side};
pub use method::{METHODS, Method};
pub use metric::Metric;
pub use model::{FitRecord, Model, ModelError, PairRecord, ScorePair, WarningRecord};
pub use plugin::{Absent, FittedPlugin, Plugin};
pub use probabilities::{Probabilities, RowSums, Scores};
pub use reference::Reference;
pub use report::{PairReport, Report, Warning};
pub use sample::Sample;
pub use search::{Peak, Search, Step};
pub use sweep::{Pair, PairSweep};
pub use ties::Ties;
pub use weights::{Weights, argmax_weighted};
