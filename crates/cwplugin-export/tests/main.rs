//! Exports, run and compared with the library.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests are tests too

mod source; // Python and Rust
mod expression; // SQL, in a minimal engine
mod contracts; // contracts of all exports

mod support; // random models of every kind
