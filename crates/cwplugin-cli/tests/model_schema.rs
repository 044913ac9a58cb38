//! `docs/model.schema.json` describes the models that the program writes, and nothing else passes.

use std::fs;
use std::path::Path;
use std::process::Command;

use jsonschema::Validator;
use serde_json::{Value, json};

const SCHEMA: &str = include_str!("../../../docs/model.schema.json");
const PAGE: &str = include_str!("../../../docs/model-format.md");

/// Class `c` has no labelled rows, `d` no probability, `a` and `b` are few and overlap; two rows are unlabelled.
const TABLE: &str = "\
label,weight,p_a,p_b,p_c,p_d
a,1,0.7,0.2,0.1,0
a,2,0.5,0.4,0.1,0
a,1,0.3,0.4,0.3,0
b,0.5,0.6,0.3,0.1,0
b,1,0.2,0.7,0.1,0
b,0,0.9,0.1,0,0
d,1,0.6,0.3,0.1,0
,1,0.1,0.2,0.7,0
,1,0.4,0.3,0.3,0
";

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

fn validator() -> Validator {
    jsonschema::draft202012::new(&schema()).unwrap()
}

/// The model that `cwplugin fit` writes for a table.
fn fit(table: &str, flags: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let (data, model) = (folder.path().join("table.csv"), folder.path().join("model.json"));
    fs::write(&data, table).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cwplugin"));
    let output = command.arg("fit").arg(&data).arg("-o").arg(&model).args(flags).output().unwrap();
    assert!(output.status.success(), "{flags:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&fs::read_to_string(model).unwrap()).unwrap()
}

fn demo() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/demo/sample.csv");
    fs::read_to_string(path).unwrap()
}

/// Models of every kind that the program can write.
fn models() -> Vec<Value> {
    let maps = ["temperature", "bcts", "vector", "vector:probability", "dirichlet-diag", "dirichlet-full"];
    let mut models: Vec<Value> = maps.iter().map(|method| fit(TABLE, &["--method", method])).collect();
    models.extend([
        fit(TABLE, &["--method", "probing"]),
        fit(TABLE, &["--method", "probing", "--metric", "mcc", "--weight", "weight"]),
        fit(&demo(), &["--method", "expected"]),
        fit(TABLE, &["--method", "dirichlet-full", "--select", "cv", "--seed", "7"]),
        fit(TABLE, &["--method", "logistic", "--features", "weight"]),
        fit(&demo(), &[]),
        fit(&demo(), &["--method", "expected", "--mixing", "0.5", "--learning-curve"]),
        fit(&demo(), &["--method", "cwplugin", "--learning-curve", "--seed", "3"]),
        fit("label,p_a,p_b\na,0.6,0.4\na,0.3,0.7\n", &[]),
        fit("label,p_a,p_b\na,0.6,0.4\nb,0.3,0.7\n", &[]),
        fit(&demo(), &["--search", "grid:0.01", "--ties", "nearest-half", "--seed", "18446744073709551615"]),
        fit(&demo(), &["--search", "binary:0.000001", "--metric", "accuracy", "--reference", "best"]),
        fit(&demo(), &["--method", "cwplugin:published", "--metric", "mcc"]),
        fit(&demo(), &["--metric", "f1:eight", "--reference", "last"]),
        fit(&demo(), &["--metric", "precision:one", "--reference", "three"]),
        fit(TABLE, &[]),
        fit(TABLE, &["--method", "cwplugin"]),
        fit(TABLE, &["--absent", "drop", "--ties", "first"]),
        fit(TABLE, &["--weight", "weight", "--metric", "recall:a", "--reference", "b"]),
        fit(TABLE, &["--absent", "drop", "--reference", "c"]),
        fit(TABLE, &["--unscored"]),
        fit(TABLE, &["--method", "clean"]),
        fit(TABLE, &["--method", "ascent"]),
        fit(TABLE, &["--method", "bagged", "--weight", "weight"]),
        fit(&demo(), &["--method", "bagged", "--n-bootstrap", "20"]),
    ]);
    models
}

#[test]
fn the_schema_is_a_schema() {
    assert!(jsonschema::draft202012::meta::is_valid(&schema()));
}

#[test]
fn every_model_that_the_program_writes_is_valid_and_described() {
    let (schema, validator, models) = (schema(), validator(), models());
    for model in &models {
        let errors: Vec<String> =
            validator.iter_errors(model).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:?}\n{model:#}");
        walk(model, &schema, &schema, "model");
    }
    check_warnings(&models);
    check_calibrations(&models);
}

/// The models cover every kind of warning.
fn check_warnings(models: &[Value]) {
    let mut kinds: Vec<String> = models
        .iter()
        .flat_map(|model| model["fit"]["warnings"].as_array().unwrap().clone())
        .map(|warning| warning["kind"].as_str().unwrap().to_string())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(
        kinds,
        [
            "absent-class",
            "at-border",
            "below-clean",
            "few-rows",
            "flat-curve",
            "never-probable",
            "one-class",
            "too-few-rows",
            "unknown-class"
        ]
    );
    kinds.push("not-converged".into()); // no table is known that brings it about
    let described = schema()["$defs"]["warning"]["properties"]["kind"]["description"].to_string();
    for kind in kinds {
        assert!(described.contains(&kind) && PAGE.contains(&format!("| `{kind}` |")), "{kind}");
    }
}

/// The models cover every kind of calibration.
fn check_calibrations(models: &[Value]) {
    let mut kinds: Vec<Value> = models.iter().map(|model| model["calibration"]["kind"].clone()).collect();
    kinds.retain(|kind| !kind.is_null());
    kinds.sort_unstable_by_key(Value::to_string);
    kinds.dedup();
    let mut known =
        schema()["$defs"]["calibration"]["properties"]["kind"]["enum"].as_array().unwrap().clone();
    known.sort_unstable_by_key(Value::to_string);
    assert_eq!(kinds, known);
    for kind in kinds {
        assert!(PAGE.contains(&format!("| `{}` |", kind.as_str().unwrap())), "{kind}");
    }
}

#[test]
fn the_examples_of_the_page_are_valid() {
    let example =
        |text: &str| -> Value { serde_json::from_str(text.split_once("\n```").unwrap().0).unwrap() };
    let examples: Vec<Value> = PAGE.split("```json\n").skip(1).map(example).collect();
    let [mut whole, part] = <[Value; 2]>::try_from(examples).unwrap();
    assert!(validator().is_valid(&whole));
    whole.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
    assert!(validator().is_valid(&whole));
}

#[test]
fn further_fields_are_allowed_at_every_level() {
    let mut model = fit(TABLE, &["--method", "cwplugin"]);
    for place in ["", "/fit", "/fit/score", "/fit/pairs/0", "/fit/warnings/0"] {
        model.pointer_mut(place).unwrap()["new"] = json!({"x": [1]});
    }
    assert!(validator().is_valid(&model));
    let mut model = fit(TABLE, &["--method", "probing"]);
    for place in ["/calibration", "/calibration/steps/0"] {
        model.pointer_mut(place).unwrap()["new"] = json!({"x": [1]});
    }
    assert!(validator().is_valid(&model));
}

#[test]
fn what_is_not_needed_to_predict_may_be_missing() {
    let mut model = fit(TABLE, &[]);
    model["fit"] = json!({"method": "later", "folds": 5});
    assert!(validator().is_valid(&model));
    model["fit"] = Value::Null;
    assert!(validator().is_valid(&model));
    for field in ["fit", "calibration"] {
        model.as_object_mut().unwrap().shift_remove(field);
    }
    assert!(validator().is_valid(&model));
}

#[test]
fn broken_models_are_not_valid() {
    let (model, validator) = (fit(&demo(), &["--method", "cwplugin", "--metric", "f1:eight"]), validator());
    assert!(validator.is_valid(&model));
    for (place, value) in [
        ("/format", json!("other-model")),
        ("/version", json!(2)),
        ("/version", json!("1")),
        ("/classes", json!(["one"])),
        ("/classes/1", json!("one")), // twice
        ("/classes/1", json!(3)),
        ("/calibration", json!({})),
        ("/weights/0", json!(-0.1)),
        ("/weights/0", json!(null)),
        ("/weights", json!([0, 0, 0, 0, 0, 0])),
        ("/fit", json!("by hand")),
        ("/fit/search", json!("grid")),
        ("/fit/search", json!("grid:2")),
        ("/fit/ties", json!("last")),
        ("/fit/absent", json!(true)),
        ("/fit/rows", json!(0)),
        ("/fit/rows", json!(1.5)),
        ("/fit/unlabelled", json!(-1)),
        ("/fit/score/fitted", json!(null)),
        ("/fit/pairs/0/alpha", json!(1.0)),
        ("/fit/pairs/0/alpha", json!(-0.1)),
        ("/fit/pairs/0/plateau", json!([0.1])),
        ("/fit/pairs/0/plateau/1", json!(1.1)),
        ("/fit/pairs/0/evaluations", json!(0)),
        ("/fit/warnings", json!(null)),
        ("/fit/warnings/0/kind", json!(7)),
        ("/fit/warnings/0/class", json!(0)),
    ] {
        let mut broken = model.clone();
        *broken.pointer_mut(place).unwrap() = value.clone();
        assert!(!validator.is_valid(&broken), "{place} = {value}");
    }
}

/// Invalid calibrations are rejected by the schema and by the reader.
#[test]
fn broken_calibrations_are_neither_valid_nor_read() {
    let (model, validator) = (fit("label,p_a,p_b\na,0.6,0.4\nb,0.3,0.7\na,0.4,0.6\n", &[]), validator());
    let with = |calibration: &Value| {
        let mut model = model.clone();
        model["calibration"] = calibration.clone();
        model
    };
    let is_read = |model: &Value| cwplugin::Model::from_json(&model.to_string()).is_ok();
    for good in [
        json!(null),
        json!({"kind": "vector", "input": "probability", "diagonal": [1, 2], "bias": [0, 0]}),
        json!({"kind": "dirichlet", "input": "log", "matrix": [[1, 0], [0, 1]], "bias": [0, 0]}),
        json!({"kind": "logistic", "input": "features", "matrix": [[1, 0, 3], [0, 1, 2]], "bias": [0, 0]}),
        json!({"kind": "probing", "steps": [{"share": 1, "factors": [-1, 2]}]}),
    ] {
        assert!(validator.is_valid(&with(&good)) && is_read(&with(&good)), "{good}");
    }
    for wrong in [
        json!({}),
        json!("vector"),
        json!({"kind": "later", "input": "log", "diagonal": [1, 1], "bias": [0, 0]}),
        json!({"kind": "vector", "diagonal": [1, 1], "bias": [0, 0]}),
        json!({"kind": "vector", "input": "log", "bias": [0, 0]}),
        json!({"kind": "vector", "input": "log", "diagonal": [1, 1]}),
        json!({"kind": "vector", "input": "logit", "diagonal": [1, 1], "bias": [0, 0]}),
        json!({"kind": "vector", "input": "features", "diagonal": [1, 1], "bias": [0, 0]}),
        json!({"kind": "vector", "input": "log", "diagonal": [1, "1"], "bias": [0, 0]}),
        json!({"kind": "vector", "input": "log", "diagonal": [1], "bias": [0]}),
        json!({"kind": "dirichlet", "input": "log", "matrix": [1, 0, 0, 1], "bias": [0, 0]}),
        json!({"kind": "dirichlet", "input": "log", "diagonal": [1, 1], "matrix": [[1, 0], [0, 1]], "bias": [0, 0]}),
        json!({"kind": "logistic", "input": "features", "diagonal": [1, 1], "bias": [0, 0]}),
        json!({"kind": "logistic", "input": "features", "matrix": [[], []], "bias": [0, 0]}),
        json!({"kind": "probing"}),
        json!({"kind": "probing", "steps": []}),
        json!({"kind": "probing", "steps": [{"share": 0, "factors": [1, 1]}]}),
        json!({"kind": "probing", "steps": [{"share": 1}]}),
        json!({"kind": "probing", "steps": [{"share": 1, "factors": [1]}]}),
    ] {
        assert!(!validator.is_valid(&with(&wrong)), "{wrong}");
        assert!(!is_read(&with(&wrong)), "{wrong} is read");
    }
}

#[test]
fn every_field_that_a_model_needs_is_missed() {
    let (model, validator) = (fit(&demo(), &["--method", "cwplugin", "--metric", "f1:eight"]), validator());
    for (place, fields) in [
        ("", &["format", "version", "cwplugin", "classes", "weights"][..]),
        (
            "/fit",
            &["method", "metric", "reference", "search", "ties", "absent", "rows", "unlabelled", "seed"],
        ),
        ("/fit", &["pairs", "warnings"]),
        ("/fit/score", &["clean", "fitted"]),
        ("/fit/pairs/0", &["class", "alpha", "score", "plateau", "evaluations"]),
        ("/fit/warnings/0", &["kind", "message"]),
    ] {
        for field in fields {
            let mut broken = model.clone();
            let removed = broken.pointer_mut(place).unwrap().as_object_mut().unwrap().shift_remove(*field);
            assert!(removed.is_some() && !validator.is_valid(&broken), "{place}/{field}");
        }
    }
}

/// Looks for every key of `value` among the properties of `part`, and for its description there and on the page.
fn walk(value: &Value, part: &Value, schema: &Value, place: &str) {
    let part = resolved(part, schema);
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let place = format!("{place}.{key}");
                let property = &part["properties"][key];
                if part["additionalProperties"].is_object() {
                    continue; // any name
                }
                assert!(property.is_object(), "{place} is not in the schema");
                let described = [property, resolved(property, schema)]
                    .iter()
                    .any(|part| part["description"].as_str().is_some_and(|text| !text.is_empty()));
                assert!(described, "{place} has no description");
                let on_page = [format!("`{key}`"), format!(".{key}`"), format!("`{key}.")];
                assert!(on_page.iter().any(|name| PAGE.contains(name)), "{place} is not on the page");
                walk(value, property, schema, &place);
            }
        }
        Value::Array(items) => {
            for item in items {
                walk(item, &part["items"], schema, &format!("{place}[]"));
            }
        }
        _ => {}
    }
}

/// The part that a reference, or the only reference among alternatives, leads to.
fn resolved<'a>(part: &'a Value, schema: &'a Value) -> &'a Value {
    let alternatives = part["anyOf"].as_array().into_iter().flatten();
    let reference = alternatives.chain([part]).find_map(|part| part["$ref"].as_str());
    match reference.and_then(|reference| reference.strip_prefix('#')) {
        Some(pointer) => schema.pointer(pointer).unwrap_or_else(|| panic!("no {pointer}")),
        None => part,
    }
}
