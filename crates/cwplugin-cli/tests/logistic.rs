//! `fit --method logistic`: a model on features, from columns of the table or from a file.

use serde_json::{Value, json};

use crate::support::samples::{CLASSES, argmax, csv, features, npy, parquet, rows, scores};
use crate::support::{self, Folder, column};

const FIT: [&str; 5] = ["fit", "--method", "logistic", "--json", "--features"];

fn fit(folder: &Folder, data: &str, features: &str) -> Value {
    folder.ok(&[&FIT as &[&str], &[features, data]].concat()).json()
}

/// Slopes and biases.
fn map(model: &Value) -> [&Value; 2] {
    ["matrix", "bias"].map(|field| &model["calibration"][field])
}

fn predictions(folder: &Folder, args: &[&str]) -> Vec<String> {
    let out = folder.ok(&[&["apply", "m.json"], args, &["--to", "csv"]].concat()).stdout;
    column(&out, "prediction")
}

#[test]
fn a_model_names_its_columns_and_finds_them_again() {
    let sample = rows(80, 1);
    let folder = Folder::new().with("data.csv", csv(&sample));
    folder.ok(&["fit", "data.csv", "--method", "logistic", "--features", "x,y", "-o", "m.json"]);
    let model = folder.json("m.json");
    let calibration = &model["calibration"];
    assert_eq!((&calibration["kind"], &calibration["input"]), (&json!("logistic"), &json!("features")));
    assert_eq!(calibration["features"], json!(["x", "y"]));
    let expected: Vec<&str> = sample.iter().map(|row| CLASSES[argmax(&scores(&model, row))]).collect();
    assert_eq!(predictions(&folder, &["data.csv"]), expected);
    // Where the columns stand does not matter.
    let turned: String =
        csv(&sample).lines().map(|line| line.split(',').rev().collect::<Vec<_>>().join(",") + "\n").collect();
    folder.write("turned.csv", turned);
    assert_eq!(predictions(&folder, &["turned.csv"]), expected);
    assert_eq!(predictions(&folder, &["data.csv", "--features", "x,y"]), expected);
    assert_ne!(predictions(&folder, &["data.csv", "--features", "y,x"]), expected);
    let right =
        sample.iter().zip(&expected).filter(|(row, class)| CLASSES[row.label.unwrap()] == **class).count();
    assert!(right > 45, "{right} of 80: the features tell the class");
}

#[test]
fn features_are_no_classes_even_if_all_columns_are_numbers() {
    let table = csv(&rows(40, 2)).replace("p_", "").replace(",split,", ",note,");
    let folder = Folder::new().with("data.csv", table);
    let model = folder.ok(&[&FIT as &[&str], &["x,y", "data.csv", "--weight", "w"]].concat()).json();
    assert_eq!(model["classes"], json!(["a", "b", "c"]));
    folder.write("m.json", model.to_string());
    assert_eq!(predictions(&folder, &["data.csv"]).len(), 40);
}

#[test]
fn columns_and_files_of_the_same_numbers_give_the_same_model() {
    let sample = rows(60, 3);
    let folder = Folder::new()
        .with("data.csv", csv(&sample))
        .with("data.parquet", parquet(&sample, false))
        .with("f.npy", features(&sample));
    let lines = sample.iter().map(|row| row.features.map(|feature| feature.to_string()).join(","));
    folder.write("f.csv", format!("x,y\n{}\n", lines.collect::<Vec<_>>().join("\n")));
    let x: Vec<f32> = sample.iter().map(|row| row.features[0] as f32).collect();
    folder.write("x.npy", npy(&x, 1));
    let columns = fit(&folder, "data.csv", "x,y");
    for data in ["data.csv", "data.parquet"] {
        for features in ["f.npy", "f.csv", "x.npy,y"] {
            let model = fit(&folder, data, features);
            assert_eq!(map(&model), map(&columns), "{data} {features}");
            assert!(model["calibration"].get("features").is_none(), "a file has no names: {features}");
        }
        // A model that names its columns also takes a file in their place, and the other way round.
        folder.write("m.json", columns.to_string());
        let expected = predictions(&folder, &[data]);
        assert_eq!(predictions(&folder, &[data, "--features", "f.npy"]), expected);
        folder.write("m.json", fit(&folder, data, "f.npy").to_string());
        for features in ["f.npy", "x,y", "x.npy,y"] {
            assert_eq!(predictions(&folder, &[data, "--features", features]), expected);
        }
        let args = ["eval", "m.json", data, "--features", "f.npy", "--metric", "mcc", "--json"];
        let eval = folder.ok(&args).json();
        let counted: f64 = (0..3).map(|k| eval["confusion"]["fitted"][k][0].as_f64().unwrap()).sum();
        assert_eq!(counted.to_string(), expected.iter().filter(|class| *class == "a").count().to_string());
    }
}

#[test]
fn a_file_follows_the_table_over_many_chunks() {
    let long = rows(8_800, 4);
    let folder = Folder::new()
        .with("few.csv", csv(&long[..60]))
        .with("long.csv", csv(&long))
        .with("long.parquet", parquet(&long, false))
        .with("long.npy", features(&long));
    let model = fit(&folder, "few.csv", "x,y");
    folder.write("m.json", model.to_string());
    let expected: Vec<&str> = long.iter().map(|row| CLASSES[argmax(&scores(&model, row))]).collect();
    for data in ["long.csv", "long.parquet"] {
        for threads in ["1", "2"] {
            let args = [data, "--features", "long.npy", "--threads", threads];
            assert!(predictions(&folder, &args) == expected, "{data} {threads}");
        }
    }
    let args = ["apply", "m.json", "-", "--features", "long.npy"];
    let out = folder.run_on(&args, csv(&long).as_bytes()).ok().stdout;
    assert!(column(&out, "prediction") == expected);
    let run = |features: &str, threads: &str| {
        let args = ["eval", "m.json", "long.csv", "--features", features, "--metric", "mcc"];
        folder.ok(&[&args as &[&str], &["--resamples", "5", "--threads", threads, "--json"]].concat()).stdout
    };
    assert!(run("x,y", "2") == run("long.npy", "1"));
}

#[test]
fn a_fit_on_many_chunks_does_not_depend_on_where_the_features_are() {
    let long = rows(8_300, 5);
    let folder = Folder::new().with("long.csv", csv(&long)).with("long.npy", features(&long));
    // Few labels, all over the table: the fit is quick, the reading is not.
    let few: Vec<_> = long
        .iter()
        .enumerate()
        .map(|(i, row)| support::samples::Row { label: row.label.filter(|_| i % 100 == 7), ..row.clone() })
        .collect();
    folder.write("few.csv", csv(&few));
    let columns = fit(&folder, "few.csv", "x,y");
    assert_eq!((&columns["fit"]["rows"], &columns["fit"]["unlabelled"]), (&json!(83), &json!(8_217)));
    assert_eq!(map(&columns), map(&fit(&folder, "few.csv", "long.npy")));
}

#[test]
fn probabilities_are_not_looked_at() {
    let sample = rows(50, 6);
    let folder = Folder::new().with("data.csv", csv(&sample));
    let other: Vec<_> =
        sample.iter().map(|row| support::samples::Row { p: [0.25, 0.5, 0.25], ..row.clone() }).collect();
    folder.write("other.csv", csv(&other));
    assert_eq!(map(&fit(&folder, "data.csv", "x,y")), map(&fit(&folder, "other.csv", "x,y")));
}
