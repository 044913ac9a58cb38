//! `docs/metrics.md` describes all metrics, with correct numbers.

use cwplugin::metric::{self, CATALOGUE, Cost, LinearFractional};
use cwplugin::{Confusion, Metric};

const PAGE: &str = include_str!("../../../docs/metrics.md");

/// Name and text of the sections that are about a metric.
fn sections() -> Vec<(&'static str, &'static str)> {
    let parts = PAGE.split("\n## `").skip(1);
    parts.map(|part| part.split_once("`\n").unwrap()).collect()
}

/// The text after `**lead` in a section.
fn item(text: &str, lead: &str) -> String {
    let (_, rest) = text.split_once(&format!("* **{lead}")).unwrap_or_else(|| panic!("no {lead}: {text}"));
    rest.split("\n* ").next().unwrap().trim_start_matches(['*', ' ']).to_string()
}

fn by_name(name: &str) -> Box<dyn Metric> {
    if name.starts_with("cost:") {
        let (_, csv) = PAGE.split_once("```csv\n").unwrap();
        let lines = csv.split("\n```").next().unwrap().lines().skip(1);
        let costs = lines.flat_map(|line| line.split(',').skip(1)).map(|cost| cost.parse().unwrap());
        return Box::new(Cost::new(name, costs.collect(), 3).unwrap());
    }
    if name.starts_with("linear-fractional:") {
        let (_, json) = PAGE.split_once("```json\n").unwrap();
        let file: serde_json::Value = serde_json::from_str(json.split("\n```").next().unwrap()).unwrap();
        let number = |value: &serde_json::Value| value.as_f64().unwrap();
        let a = ["a", "b", "c"].map(|class| number(&file["a"][class])).to_vec();
        let c = file["c"].as_array().unwrap().iter().map(number).collect();
        return Box::new(LinearFractional::new(name, a, number(&file["b"]), c, number(&file["d"])).unwrap());
    }
    metric::by_name(name, &["a", "b", "c"].map(String::from)).unwrap()
}

#[test]
fn every_metric_has_its_section_in_the_order_of_the_list() {
    let found: Vec<&str> = sections().into_iter().map(|(name, _)| name).collect();
    let expected: Vec<&str> = CATALOGUE.iter().map(|entry| entry.name).collect();
    assert_eq!(found, expected);
}

#[test]
fn every_section_answers_the_same_questions() {
    for (name, text) in sections() {
        for lead in ["Use it", "Degenerate cases:", "Equals", "Range:", "Binary search:", "Example:"] {
            assert!(item(text, lead).len() > 3, "{name}: {lead}");
        }
        let (_, formula) = text.split_once("```text\n").unwrap();
        assert!(formula.starts_with("f(C) = "), "{name}");
    }
}

#[test]
fn binary_search_is_promised_where_it_is_allowed() {
    for ((name, text), entry) in sections().into_iter().zip(CATALOGUE) {
        assert_eq!(item(text, "Binary search:").starts_with("yes"), entry.quasi_concave, "{name}");
    }
}

#[test]
fn the_examples_are_the_scores_of_the_matrix_on_the_page() {
    let c = Confusion::from_rows(&[[6.0, 3.0, 1.0], [0.0, 4.0, 1.0], [2.0, 0.0, 3.0]]);
    for (truth, row) in ["a", "b", "c"].iter().zip(c.rows()) {
        let line = format!(" {truth}                 {:4}{:4}{:4}\n", row[0], row[1], row[2]);
        assert!(PAGE.contains(&line), "{line}");
    }
    let on_page = sections().into_iter().map(|(_, text)| {
        let example = item(text, "Example:");
        let (name, score) = example.split_once("` = ").unwrap();
        (name.trim_start_matches('`').to_string(), score.lines().next().unwrap().to_string())
    });
    // Programs are run by the command line's own test of this page.
    let on_page = on_page.filter(|(name, _)| !name.starts_with("command"));
    let (found, expected): (Vec<String>, Vec<String>) = on_page
        .map(|(name, score)| {
            (format!("{name} = {score}"), format!("{name} = {:.4}", by_name(&name).score(&c)))
        })
        .unzip();
    assert_eq!(found, expected);
}

#[test]
fn the_formulas_on_the_page_give_their_scores() {
    let c = Confusion::from_rows(&[[6.0, 3.0, 1.0], [0.0, 4.0, 1.0], [2.0, 0.0, 3.0]]);
    let (_, table) = PAGE.split_once("| goal | formula | example |\n").unwrap();
    let rows: Vec<&str> = table.lines().skip(1).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 3);
    for row in rows {
        let cells: Vec<&str> = row.split(" | ").collect();
        let name = format!("expr:{}", cells[1].trim_matches('`'));
        assert_eq!(cells[2].trim_end_matches(" |"), format!("{:.4}", by_name(&name).score(&c)), "{name}");
    }
}
