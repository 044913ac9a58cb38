//! Exports, run where they are meant to run.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests are tests too

mod source; // Python and Rust
mod expression; // SQL, by a small engine
mod contracts; // what every export keeps

mod support; // random models of every kind
