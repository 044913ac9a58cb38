//! What is refused, and what is said about it: exit 1 for data, exit 2 for usage; one fact, one cure, no trace.

mod cells; // a number or a label that cannot be used
mod layout; // columns that are missing, doubled or too few
mod files; // folders, cut files, outputs that cannot be written
mod binary; // values that only binary formats can hold
mod models; // models that are none, or of other classes
mod features; // features that are missing, too many or no numbers
mod priors; // shares of classes that are none
mod comparisons; // comparisons that cannot be made
mod statistics; // statistics that are none, or damaged
mod usage; // flags that mean nothing
mod formulas; // formulas that cannot be read
