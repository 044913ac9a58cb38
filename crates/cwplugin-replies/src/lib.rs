#![doc = include_str!("../README.md")]
// The modules stand in the order in which the data passes through them.

mod error; // why a reply is refused
mod cure; // what to do about it
mod source; // whose replies are read
mod path; // dotted paths of fields
mod documents; // bytes to JSON documents
mod recognise; // whether a document is a reply
mod value; // numbers and texts of a document
mod cursor; // lists read without the general parser
mod spelling; // texts compared with spellings
mod classes; // class names and their spellings
mod missing; // classes that are not listed
mod row; // the result
mod tokens; // log-probabilities of tokens to classes
mod scores; // lists of scores to classes
mod output; // where a vendor's rows go
mod wrap; // the reply in its document, label and id beside it
mod vendors; // the fields of every source
mod document_error; // what is wrong with a document
mod reader; // documents to rows
mod votes; // sampled answers
#[cfg(any(test, fuzzing))]
pub mod fuzzing;

pub use classes::{Classes, equal_in_any_case};
pub use documents::{Document, Documents, MAX_DOCUMENT};
pub use error::ReplyError;
pub use missing::{Floor, Missing};
pub use path::FieldPath;
pub use reader::{Reader, names_in};
pub use recognise::{Recognised, recognise};
pub use row::{Row, Rows};
pub use source::{Ask, Kind, Source};
pub use value::fields;
pub use votes::{CountError, PRIOR_VOTES, VoteCounter, Votes, smooth};
