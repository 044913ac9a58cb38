//! The fits that are recorded, a file for every kind.

pub(super) mod algorithm1; // its settings, on every table
pub(super) mod metrics; // every metric, by the methods that look at one
pub(super) mod methods; // every method, on every table
pub(super) mod forecasts; // what is promised of new rows
pub(super) mod limits; // … and limits
pub(super) mod inputs; // every kind of input
