//! Plain facts that methods hand back.

pub(crate) mod forecast; // what to expect on new rows

pub use forecast::{Estimate, Forecast};
