//! The compiled half of the Python package: arrays in, models out. There is no algorithm here.

// Arguments that Python converts are ours.
#![allow(clippy::needless_pass_by_value)]

mod errors; // user errors as exceptions
mod borrowed; // numbers read where NumPy keeps them
mod table; // columns of Arrow tables
mod convert; // arrays become probabilities
mod labels; // labels become numbers
mod sample; // probabilities, labels and weights become a sample
mod run; // long work: threads, Ctrl-C, progress
mod metric; // metrics by name, as numbers, and as Python functions
mod model; // the model file
mod fit; // a sample becomes a model
mod statistics; // counters of cuts
mod outcomes; // before and after, with intervals
mod passes; // ascent on rows that are elsewhere
mod sample_builder; // a sample that arrives in batches
mod compare; // methods side by side
mod curves; // the numbers of plots
mod elicit; // metrics that can only be queried
mod page; // the report page
mod export; // models for other engines
mod replies; // replies of a black box become rows
#[cfg(feature = "bench")]
mod bench; // the same work without Python, timed

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[cfg(feature = "bench")]
    #[pymodule_export]
    use crate::bench::{time_fit, time_predict};
    #[pymodule_export]
    use crate::compare::compare;
    #[pymodule_export]
    use crate::convert::address_of;
    #[pymodule_export]
    use crate::curves::{bootstrap, pair_curves};
    #[pymodule_export]
    use crate::elicit::PySession;
    #[pymodule_export]
    use crate::export::{append_onnx, export_onnx, export_python, export_rust, export_sql};
    #[pymodule_export]
    use crate::fit::{check_options, fit, methods};
    #[pymodule_export]
    use crate::labels::{factorize, factorize_objects};
    #[pymodule_export]
    use crate::metric::metric_names;
    #[pymodule_export]
    use crate::model::PyModel;
    #[pymodule_export]
    use crate::outcomes::PyOutcomes;
    #[pymodule_export]
    use crate::page::report_page;
    #[pymodule_export]
    use crate::passes::{PyPassCounts, PyPasses};
    #[pymodule_export]
    use crate::replies::PyReplyReader;
    #[pymodule_export]
    use crate::sample::votes_per_row;
    #[pymodule_export]
    use crate::sample_builder::PySampleBuilder;
    #[pymodule_export]
    use crate::statistics::{PyStatistics, fit_counted};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
