//! The paper's experiments, and those on generated rows.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Experiment {
    /// Run this task, a group of tasks (acs-income, anli-shift, anli-noise, generated) or all
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Read the prediction files from DIR [default: the folder that the variable `CWPLUGIN_DATA` names]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Write TASK.json and TASK.svg into DIR
    #[arg(long, short, value_name = "DIR", default_value = "experiments/results")]
    pub(crate) output: PathBuf,
    /// Compare these methods [default: all that the task has something for]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) methods: Vec<String>,
    /// Draw samples of these sizes [default: those of the task, as far as there are rows]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sizes: Vec<u32>,
    /// Draw N samples of each size
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) repeats: u32,
    /// Add to every sample up to N other rows of the pool without their labels, for methods that use such rows
    #[arg(long, value_name = "N", default_value_t = crate::commands::compare::UNLABELLED)]
    pub(crate) unlabelled: u32,
}
