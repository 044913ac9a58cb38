#![doc = include_str!("../README.md")]
// Tests compare bits: "the same prediction" is a contract here.
#![cfg_attr(test, allow(clippy::float_cmp))]
// The modules stand in the order in which the data passes through them.

mod error; // why an export is refused
mod parts; // calibration, feature names, integer classes
mod header; // the comment on top of every text
mod literal; // exact literals of numbers and strings
mod dialect; // differences between SQL engines
mod sql; // one SQL expression
mod statistics; // the SQL query that counts statistics
mod python; // one Python module
mod rust; // one Rust file
pub mod onnx; // one ONNX graph, alone or appended to a classifier

pub use dialect::{Dialect, chain};
pub use error::Error;
pub use python::python;
pub use rust::rust;
pub use sql::{SqlOptions, sql};
pub use statistics::StatisticsQuery;
