//! The programs of `docs/metrics.md` run, and score the example as the page says.

use crate::support::Folder;

const PAGE: &str = include_str!("../../../../docs/metrics.md");

/// The table whose predictions make the matrix of the page.
fn table() -> String {
    let mut table = "label,p_a,p_b,p_c\n".to_string();
    for (truth, counts) in [("a", [6, 3, 1]), ("b", [0, 4, 1]), ("c", [2, 0, 3])] {
        for (row, n) in ["0.8,0.1,0.1", "0.1,0.8,0.1", "0.1,0.1,0.8"].iter().zip(counts) {
            table += &format!("{truth},{row}\n").repeat(n);
        }
    }
    table
}

fn section(name: &str) -> &'static str {
    let (_, text) = PAGE.split_once(&format!("\n## `{name}`\n")).unwrap();
    text.split("\n## `").next().unwrap()
}

fn block(text: &str, language: &str) -> String {
    let (_, block) = text.split_once(&format!("```{language}\n")).unwrap();
    block.split_once("```").unwrap().0.to_string()
}

#[test]
fn the_examples_score_what_the_page_says() {
    for (name, file, language) in [
        ("command:PROGRAM", "metric.py", "python"),
        ("command-once:PROGRAM", "once.py", "python"),
        ("linear-fractional:FILE.json", "return.json", "json"),
        ("cost:FILE.csv", "costs.csv", "csv"),
    ] {
        let is_python = language == "python";
        if is_python && std::process::Command::new("python3").arg("--version").output().is_err() {
            continue; // the page's program cannot be run here
        }
        let text = section(name);
        let folder = Folder::new().with("data.csv", table()).with(file, block(text, language));
        let (metric, score) = text.split_once("* **Example:** `").unwrap().1.split_once("` = ").unwrap();
        assert!(metric.ends_with(file), "{metric}");
        let json = folder.ok(&["eval", "data.csv", "--metric", metric, "--resamples", "3", "--json"]).json();
        let found = json["metrics"][metric]["clean"].as_f64().unwrap();
        assert_eq!(format!("{found:.4}"), score.lines().next().unwrap(), "{metric}");
    }
}

#[test]
fn the_question_on_the_page_is_what_a_program_is_asked() {
    let folder = Folder::new().with("data.csv", table());
    let metric = "command-once:sh -c 'tee asked.txt > /dev/null; echo 1'";
    folder.ok(&["eval", "data.csv", "--metric", &metric.replace("tee ", "tee -a "), "--resamples", "1"]);
    let asked = block(section("command:PROGRAM"), "json");
    assert!(folder.text("asked.txt").contains(&asked), "{}", folder.text("asked.txt"));
    assert_eq!(block(section("command:PROGRAM"), "python").lines().count(), 6);
}
