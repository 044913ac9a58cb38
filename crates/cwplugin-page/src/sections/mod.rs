//! The sections of the page, in reading order.

pub(crate) mod verdict; // the expected gain
pub(crate) mod choice; // why this method
pub(crate) mod metrics; // metrics before and after
pub(crate) mod confusion; // confusion matrices
pub(crate) mod classes; // precision, recall and F1 per class
pub(crate) mod weights; // the learned weights
pub(crate) mod alpha; // the metric against α
pub(crate) mod learning; // the learning curve
pub(crate) mod changes; // changed predictions
pub(crate) mod data; // rows per class, and warnings
pub(crate) mod reproduce; // commands and model file

use serde_json::{Value, json};

/// A plot for the desktop and one for a phone, on which scaled-down text would be unreadable.
pub(crate) fn wide_and_narrow(draw: impl Fn(u32) -> String) -> Value {
    json!({"wide": draw(940), "narrow": draw(330)})
}

/// `better`, `worse` or `same`: the CSS class of a change.
pub(crate) fn trend(before: f64, after: f64) -> &'static str {
    if after > before {
        "better"
    } else if after < before {
        "worse"
    } else {
        "same"
    }
}
