#![doc = include_str!("../README.md")]
// Tests compare bits: "the same input gives the same bytes" is a contract here.
#![cfg_attr(test, allow(clippy::float_cmp))]
// Counts of rows and pixels are never below 0.
#![allow(clippy::cast_sign_loss)]
// The modules stand in the order in which the data passes through them.

pub mod draw; // line plots and dot plots as SVG
mod reproduce; // the flags that repeat a fit
mod spread; // bootstrap spread of the weights
mod effort; // how many refits
mod refits; // reproduction check, spread, learning curve
mod alpha; // the metric against α, pair by pair
mod encode; // numbers as base64 for the browser
mod live; // data of the interactive section
mod number; // number formatting
mod order; // which classes come first
mod sections; // the page, section by section
mod sha256; // of scripts and styles, for the policy of a page
mod shell; // templates, style, script, escaping
mod fit_page; // one page per fit: read this first
mod compare_page; // one page per comparison

pub use alpha::AlphaCurves;
pub use compare_page::{ComparePage, MethodRow, MetricTable};
pub use fit_page::{FitPage, Provenance};
pub use refits::{Progress, Refits};
pub use reproduce::fit_flags;
pub use spread::Spread;
