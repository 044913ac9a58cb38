//! Flags of `lab figures`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Figures {
    /// Read TASK.json and write TASK-METRIC.svg in DIR
    #[arg(value_name = "DIR", default_value = "experiments/results")]
    pub(crate) results: PathBuf,
}
