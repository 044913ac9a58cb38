//! The page, part by part, in the order of reading.

pub(crate) mod verdict; // what to expect, in a sentence
pub(crate) mod metrics; // every metric before and after
pub(crate) mod confusion; // who is taken for whom
pub(crate) mod classes; // precision, recall and F1 of every class
pub(crate) mod weights; // what was learned
pub(crate) mod alpha; // … and what else might have been
pub(crate) mod learning; // what more labels would bring
pub(crate) mod changes; // which rows changed class
pub(crate) mod data; // the rows, and the doubts
pub(crate) mod reproduce; // the same again

use serde_json::{Value, json};

/// A picture for a desk and one for a phone: text that is scaled down to a phone cannot be read.
pub(crate) fn for_desk_and_phone(draw: impl Fn(u32) -> String) -> Value {
    json!({"wide": draw(820), "narrow": draw(330)})
}
