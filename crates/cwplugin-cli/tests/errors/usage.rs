//! Wrong usage: exit 2.

use crate::support::Folder;

#[test]
fn unknown_metrics_are_refused_with_the_nearest_one() {
    let folder = Folder::with_model();
    for (name, nearest) in [("macrof1", "macro-f1"), ("acuracy", "accuracy"), ("mc", "mcc")] {
        let hint = format!("did you mean {nearest}? `cwplugin metrics` lists them all");
        for verb in ["fit", "eval"] {
            let run = folder.run(&[verb, "data.csv", "--metric", name]);
            run.refused(2, &format!("unknown metric \"{name}\""), &hint);
        }
    }
    let run = folder.run(&["fit", "data.csv", "--metric", "xyz"]);
    run.refused(2, "unknown metric \"xyz\"", "`cwplugin metrics` lists them all");
}

#[test]
fn metrics_with_bad_parameters_are_refused() {
    let folder = Folder::with_model();
    for (name, says, hint) in [
        ("f1:d", "unknown class \"d\"", "the classes are \"a\", \"b\", \"c\""),
        ("f1", "", "cwplugin metrics"),
        ("macro-f-beta", "", "cwplugin metrics"),
        ("macro-f-beta:0", "", "cwplugin metrics"),
        ("macro-f-beta:x", "", "cwplugin metrics"),
        ("accuracy:a", "", "cwplugin metrics"),
        ("linear-diagonal:1,2", "number of weights", "3 numbers"),
        ("linear-diagonal:1,2,-3", "", "3 numbers, one per class"),
        ("linear-diagonal:1,2,x", "", "3 numbers, one per class"),
    ] {
        let run = folder.run(&["fit", "data.csv", "--metric", name]);
        let error = run.stderr.lines().next().unwrap().trim_start_matches("cwplugin: error: ").to_string();
        assert!(error.contains(&format!("\"{name}\"")) && error.contains(says), "{name}: {error}");
        run.refused(2, &error, hint);
    }
}

#[test]
fn unknown_methods_and_references_are_refused_with_the_known_ones() {
    let folder = Folder::with_model();
    let run = folder.run(&["fit", "data.csv", "--method", "magic"]);
    run.refused(2, "unknown method \"magic\"", "the methods are auto, cwplugin, cwplugin:published");
    let run = folder.run(&["fit", "data.csv", "--reference", "d"]);
    run.refused(2, "--reference d: unknown class", "last, largest, best or one of \"a\", \"b\", \"c\"");
}

#[test]
fn binary_search_needs_one_peak_or_force() {
    let folder = Folder::with_model();
    let run = folder.run(&["fit", "data.csv", "--search", "binary:0.01", "-o", "m.json"]);
    let error = "metric macro-f1 may have several peaks on a pair, so binary search may miss the best";
    run.refused(2, error, "--search exact (it is fast), or --force");
    assert_eq!(folder.names(), ["data.csv", "model.json"]);
    folder.ok(&["fit", "data.csv", "--search", "binary:0.01", "--force"]);
    folder.ok(&["fit", "data.csv", "--search", "binary:0.01", "--metric", "accuracy"]);
    // Of ratios those that no right answer lowers.
    folder.write("rises.json", r#"{"a": {"a": 1}, "c": {"b": -0.5}, "d": 1}"#);
    folder.write("falls.json", r#"{"a": {"a": 1}, "c": {"b": 0.5}, "d": 1}"#);
    let fit = |metric| folder.run(&["fit", "data.csv", "--search", "binary:0.01", "--metric", metric]).code;
    assert_eq!([fit("linear-fractional:rises.json"), fit("linear-fractional:falls.json")], [0, 2]);
}

#[test]
fn values_that_clap_checks_say_what_to_write() {
    let folder = Folder::with_model();
    for (flag, value, says) in [
        ("--search", "fast", "exact, grid:EPS or binary:EPS"),
        ("--search", "grid:0", "from 0.000001 to 0.5"),
        ("--search", "grid:0.9", "from 0.000001 to 0.5"),
        ("--search", "grid:NaN", "from 0.000001 to 0.5"),
        ("--search", "grid", "exact, grid:EPS"),
        ("--ties", "last", "first, nearest-half or middle"),
        ("--absent", "maybe", "(keep) or 0 (drop)"),
        ("--scores", "odds", "possible values: probabilities, logits, logprobs"),
        ("--format", "xlsx", "possible values: csv, tsv, jsonl, parquet, arrow, npy, npz"),
        ("--delimiter", "::", "one ASCII character, or tab"),
        ("--threads", "0", "1..=1024"),
        ("--threads", "1000000", "1..=1024"),
        ("--seed", "-1", "invalid digit"),
    ] {
        let flag = format!("{flag}={value}");
        let run = folder.run(&["fit", "data.csv", &flag]);
        assert_eq!(run.code, 2, "{flag}");
        assert!(run.stdout.is_empty() && run.stderr.contains(says), "{flag}: {}", run.stderr);
    }
}

#[test]
fn a_missing_argument_or_an_unknown_verb_is_wrong_usage() {
    let folder = Folder::with_model();
    for args in
        [&["fit"] as &[&str], &["apply"], &["apply", "model.json"], &["eval"], &["fti", "data.csv"], &[]]
    {
        let run = folder.run(args);
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stdout.is_empty() && run.stderr.contains("Usage: cwplugin"), "{args:?}: {}", run.stderr);
    }
    assert!(folder.run(&["evaluate", "data.csv"]).stderr.contains("'eval'"));
}

#[test]
fn one_standard_output_cannot_hold_both_the_table_and_the_summary() {
    let folder = Folder::with_model();
    let run = folder.run(&["apply", "model.json", "data.csv", "--json", "-o", "-"]);
    run.refused(2, "--json and -o - both write to standard output", "-o FILE");
}

#[test]
fn numpy_files_cannot_be_written() {
    let folder = Folder::with_model();
    for (name, title) in [("out.npy", "NPY"), ("out.npz", "NPZ")] {
        let run = folder.run(&["apply", "model.json", "data.csv", "-o", name]);
        run.refused(2, &format!("{name}: {title} files cannot be written"), "parquet or arrow");
    }
    assert_eq!(folder.names(), ["data.csv", "model.json"]);
}

#[test]
fn quiet_does_not_hide_why_the_program_stopped() {
    Folder::with_model().run(&["fit", "no.csv", "--quiet"]).refused(1, "no.csv: no such file", "check");
}

#[test]
fn an_output_must_not_overwrite_an_input_except_the_table_of_apply() {
    let folder = Folder::with_model();
    let (data, model) = (folder.text("data.csv"), folder.text("model.json"));
    for path in ["data.csv", "./data.csv"] {
        let run = folder.run(&["fit", "data.csv", "-o", path]);
        run.refused(2, &format!("-o {path}: would overwrite the table"), "write to another file");
    }
    let run = folder.run(&["apply", "model.json", "data.csv", "-o", "model.json"]);
    run.refused(2, "-o model.json: would overwrite the model", "write to another file");
    assert_eq!((folder.text("data.csv"), folder.text("model.json")), (data, model));
    // The table with its predictions may take the table's place.
    folder.ok(&["apply", "model.json", "data.csv", "-o", "data.csv"]);
}

#[test]
fn a_new_column_needs_a_name() {
    let run = Folder::with_model().run(&["apply", "model.json", "data.csv", "--prediction="]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--prediction <NAME>"), "{}", run.stderr);
}

#[test]
fn an_output_with_an_unknown_extension_is_refused() {
    let folder = Folder::with_model();
    let run = folder.run(&["apply", "model.json", "data.csv", "-o", "out.xlsx"]);
    run.refused(2, "out.xlsx: unknown extension", "--to");
    assert!(!folder.path("out.xlsx").exists());
    folder.ok(&["apply", "model.json", "data.csv", "-o", "out.xlsx", "--to", "csv"]);
    folder.ok(&["apply", "model.json", "data.csv", "-o", "out"]);
}

#[test]
fn a_binary_table_cannot_be_compressed_as_a_whole() {
    let folder = Folder::with_model();
    let run = folder.run(&["apply", "model.json", "data.csv", "-o", "out.parquet.gz"]);
    run.refused(1, "out.parquet.gz: Parquet files cannot be compressed as a whole", "remove .gz or .zst");
}

#[test]
fn exit_codes_are_0_done_1_refused_data_and_2_wrong_usage() {
    let folder = Folder::with_model();
    for (code, args) in [
        (0, "--version"),
        (0, "demo --save ."),
        (1, "fit missing.csv"),
        (1, "fit sample.csv --label missing"),
        (1, "apply sample.csv test.csv"),
        (2, "fit sample.csv --metric missing"),
        (2, "fit sample.csv --metric macro-f1 --search binary:0.01"),
        (2, "fit"),
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        assert_eq!(folder.run(&args).code, code, "{args:?}");
    }
}

#[test]
fn no_output_overwrites_an_input() {
    let folder = Folder::with_model().with("costs.csv", "0,1,1\n1,0,1\n1,1,0\n");
    let run = folder.run(&["fit", "data.csv", "--metric", "cost:costs.csv", "-o", "costs.csv"]);
    run.refused(2, "-o costs.csv: would overwrite the cost matrix", "write to another file");
    folder.write("f.json", r#"{"a": [1, 1, 1], "c": {}, "d": 1}"#);
    let run = folder.run(&["fit", "data.csv", "--metric", "linear-fractional:f.json", "-o", "./f.json"]);
    run.refused(2, "-o ./f.json: would overwrite the coefficients of the metric", "write to another file");
    for name in ["probs.npy", "labels-int.npy"] {
        folder.write(name, std::fs::read(crate::support::testdata(&format!("formats/{name}"))).unwrap());
    }
    let run = folder.run(&["fit", "probs.npy", "--label", "labels-int.npy", "-o", "./labels-int.npy"]);
    run.refused(2, "-o ./labels-int.npy: would overwrite the labels", "write to another file");
}

#[test]
fn an_unknown_id_column_is_refused() {
    let run = Folder::with_model().run(&["fit", "data.csv", "--id", "user"]);
    run.refused(
        1,
        "data.csv: no column \"user\"; the columns are \"id\", \"label\", \"p_a\", \"p_b\", \"p_c\"",
        "--id",
    );
}
