//! Comparison of methods by the protocol of the paper.

mod cell; // scores of one method for one metric at one size
mod test_bootstrap; // sampling error due to the test rows
mod comparison; // fixed test rows, several samples of each size
mod external; // predictions from outside
mod draws; // the rows of every sample
mod noise; // label noise, in samples or everywhere
mod draw; // samples and label shift
mod unlabelled; // unlabelled rows added to a sample

pub use cell::{Cell, Failure};
pub use comparison::Comparison;
pub use draw::Shift;
pub use draws::Draw;
pub use external::External;
pub use noise::{Noise, NoiseIn};

pub use crate::error::ExternalProblem;
