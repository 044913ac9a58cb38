//! A number or a label that cannot be used.

use crate::support::Folder;

/// A folder with `bad.csv`: three classes, and this second row.
fn bad(row: &str) -> Folder {
    let table = format!("label,p_a,p_b,p_c\na,0.7,0.2,0.1\n{row}\nc,0.1,0.2,0.7\n");
    Folder::with_model().with("bad.csv", table)
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    for (text, shown) in
        [("NaN", "NaN"), ("nan", "NaN"), ("inf", "inf"), ("-Infinity", "-inf"), ("1e999", "inf")]
    {
        let folder = bad(&format!("b,0.5,{text},0.2"));
        let error = format!("bad.csv: row 2, column \"p_b\": {shown} is not finite");
        folder.all_refuse(&["bad.csv"], &error, "replace it with a number, or drop the row");
    }
}

#[test]
fn infinite_logits_are_refused_too() {
    let folder = bad("b,0.5,inf,0.2");
    let error = "bad.csv: row 2, column \"p_b\": inf is not finite";
    folder.all_refuse(&["bad.csv", "--scores", "logits"], error, "replace it");
}

#[test]
fn negative_probabilities_are_refused() {
    let folder = bad("b,-0.25,1.05,0.2");
    let error = "bad.csv: row 2, column \"p_a\": -0.25 is negative";
    folder.all_refuse(&["bad.csv"], error, "--scores logits");
    folder.all_refuse(&["bad.csv", "--normalize"], error, "--scores logits");
}

#[test]
fn a_row_that_does_not_sum_to_1_is_refused_with_a_cure_that_works() {
    let folder = bad("b,0.5,0.5,0.25");
    let error = "bad.csv: row 2, columns \"p_a\", \"p_b\", \"p_c\": the values sum to 1.25, not to 1";
    folder.all_refuse(&["bad.csv"], error, "--normalize");
    folder.ok(&["fit", "bad.csv", "--normalize"]);
    folder.ok(&["apply", "model.json", "bad.csv", "--normalize"]);
}

#[test]
fn a_sum_may_be_off_by_rounding_and_no_more() {
    for third in ["0.1009", "0.0991"] {
        bad(&format!("b,0.5,0.4,{third}")).ok(&["fit", "bad.csv"]);
        bad(&format!("b,0.5,0.4,{third}")).ok(&["apply", "model.json", "bad.csv"]);
    }
    for third in ["0.12", "0.08"] {
        let run = bad(&format!("b,0.5,0.4,{third}")).ok(&["fit", "bad.csv"]);
        let note = "note: bad.csv: 1 row was divided by the row sum, which is off 1 by up to 0.02, as after rounding";
        assert!(run.stderr.contains(note), "{}", run.stderr);
    }
    for third in ["0.121", "0.079"] {
        let folder = bad(&format!("b,0.5,0.4,{third}"));
        let run = folder.run(&["fit", "bad.csv"]);
        assert_eq!(run.code, 1, "{third}");
        assert!(run.stderr.contains("row 2") && run.stderr.contains("not to 1"), "{}", run.stderr);
    }
}

#[test]
fn log_probabilities_whose_exponentials_do_not_sum_to_1_are_refused() {
    let folder = Folder::with_model().with("bad.csv", "label,p_a,p_b,p_c\na,-0.1,-0.1,-9\n");
    let run = folder.run(&["fit", "bad.csv", "--scores", "logprobs"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("row 1, columns \"p_a\", \"p_b\", \"p_c\""), "{}", run.stderr);
    assert!(run.stderr.contains("hint: --normalize"), "{}", run.stderr);
    folder.ok(&["fit", "bad.csv", "--scores", "logprobs", "--normalize"]);
}

#[test]
fn a_row_of_zeros_cannot_be_normalised() {
    let folder = bad("b,0,0,0");
    let error = "bad.csv: row 2, columns \"p_a\", \"p_b\", \"p_c\": every value is 0";
    folder.all_refuse(&["bad.csv", "--normalize"], error, "drop the row");
}

#[test]
fn text_in_a_number_column_is_refused() {
    let folder = bad("b,0.5,\"0,3\",0.2");
    let error = "bad.csv: row 2, column \"p_b\": \"0,3\" is not a number";
    folder.all_refuse(&["bad.csv"], error, "--decimal , reads numbers with a decimal comma");
}

#[test]
fn a_missing_number_is_refused() {
    for blank in ["", "  "] {
        let folder = bad(&format!("b,0.5,{blank},0.5"));
        let error = "bad.csv: row 2, column \"p_b\": the value is missing";
        folder.all_refuse(&["bad.csv"], error, "fill it in, or drop the row");
    }
}

#[test]
fn an_unknown_label_is_refused_with_the_classes_that_there_are() {
    let folder = bad("bee,0.5,0.3,0.2");
    let error = "bad.csv: row 2, column \"label\": unknown class \"bee\"";
    folder.labelled_refuse(&["bad.csv"], error, "the classes are \"a\", \"b\", \"c\"");
    // Predictions need no labels.
    folder.ok(&["apply", "model.json", "bad.csv"]);
}

#[test]
fn the_first_of_several_faults_is_told_with_its_row_in_the_file() {
    // Past the first batch of rows, where the count goes on.
    let table = format!("label,p_a,p_b,p_c\n{}b,2,0,0\nb,3,0,0\n", "a,1,0,0\n".repeat(9_000));
    let folder = Folder::with_model().with("bad.csv", table);
    let error = "bad.csv: row 9001, columns \"p_a\", \"p_b\", \"p_c\": the values sum to 2, not to 1";
    folder.labelled_refuse(&["bad.csv"], error, "--normalize");
    // A stream has given away its first rows by then; a file appears whole or not at all.
    let before = folder.names();
    folder.run(&["apply", "model.json", "bad.csv", "-o", "out.csv"]).refused(1, error, "--normalize");
    assert_eq!(folder.names(), before);
    assert_eq!(folder.run(&["apply", "model.json", "bad.csv"]).code, 1);
}

#[test]
fn a_row_number_counts_rows_not_lines() {
    let table = "note,label,p_a,p_b,p_c\n\"two\nlines\",a,1,0,0\n\nplain,b,0,-1,2\n";
    let folder = Folder::with_model().with("bad.csv", table);
    folder.all_refuse(&["bad.csv"], "bad.csv: row 2, column \"p_b\": -1 is negative", "");
}

#[test]
fn bad_row_weights_are_refused() {
    for (text, fact) in [
        ("-1", "weight -1 must be 0 or between 1e-100 and 1e100"),
        ("NaN", "weight NaN must be 0 or between 1e-100 and 1e100"),
        ("inf", "weight inf must be 0 or between 1e-100 and 1e100"),
        ("heavy", "\"heavy\" is not a number"),
        ("", "the value is missing"),
    ] {
        let table = format!("label,w,p_a,p_b,p_c\na,1,1,0,0\nb,{text},0,1,0\n");
        let folder = Folder::with_model().with("bad.csv", table);
        let error = format!("bad.csv: row 2, column \"w\": {fact}");
        folder.labelled_refuse(&["bad.csv", "--weight", "w"], &error, "weight");
    }
}

#[test]
fn a_table_without_labelled_rows_is_refused() {
    let error = "bad.csv: column \"label\": no row has a label and a weight above 0";
    for table in
        ["label,p_a,p_b,p_c\n,0.9,0.1,0\n \t,0,1,0\n", "label,w,p_a,p_b,p_c\na,0,0.9,0.1,0\n,1,0,1,0\n"]
    {
        let folder = Folder::with_model().with("bad.csv", table);
        let weight: &[&str] = if table.contains(",w,") { &["--weight", "w"] } else { &[] };
        folder.labelled_refuse(&[&["bad.csv"], weight].concat(), error, "label some rows");
        folder.ok(&["apply", "model.json", "bad.csv"]);
    }
}

#[test]
fn a_value_of_many_lines_does_not_break_the_error_line() {
    let folder = bad("\"line one\nline two\u{1b}[31m\",0.5,0.3,0.2");
    let error = "bad.csv: row 2, column \"label\": unknown class \"line one\\nline two\\u{1b}[31m\"";
    folder.labelled_refuse(&["bad.csv"], error, "the classes are");
}

#[test]
fn a_very_long_value_is_cut_short() {
    let folder = bad(&format!("{},0.5,0.3,0.2", "x".repeat(10_000)));
    let run = folder.run(&["fit", "bad.csv"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.len() < 500, "{} bytes of error", run.stderr.len());
    assert!(run.stderr.contains("unknown class \"xxx") && run.stderr.contains('…'), "{}", run.stderr);
}
