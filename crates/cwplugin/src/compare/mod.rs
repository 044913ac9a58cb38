//! Methods side by side: the paper's protocol.

mod cell; // what one method reached for one metric at one size
mod chance; // what other test rows would have changed
mod comparison; // fixed test rows, several samples of each size
mod draw; // samples, label shift and label noise
mod unlabelled; // unlabelled rows beside a sample

pub use cell::{Cell, Failure};
pub use comparison::Comparison;
pub use draw::{Noise, Shift};
