//! `cwplugin merge`: statistics of parts are the statistics of the whole, or they do not belong together.

use crate::support::rows::{ODD_NAMES, Rows};
use crate::support::{Folder, TABLE, without_options};

/// All orders of three files.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Forms of the three parts and of their statistics, and of the sum.
const FORMS: [([&str; 3], [&str; 3], &str); 4] = [
    (["p0.csv", "p1.parquet", "p2.jsonl"], ["s0.json", "s1.csv", "s2.parquet"], "all.json"),
    (["p0.jsonl", "p1.arrow", "p2.tsv"], ["s0.arrow", "s1.jsonl", "s2.tsv"], "all.csv"),
    (["p0.parquet", "p1.csv", "p2.csv"], ["s0.csv.gz", "s1", "s2.jsonl.zst"], "all.parquet"),
    (["p0.arrow", "p1.jsonl", "p2.parquet"], ["s0.csv", "s1.json", "s2.feather"], "all.arrow"),
];

/// The three parts are counted and added up in these orders; a fit of the sum is a fit of the whole, byte for byte.
fn fits_like_the_whole(rows: &Rows, flags: &[&str], seed: u64, orders: &[[usize; 3]], settings: &[&[&str]]) {
    let folder = Folder::new();
    let (tables, parts, sum) = FORMS[usize::try_from(seed).unwrap() % FORMS.len()];
    let counted = [flags, &["--bins", "100"]].concat();
    for ((table, part), chosen) in tables.iter().zip(parts).zip(rows.parts(seed)) {
        rows.write(&folder, table, &chosen);
        folder.ok(&[&["stats", table, "-o", part], &counted[..]].concat());
    }
    rows.write(&folder, "whole.csv", &(0..rows.len()).collect::<Vec<_>>());
    folder.ok(&[&["stats", "whole.csv", "-o", "whole.json"], &counted[..]].concat());
    for order in orders {
        let files = order.map(|part| parts[part]);
        let document = folder.ok(&[&["merge", "--json", "-o", sum], &files[..]].concat()).stdout;
        assert_eq!(document, folder.read("whole.json"), "{files:?}");
    }
    for setting in settings {
        folder.ok(&[&["fit", "--stats", sum, "-o", "of-sum.json"], *setting].concat());
        let search = ["--search", "grid:0.01", "--unscored"];
        let whole = [&["fit", "whole.csv", "-o", "of-whole.json"], &search[..], flags, setting].concat();
        folder.ok(&whole);
        let [sum, whole] = ["of-sum.json", "of-whole.json"].map(|name| without_options(folder.json(name)));
        assert_eq!(sum, whole, "{seed}: {setting:?}");
    }
}

#[test]
fn any_partition_in_any_order_fits_like_the_whole() {
    let settings: [&[&str]; 6] = [
        &[],
        &["--metric", "mcc", "--ties", "first", "--absent", "drop"],
        &["--metric", "accuracy", "--ties", "nearest-half"],
        &["--metric", "macro-g-mean", "--absent", "drop"],
        &["--metric", "f1:b", "--ties", "first"],
        &["--method", "cwplugin:published", "--metric", "cohen-kappa"],
    ];
    // Every form with some orders and settings, every order and setting with some forms.
    for (seed, settings) in settings.chunks(2).chain([&settings[..1]]).enumerate() {
        let rows = Rows::random(150, &["a", "b", "c"], seed as u64);
        let flags = ["--reference", "class:b", "--weight", "w"];
        fits_like_the_whole(&rows, &flags, seed as u64, &ORDERS[seed..][..3], settings);
    }
    let rows = Rows::random(150, &["a", "b"], 9);
    fits_like_the_whole(&rows, &["--reference", "b"], 1, &ORDERS, &settings);
}

#[test]
fn odd_class_names_come_through_every_form() {
    for seed in 0..4 {
        let rows = Rows::random(200, &ODD_NAMES, 10 + seed);
        let flags = ["--reference", "01", "--weight", "w"];
        let settings: [&[&str]; 2] = [&["--metric", "recall:1,5"], &["--metric", "f1:say \"hi\""]];
        fits_like_the_whole(&rows, &flags, seed, &ORDERS[4..], &settings);
    }
}

#[test]
fn one_file_is_its_own_sum_in_another_form() {
    let folder = Folder::new().with("data.csv", TABLE);
    let run = folder.ok(&["stats", "data.csv", "--bins", "10"]);
    folder.write("s.json", &run.stdout);
    for name in ["t.csv", "t.parquet", "t.arrow", "t.jsonl", "t.tsv.gz", "t", "t.json"] {
        folder.ok(&["merge", "s.json", "-o", name, "--quiet"]);
        assert_eq!(folder.ok(&["merge", name]).stdout, run.stdout, "{name}");
        assert_eq!(folder.run_on(&["merge", "-"], &folder.read(name)).ok().stdout, run.stdout, "{name}");
    }
}

#[test]
fn what_it_prints_goes_where_it_should() {
    let folder =
        Folder::new().with("data.csv", TABLE).with("more.csv", TABLE.replace("0.35,0.05", "0.3,0.1"));
    for (table, name) in [("data.csv", "s.json"), ("more.csv", "t.csv")] {
        folder.ok(&["stats", table, "-o", name]);
    }
    let run = folder.ok(&["merge", "s.json", "t.csv", "-o", "sum.json"]);
    assert_eq!(
        (run.text().as_str(), run.stderr.as_str()),
        ("", "12 labelled rows in 2 files\nwrote sum.json\n")
    );
    let document = folder.read("sum.json");
    for flags in [&["--json"][..], &["-o", "-"], &[], &["--quiet"], &["--json", "-o", "again.parquet"]] {
        let run = folder.ok(&[&["merge", "s.json", "t.csv"], flags].concat());
        assert_eq!(run.stdout, document, "{flags:?}");
        assert_eq!(run.stderr.is_empty(), flags == ["--quiet"], "{flags:?}");
    }
    assert_eq!(folder.json("sum.json")["rows"], 12);
    assert_eq!(folder.names(), ["again.parquet", "data.csv", "more.csv", "s.json", "sum.json", "t.csv"]);
}

#[test]
fn files_with_the_same_counters_are_warned_about_whatever_their_form() {
    let folder = Folder::new().with("data.csv", TABLE).with("empty.csv", "label,p_a,p_b,p_c\n,0.2,0.3,0.5\n");
    folder.ok(&["stats", "data.csv", "-o", "s.json"]);
    folder.write("copy.json", folder.read("s.json"));
    folder.ok(&["stats", "data.csv", "-o", "t.csv"]);
    for copy in ["copy.json", "t.csv"] {
        let run = folder.ok(&["merge", "s.json", copy, "-o", "sum.json"]);
        let warning = format!(
            "warning: s.json and {copy} have the same counters: if one is a copy of the other, its rows count twice; name only \
             one of them\n"
        );
        assert!(run.stderr.contains(&warning), "{}", run.stderr);
        assert_eq!(folder.json("sum.json")["rows"], 12);
    }
    let flags = ["--classes", "a,b,c", "--reference", "c"];
    for name in ["e.json", "f.json"] {
        folder.ok(&[&["stats", "empty.csv", "-o", name], &flags[..]].concat());
    }
    let run = folder.ok(&["merge", "e.json", "f.json", "-o", "sum.json"]);
    assert!(!run.stderr.contains("warning"), "parts without labelled rows are alike: {}", run.stderr);
}

#[test]
fn statistics_that_differ_are_refused_with_both_files_and_both_values() {
    let folder = Folder::new()
        .with("data.csv", TABLE)
        .with("other.csv", TABLE.replace("p_b", "p_B").replace(",b,", ",B,"));
    for (name, flags) in [
        ("one.json", &["data.csv"][..]),
        ("grid.json", &["data.csv", "--bins", "10"]),
        ("reference.csv", &["data.csv", "--reference", "a"]),
        ("classes.parquet", &["other.csv"]),
        ("order.json", &["data.csv", "--classes", "b,a,c"]),
    ] {
        folder.ok(&[&["stats", "-o", name], flags].concat());
    }
    let cure = "the same --classes, --reference and --bins";
    for (name, says) in [
        ("grid.json", "grid: 1000 bins and 10 bins"),
        ("reference.csv", "reference: c and a"),
        ("classes.parquet", "classes: a, b, c and a, B, c"),
        ("order.json", "classes: a, b, c and b, a, c"),
    ] {
        let error = format!("one.json and {name} differ in their {says}");
        folder.run(&["merge", "one.json", name]).refused(1, &error, cure);
        let before = folder.names();
        folder.run(&["merge", "one.json", name, "-o", "sum.csv"]).refused(1, &error, cure);
        assert_eq!(folder.names(), before, "a refused merge leaves no file");
    }
}

#[test]
fn outputs_that_cannot_be_are_refused_before_the_work() {
    let folder = Folder::new().with("data.csv", TABLE);
    folder.ok(&["stats", "data.csv", "-o", "s.json"]);
    folder.ok(&["stats", "data.csv", "-o", "t.csv"]);
    let run = folder.run(&["merge", "s.json", "t.csv", "-o", "t.csv"]);
    run.refused(2, "-o t.csv: would overwrite the statistics", "write to another file");
    for again in ["s.json", "./s.json"] {
        let error = format!("files 1 (s.json) and 3 ({again}) are the same: its rows would count twice");
        folder.run(&["merge", "s.json", "t.csv", again]).refused(2, &error, "name each file once");
    }
    // The missing input is not opened.
    let run = folder.run(&["merge", "missing.json", "-o", "no/where.json"]);
    run.refused(1, "no/where.json: the folder no does not exist", "mkdir -p no");
    let run = folder.run(&["merge", "missing.json", "-o", "sum.npz"]);
    run.refused(2, "sum.npz: NPZ files cannot be written", "parquet");
    let run = folder.run(&["merge", "missing.json", "-o", "sum.json.gz"]);
    run.refused(2, "sum.json.gz: JSON statistics cannot be compressed", ".jsonl.gz");
    let run = folder.run(&["merge", "missing.json", "-o", "sum.xls"]);
    run.refused(2, "sum.xls: unknown extension", ".json, .parquet or .csv");
    let run = folder.run(&["merge", "s.json", "missing.json", "-o", "sum.json"]);
    run.refused(1, "missing.json: no such file", "check the path");
    assert_eq!(folder.names(), ["data.csv", "s.json", "t.csv"]);
    assert_eq!(folder.run(&["merge"]).code, 2);
}
