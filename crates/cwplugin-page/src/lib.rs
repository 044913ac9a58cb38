#![doc = include_str!("../README.md")]
// Tests compare bits: "the same contents, the same bytes" is a contract here.
#![cfg_attr(test, allow(clippy::float_cmp))]
// A share of rows or of an axis that becomes a count is never below 0.
#![allow(clippy::cast_sign_loss)]
// The modules stand in the order in which the data passes through them.

mod again; // the command that fits a model again
pub mod draw; // line plots and dot plots as SVG
mod spread; // how far other labels would have moved the weights
mod refits; // … and what more of them would bring
mod alpha; // the metric against α, pair by pair
mod encode; // numbers as text that a browser reads back
mod live; // what the page itself computes with
mod number; // … and how numbers are written
mod order; // which classes come first
mod sections; // the page, part by part
mod shell; // head, style, script, escaping
mod fit_page; // one page per fit: the file to read first
mod compare_page; // one page per comparison

pub use again::fit_flags;
pub use alpha::AlphaCurves;
pub use compare_page::{ComparePage, MethodRow, MetricTable};
pub use fit_page::{FitPage, Words};
pub use refits::{Observe, Refits};
pub use spread::Spread;
