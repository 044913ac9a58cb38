//! The same rows in another form than those of the fit.

use serde_json::{Value, json};

use super::{applied, chat, folder, words};
use crate::support::Folder;

/// The form belongs to the file, not to the black box: a model reads the same rows in another form.
#[test]
fn a_file_that_is_plainly_of_another_form_is_read_as_what_it_is() {
    let folder = folder();
    let plain = |row: fn(&str, &str) -> String| -> String {
        let text = folder.text("comma.csv");
        text.lines()
            .skip(1)
            .map(|line| {
                let [label, ham, spam] = line.split(';').collect::<Vec<_>>()[..] else { unreachable!() };
                row(label, &format!("{},{}", ham.replace(',', "."), spam.replace(',', "."))) + "\n"
            })
            .collect()
    };
    folder.write("point.csv", "label,ham,spam\n".to_owned() + &plain(|label, row| format!("{label},{row}")));
    let wrapped = folder.text("chat.jsonl");
    let replies = wrapped.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        (json!({"label": line["label"], "call": {"body": line["response"]}}), line["response"].clone())
    });
    let (moved, raw): (Vec<Value>, Vec<Value>) = replies.unzip();
    let lines = |all: &[Value]| all.iter().map(|line| line.to_string() + "\n").collect::<String>();
    folder.write("moved.jsonl", lines(&moved));
    folder.write("raw.jsonl", lines(&raw));
    folder.ok(&["fit", "point.csv", "--method", "ascent", "-o", "point.json"]);
    let (expected, _) = applied(&folder, "point.json", "point.csv");
    for (fit, file, note) in [
        ("comma.csv", "point.csv", "numbers have a decimal point, not a comma as in the fit of m.json"),
        (
            "percent.csv",
            "point.csv",
            "\"ham\", \"spam\" hold probabilities, not percentages as in the fit of m.json",
        ),
        (
            "score.csv --positive spam",
            "point.csv",
            "every class has a column, not only \"spam\" as in the fit of m.json",
        ),
        (
            "chat.jsonl --from openai --reply response",
            "point.csv",
            "is a table of probabilities, though m.json was fitted on replies of openai",
        ),
        (
            "chat.jsonl --from openai --reply response",
            "raw.jsonl",
            "the line is the reply itself, not in \"response\" as in the fit of m.json",
        ),
        (
            "chat.jsonl --from openai --reply response",
            "moved.jsonl",
            "the reply is in field \"call.body\", not in \"response\" as in the fit of m.json",
        ),
        ("point.csv", "comma.csv", "numbers have a decimal comma; --decimal , confirms it"),
        ("point.csv", "percent.csv", "\"ham\", \"spam\" hold percentages; --scores percentages confirms it"),
    ] {
        let fit = words(fit);
        let mut args = vec!["fit"];
        args.extend(fit.iter().map(String::as_str));
        args.extend(["--method", "ascent", "-o", "m.json"]);
        folder.ok(&args);
        let (predicted, stderr) = applied(&folder, "m.json", file);
        assert_eq!(predicted, expected, "{fit:?} {file}");
        assert!(stderr.contains(&format!("note: {file}: {note}\n")), "{fit:?} {file}: {stderr}");
        if file != "raw.jsonl" {
            folder.ok(&["eval", "m.json", file]);
            folder.ok(&["report", "m.json", file, "-o", "page.html", "--refits", "0"]);
        }
    }
}

/// Whole numbers do not show their mark; the model does.
#[test]
fn the_mark_of_the_model_counts_where_the_first_rows_have_none() {
    let folder = folder();
    folder.ok(&["fit", "comma.csv", "-o", "m.json"]);
    folder.write("late.csv", "ham;spam\n".to_owned() + &"1;0\n".repeat(100_000) + "0,3;0,7\n");
    let (predicted, stderr) = applied(&folder, "m.json", "late.csv");
    assert_eq!(predicted.as_array().unwrap().last(), Some(&json!("spam")), "{stderr}");
    folder.write("plain.json", crate::support::model(&["ham", "spam"], &[0.5, 0.5]));
    let error = "late.csv: row 100001, column \"ham\": \"0,3\" is not a number";
    let run = folder.run(&["apply", "plain.json", "late.csv", "-o", "out.csv"]);
    run.refused(1, error, "--decimal , reads numbers with a decimal comma");
}

/// A pipe with a name is read once: looking at its beginning would lose it.
#[test]
#[cfg(target_os = "linux")]
fn replies_from_a_pipe_are_read_once() {
    let folder = folder();
    let bash = |line: &str| {
        let line = line.replace("cwplugin", crate::PROGRAM);
        std::process::Command::new("bash").args(["-c", &line]).current_dir(folder.path(".")).output()
    };
    if bash("true").is_err() {
        return;
    }
    folder.ok(&["fit", "chat.jsonl", "--from", "openai", "--reply", "response", "-o", "m.json"]);
    folder.ok(&["fit", "texts.jsonl", "--from", "votes", "--answer-at", "text", "-o", "votes.json"]);
    for (model, file) in [("m.json", "chat.jsonl"), ("votes.json", "texts.jsonl")] {
        let piped = bash(&format!("cwplugin apply {model} <(cat {file}) --json")).unwrap();
        let found: Value = serde_json::from_slice(&piped.stdout).unwrap();
        assert_eq!(found["predictions"], applied(&folder, model, file).0, "{file}");
    }
    let twice = bash("cwplugin eval <(cat chat.jsonl) --from openai --reply response").unwrap();
    let error = String::from_utf8(twice.stderr).unwrap();
    assert!(error.contains("the classes are not known: a stream is read only once"), "{error}");
}

#[test]
fn votes_that_became_probabilities_are_read_as_such() {
    let folder = folder();
    folder.ok(&["fit", "texts.jsonl", "--from", "votes", "--answer-at", "text", "-o", "m.json"]);
    folder.ok(&["apply", "m.json", "texts.jsonl", "-o", "smoothed.csv"]);
    let run = folder.ok(&["apply", "m.json", "smoothed.csv", "--prediction", "again", "--json"]);
    let note =
        "note: smoothed.csv: \"p_ham\", \"p_spam\" hold probabilities, not votes as in the fit of m.json";
    assert!(run.stderr.contains(note), "{}", run.stderr);
    assert_eq!(run.json()["predictions"], applied(&folder, "m.json", "texts.jsonl").0);
    // Whole numbers stay votes.
    folder.write("counts.csv", "ham,spam\n0,1\n5,0\n");
    let (_, stderr) = applied(&folder, "m.json", "counts.csv");
    assert!(stderr.contains("2 rows of 1 to 5 votes"), "{stderr}");
}

/// A hint never asks for what the model refuses.
#[test]
fn errors_about_the_form_name_the_model() {
    let folder = folder();
    folder.ok(&["fit", "chat.jsonl", "--from", "openai", "--reply", "response", "-o", "chat.json"]);
    folder.write(
        "hf.jsonl",
        "{\"response\": [{\"label\": \"ham\", \"score\": 0.5}, {\"label\": \"spam\", \"score\": 0.5}]}\n",
    );
    let hint = "chat.json was fitted on replies of openai; fit a model on those of huggingface";
    let error = "hf.jsonl: row 1: not a reply of openai: expected an object, found a list, at response";
    folder.refuses(&["apply", "chat.json", "hf.jsonl"], error, hint);
    folder.run_on(&["apply", "chat.json", "-"], b"p_ham,p_spam\n0.5,0.5\n").refused(
        1,
        "<stdin>: row 1: not JSON: \"p_ham,p_spam\"",
        "chat.json was fitted on replies of openai, which are JSON",
    );
    let raw = chat(&["ham"], &[("ham", 0.5), ("spam", 0.5)]).to_string();
    folder.run_on(&["apply", "chat.json", "-"], raw.as_bytes()).refused(
        1,
        "<stdin>: row 1: there is no field response",
        "chat.json was fitted with --reply response: write every reply there",
    );
    folder.ok(&["fit", "percent.csv", "-o", "percent.json"]);
    folder.write("off.csv", "ham,spam\n60,40\n60,30\n");
    let error = "off.csv: row 2, columns \"ham\", \"spam\": the percentages sum to 90, not to 100";
    folder.refuses(&["apply", "percent.json", "off.csv"], error, "percent.json was fitted on percentages");
    folder.ok(&["fit", "score.csv", "--positive", "spam", "-o", "score.json"]);
    folder.write("two.csv", "score,price\n0.3,1.5\n0.6,0.25\n");
    let error = "two.csv: score.json was fitted on one column, the probability of \"spam\"; which of \"score\", \"price\" is it?";
    folder.refuses(&["apply", "score.json", "two.csv"], error, "exclude the other columns with --id NAME");
    folder.ok(&["apply", "score.json", "two.csv", "--id", "price"]);
    // Numbers that are read as something unlikely are warned about.
    folder.ok(&["fit", "logits.csv", "--scores", "logits", "-o", "logits.json"]);
    folder.write("point.csv", "p_ham,p_spam\n0.3,0.7\n0.6,0.4\n");
    let (_, stderr) = applied(&folder, "logits.json", "point.csv");
    let warning = "\"p_ham\", \"p_spam\": every row sums to 1 like probabilities, but they are read as logits as in the fit of logits.json; fit a model on such numbers if that is what they are";
    assert!(stderr.contains(&format!("warning: point.csv: {warning}\n")), "{stderr}");
    folder.write("score-percent.csv", "label,score\nham,20\nspam,80\n");
    folder.ok(&["fit", "score-percent.csv", "--positive", "spam", "-o", "percent.json"]);
    folder.write("new.csv", "score\n0.3\n0.9\n");
    let (_, stderr) = applied(&folder, "percent.json", "new.csv");
    assert!(
        stderr.contains("the numbers are at most 1 like probabilities, but they are read as percentages"),
        "{stderr}"
    );
}

/// A column named after a class is about that class, whatever the order of the model's classes.
#[test]
fn one_column_is_read_in_the_order_of_the_model() {
    let folder = Folder::new().with("both.csv", "label,p_spam,p_ham\nspam,0.8,0.2\nham,0.1,0.9\n");
    let classes = folder.ok(&["fit", "both.csv", "-o", "m.json", "--json"]).json()["classes"].clone();
    assert_eq!(classes, json!(["spam", "ham"]));
    folder.write("one.csv", "p_spam\n0.9\n0.2\n");
    let run = folder.ok(&["apply", "m.json", "one.csv", "--positive", "spam", "--json"]);
    assert_eq!(run.json()["predictions"], json!(["spam", "ham"]));
    let error = "--positive ham: column \"p_spam\" of one.csv is named after \"spam\"";
    folder.run(&["apply", "m.json", "one.csv", "--positive", "ham"]).refused(
        2,
        error,
        "use --positive spam, or rename",
    );
    folder.write("fit.csv", "label,p_spam\nspam,0.8\nham,0.1\n");
    let error = "--positive ham: column \"p_spam\" of fit.csv is named after \"spam\"";
    folder.run(&["fit", "fit.csv", "--positive", "ham"]).refused(2, error, "use --positive spam");
}
