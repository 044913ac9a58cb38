//! What several test files need: random tables, every metric, fits, and Algorithm 1 written a second time.
#![allow(dead_code)] // oracle.rs uses a part of it

pub(crate) mod agreement;
pub(crate) mod fits;
pub(crate) mod fixtures;
pub(crate) mod metrics;
pub(crate) mod naive;
pub(crate) mod strategies;
pub(crate) mod tables;
pub(crate) mod tie_rules;

pub(crate) use agreement::{all_close, close};
