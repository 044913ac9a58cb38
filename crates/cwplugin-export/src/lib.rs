#![doc = include_str!("../README.md")]
// Tests compare bits: "the same answer" is a contract here.
#![cfg_attr(test, allow(clippy::float_cmp))]
// The modules stand in the order in which the data passes through them.

mod error; // why a model cannot be written so
mod parts; // what every export is made of: the map, and the weights
mod header; // … and what every text says first
mod literal; // numbers and texts that read back to the same
mod dialect; // what SQL engines write differently
mod sql; // one expression
mod python; // one module
mod rust; // one file
pub mod onnx; // one graph, alone or behind another

pub use dialect::{Dialect, chain};
pub use error::Error;
pub use python::python;
pub use rust::rust;
pub use sql::{SqlOptions, sql};
