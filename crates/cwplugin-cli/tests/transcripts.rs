//! The pages speak the truth: every `console` block is run and its output compared, the list of metrics is the real one.
//!
//! `UPDATE_DOCS=1 cargo test -p cwplugin-cli transcripts` writes what the program says into the pages.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Compares a page with what it should be, or rewrites it.
fn settle(name: &str, expected: &str) {
    let text = std::fs::read_to_string(page(name)).unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(page(name), expected).unwrap();
        return;
    }
    for (line, (is, should)) in text.lines().zip(expected.lines()).enumerate() {
        assert_eq!(is, should, "{name}, line {}", line + 1);
    }
    assert_eq!(text.len(), expected.len(), "{name} ends too early or too late");
}

/// Runs a command line in a folder and returns all it prints; blanks at the ends of lines do not show on a page.
fn output_of(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_cwplugin"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("COLUMNS", "100")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

/// The page with every transcript run anew, in one folder, from top to bottom.
///
/// A block ```` ```csv NAME ```` is a file that the commands below it find; `$ ` begins a command, what follows is what
/// it prints.
fn rerun(text: &str) -> (String, usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut fresh = String::new();
    let mut commands = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        writeln!(fresh, "{line}").unwrap();
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split_once(' ') {
            None if info == "console" => {
                for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
                    commands += 1;
                    write!(fresh, "$ {command}\n{}", output_of(command, folder.path())).unwrap();
                }
            }
            file => {
                let content = block.iter().fold(String::new(), |all, line| all + line + "\n");
                if let Some((_, name)) = file {
                    std::fs::write(folder.path().join(name), &content).unwrap();
                }
                fresh += &content;
            }
        }
        fresh += "```\n";
    }
    (fresh, commands)
}

fn check_transcripts(name: &str, at_least: usize) {
    let text = std::fs::read_to_string(page(name)).unwrap();
    let (fresh, commands) = rerun(&text);
    assert!(commands >= at_least, "{name}: only {commands} commands were found");
    settle(name, &fresh);
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    check_transcripts("README.md", 6);
}

#[test]
fn the_guide_shows_what_the_program_prints() {
    check_transcripts("docs/guide.md", 24);
}

#[test]
fn the_reference_shows_what_the_program_prints() {
    check_transcripts("docs/cli.md", 30);
}

#[test]
fn the_page_on_statistics_shows_what_the_program_prints() {
    check_transcripts("docs/statistics-format.md", 4);
}

#[test]
fn the_reference_has_a_section_and_the_help_of_every_verb() {
    let folder = tempfile::tempdir().unwrap();
    let help = output_of("cwplugin --help", folder.path());
    let commands = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let verbs: Vec<&str> = commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(verbs.contains(&"fit"), "{verbs:?}");
    let text = std::fs::read_to_string(page("docs/cli.md")).unwrap();
    for verb in verbs.into_iter().filter(|verb| *verb != "help") {
        assert!(text.contains(&format!("\n## `cwplugin {verb}`\n")), "{verb}");
        assert!(text.contains(&format!("\n$ cwplugin {verb} --help\n")), "{verb}");
    }
}

#[test]
fn the_readme_lists_every_metric() {
    let text = std::fs::read_to_string(page("README.md")).unwrap();
    let (before, after) = text.split_once("| name | what it is |\n|---|---|\n").unwrap();
    let rest = after.trim_start_matches(|c| c != '\n').trim_start();
    let rest = &rest[rest.find("\n\n").unwrap_or(0)..];
    let rows = cwplugin::metric::CATALOGUE
        .iter()
        .fold(String::new(), |rows, entry| rows + &format!("| `{}` | {} |\n", entry.name, entry.summary));
    let table = format!("| name | what it is |\n|---|---|\n{}", rows.trim_end());
    settle("README.md", &format!("{before}{table}{rest}"));
}
