//! Every `console` block of the docs is run and compared, and the tables of metrics and options equal the library's.
//!
//! `UPDATE_DOCS=1 cargo nextest run -p cwplugin-cli transcripts` updates the pages.

use crate::support::transcripts::{check_transcripts, check_transcripts_with, output_of, page, settle};

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
fn the_page_on_inputs_shows_what_the_program_prints() {
    check_transcripts_with("docs/inputs.md", 12, &["tickets.jsonl.gz"]);
}

#[test]
fn the_guide_to_language_models_shows_what_the_program_prints() {
    check_transcripts_with("docs/guides/llm.md", 6, &["tickets.jsonl.gz"]);
}

#[test]
fn the_guide_to_votes_shows_what_the_program_prints() {
    check_transcripts_with("docs/guides/votes.md", 5, &["votes.jsonl.gz"]);
}

#[test]
fn the_guide_to_vendors_shows_what_the_program_prints() {
    let files = ["comprehend.jsonl.gz", "azure.jsonl.gz", "huggingface.jsonl.gz"];
    check_transcripts_with("docs/guides/vendor.md", 8, &files);
}

#[test]
fn the_guide_to_judges_shows_what_the_program_prints() {
    check_transcripts_with("docs/guides/judge.md", 6, &["judge.jsonl.gz", "judge-truth.csv"]);
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
        assert!(text.contains(&format!("[`{verb}`](#cwplugin-{verb})")), "{verb} is not in the contents");
    }
}

/// The page with the rows below this header replaced.
fn with_table(text: &str, header: &str, rows: &str) -> String {
    let (before, after) = text.split_once(header).unwrap_or_else(|| panic!("no table {header}"));
    let old: usize = after.split_inclusive('\n').take_while(|line| line.starts_with('|')).map(str::len).sum();
    format!("{before}{header}{rows}{}", &after[old..])
}

#[test]
fn the_readme_lists_every_metric() {
    let text = std::fs::read_to_string(page("README.md")).unwrap();
    let rows = cwplugin::metric::CATALOGUE
        .iter()
        .fold(String::new(), |rows, entry| rows + &format!("| `{}` | {} |\n", entry.name, entry.summary));
    settle("README.md", &with_table(&text, "| name | description |\n|---|---|\n", &rows));
}

#[test]
fn the_methods_page_lists_every_method_and_option() {
    let text = std::fs::read_to_string(page("docs/method.md")).unwrap();
    let methods = cwplugin::METHODS.iter().fold(String::new(), |rows, method| {
        let options: Vec<String> =
            method.options.iter().map(|option| format!("`--{}`", option.name)).collect();
        rows + &format!("| `{}` | {} | {} |\n", method.name, method.summary, options.join(" "))
    });
    let text = with_table(&text, "| method | what it does | options |\n|---|---|---|\n", &methods);
    let options = cwplugin::Method::all_options().into_iter().fold(String::new(), |rows, option| {
        let (name, default) = (format!("--{} {}", option.name, option.value), option.default);
        let default = if default.is_empty() { "off" } else { default };
        rows + &format!("| `{}` | {default} | {} |\n", name.trim_end(), option.help)
    });
    let text = with_table(&text, "| option | default | what it does |\n|---|---|---|\n", &options);
    settle("docs/method.md", &text);
}
