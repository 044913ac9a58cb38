#![doc = include_str!("../README.md")]
// Tests compare bits: "the same input gives the same bits" is a contract here.
#![cfg_attr(test, allow(clippy::float_cmp))]
// The modules stand in the order in which the data passes through them.

mod error; // every way the input can be wrong
mod exact_sum; // sums that do not depend on the order
mod tally; // … of rows in places
mod probabilities; // what the black box said: n × m, checked once
mod features; // what else is known of the rows
mod census; // how many rows each class has
mod sample; // … with labels and row weights: the paper's S
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
mod pair_curve; // … and all others, to look at
mod reference; // which class stays fixed
mod weights; // what comes out
mod settings; // how Algorithm 1 is to go about it
mod plugin; // Algorithm 1: the file to read first
mod ascent; // coordinate ascent on the whole metric, past Algorithm 1
mod bagged; // … averaged over bootstrap samples
mod elicit; // … when the metric can only be queried
mod forecast; // what to expect on new rows
mod calibrate; // probabilities made to mean what they say
mod mixture; // lists of factors that vote
mod probing; // the probing classifier, which learns such lists
mod label_shift; // target prior over source prior
mod expected; // … then the best for all that the labels leave possible
mod rule; // how a row becomes a class: a calibration, and weights
mod passes; // ascent on rows that are elsewhere
mod auto; // the best of what the labels support, or nothing
mod method; // every way to a rule, by name
mod constraint; // … within what it must keep to
mod fitter; // … with all that it needs but the rows
mod learning_curve; // what more labels would bring
mod report; // what was tried, found and doubted
mod fitted; // … with the rule: what a method hands back
mod model; // the file that is kept
mod verdict; // … and what it was worth, in a sentence
mod evaluate; // before and after, with intervals
mod evaluation; // … all of it, as a document
mod compare; // methods side by side, sample by sample
mod stable_json; // documents of stable bytes
mod parallel; // one loop, on one thread or many

pub use ascent::{Ascent, Start};
pub use auto::{Auto, AutoReport, Reason, Trial};
pub use bagged::{Bagged, BaggedReport, OutOfBag, WeightSpread};
pub use calibrate::{AffineMap, Calibrated, Family, LogLoss, Logistic, MapInput, Select, Slope, Strength};
pub use compare::{Cell, Comparison, Failure, Noise, Shift};
pub use confusion::{ClassCounts, Confusion};
pub use constraint::{Bound, Constrained, Constraint, Kept, SubjectTo};
pub use elicit::{Answer, Elicitation, Elicited, ElicitedLine, Mode, Oracle, Query, Session, SessionError};
pub use error::Error;
pub use evaluate::{Change, Interval, Outcomes, OutcomesError, ScoreInterval, Side};
pub use evaluation::Evaluation;
pub use expected::{Expected, ExpectedReport, Freedom, LABELS_COUNT_FROM};
pub use features::Features;
pub use fitted::Fitted;
pub use fitter::Fitter;
pub use forecast::{Estimate, Forecast};
pub use grid::Step;
pub use label_shift::{LabelShift, LabelShiftReport};
pub use learning_curve::{CurvePoint, LearningCurve};
pub use method::{FitOptions, METHODS, Method, Recipe};
pub use metric::Metric;
pub use mixture::{Mixture, MixtureStep};
pub use model::{
    ConstraintRecord, CurvePointRecord, CurveRecord, FitRecord, LogLossRecord, Model, ModelError,
    OutlookRecord, PairRecord, PenaltyRecord, ScorePair, TrialRecord, WarningRecord,
};
pub use pair_curve::PairCurve;
pub use passes::{Pass, PassCounts, PassError, Passes};
pub use plugin::Plugin;
pub use probabilities::{Probabilities, RowSums, Scores};
pub use probing::{Probing, ProbingReport};
pub use reference::Reference;
pub use report::{AscentReport, Details, PairReport, PluginReport, Report, Warning};
pub use rule::{Calibration, MapKind, Rule};
pub use sample::Sample;
pub use search::{Peak, Search};
pub use settings::{Absent, Settings};
pub use statistics::{Statistics, StatisticsError, StatisticsLine};
pub use ties::Ties;
pub use weights::{Weights, argmax_weighted};
