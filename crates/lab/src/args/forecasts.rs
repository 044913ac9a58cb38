//! Flags of `lab forecasts`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Forecasts {
    /// Tables with a label, class columns and a column `split`, as the panel has
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Write one line of JSON per fit to FILE; fits that are there already are not repeated
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Fit these methods
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', default_value = "auto")]
    pub(crate) methods: Vec<String>,
    /// Maximise these metrics
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        default_value = "accuracy,macro-f1,macro-g-mean,mcc,macro-fowlkes-mallows"
    )]
    pub(crate) metrics: Vec<String>,
    /// Draw samples of these sizes; sizes above half of the rows are left out
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "30,50,100,250,500,1000")]
    pub(crate) sizes: Vec<usize>,
    /// Draw N samples of each size, each with test rows of its own
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) repeats: u64,
    /// Add up to N unlabelled rows to every sample
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub(crate) unlabelled: usize,
}
