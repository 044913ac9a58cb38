//! `cwplugin fit --subject-to`: constraints that are met, and messages if they cannot be.

use serde_json::{Value, json};

use crate::support::Folder;
use crate::support::samples::{csv, rows};

/// 150 rows of three classes.
fn folder() -> Folder {
    Folder::new().with("data.csv", csv(&rows(150, 5))).with("other.csv", csv(&rows(300, 6)))
}

/// The recall of class `c`, or 1 where it is not asked about.
const RECALL: &str = r#"$| = 1;
while (<STDIN>) {
    my @classes = split /, */, (/"classes": *\[(.*?)\]/)[0];
    my ($k) = grep { $classes[$_] eq '"c"' } 0 .. $#classes;
    my @row = defined $k ? split /,/, (/\[([^\[\]"]+)\]/g)[$k] : (1);
    my $sum = 0;
    $sum += $_ for @row;
    printf "%.17g\n", $sum ? $row[$k // 0] / $sum : 0;
}
"#;

const DATA: [&str; 4] = ["fit", "data.csv", "--weight", "w"];

fn fit(folder: &Folder, flags: &[&str]) -> Value {
    folder.ok(&[&DATA[..], &["--json"], flags].concat()).json()
}

#[test]
fn every_method_and_every_search_keeps_to_the_limits() {
    let folder = folder();
    let limits = ["--subject-to", "recall:c>=0.8", "--subject-to", "precision:b>=0.75"];
    for flags in [
        &["--method", "auto"] as &[&str],
        &["--method", "expected"],
        &["--method", "bagged", "--n-bootstrap", "10"],
        &["--method", "ascent"],
        &["--method", "cwplugin:published"],
        &["--search", "exact", "--reference", "best"],
        &["--search", "grid:0.05", "--ties", "first"],
        &["--search", "binary:0.01", "--metric", "balanced-accuracy"],
    ] {
        let model = fit(&folder, &[&limits, flags].concat());
        let kept = model["fit"]["constraints"].as_array().unwrap();
        let names: Vec<&Value> = kept.iter().map(|kept| &kept["constraint"]).collect();
        assert_eq!(names, ["recall:c>=0.8", "precision:b>=0.75"]);
        for kept in kept {
            assert!(kept["margin"].as_f64().unwrap() >= 0.0, "{flags:?}: {kept}");
        }
        assert!(model["fit"]["adjusted"].is_boolean());
        let threads = fit(&folder, &[&limits, flags, &["--threads", "1"]].concat());
        assert_eq!(threads, model, "{flags:?}");
    }
}

#[test]
fn a_formula_and_a_program_limit_as_the_built_in_metric_does() {
    // The program is asked for every row.
    let folder = Folder::new().with("data.csv", csv(&rows(40, 5))).with("recall.pl", RECALL);
    for method in ["ascent", "auto"] {
        let with = |limit: &str| {
            let model = fit(&folder, &["--method", method, "--subject-to", &format!("{limit}>=0.85")]);
            (model["weights"].clone(), model["fit"]["constraints"][0]["value"].clone())
        };
        let built_in = with("recall:c");
        assert_eq!(with("expr:recall[c]"), built_in, "{method}");
        assert_eq!(with("command:perl recall.pl"), built_in, "{method}");
    }
}

#[test]
fn what_cannot_be_met_is_said() {
    let folder = folder();
    let limits = ["--subject-to", "recall:c>=1", "--subject-to", "precision:c>=0.99"];
    let run = folder.ok(&[&DATA[..], &limits, &["-o", "model.json"]].concat());
    assert!(
        run.stderr.contains("warning: no weights were found that meet all constraints"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("relax a constraint"), "{}", run.stderr);
    assert!(run.text().contains("  precision:c>=0.99"), "{}", run.text());
    let fit = &folder.json("model.json")["fit"];
    assert_eq!(fit["warnings"][0]["kind"], json!("unmet"));
    assert!(fit["constraints"][1]["margin"].as_f64().unwrap() < 0.0);
}

#[test]
fn eval_looks_at_the_limits_of_a_model_on_other_rows() {
    let folder = folder();
    let limit = ["--subject-to", "recall:c>=0.8", "-o", "model.json"];
    folder.ok(&[&DATA[..], &limit].concat());
    let eval = ["eval", "model.json", "other.csv", "--weight", "w"];
    let kept = folder.ok(&[&eval[..], &["--json"]].concat()).json()["constraints"][0].clone();
    let recall = folder.ok(&[&eval[..], &["--json", "--metric", "recall:c"]].concat()).json();
    assert_eq!(kept["value"], recall["metrics"]["recall:c"]["fitted"]);
    assert!(folder.ok(&eval).text().contains("recall:c>=0.8"));
}

/// A model may come from anybody.
#[test]
fn no_program_and_no_file_that_a_model_names_is_touched() {
    let folder = folder();
    let limit = ["--subject-to", "recall:c>=0.8", "-o", "model.json"];
    folder.ok(&[&DATA[..], &limit].concat());
    let eval = ["eval", "model.json", "other.csv", "--weight", "w"];
    let unknown = folder.text("model.json").replace("recall:c>=0.8", "later:c>=0.8");
    folder.write("later.json", unknown);
    let later = folder.ok(&["eval", "later.json", "other.csv", "--weight", "w"]);
    assert!(later.stderr.contains("is not checked: unknown metric \"later:c\""), "{}", later.stderr);
    for evil in ["command:touch evil", "command-once:touch evil", "cost:/dev/zero"] {
        folder.write("model.json", folder.text("model.json").replace("recall:c>=0.8", &format!("{evil}>=0")));
        let run = folder.ok(&eval);
        assert!(run.stderr.contains("is not checked: it names a file or a program"), "{}", run.stderr);
        assert!(!folder.names().contains(&"evil".into()));
        folder.write("model.json", folder.text("model.json").replace(&format!("{evil}>=0"), "recall:c>=0.8"));
    }
}

#[test]
fn the_parts_of_a_learning_curve_are_fitted_within_the_limits() {
    let folder = folder();
    let curve = |flags: &[&str]| {
        fit(&folder, &[flags, &["--learning-curve"]].concat())["fit"]["learning_curve"]["points"].clone()
    };
    for method in ["ascent", "cwplugin"] {
        let (free, limited) = (["--method", method], ["--method", method, "--subject-to", "recall:c>=1"]);
        let (free, limited) = (curve(&free), curve(&limited));
        assert_eq!(limited.as_array().unwrap().len(), 3, "{method}");
        assert_ne!(limited, free, "{method}");
        // A limit that everything keeps to changes nothing.
        assert_eq!(curve(&["--method", method, "--subject-to", "recall:c>=0"]), free, "{method}");
    }
}

#[test]
fn what_is_no_limit_is_refused_with_the_cure() {
    let folder = folder().with("costs.csv", "0,1,1\n1,0,1\n1,1,0\n");
    let refused = |flags: &[&str], error: &str, hint: &str| {
        folder.run(&[&DATA[..], flags].concat()).refused(2, error, hint);
    };
    for text in ["recall:c>0.8", "recall:c>=", "recall:c>=high", ">=0.8", "recall:c"] {
        refused(
            &["--subject-to", text],
            &format!("--subject-to {text}: not a constraint"),
            "'precision:fraud>=0.9'",
        );
    }
    refused(&["--subject-to", "recal:c>=0.8"], "unknown metric \"recal:c\"", "did you mean recall:CLASS?");
    refused(
        &["--subject-to", "recall:d>=0.8"],
        "metric \"recall:d\": unknown class \"d\"",
        "the classes are \"a\", \"b\", \"c\"",
    );
    for method in ["clean", "vector", "probing", "label-shift"] {
        let what = format!("--subject-to is not supported by --method {method}");
        refused(
            &["--subject-to", "recall:c>=0.8", "--method", method],
            &what,
            "omit it, or use --method ascent",
        );
    }
    refused(
        &["--subject-to", "recall:c>=0.8", "--subject-to", "recall:c >= 0.80"],
        "--subject-to recall:c >= 0.80 is given twice",
        "omit one of them",
    );
    refused(
        &["--subject-to", "cost:costs.csv>=-1", "-o", "costs.csv"],
        "-o costs.csv: would overwrite the cost matrix",
        "write to another file",
    );
    refused(
        &["--subject-to", "recall:c>=0.8", "--metric-timeout", "3"],
        "--metric-timeout is not supported by --metric macro-f1",
        "omit it",
    );
    for flags in [&["--buffer", "1"] as &[&str], &["--unscored"]] {
        let run = folder.run(&[&DATA[..], &["--subject-to", "accuracy>=0"], flags].concat());
        assert!(run.code == 2 && run.stderr.contains("cannot be used with"), "{}", run.stderr);
    }
}
