//! Replies of every source, whole and damaged, through the public API.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests are tests too

mod cases; // expected rows from an independent reference
mod properties; // what holds for every reply
mod damaged; // truncated and changed replies
mod contracts; // threads, names

mod support; // the cases of testdata/replies
