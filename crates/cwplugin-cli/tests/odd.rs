//! Odd but good tables: names, columns and line ends that mean what a person would think they mean.

use std::fmt::Write as _;

use crate::support::{Folder, TABLE, cells, column};

/// The weights that `fit` finds in `name`.
fn weights(folder: &Folder, args: &[&str]) -> serde_json::Value {
    folder.ok(&[&["fit", "--json"], args].concat()).json()["weights"].clone()
}

/// `fit` gives the same weights for `text` as for [`TABLE`].
fn same_as_table(text: impl AsRef<[u8]>, flags: &[&str]) {
    let folder = Folder::with_model().with("odd.csv", text);
    let odd = weights(&folder, &[&["odd.csv"], flags].concat());
    assert_eq!(odd, weights(&folder, &["data.csv"]), "{flags:?}");
}

#[test]
fn line_ends_quotes_marks_and_delimiters_do_not_matter() {
    same_as_table(TABLE.replace('\n', "\r\n"), &[]);
    same_as_table(format!("\u{feff}{TABLE}"), &[]);
    same_as_table(TABLE.trim_end(), &[]);
    same_as_table(TABLE.replace(',', ";"), &[]);
    same_as_table(TABLE.replace(',', "\t"), &[]);
    same_as_table(TABLE.replace(',', "|"), &["--delimiter", "|"]);
    same_as_table(
        TABLE
            .replace(',', "\",\"")
            .replace('\n', "\"\n\"")
            .trim_end_matches('"')
            .to_string()
            .replacen("id", "\"id", 1),
        &[],
    );
    same_as_table(TABLE.replace(",a,", ", a ,"), &[]);
    same_as_table(TABLE.replace(',', ", "), &[]);
    same_as_table(TABLE.replace(',', ", ").replace("p_", ""), &[]);
    same_as_table(TABLE.replace(',', ", "), &["--classes", "a,b,c"]);
    same_as_table(TABLE.replace("0.7", " 0.7 ").replace("0.45", "4.5e-1"), &[]);
}

#[test]
fn columns_may_be_called_and_placed_otherwise() {
    same_as_table(TABLE.replacen("label", "truth", 1), &["--label", "truth"]);
    same_as_table(TABLE.replace("p_", "prob_"), &[]);
    same_as_table(TABLE.replace("p_", "proba_"), &[]);
    same_as_table(TABLE.replace("p_", "score of "), &["--prefix", "score of "]);
    same_as_table(TABLE.replace("p_", ""), &[]);
    same_as_table(TABLE.replace("p_", ""), &["--classes", "a,b,c"]);
    same_as_table(TABLE, &["--classes", "a,b,c"]);
    same_as_table(TABLE, &["--classes", "a, b, c"]);
    same_as_table(TABLE, &["--classes", "p_a,p_b,p_c"]);
    // A numeric column that is not a class must be named, unless it is the row number of pandas.
    let numbered = |name: &str| TABLE.replace("p_", "").replace("\nr", "\n").replacen("id", name, 1);
    same_as_table(numbered("number"), &["--id", "number"]);
    same_as_table(numbered(""), &[]);
    same_as_table(numbered("Unnamed: 0"), &[]);
}

#[test]
fn classes_in_another_order_give_the_same_weights_in_that_order() {
    let folder = Folder::with_model();
    let args = ["data.csv", "--reference", "b"];
    let (given, turned) =
        (weights(&folder, &args), weights(&folder, &[&args[..], &["--classes", "c,a,b"]].concat()));
    for (place, class) in [(2, 0), (0, 1), (1, 2)] {
        let (given, turned) = (given[place].as_f64().unwrap(), turned[class].as_f64().unwrap());
        assert!((given - turned).abs() < 1e-12, "{given} {turned}");
    }
}

#[test]
fn class_names_may_hold_anything() {
    let names = ["very good", "so, so", "\"bad\"", "温度", "a;b\tc", "null", " padded ", "1"];
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let header: Vec<String> = names.iter().map(|name| quoted(&format!("p_{name}"))).collect();
    let mut table = format!("label,{}\n", header.join(","));
    for (k, name) in names.iter().enumerate() {
        let row: Vec<&str> = (0..names.len()).map(|j| if j == k { "1" } else { "0" }).collect();
        writeln!(table, "{},{}", quoted(name), row.join(",")).unwrap();
    }
    let folder = Folder::new().with("data.csv", table);
    let json = folder.ok(&["fit", "data.csv", "-o", "m.json", "--json"]).json();
    assert_eq!(json["classes"], serde_json::json!(names));
    let out = folder.ok(&["apply", "m.json", "data.csv"]).stdout;
    assert_eq!(column(&out, "prediction"), names);
    let json = folder.ok(&["eval", "m.json", "data.csv", "--metric", "f1:so, so", "--json"]).json();
    assert_eq!(json["metrics"]["f1:so, so"]["fitted"], 1.0);
    for to in ["jsonl", "parquet"] {
        let file = format!("out.{to}");
        folder.ok(&["apply", "m.json", "data.csv", "-o", &file]);
        let again = folder.ok(&["apply", "m.json", &file, "--prediction", "again", "--to", "csv"]).stdout;
        assert_eq!(column(&again, "prediction"), names, "{to}");
        assert_eq!(column(&again, "again"), names, "{to}");
    }
}

#[test]
fn a_thousand_classes_work() {
    let m = 1_000;
    let mut table = String::from("label");
    (0..m).for_each(|k| write!(table, ",p_c{k}").unwrap());
    let n = 250;
    for row in 0..n {
        write!(table, "\nc{}", (row * 7) % m).unwrap();
        for k in 0..m {
            table.push_str(if k == row || k == (row + 1) % m { ",0.5" } else { ",0" });
        }
    }
    let folder = Folder::new().with("wide.csv", table);
    let json = folder.ok(&["fit", "wide.csv", "-o", "m.json", "--json"]).json();
    assert_eq!(json["weights"].as_array().unwrap().len(), m);
    assert_eq!(folder.ok(&["apply", "m.json", "wide.csv", "--json"]).json()["rows"], n);
    let text = folder.ok(&["eval", "m.json", "wide.csv", "--metric", "accuracy"]).text();
    assert!(text.contains("--full prints the 1000 × 1000 matrix"), "a large matrix does not fill the screen");
}

#[test]
fn a_prefixed_column_is_the_class_even_beside_one_of_the_bare_name() {
    // One-hot columns `a`, `b`, `c` next to the probabilities would leak the truth.
    let mut table = String::from("label,a,b,c,p_a,p_b,p_c\n");
    for row in &cells(TABLE.as_bytes())[1..] {
        let hot = ["a", "b", "c"].map(|class| if class == row[1] { "1" } else { "0" });
        writeln!(table, "{},{},{}", row[1], hot.join(","), row[2..].join(",")).unwrap();
    }
    let folder = Folder::with_model().with("both.csv", table);
    let expected = column(&folder.ok(&["apply", "model.json", "data.csv"]).stdout, "prediction");
    for flags in [&[] as &[&str], &["--prefix", "p_"]] {
        let out = folder.ok(&[&["apply", "model.json", "both.csv"], flags].concat()).stdout;
        assert_eq!(column(&out, "prediction"), expected, "{flags:?}");
    }
    assert_eq!(weights(&folder, &["both.csv"]), weights(&folder, &["data.csv"]));
}
