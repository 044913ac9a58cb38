//! What `cwplugin` is made of in Python: arrays in, models out. There is no algorithm here.

// What Python hands over is converted, and the result is ours.
#![allow(clippy::needless_pass_by_value)]

mod errors; // what was refused, as an exception
mod lent; // numbers that Python keeps for us
mod table; // columns of Arrow tables
mod convert; // arrays become probabilities
mod labels; // labels become numbers
mod metric; // what is maximised, also by a function of the user
mod run; // long work: threads, Ctrl-C, progress
mod sample; // … joined
mod fit; // a method learns from them
mod model; // the file that is kept
mod export; // … for other engines
mod statistics; // counters of cuts
mod evaluate; // before and after
mod page; // … as a page to look at
mod outcomes; // … counted in many places
mod passes; // ascent where the rows are elsewhere
mod gathered; // some of those rows in one place
mod compare; // methods side by side
mod curves; // what pictures are drawn of
mod elicit; // a metric that can only be queried
#[cfg(feature = "bench")]
mod bench; // the same work without Python

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
    use crate::evaluate::evaluate;
    #[pymodule_export]
    use crate::export::{append_onnx, export_onnx, export_python, export_rust, export_sql};
    #[pymodule_export]
    use crate::fit::fit;
    #[pymodule_export]
    use crate::gathered::PyGathered;
    #[pymodule_export]
    use crate::labels::{factorize, factorize_objects};
    #[pymodule_export]
    use crate::metric::{method_names, metric_names};
    #[pymodule_export]
    use crate::model::PyModel;
    #[pymodule_export]
    use crate::outcomes::PyOutcomes;
    #[pymodule_export]
    use crate::page::report_page;
    #[pymodule_export]
    use crate::passes::{PyPassCounts, PyPasses};
    #[pymodule_export]
    use crate::statistics::{PyStatistics, fit_counted};

    #[pymodule_export]
    const LABELS_COUNT_FROM: u64 = cwplugin::LABELS_COUNT_FROM;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
