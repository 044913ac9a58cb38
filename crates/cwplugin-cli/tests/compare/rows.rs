//! Which rows are drawn from, spoiled and tested on.

use serde_json::Value;

use super::{QUICK, folder, json, scores};
use crate::support::Folder;
use crate::support::samples::{CLASSES, Row, csv, rows};

#[test]
fn noise_spoils_the_samples_and_never_the_test_rows() {
    let folder = folder();
    let flags = ["--sizes", "40", "--repeats", "3"];
    let plain = json(&folder, &flags);
    let noisy = json(&folder, &[&flags as &[&str], &["--noise", "a,b:0.9"]].concat());
    assert_eq!(noisy["rows"], plain["rows"]);
    for metric in ["accuracy", "macro-f1"] {
        assert_eq!(scores(&noisy, "clean", metric, 40), scores(&plain, "clean", metric, 40));
        assert_ne!(scores(&noisy, "vector", metric, 40), scores(&plain, "vector", metric, 40));
    }
    let none = json(&folder, &[&flags as &[&str], &["--noise", "a:0"]].concat());
    assert_eq!(none["cells"], plain["cells"]);
    let twice = json(&folder, &[&flags as &[&str], &["--noise", "a:0.9", "--noise", "b:0.9"]].concat());
    assert_eq!(twice["cells"], noisy["cells"], "a flag for each class says the same");
}

#[test]
fn noise_everywhere_changes_the_test_rows_and_works_with_all_other_flags() {
    let folder = folder();
    let flags = ["--sizes", "20,40", "--repeats", "3", "--noise", "a,b:0.6"];
    let with = |more: &[&str]| json(&folder, &[&flags as &[&str], more].concat());
    let (sample, everywhere) = (with(&[]), with(&["--noise-in", "everywhere"]));
    assert_eq!(with(&["--noise-in", "sample"]), sample, "the default");
    assert_eq!(everywhere["rows"], sample["rows"]);
    let clean = |document: &Value, size| scores(document, "clean", "accuracy", size);
    assert_ne!(clean(&everywhere, 40), clean(&sample, 40));
    assert_eq!(clean(&everywhere, 20), clean(&everywhere, 40), "all sizes have the same test labels");
    for more in [
        &["--shift", "c:0.3"] as &[&str],
        &["--unlabelled", "0", "--methods", "clean,expected"],
        &["--test-column", "split=test"],
        &["--test-share", "0.4", "--weight", "w"],
        &["--features", "x,y", "--methods", "clean,logistic"],
        &["--seed", "3"],
    ] {
        let threads = |n| {
            let base = ["compare", "data.csv", "--metrics", "accuracy", "--json", "--threads", n];
            let methods: &[&str] =
                if more.contains(&"--methods") { &[] } else { &["--methods", "clean,vector"] };
            folder
                .ok(&[&base, &flags as &[&str], &["--noise-in", "everywhere"], more, methods].concat())
                .json()
        };
        let one = threads("1");
        assert_eq!(one, threads("2"), "{more:?}");
        assert_eq!(one["cells"].as_array().unwrap().len(), 4, "{more:?}");
        assert!(one["cells"].as_array().unwrap().iter().all(|cell| cell["runs"] == 3), "{one}");
    }
    let text = folder.ok(&[&QUICK as &[&str], &flags, &["--noise-in", "everywhere"]].concat()).text();
    let head = text.lines().next().unwrap();
    assert!(head.ends_with("3 samples of each size; pool and test rows have noisy labels"), "{head}");
}

#[test]
fn a_shift_deletes_a_share_of_its_classes_in_pool_and_test() {
    let all = rows(150, 1);
    // Six tenths, rounded.
    let left = |split: &str| -> usize {
        let of =
            |class: usize| all.iter().filter(|row| row.split == split && row.label == Some(class)).count();
        let deleted = |class: usize| (of(class) * 6 + 5) / 10;
        of(0) + of(1) + of(2) - deleted(0) - deleted(2)
    };
    let folder = folder();
    let flags = ["--sizes", "20", "--repeats", "1", "--test-column", "split=test", "--shift", "a,c:0.6"];
    let document = json(&folder, &flags);
    assert_eq!(document["rows"], json!({"pool": left("pool"), "test": left("test")}));
    let text = folder.ok(&[&QUICK as &[&str], &flags].concat()).text();
    let head = format!(
        "{} labelled rows in the pool, {} test rows; 1 sample of each size",
        left("pool"),
        left("test")
    );
    assert!(text.starts_with(&head), "{text}");
}

#[test]
fn test_rows_are_a_share_of_the_labelled_ones() {
    let unlabelled = |(i, row): (usize, Row)| Row { label: row.label.filter(|_| i % 3 > 0), ..row };
    let table: Vec<Row> = rows(90, 4).into_iter().enumerate().map(unlabelled).collect();
    let folder = Folder::new().with("data.csv", csv(&table));
    let document = json(&folder, &["--sizes", "10", "--repeats", "1", "--test-share", "0.35"]);
    assert_eq!(document["rows"], json!({"pool": 39, "test": 21}));
    let of = |split: &str| table.iter().filter(|row| row.split == split && row.label.is_some()).count();
    let document = json(&folder, &["--sizes", "10", "--repeats", "1", "--test-column", "split=test"]);
    assert_eq!(document["rows"], json!({"pool": of("pool"), "test": of("test")}));
}

/// A method that uses them finds other things with them; the others find the same.
#[test]
fn rows_without_labels_are_told_and_change_only_what_uses_them() {
    let unlabelled = |(i, row): (usize, Row)| Row { label: row.label.filter(|_| i % 4 > 0), ..row };
    let table: Vec<Row> = rows(150, 4).into_iter().enumerate().map(unlabelled).collect();
    let folder = Folder::new().with("data.csv", csv(&table));
    for how in [&["--test-share", "0.2"], &["--test-column", "split=test"]] {
        let flags = [&["--sizes", "10,60", "--repeats", "2", "--noise", "a:0.4"] as &[&str], how].concat();
        let run = |methods: &str, n: &[&str]| {
            let args = [
                &["compare", "data.csv", "--metrics", "macro-f1", "--methods", methods] as &[&str],
                &flags,
                n,
            ];
            folder.ok(&args.concat())
        };
        let with = |n: &[&str]| -> Value {
            serde_json::from_slice(&run("clean,cwplugin,vector,expected", &[n, &["--json"]].concat()).stdout)
                .unwrap()
        };
        let (plain, usual) = (with(&["--unlabelled", "0"]), with(&[]));
        assert_eq!((&plain["unlabelled"], &usual["unlabelled"]), (&json!(0), &json!(500)));
        let of = |document: &Value, is_expected: bool| -> Vec<Value> {
            let cells = document["cells"].as_array().unwrap().iter();
            cells.filter(|cell| (cell["method"] == "expected") == is_expected).cloned().collect()
        };
        for n in ["1", "25", "100000"] {
            let more = with(&["--unlabelled", n]);
            assert_eq!(more["unlabelled"], json!(n.parse::<u32>().unwrap()));
            assert_eq!((of(&more, false), &more["rows"]), (of(&plain, false), &plain["rows"]), "{n}");
        }
        assert_ne!(of(&usual, true), of(&plain, true));
        let head = |methods: &str, n: &[&str]| run(methods, n).text().lines().next().unwrap().to_string();
        let told = "; 2 samples of each size, each with up to 25 unlabelled rows";
        assert!(head("clean,expected", &["--unlabelled", "25"]).ends_with(told));
        assert!(head("clean,vector", &[]).ends_with("; 2 samples of each size"));
    }
    assert_eq!(folder.run(&["compare", "data.csv", "--unlabelled", "-1"]).code, 2);
    let idle = folder.run(&["compare", "data.csv", "--methods", "clean,vector", "--unlabelled", "5"]);
    let why = "--unlabelled is not supported by --methods clean,vector";
    idle.refused(2, why, "omit it, or add auto to --methods");
}

#[test]
fn the_column_of_the_split_is_no_class_even_if_it_is_a_number() {
    let table = csv(&rows(60, 5)).replace("p_", "").replace(",test,", ",1,").replace(",pool,", ",0,");
    let folder = Folder::new().with("data.csv", table);
    let flags =
        ["--test-column", "split=1", "--weight", "w", "--id", "x,y", "--sizes", "20", "--repeats", "1"];
    let document = json(&folder, &flags);
    assert_eq!((&document["classes"], &document["rows"]["test"]), (&json!(CLASSES), &json!(12)));
}
