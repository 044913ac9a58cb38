//! `cwplugin stats --sql`: the query, and what it cannot do. `make sql` runs it in real engines; counting.rs counts tables.

use insta::assert_snapshot;

use crate::support::Folder;

const DIALECTS: [&str; 6] = ["duckdb", "datafusion", "spark", "bigquery", "snowflake", "postgres"];
const FLAGS: [&str; 7] = ["stats", "--sql", "duckdb", "--table", "scores", "--classes", "a,b,c"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    FLAGS.into_iter().chain(more.iter().copied()).collect()
}

#[test]
fn the_query_for_duckdb() {
    assert_snapshot!(Folder::new().ok(&with(&["--prefix", "p_", "--weight", "w", "--bins", "100"])).text());
}

#[test]
fn every_dialect_has_its_own_text() {
    let folder = Folder::new();
    let texts = DIALECTS.map(|dialect| {
        let run = folder.ok(&["stats", "--sql", dialect, "--table", "scores", "--classes", "a,b", "--json"]);
        let json = run.json();
        assert_eq!(json["dialect"], dialect);
        json["query"].as_str().unwrap().to_string()
    });
    for (i, text) in texts.iter().enumerate() {
        assert!(text.ends_with(";\n") && text.contains(&format!("stats --sql {}", DIALECTS[i])));
        assert!(!texts[..i].contains(text));
    }
}

#[test]
fn the_query_goes_to_a_file() {
    let folder = Folder::new();
    let printed = folder.ok(&FLAGS).text();
    let run = folder.ok(&with(&["-o", "stats.sql"]));
    assert_eq!((run.text().as_str(), run.stderr.as_str()), ("", "wrote stats.sql\n"));
    assert_eq!(folder.text("stats.sql"), printed);
    assert_eq!(folder.ok(&with(&["-o", "-"])).text(), printed);
    let json = folder.ok(&with(&["-o", "stats.sql", "--json"])).json();
    assert_eq!(json["query"], printed);
}

#[test]
fn columns_and_reference_are_as_told() {
    let folder = Folder::new();
    let text = folder.ok(&with(&["--columns", "X 1,X 2,X 3", "--reference", "class:b"])).text();
    assert!(text.contains("CAST(\"X 2\" AS DOUBLE) + 0 AS b1"), "{text}");
    assert!(text.contains("b1 AS b_r") && text.contains("SELECT 'reference', 'b'"), "{text}");
    assert_eq!(folder.ok(&FLAGS).text(), folder.ok(&with(&["--reference", "c"])).text());
}

#[test]
fn what_the_query_needs_is_asked_for() {
    let folder = Folder::new();
    let run = folder.run(&["stats", "--sql", "duckdb", "--classes", "a,b"]);
    run.refused(2, "--sql needs --table", "add --table NAME");
    let run = folder.run(&["stats", "--sql", "duckdb", "--table", "scores"]);
    let error = "--sql needs --classes";
    run.refused(2, error, "add --classes A,B,C");
    let run = folder.run(&["stats", "--sql", "duckdb", "--table", "t", "--classes", "a"]);
    run.refused(2, "--classes names one class, but at least two are needed", "name each class once");
    let run = folder.run(&["stats", "--sql", "duckdb", "--table", "t", "--classes", "a,b,a"]);
    run.refused(2, "--classes names \"a\" twice", "name each class once");
    let run = folder.run(&with(&["--columns", "x,y"]));
    run.refused(2, "--columns names 2 columns, but --classes 3 classes", "one column per class");
    let run = folder.run(&with(&["--columns", "x,y,x"]));
    run.refused(2, "--columns names \"x\" twice", "name each column once");
}

#[test]
fn what_needs_the_rows_is_refused() {
    let folder = Folder::new();
    for name in ["largest", "best"] {
        let run = folder.run(&with(&["--reference", name]));
        let error = format!("--reference {name}: not known before the rows are counted");
        run.refused(2, &error, "--reference NAME");
    }
    let run = folder.run(&with(&["--reference", "d"]));
    run.refused(2, "--reference d: unknown class", "last or one of \"a\", \"b\", \"c\"");
    for (flags, flag) in [(vec!["--normalize"], "--normalize"), (vec!["--scores", "logits"], "--scores")] {
        let run = folder.run(&with(&flags));
        let error = format!("{flag} is not supported by --sql: the query needs probabilities that sum to 1");
        run.refused(2, &error, "in a view");
    }
    for [flag, value] in [["--format", "csv"], ["--delimiter", ";"], ["--id", "x"]] {
        let run = folder.run(&with(&[flag, value]));
        run.refused(2, &format!("{flag} is not supported by --sql"), &format!("omit {flag}"));
    }
}

#[test]
fn values_that_clap_checks_say_what_to_write() {
    let folder = Folder::new();
    for (more, says) in [
        (["--bins", "1"], "from 2 to 1000000"),
        (["--bins", "1000001"], "from 2 to 1000000"),
        (["--sql", "oracle"], "duckdb, datafusion, spark, bigquery, snowflake, postgres"),
    ] {
        let flags = [&["stats", "--table", "t", "--classes", "a,b"][..], &more].concat();
        let run = folder.run(&flags);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(says), "{}", run.stderr);
    }
}
