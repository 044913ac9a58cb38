//! Messages of errors: exit 1 for data, exit 2 for usage; one fact, one cure, no output file.

mod cells; // invalid numbers and labels
mod layout; // columns that are missing, repeated or too few
mod files; // folders, truncated files, outputs that cannot be written
mod binary; // values that only binary formats can hold
mod models; // invalid models
mod features; // invalid features
mod priors; // invalid source priors
mod comparisons; // errors of compare
mod external; // … and of its draws and outside predictions
mod statistics; // invalid statistics
mod usage; // wrong usage
mod formulas; // invalid formulas
