//! Tables as they are found: one column for two classes, percentages, decimal commas, labels elsewhere.

use serde_json::json;

use crate::support::Folder;

/// Labels and probabilities of spam.
const SPAM: [(&str, f64); 6] =
    [("ham", 0.1), ("ham", 0.3), ("spam", 0.4), ("spam", 0.9), ("ham", 0.2), ("spam", 0.7)];

fn table(header: &str, row: impl Fn(usize, &str, f64) -> String) -> String {
    let rows = SPAM.iter().enumerate().map(|(i, (label, p))| row(i, label, *p) + "\n");
    format!("{header}\n{}", rows.collect::<String>())
}

fn weights(folder: &Folder, args: &[&str]) -> serde_json::Value {
    let args: Vec<&str> =
        ["fit"].iter().chain(args).chain(&["--method", "cwplugin", "--json"]).copied().collect();
    let model = folder.ok(&args).json();
    assert_eq!(model["classes"], json!(["ham", "spam"]), "{args:?}");
    model["weights"].clone()
}

/// Every table says the same, so every model has the same weights.
#[test]
fn the_same_rows_in_other_forms_give_the_same_model() {
    let folder = Folder::new();
    folder.write("plain.csv", table("label,p_ham,p_spam", |_, label, p| format!("{label},{},{p}", 1.0 - p)));
    folder.write("single.csv", table("label,p_spam", |_, label, p| format!("{label},{p}")));
    folder.write("score.csv", table("text,label,score", |_, label, p| format!("x,{label},{p}")));
    folder.write(
        "percent.csv",
        table("label,ham,spam", |_, label, p| format!("{label},{},{}", 100.0 - 100.0 * p, 100.0 * p)),
    );
    let comma = |number: f64| format!("{number:.2}").replace('.', ",");
    folder.write(
        "comma.csv",
        table("label;ham;spam", |_, label, p| format!("{label};{};{}", comma(1.0 - p), comma(p))),
    );
    folder.write(
        "comma.tsv",
        table("label\tham\tspam", |_, label, p| format!("{label}\t{}\t{}", comma(1.0 - p), comma(p))),
    );
    folder.write(
        "numbered.csv",
        table("id,n_words,label,ham,spam", |i, label, p| format!("{i},{},{label},{},{p}", i * 7, 1.0 - p)),
    );
    folder.write(
        "positions.csv",
        table("label,p_ham,p_spam", |_, label, p| {
            format!("{},{},{p}", 1 + usize::from(label == "spam"), 1.0 - p)
        }),
    );
    folder.write(
        "case.csv",
        table("label,p_ham,p_spam", |_, label, p| format!("{},{},{p}", label.to_uppercase(), 1.0 - p)),
    );
    folder
        .write("other.csv", table("label,p_ham,p_spam", |_, label, p| format!("is {label},{},{p}", 1.0 - p)));
    folder.write("map.csv", "label,class\nis ham,ham\nis spam,spam\n");
    folder.write("rows.csv", table("key,p_ham,p_spam", |i, _, p| format!("r{i},{},{p}", 1.0 - p)));
    folder.write("labels.csv", table("key,truth", |i, label, _| format!("r{i},{label}")));
    let expected = weights(&folder, &["plain.csv"]);
    for args in [
        &["single.csv"][..],
        &["score.csv", "--positive", "spam"],
        &["percent.csv"],
        &["percent.csv", "--scores", "percentages"],
        &["comma.csv"],
        &["comma.tsv", "--decimal", ","],
        &["numbered.csv"],
        &["positions.csv", "--label-index", "1"],
        &["case.csv", "--ignore-case"],
        &["other.csv", "--label-map", "map.csv"],
        &["rows.csv", "--label", "labels.csv", "--id", "key"],
    ] {
        let found = weights(&folder, args);
        let close = |k: usize| (found[k].as_f64().unwrap() - expected[k].as_f64().unwrap()).abs() < 1e-12;
        assert!(close(0) && close(1), "{args:?}: {found} instead of {expected}");
    }
}

#[test]
fn what_is_recognised_is_said() {
    let folder = Folder::new();
    folder.write(
        "percent.csv",
        table("label,ham,spam", |_, label, p| format!("{label},{},{}", 100.0 - 100.0 * p, 100.0 * p)),
    );
    let note = "note: percent.csv: \"ham\", \"spam\" hold percentages; --scores percentages confirms it";
    assert!(folder.ok(&["fit", "percent.csv"]).stderr.contains(note));
    assert!(!folder.ok(&["fit", "percent.csv", "--scores", "percentages"]).stderr.contains("percentages"));
    folder.write("single.csv", table("row_id,label,p_spam", |i, label, p| format!("{i},{label},{p}")));
    let stderr = folder.ok(&["fit", "single.csv"]).stderr;
    let note = "note: single.csv: column \"p_spam\" is read as the probability of \"spam\"; --positive spam confirms it";
    assert!(stderr.contains(note) && !stderr.contains("the class columns"), "{stderr}");
    let comma = |number: f64| format!("{number:.2}").replace('.', ",");
    folder.write(
        "comma.csv",
        table("label;ham;spam", |_, label, p| format!("{label};{};{}", comma(1.0 - p), comma(p))),
    );
    let stderr = folder.ok(&["fit", "comma.csv", "--search", "grid:0.01", "--buffer", "0"]).stderr;
    assert_eq!(stderr.matches("decimal comma").count(), 1, "read twice, said once: {stderr}");
    folder.write(
        "numbered.csv",
        table("id,n_words,label,ham,spam", |i, label, p| format!("{i},{},{label},{},{p}", i * 7, 1.0 - p)),
    );
    let note =
        "the class columns are \"ham\", \"spam\", not \"id\", \"n_words\"; --classes ham,spam confirms it";
    assert!(folder.ok(&["fit", "numbered.csv"]).stderr.contains(note));
}

#[test]
fn a_column_that_is_not_a_class_is_never_taken_for_one() {
    let folder = Folder::new();
    // The hint of a refusal must not lead to a fit on the wrong columns.
    folder.write(
        "unnormalised.csv",
        table("id,label,ham,spam", |i, label, p| format!("{},{label},{},{}", i + 1, 2.0 - 2.0 * p, 2.0 * p)),
    );
    let model = folder.ok(&["fit", "unnormalised.csv", "--normalize", "--json"]).json();
    assert_eq!(model["classes"], json!(["ham", "spam"]));
    folder.write(
        "price.csv",
        table("price,label,ham,spam", |i, label, p| {
            format!("{}.5,{label},{},{}", i + 1, 2.0 - 2.0 * p, 2.0 * p)
        }),
    );
    let error = "price.csv: which of the columns \"price\", \"ham\", \"spam\" are classes is not certain";
    folder.refuses(&["fit", "price.csv", "--normalize"], error, "name the classes, for example --classes");
    // Without --normalize, the rows that do not sum to 1 are named.
    let run = folder.run(&["fit", "price.csv"]);
    assert!(run.code == 1 && run.stderr.contains("row 1"), "{}", run.stderr);
    // A column that makes the rows stop summing to 1 is left out.
    folder.write(
        "noise.csv",
        table("noise,label,ham,spam", |i, label, p| format!("0.{i}1,{label},{},{p}", 1.0 - p)),
    );
    let model = folder.ok(&["fit", "noise.csv", "--json"]).json();
    assert_eq!(model["classes"], json!(["ham", "spam"]));
}

#[test]
fn labels_elsewhere_are_counted_and_must_be_unique() {
    let folder = Folder::new().with("rows.csv", "id,p_a,p_b\n1,0.7,0.3\n2,0.4,0.6\n3,0.5,0.5\n");
    folder.write("labels.csv", "id,label\n2,b\n1,a\n9,a\n");
    let run = folder.ok(&["eval", "rows.csv", "--label", "labels.csv"]);
    let note =
        "note: labels.csv: 2 of 3 labels matched by \"id\"; 1 row without a label, 1 label without a row";
    assert!(run.stderr.contains(note), "{}", run.stderr);
    let fit = ["fit", "rows.csv", "--label", "labels.csv"];
    folder.write("labels.csv", "id,label\n2,b\n2,a\n");
    folder.refuses(&fit, "labels.csv: row 2, column \"id\": \"2\" occurs twice, first in row 1", "one label");
    folder.write("labels.csv", "id,label\n,b\n");
    folder.refuses(&fit, "labels.csv: row 1, column \"id\": the id is missing", "fill it in");
    folder.write("labels.csv", "id,label\n2,c\n");
    folder.refuses(&fit, "labels.csv: row 1: unknown class \"c\"", "the classes are");
    folder.write("labels.csv", "key,label\n2,b\n");
    folder.refuses(&fit, "labels.csv: no column \"id\" to join the labels by", "--id NAME");
    folder.write("labels.csv", "id,label\n7,b\n");
    let error =
        "rows.csv: no row has a label in labels.csv, joined by \"id\": the first ids are \"1\" and \"7\"";
    folder.refuses(&fit, error, "write the ids alike");
    folder.write("labels.csv", "id,label\n");
    folder.refuses(&fit, "labels.csv: the table has no rows", "add rows with an id");
    folder.write("labels.csv", "id,label\n1,a\n2,b\n");
    folder.write("rows.csv", "id,p_a,p_b\n1,0.7,0.3\n2,0.4,0.6\n1,0.5,0.5\n");
    let error =
        "rows.csv: row 3, column \"id\": \"1\" occurs twice, first in row 1, but has one label in labels.csv";
    folder.refuses(&fit, error, "keep one row for each id");
    folder.write("rows.csv", "id,p_a,p_b\n1,0.7,0.3\n,0.4,0.6\n");
    folder.refuses(&fit, "rows.csv: row 2, column \"id\": the id is missing", "fill it in");
}

#[test]
fn wrong_labels_and_columns_come_with_a_cure() {
    let folder = Folder::new().with("case.csv", "label,p_ham,p_spam\nSpam ,0.5,0.5\n");
    let error = "case.csv: row 1, column \"label\": unknown class \"Spam \"";
    folder.refuses(&["fit", "case.csv"], error, "did you mean \"spam\"? --ignore-case");
    folder.write("index.csv", "label,p_ham,p_spam\n0,0.5,0.5\n1,0.5,0.5\n");
    folder.refuses(
        &["fit", "index.csv"],
        "index.csv: row 1, column \"label\": unknown class \"0\"",
        "--label-index 0 or 1",
    );
    let error = "index.csv: row 1, column \"label\": unknown class \"0\"";
    folder.refuses(&["fit", "index.csv", "--label-index", "1"], error, "whole numbers from 1 to 2");
    folder.write("single.csv", "label,score\nham,0.5\nspam,0.5\n");
    let error = "single.csv: column \"score\": the probability of ham or of spam?";
    folder.refuses(&["fit", "single.csv"], error, "--positive spam");
    folder.write("ratings.csv", "label,p_spam\nham,2\nspam,5\n");
    let error = "ratings.csv: row 1, column \"p_spam\": probability 2 is above 1";
    folder.refuses(&["fit", "ratings.csv"], error, "--scores percentages");
    let sql = ["stats", "--sql", "duckdb", "--classes", "ham,spam", "--positive", "spam"];
    folder.run(&sql).refused(2, "--positive is not supported by --sql", "omit --positive");
    folder.write("above.csv", "label,p_spam\nham,0.5\nspam,1.25\n");
    folder.refuses(
        &["fit", "above.csv"],
        "above.csv: row 2, column \"p_spam\": probability 1.25 is above 1",
        "--scores logits",
    );
    folder.write("percent.csv", "label,ham,spam\nham,60,40\nspam,30,70\nham,60,30\n");
    let error = "percent.csv: row 3, columns \"ham\", \"spam\": the percentages sum to 90, not to 100";
    folder.refuses(&["fit", "percent.csv", "--scores", "percentages"], error, "--scores probabilities");
}

#[test]
fn a_model_remembers_how_its_input_was_read() {
    let folder = Folder::new();
    folder.write("single.csv", table("label,score", |_, label, p| format!("{label},{}", 100.0 * p)));
    let model = folder.ok(&["fit", "single.csv", "--positive", "spam", "-o", "m.json", "--json"]).json();
    assert_eq!(model["input"], json!({"scores": "percentages", "positive": "spam"}));
    folder.write("new.csv", "score\n90\n1\n");
    let predicted = folder.ok(&["apply", "m.json", "new.csv", "--json"]).json();
    assert_eq!(predicted["predictions"], json!(["spam", "ham"]));
    folder.ok(&["eval", "m.json", "single.csv"]);
    folder.ok(&["report", "m.json", "single.csv", "-o", "page.html"]);
    let run = folder.run(&["apply", "m.json", "new.csv", "--scores", "logits"]);
    run.refused(2, "--scores logits, but m.json was fitted with --scores percentages", "omit --scores");
    let run = folder.run(&["apply", "m.json", "new.csv", "--positive", "ham"]);
    run.refused(2, "--positive ham, but m.json was fitted with --positive spam", "omit --positive");
    let run = folder.ok(&["export", "m.json", "--to", "sql", "--dialect", "duckdb"]);
    assert!(run.stderr.contains("the export takes probabilities of \"ham\", \"spam\""), "{}", run.stderr);
}

#[test]
fn swapped_arguments_are_named() {
    let folder = Folder::with_model();
    for verb in ["apply", "eval", "report"] {
        let run = folder.run(&[verb, "data.csv", "model.json"]);
        let error = "model.json is the model, and data.csv is not: the arguments are swapped";
        run.refused(2, error, &format!("cwplugin {verb} model.json data.csv"));
    }
}
