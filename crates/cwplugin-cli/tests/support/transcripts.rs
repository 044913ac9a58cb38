//! Pages whose `console` blocks are run and compared with what the program prints.
//!
//! `UPDATE_DOCS=1` writes the output of the program to the pages.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of the repository.
pub(crate) fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Compares a page with what it should be, or rewrites it.
pub(crate) fn settle(name: &str, expected: &str) {
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
pub(crate) fn output_of(command: &str, folder: &Path) -> String {
    let program = Path::new(crate::PROGRAM);
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", path)
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The page with every transcript run again, in one folder, from top to bottom.
///
/// A block ```` ```csv NAME ```` is a file that the commands below it find; `$ ` begins a command, what follows is what
/// it prints.
fn rerun(text: &str, files: &[&str]) -> (String, usize) {
    let folder = tempfile::tempdir().unwrap();
    for name in files {
        std::fs::copy(page("testdata/guides").join(name), folder.path().join(name)).unwrap();
    }
    let mut fresh = String::new();
    let mut commands = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        writeln!(fresh, "{line}").unwrap();
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split_once(' ') {
            None if info == "console" => {
                for (place, line) in block.iter().enumerate() {
                    let Some(command) = line.strip_prefix("$ ") else { continue };
                    commands += 1;
                    let printed = block[place + 1..].iter().take_while(|line| !line.starts_with("$ "));
                    let output = if command.contains("python3 ") && !has_python() {
                        printed.fold(String::new(), |all, line| all + line + "\n") // nothing to compare with
                    } else {
                        output_of(command, folder.path())
                    };
                    write!(fresh, "$ {command}\n{output}").unwrap();
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

/// Runs every transcript of a page; so many commands at least.
pub(crate) fn check_transcripts(name: &str, at_least: usize) {
    check_transcripts_with(name, at_least, &[]);
}

/// The same with these files of `testdata/guides` in the folder.
pub(crate) fn check_transcripts_with(name: &str, at_least: usize, files: &[&str]) {
    let text = std::fs::read_to_string(page(name)).unwrap();
    let (fresh, commands) = rerun(&text, files);
    assert!(commands >= at_least, "{name}: only {commands} commands were found");
    settle(name, &fresh);
}
