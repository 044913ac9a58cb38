//! The pages speak the truth: every `console` block is run and its output compared, the list of metrics is the real one.
//!
//! `UPDATE_DOCS=1 cargo test -p cwplugin-cli transcripts` writes what the program says into the pages.

use crate::support::transcripts::{check_transcripts, output_of, page, settle};

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
