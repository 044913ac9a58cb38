//! Tasks that need no files.

use serde_json::{Value, json};

use super::cells;
use crate::support::Folder;

#[test]
fn generated_rows_need_no_files() {
    let folder = Folder::new();
    let run = |name: &str, flags: &[&str]| {
        let args = ["experiment", name, "-o", "out", "--sizes", "800", "--repeats", "1", "--json"];
        let mut command = folder.command(&[&args as &[&str], flags].concat());
        let output = command.env_remove("CWPLUGIN_DATA").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let all = run("generated", &["--methods", "clean,bcts"]);
    let tasks: Vec<&str> =
        all["cells"].as_array().unwrap().iter().map(|cell| cell["task"].as_str().unwrap()).collect();
    for name in ["10-mild", "10-severe", "10-overconfident", "10-none", "50-mild", "50-severe"] {
        let name = format!("generated-{name}");
        assert_eq!(
            tasks.iter().filter(|task| **task == name).count(),
            10,
            "{name}: a cell of each method and metric"
        );
        let document = folder.json(&format!("out/{name}.json"));
        assert_eq!(document["rows"], json!({"pool": 8000, "test": 8000}));
        assert_eq!(document["sizes"], json!([800]), "of many classes too, if told");
        assert_eq!((&document["shift"], &document["unlabelled"]), (&Value::Null, &json!(500)));
        let law = &document["source"]["generated"];
        let classes = document["classes"].as_array().unwrap();
        assert_eq!((&law["classes"], &classes[0]), (&json!(classes.len()), &json!("1")));
        assert_eq!(document["source"]["fnv"].as_str().unwrap().len(), 16);
        assert!(folder.path(&format!("out/{name}-mcc.svg")).exists());
    }
    let severe = |flags: &[&str]| {
        run("generated-10-severe", &[&["--methods", "clean,bcts"], flags].concat());
        folder.json("out/generated-10-severe.json")
    };
    let first = folder.json("out/generated-10-severe.json");
    let again = severe(&["--threads", "1", "--unlabelled", "50"]);
    assert_eq!(cells(&again), cells(&first), "rows without labels are nothing to these methods");
    assert_eq!((&again["unlabelled"], &again["source"]), (&json!(50), &first["source"]));
    let other = severe(&["--seed", "1"]);
    assert_ne!(cells(&other), cells(&first));
    assert_ne!(other["source"]["fnv"], first["source"]["fnv"]);
}

#[test]
fn no_full_matrix_is_learnt_of_fifty_classes_and_nothing_of_features() {
    let folder = Folder::new();
    folder.ok(&["experiment", "generated-50-mild", "-o", "out", "--quiet", "--sizes", "2", "--repeats", "1"]);
    let names = cwplugin::METHODS.iter().map(|method| method.name);
    let expected: Vec<&str> =
        names.filter(|name| !["logistic", "dirichlet-full", "sms"].contains(name)).collect();
    assert_eq!(folder.json("out/generated-50-mild.json")["methods"], json!(expected));
}

#[test]
fn many_classes_are_run_on_the_sizes_of_the_paper_alone() {
    let folder = Folder::new();
    let sizes = |name: &str| {
        folder.ok(&["experiment", name, "-o", "out", "--quiet", "--methods", "clean", "--repeats", "1"]);
        folder.json(&format!("out/{name}.json"))["sizes"].clone()
    };
    assert_eq!(sizes("generated-10-none"), json!([50, 100, 160, 250, 400, 800, 1600]));
    assert_eq!(sizes("generated-50-mild"), json!([50, 100, 160, 250, 400]));
}
