//! From the log-probabilities of tokens to probabilities of classes.

mod position; // one position of an answer, and its alternatives
mod json; // both from JSON
mod list; // the alternatives, read fast
mod ahead; // the first list, read before its document
mod choices; // the alternatives with their probabilities
mod outcome; // what a text is to the classes
mod walk; // the positions, one after the other
mod answer; // where the value of a JSON field starts

pub(crate) use ahead::{Ahead, Answer};
pub(crate) use answer::locate;
#[cfg(any(test, fuzzing))]
pub(crate) use list::read as read_list;
pub(crate) use position::{Alternative, Fields, Position, Positions, Top, bytes_of};
pub(crate) use walk::{Start, walk};
