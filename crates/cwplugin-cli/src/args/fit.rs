//! Flags of `cwplugin fit`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use cwplugin::methods::OptionSpec;
use cwplugin::{METHODS, Method, Reference};

use super::{Data, parse_timeout};
use crate::input::{quoted, source_priors};
use crate::refusal::Refusal;

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
    /// Give the program of --metric command:PROGRAM so long for each answer [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) metric_timeout: Option<Duration>,
    /// Meet this constraint, METRIC>=NUMBER or METRIC<=NUMBER, on the labelled rows (repeatable), e.g.
    /// 'precision:fraud>=0.9'
    #[arg(long, value_name = "CONSTRAINT", conflicts_with_all = ["stats", "buffer", "unscored"])]
    pub(crate) subject_to: Vec<String>,
    /// Use this method; `cwplugin methods` lists them [default: auto; cwplugin with --stats, --buffer, --unscored or an
    /// option of its own]
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,
    /// With a grid or binary search keep at most N MiB of rows in memory; beyond that they are counted and forgotten
    /// [default: 64]
    #[arg(long, value_name = "N")]
    pub(crate) buffer: Option<u32>,
    /// Do not score the rows before and after: a file beyond the buffer is then read once, not twice
    #[arg(long)]
    pub(crate) unscored: bool,
    /// Show what fewer labels would have brought, and how many more would be needed: fits parts of the labelled rows and
    /// scores them on the others
    #[arg(long, conflicts_with_all = ["stats", "buffer"])]
    pub(crate) learning_curve: bool,
    /// Learn a model from these columns, or from the numbers in FILE.npy (any table of numbers), row by row
    #[arg(long, value_name = "NAME,…|FILE", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
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
    /// The values as the library reads them: source priors in the order of the classes, and a reference that is a class.
    pub(crate) fn resolved(&self, classes: &[String]) -> Result<Vec<(&'static str, String)>, Refusal> {
        let resolve = |(&option, value): (&&'static str, &String)| match option {
            "source-priors" => {
                let priors = source_priors(value, classes)?;
                Ok((option, priors.iter().map(f64::to_string).collect::<Vec<_>>().join(",")))
            }
            "reference" => check_reference(value, classes).map(|()| (option, value.clone())),
            _ => Ok((option, value.clone())),
        };
        self.0.iter().map(resolve).collect()
    }
}

fn check_reference(name: &str, classes: &[String]) -> Result<(), Refusal> {
    Reference::by_name(name, classes).map(drop).map_err(|_| {
        let names = quoted(classes.iter().map(String::as_str));
        Refusal::usage(format!("--reference {name}: unknown class")).hint(format!(
            "write last, largest, best or one of {names} (class:NAME for a class called last, largest or best)"
        ))
    })
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
        Err(error) => Err(format!("{error}: {}", option.help)),
    };
    arg.value_name(option.value).value_parser(check)
}
