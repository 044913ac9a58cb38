//! Flags of `lab experiment`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Experiment {
    /// Run this task, a group of tasks (acs-income, anli-shift, anli-noise, anli-noise-target, generated), theory, or all
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Read the prediction files from DIR [default: the environment variable `CWPLUGIN_DATA`]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Write TASK.json and TASK-METRIC.svg to DIR; for theory, four plots
    #[arg(long, short, value_name = "DIR", default_value = "experiments/results")]
    pub(crate) output: PathBuf,
    /// Compare these methods [default: all that the task supports; theory: cwplugin,expected]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) methods: Vec<String>,
    /// Draw samples of these sizes [default: those of the task, up to the number of rows; theory: 100 to 100000]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sizes: Vec<u32>,
    /// Draw N samples of each size [default: 5; theory: 30]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) repeats: Option<u32>,
    /// Add up to N unlabelled rows of the pool to every sample, for methods that use them [default: 500; theory: 0]
    #[arg(long, value_name = "N")]
    pub(crate) unlabelled: Option<u32>,
}
