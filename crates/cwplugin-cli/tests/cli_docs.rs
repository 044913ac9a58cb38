//! `docs/cli.md` shows what the program says today; `UPDATE_DOCS=1` rewrites the page.
//!
//! Two kinds of code block are compared, each behind a comment that a reader of the page does not see:
//! `<!-- help VERB -->`, the output of `cwplugin VERB --help`, and `<!-- run -->` or `<!-- run lines=N -->`, commands
//! behind `$` with the first N lines of what they print. The commands run one after the other in one folder.

#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md")
}

/// Runs the program as from a terminal of 100 columns, without colour.
fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cwplugin"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    command.env("COLUMNS", "100").env_remove("CLICOLOR_FORCE").output().unwrap()
}

/// What the program prints, standard output first; blanks at the ends of lines do not show on a page.
fn printed(folder: &Path, args: &[&str]) -> Vec<String> {
    let output = run(folder, args);
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    text.lines().map(|line| line.trim_end().to_string()).collect()
}

/// The page with every block made anew.
fn made_anew(page: &str, folder: &Path) -> String {
    let mut lines = page.lines();
    let mut made: Vec<String> = Vec::new();
    while let Some(line) = lines.next() {
        made.push(line.to_string());
        let Some(comment) = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->")) else {
            continue;
        };
        let fence = lines.next().unwrap_or_default();
        assert!(fence.starts_with("```"), "no code block behind {line}");
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        made.push(fence.to_string());
        match comment.split_once(' ').unwrap_or((comment, "")) {
            ("help", verb) => {
                let args: Vec<&str> =
                    verb.split(' ').chain(["--help"]).filter(|arg| !arg.is_empty()).collect();
                made.extend(printed(folder, &args));
            }
            ("run", limit) => {
                let limit = limit.strip_prefix("lines=").map_or(usize::MAX, |n| n.parse().unwrap());
                for command in block.iter().filter(|line| line.starts_with("$ cwplugin ")) {
                    made.push((*command).to_string());
                    let args: Vec<&str> = command["$ cwplugin ".len()..].split(' ').collect();
                    let mut output = printed(folder, &args);
                    if output.len() > limit {
                        output.truncate(limit);
                        output.push("…".to_string());
                    }
                    made.extend(output);
                }
            }
            _ => panic!("unknown comment: {line}"),
        }
        made.push("```".to_string());
    }
    made.join("\n") + "\n"
}

#[test]
fn the_page_shows_what_the_program_prints() {
    let old = fs::read_to_string(page()).unwrap();
    let new = made_anew(&old, tempfile::tempdir().unwrap().path());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(page(), new).unwrap();
        return;
    }
    if let Some((line, (old, new))) = old.lines().zip(new.lines()).enumerate().find(|(_, (a, b))| a != b) {
        panic!(
            "docs/cli.md is out of date from line {}: \"{old}\" is now \"{new}\"\n\
             UPDATE_DOCS=1 cargo test -p cwplugin-cli --test cli_docs",
            line + 1
        );
    }
    assert_eq!(old.lines().count(), new.lines().count());
}

#[test]
fn every_verb_has_its_section() {
    let folder = tempfile::tempdir().unwrap();
    let help = printed(folder.path(), &["--help"]);
    let verbs =
        help.iter().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let verbs: Vec<&str> = verbs.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(verbs.contains(&"fit"), "{verbs:?}");
    let page = fs::read_to_string(page()).unwrap();
    for verb in verbs.into_iter().filter(|verb| *verb != "help") {
        assert!(page.contains(&format!("\n## `cwplugin {verb}`\n")), "{verb}");
        assert!(page.contains(&format!("\n<!-- help {verb} -->\n")), "{verb}");
    }
}

#[test]
fn the_exit_codes_of_the_page_are_the_programs() {
    let folder = tempfile::tempdir().unwrap();
    let code = |args: &[&str]| run(folder.path(), args).status.code();
    assert_eq!(code(&["demo", "--save", "."]), Some(0));
    assert_eq!(code(&["--version"]), Some(0));
    assert_eq!(code(&["fit", "missing.csv"]), Some(1));
    assert_eq!(code(&["fit", "sample.csv", "--label", "missing"]), Some(1));
    assert_eq!(code(&["apply", "sample.csv", "test.csv"]), Some(1));
    assert_eq!(code(&["fit", "sample.csv", "--metric", "missing"]), Some(2));
    assert_eq!(code(&["fit", "sample.csv", "--metric", "macro-f1", "--search", "binary:0.01"]), Some(2));
    assert_eq!(code(&["fit"]), Some(2));
    assert_eq!(code(&[]), Some(2));
}
