//! What can follow on the command line.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{Arg, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use cwplugin::METHODS;
use cwplugin::metric::CATALOGUE;

use crate::table::{Format, ReadOptions, Reader, is_stream};

/// The command line with candidates for the values of flags.
pub(super) fn added_to(command: Command) -> Command {
    command.mut_args(with_candidates).mut_subcommands(added_to)
}

fn with_candidates(arg: Arg) -> Arg {
    let complete: fn(&OsStr) -> Vec<CompletionCandidate> = match arg.get_id().as_str() {
        "metric" | "metrics" => |typed| last_of_list(typed, metrics),
        "method" | "methods" => |typed| starting_with(typed, methods()),
        "label" | "weight" | "id" | "features" | "test_column" => |typed| starting_with(typed, columns()),
        "classes" | "positive" | "reference" => |typed| starting_with(typed, classes()),
        _ => return arg,
    };
    arg.add(ArgValueCompleter::new(complete))
}

type Named = (String, &'static str);

fn methods() -> Vec<Named> {
    METHODS.iter().map(|method| (method.name.to_string(), method.summary)).collect()
}

/// Metrics without parameters, those of the classes, and the beginnings of the others.
fn metrics(typed: &str) -> Vec<Named> {
    let mut names = Vec::new();
    for entry in CATALOGUE {
        match entry.name.split_once(':') {
            None => names.push((entry.name.to_string(), entry.summary)),
            Some((head, "CLASS")) if typed.starts_with(&format!("{head}:")) => {
                names.extend(classes().into_iter().map(|(class, _)| (format!("{head}:{class}"), "")));
            }
            Some((head, _)) => names.push((format!("{head}:"), entry.summary)),
        }
    }
    names
}

/// The candidates of the last name in a list.
fn last_of_list(typed: &OsStr, names: fn(&str) -> Vec<Named>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let (before, last) =
        typed.rsplit_once(',').map_or(("", &*typed), |(_, last)| (&typed[..typed.len() - last.len()], last));
    let candidates = starting_with(OsStr::new(last), names(last));
    candidates.into_iter().map(|candidate| candidate.add_prefix(before)).collect()
}

fn starting_with(typed: &OsStr, names: Vec<Named>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let matching = names.into_iter().filter(|(name, _)| name.starts_with(&*typed));
    let candidate =
        |(name, help): Named| CompletionCandidate::new(name).help((!help.is_empty()).then(|| help.into()));
    matching.map(candidate).collect()
}

fn columns() -> Vec<Named> {
    columns_of(&typed_words())
}

fn classes() -> Vec<Named> {
    classes_of(&columns_of(&typed_words()))
}

/// The command line so far; the scripts pass it after `--`.
fn typed_words() -> Vec<OsString> {
    std::env::args_os().skip_while(|word| word != "--").skip(1).collect()
}

/// The columns of the tables on the command line.
fn columns_of(words: &[OsString]) -> Vec<Named> {
    let mut names: Vec<Named> = Vec::new();
    for path in words.iter().map(Path::new).filter(|path| !is_stream(path) && is_table(path)) {
        let Ok(reader) = Reader::open(path, &ReadOptions::default()) else { continue };
        for field in reader.schema().fields() {
            let name = field.name().trim();
            // A shell would have to quote other names.
            let is_plain = !name.is_empty() && !name.chars().any(|c| c.is_control() || c.is_whitespace());
            if is_plain && names.iter().all(|(known, _)| known != name) {
                names.push((name.to_string(), ""));
            }
        }
    }
    names
}

fn is_table(path: &Path) -> bool {
    Format::of_name(path).is_some() && path.is_file()
}

/// The classes among the columns: those with a usual prefix, else all.
fn classes_of(columns: &[Named]) -> Vec<Named> {
    let class = |column: &str| {
        let prefixes = ["proba_", "prob_", "p_"];
        prefixes.iter().find_map(|prefix| column.strip_prefix(prefix)).map(String::from)
    };
    let named: Vec<Named> = columns.iter().filter_map(|(column, _)| Some((class(column)?, ""))).collect();
    if named.is_empty() { columns.to_vec() } else { named }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(candidates: &[CompletionCandidate]) -> Vec<String> {
        candidates.iter().map(|candidate| candidate.get_value().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn metrics_are_completed_in_a_list() {
        let found = names(&last_of_list(OsStr::new("mcc,macro-f"), metrics));
        assert_eq!(found, ["mcc,macro-f1", "mcc,macro-f-beta:", "mcc,macro-fowlkes-mallows"]);
        assert_eq!(names(&last_of_list(OsStr::new("balanced"), metrics)), ["balanced-accuracy"]);
    }

    #[test]
    fn columns_come_from_the_tables_on_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.csv");
        std::fs::write(&path, "label,p_ham,p_spam,free text\nham,0.5,0.5,x\n").unwrap();
        let words =
            ["cwplugin".into(), "fit".into(), path.into_os_string(), "missing.csv".into(), "-".into()];
        let columns = columns_of(&words);
        let texts = |named: &[Named]| named.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&columns), ["label", "p_ham", "p_spam"]);
        assert_eq!(texts(&classes_of(&columns)), ["ham", "spam"]);
        assert_eq!(names(&starting_with(OsStr::new("p_s"), columns)), ["p_spam"]);
    }
}
