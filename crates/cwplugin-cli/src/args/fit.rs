//! Flags of `cwplugin fit`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use cwplugin::methods::OptionSpec;
use cwplugin::{Error, METHODS, Method};

use super::{Data, parse_timeout};

#[derive(Debug, clap::Args)]
pub(crate) struct Fit {
    /// Read this table; `-` is standard input
    #[arg(value_name = "DATA", required_unless_present = "stats")]
    pub(crate) path: Option<PathBuf>,
    /// Fit from the statistics in FILE instead of rows
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "path", "format", "label", "classes", "prefix", "weight", "id", "scores", "normalize", "delimiter", "buffer",
        "unscored", "features",
    ])]
    pub(crate) stats: Option<PathBuf>,
    /// Maximise this metric; `cwplugin metrics` lists them
    #[arg(long, value_name = "NAME", default_value = "macro-f1")]
    pub(crate) metric: String,
    /// Wait this long for each answer of --metric command:PROGRAM [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) metric_timeout: Option<Duration>,
    /// Meet this constraint, METRIC>=NUMBER or METRIC<=NUMBER, on the labelled rows (repeatable), e.g.
    /// 'precision:fraud>=0.9'
    #[arg(long, value_name = "CONSTRAINT", conflicts_with_all = ["stats", "buffer", "unscored"])]
    pub(crate) subject_to: Vec<String>,
    /// Use this method; `cwplugin methods` lists them [default: auto; cwplugin if --stats, --buffer, --unscored or one of its
    /// options is given]
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,
    /// Keep at most N MiB of rows in memory with a grid or binary search; count the rest [default: 128]
    #[arg(long, value_name = "N")]
    pub(crate) buffer: Option<u32>,
    /// Do not score the rows before and after; a file larger than the buffer is then read only once
    #[arg(long)]
    pub(crate) unscored: bool,
    /// Fit subsets of the labelled rows to show the gain with fewer labels, and how many more are needed
    #[arg(long, conflicts_with_all = ["stats", "buffer"])]
    pub(crate) learning_curve: bool,
    /// Learn from these columns, or row by row from FILE.npy or another table of numbers
    #[arg(long, value_name = "NAME,…|FILE", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Print everything: all classes, weights, calibration and settings
    #[arg(long)]
    pub(crate) verbose: bool,
    /// Write the model to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) options: MethodOptions,
    #[command(flatten)]
    pub(crate) data: Data,
}

/// The options of the methods, by name: one flag for each option in the library's table.
#[derive(Debug, Clone, Default)]
pub(crate) struct MethodOptions(pub(crate) BTreeMap<&'static str, String>);

impl MethodOptions {
    /// The value of an option, if it is set.
    pub(crate) fn get(&self, option: &str) -> Option<&str> {
        self.0.get(option).map(String::as_str)
    }
}

impl clap::Args for MethodOptions {
    fn augment_args(command: clap::Command) -> clap::Command {
        Method::all_options().into_iter().fold(command, |command, option| command.arg(flag(option)))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for MethodOptions {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        let value = |option: &'static OptionSpec| {
            let value = if option.is_switch() {
                matches.get_flag(option.name).then(|| "true".to_string())
            } else {
                matches.get_one::<String>(option.name).cloned()
            };
            Some((option.name, value?))
        };
        Ok(Self(Method::all_options().into_iter().filter_map(value).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The flag of an option, with the methods that support it.
fn flag(option: &'static OptionSpec) -> clap::Arg {
    let methods: Vec<&str> = METHODS
        .iter()
        .filter(|method| method.option(option.name).is_some() && !method.name.contains(':'))
        .map(|method| method.name)
        .collect();
    let default = match option.default {
        "" => String::new(),
        default => format!(" [default: {default}]"),
    };
    let help = format!("{} ({}){default}", option.help, methods.join(", "));
    let arg = clap::Arg::new(option.name).long(option.name).help(help).help_heading("Method options");
    if option.is_switch() {
        return arg.action(clap::ArgAction::SetTrue);
    }
    let check = move |text: &str| match option.check(text) {
        Ok(()) => Ok(text.to_string()),
        Err(Error::UnknownOption { .. }) => Err(option.help.to_string()),
        Err(error) => Err(error.to_string()),
    };
    arg.value_name(option.value).value_parser(check)
}
