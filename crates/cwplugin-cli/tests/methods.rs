//! Every method of `fit`: its model predicts what its numbers say, in every format.

use serde_json::{Value, json};

use crate::support::samples::{CLASSES, METHODS, Row, argmax, csv, numbers, parquet, rows, scores};
use crate::support::{Folder, column, without_options};

fn fit(folder: &Folder, data: &str, method: &[&str], flags: &[&str]) -> Vec<u8> {
    folder.ok(&[&["fit", data, "--json", "--method"], method, flags].concat()).stdout
}

fn model(folder: &Folder, data: &str, method: &[&str], flags: &[&str]) -> Value {
    serde_json::from_slice(&fit(folder, data, method, flags)).unwrap()
}

/// The model without the numbers of rows, which may differ where the rule must not.
fn rule(model: &Value) -> Value {
    json!([model["classes"], model["calibration"], model["weights"]])
}

#[test]
fn a_model_predicts_what_its_numbers_say() {
    let (sample, others) = (rows(90, 1), rows(120, 2));
    let folder = Folder::new().with("data.csv", csv(&sample)).with("other.csv", csv(&others));
    for method in METHODS {
        folder.ok(&[&["fit", "data.csv", "-o", "m.json", "--method"], method].concat());
        let model = folder.json("m.json");
        assert_eq!(model["fit"]["method"], method[0]);
        let out = folder.ok(&["apply", "m.json", "other.csv", "--scores-out"]).stdout;
        let predicted = column(&out, "prediction");
        let written = CLASSES.map(|class| column(&out, &format!("score_{class}")));
        for (i, row) in others.iter().enumerate() {
            let written: Vec<f64> = written.iter().map(|scores| scores[i].parse().unwrap()).collect();
            assert!((written.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{method:?}: {written:?}");
            assert_eq!(predicted[i], CLASSES[argmax(&written)], "{method:?}, row {i}: {written:?}");
            let expected = scores(&model, row);
            for class in 0..3 {
                let gap = (written[class] - expected[class]).abs();
                assert!(gap < 1e-9, "{method:?}, row {i}: {written:?}, not {expected:?}");
            }
        }
    }
}

#[test]
fn eval_counts_what_apply_predicts_and_agrees_with_fit() {
    let sample = rows(90, 3);
    let folder = Folder::new().with("data.csv", csv(&sample));
    for method in METHODS {
        folder.ok(&[&["fit", "data.csv", "-o", "m.json", "--metric", "mcc", "--method"], method].concat());
        let predicted = column(&folder.ok(&["apply", "m.json", "data.csv"]).stdout, "prediction");
        let mut counts = [[0.0; 3]; 3];
        for (row, predicted) in sample.iter().zip(&predicted) {
            counts[row.label.unwrap()][CLASSES.iter().position(|class| class == predicted).unwrap()] += 1.0;
        }
        let args = ["eval", "m.json", "data.csv", "--metric", "mcc", "--resamples", "9", "--json"];
        let eval = folder.ok(&args).json();
        assert_eq!(eval["confusion"]["fitted"], json!(counts), "{method:?}");
        let score = &folder.json("m.json")["fit"]["score"];
        for side in ["clean", "fitted"] {
            let (of_fit, of_eval) = (&score[side], &eval["metrics"]["mcc"][side]);
            assert!((of_fit.as_f64().unwrap() - of_eval.as_f64().unwrap()).abs() < 1e-12, "{method:?}");
        }
    }
}

#[test]
fn clean_and_temperature_change_no_prediction() {
    let folder = Folder::new().with("data.csv", csv(&rows(90, 4)));
    for method in ["clean", "temperature"] {
        folder.ok(&["fit", "data.csv", "-o", "m.json", "--method", method]);
        let run = folder.ok(&["apply", "m.json", "data.csv"]);
        assert_eq!(run.stderr, "90 rows, 0 predictions changed by the model\n");
    }
}

#[test]
fn the_format_and_the_number_of_threads_change_no_bit() {
    let sample = rows(70, 5);
    let folder = Folder::new()
        .with("data.csv", csv(&sample))
        .with("single.parquet", parquet(&sample, false))
        .with("double.parquet", parquet(&sample, true));
    for method in METHODS {
        let expected = fit(&folder, "data.csv", method, &["--threads", "1"]);
        for data in ["single.parquet", "double.parquet"] {
            assert!(fit(&folder, data, method, &["--threads", "2"]) == expected, "{method:?} {data}");
        }
        let args = [&["fit", "-", "--json", "--method"], method].concat();
        assert!(folder.run_on(&args, csv(&sample).as_bytes()).ok().stdout == expected, "{method:?} -");
        folder.write("m.json", &expected);
        let apply = |data: &str, threads: &str| {
            let args = ["apply", "m.json", data, "--to", "csv", "--scores-out", "--threads", threads];
            let out = folder.ok(&args).stdout;
            ["prediction", "score_a", "score_b", "score_c"].map(|name| column(&out, name))
        };
        let predicted = apply("data.csv", "1");
        for data in ["single.parquet", "double.parquet"] {
            assert!(apply(data, "2") == predicted, "{method:?} {data}");
        }
        let eval = |data: &str, threads: &str| {
            let args = ["eval", "m.json", data, "--metric", "mcc", "--resamples", "9", "--json"];
            folder.ok(&[&args as &[&str], &["--threads", threads]].concat()).stdout
        };
        assert!(eval("data.csv", "1") == eval("single.parquet", "2"), "{method:?}");
    }
}

#[test]
fn many_rows_are_predicted_as_few_are() {
    let (sample, long) = (rows(60, 6), rows(8_500, 7));
    let folder = Folder::new().with("data.csv", csv(&sample)).with("long.csv", csv(&long));
    for method in
        METHODS.into_iter().filter(|method| !["clean", "temperature", "vector"].contains(&method[0]))
    {
        folder.ok(&[&["fit", "data.csv", "-o", "m.json", "--method"], method].concat());
        let model = folder.json("m.json");
        let out = folder.ok(&["apply", "m.json", "long.csv", "--json"]).json();
        let predicted = out["predictions"].as_array().unwrap();
        assert_eq!(predicted.len(), long.len());
        for (row, predicted) in long.iter().zip(predicted) {
            let scores = scores(&model, row);
            let place = CLASSES.iter().position(|class| predicted == class).unwrap();
            assert!(scores[place] >= scores[argmax(&scores)] - 1e-9, "{method:?}: {row:?}");
        }
    }
}

#[test]
fn unlabelled_rows_and_rows_of_weight_0_teach_nothing() {
    let sample = rows(60, 8);
    let mut more: Vec<Row> = Vec::new();
    for (i, row) in sample.iter().enumerate() {
        more.push(row.clone());
        match i % 3 {
            0 => more.push(Row { label: None, ..rows(1, i as u64).remove(0) }),
            1 => more.push(Row { weight: 0.0, ..rows(1, i as u64).remove(0) }),
            _ => {}
        }
    }
    let folder = Folder::new().with("data.csv", csv(&sample)).with("more.csv", csv(&more));
    for method in METHODS {
        let few = model(&folder, "data.csv", method, &["--weight", "w"]);
        let many = model(&folder, "more.csv", method, &["--weight", "w"]);
        assert_eq!(rule(&few), rule(&many), "{method:?}");
        assert_eq!((&few["fit"]["rows"], &few["fit"]["unlabelled"]), (&json!(60), &json!(0)));
        assert_eq!((&many["fit"]["rows"], &many["fit"]["unlabelled"]), (&json!(60), &json!(20)));
    }
}

#[test]
fn a_row_of_weight_4_counts_as_four_rows() {
    let sample: Vec<Row> = rows(60, 9)
        .into_iter()
        .enumerate()
        .map(|(i, row)| Row { weight: [1.0, 4.0][i % 2], ..row })
        .collect();
    let copies = |row: &Row| vec![row.clone(); if row.weight > 1.0 { 4 } else { 1 }];
    let longer: Vec<Row> = sample.iter().flat_map(copies).collect();
    let folder = Folder::new().with("data.csv", csv(&sample)).with("copies.csv", csv(&longer));
    // The others put rows into folds, or begin with a random guess at the factors of all rows.
    for method in [
        "cwplugin",
        "ascent",
        "temperature",
        "bcts",
        "vector",
        "vector:probability",
        "dirichlet-diag",
        "dirichlet-full",
        "label-shift",
    ] {
        let weighted = model(&folder, "data.csv", &[method], &["--weight", "w"]);
        let repeated = model(&folder, "copies.csv", &[method], &[]);
        let plain = model(&folder, "data.csv", &[method], &[]);
        for row in &sample {
            let [weighted, repeated] = [&weighted, &repeated].map(|model| scores(model, row));
            for class in 0..3 {
                assert!(
                    (weighted[class] - repeated[class]).abs() < 1e-6,
                    "{method}: {weighted:?} {repeated:?}"
                );
            }
        }
        assert_ne!(rule(&weighted), rule(&plain), "{method} looks at the weights");
    }
}

/// Tables in which a class, or all but one, have no labelled row, and one with a single labelled row.
#[test]
fn no_method_falls_over_a_class_without_labelled_rows() {
    let sample = rows(40, 10);
    let labelled = |keep: &dyn Fn(usize, usize) -> bool| -> String {
        let keep =
            |(i, row): (usize, &Row)| Row { label: row.label.filter(|&label| keep(i, label)), ..row.clone() };
        csv(&sample.iter().enumerate().map(keep).collect::<Vec<_>>())
    };
    let first_b = sample.iter().position(|row| row.label == Some(1)).unwrap();
    for (table, absent) in [
        (labelled(&|_, label| label != 0), &["a"] as &[&str]),
        (labelled(&|_, label| label != 2), &["c"]),
        (labelled(&|_, label| label == 1), &["a", "c"]),
        (labelled(&|i, _| i == first_b), &["a", "c"]),
    ] {
        let folder = Folder::new().with("data.csv", table);
        for method in METHODS {
            let run = folder.ok(&[&["fit", "data.csv", "-o", "m.json", "--method"], method].concat());
            let model = folder.json("m.json");
            let kind = match method[0] {
                "cwplugin" | "cwplugin:published" | "ascent" | "bagged" => "absent-class",
                _ => "unknown-class",
            };
            let warnings = model["fit"]["warnings"].as_array().unwrap().iter();
            let of_kind = warnings.filter(|warning| warning["kind"] == kind).map(|warning| &warning["class"]);
            let found: Vec<&str> = of_kind.map(|class| class.as_str().unwrap()).collect();
            if method[0] == "clean" {
                assert!(found.is_empty());
                continue;
            }
            // The reference of the published method may be absent itself, which has no warning of its own.
            if method[0] != "cwplugin:published" {
                assert_eq!(found, absent, "{method:?}");
                assert!(run.stderr.contains("has no labelled rows"), "{method:?}: {}", run.stderr);
            }
            let out = folder.ok(&["apply", "m.json", "data.csv", "--scores-out"]).stdout;
            for class in CLASSES {
                let scores = column(&out, &format!("score_{class}"));
                assert!(scores.iter().all(|score| score.parse::<f64>().unwrap().is_finite()), "{method:?}");
            }
        }
        // The rule is the one of `apply`, whatever method it is of.
        folder.ok(&["eval", "m.json", "data.csv", "--metric", "mcc", "--resamples", "9"]);
        for select in ["in-sample", "cv"] {
            for method in ["dirichlet-diag", "dirichlet-full"] {
                fit(&folder, "data.csv", &[method], &["--select", select]);
            }
        }
    }
}

#[test]
fn a_penalty_chosen_on_held_out_rows_is_another_one() {
    let folder = Folder::new().with("data.csv", csv(&rows(40, 11)));
    let fit = |flags: &[&str]| model(&folder, "data.csv", &["dirichlet-full"], flags);
    assert_eq!(without_options(fit(&[])), without_options(fit(&["--select", "in-sample"])));
    assert_ne!(rule(&fit(&[])), rule(&fit(&["--select", "cv"])));
    // Only folds are drawn.
    assert_eq!(rule(&fit(&["--seed", "7"])), rule(&fit(&[])));
}

#[test]
fn the_seed_decides_where_chance_is_at_work() {
    let folder = Folder::new().with("data.csv", csv(&rows(60, 12)));
    let rule = |method: &str, seed: &str| rule(&model(&folder, "data.csv", &[method], &["--seed", seed]));
    for method in ["probing", "bagged"] {
        let [zero, again, others @ ..] = ["0", "0", "1", "2"].map(|seed| rule(method, seed));
        assert_eq!(zero, again);
        assert!(others.iter().any(|other| *other != zero), "{method}");
    }
    for method in ["clean", "ascent", "temperature", "vector", "dirichlet-diag"] {
        assert_eq!(rule(method, "0"), rule(method, "1"), "{method}");
    }
}

#[test]
fn maps_lower_the_log_loss_and_their_biases_have_no_mean() {
    let sample = rows(90, 13);
    let folder = Folder::new().with("data.csv", csv(&sample));
    let loss = |model: &Value| {
        let losses = sample.iter().map(|row| -scores(model, row)[row.label.unwrap()].max(f64::EPSILON).ln());
        losses.sum::<f64>() / sample.len() as f64
    };
    let clean = loss(&model(&folder, "data.csv", &["clean"], &[]));
    let mut before = clean;
    // Each has the maps of the one before it among its own.
    for method in ["temperature", "bcts", "vector"] {
        let model = model(&folder, "data.csv", &[method], &[]);
        let after = loss(&model);
        assert!(after <= before + 1e-9, "{method}: {after} > {before}");
        assert!(numbers(&model["calibration"]["bias"]).iter().sum::<f64>().abs() < 1e-9, "{method}");
        let run = folder.ok(&["fit", "data.csv", "--method", method, "--verbose"]);
        let expected = format!("log loss {clean:.4} → {after:.4}");
        assert!(run.text().contains(&expected), "{method}: {expected}: {}", run.text());
        before = after;
    }
}

#[test]
fn the_list_of_methods_is_what_fit_takes() {
    let folder = Folder::new().with("data.csv", csv(&rows(30, 14)));
    let json = folder.ok(&["methods", "--json"]).json();
    let listed = json["methods"].as_array().unwrap();
    let names: Vec<&str> = listed.iter().map(|method| method["name"].as_str().unwrap()).collect();
    assert!(METHODS.iter().all(|method| names.contains(&method[0])), "{names:?}");
    for name in names.iter().filter(|name| METHODS.iter().all(|method| method[0] != **name)) {
        folder.ok(&["fit", "data.csv", "--method", name]);
    }
    let text = folder.ok(&["methods"]).text();
    for method in listed {
        assert!(
            text.contains(method["name"].as_str().unwrap())
                && !method["summary"].as_str().unwrap().is_empty()
        );
    }
    for method in METHODS {
        folder.ok(&[&["fit", "data.csv", "--method"], method].concat());
    }
}

#[test]
fn a_method_that_looks_at_no_metric_is_still_scored_with_it() {
    let folder = Folder::new().with("data.csv", csv(&rows(60, 15)));
    for method in ["vector", "clean"] {
        let [one, other] = ["accuracy", "macro-f1"]
            .map(|metric| model(&folder, "data.csv", &[method], &["--metric", metric]));
        assert_eq!(rule(&one), rule(&other));
        assert_ne!(one["fit"]["score"], other["fit"]["score"]);
    }
}
