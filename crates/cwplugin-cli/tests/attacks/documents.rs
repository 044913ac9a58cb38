use std::io::Cursor;

use serde_json::{Value, json};

use crate::support::{Folder, model};

#[test]
fn compressed_statistics_cannot_fill_the_memory() {
    let text = format!(
        "{{\"format\": \"cwplugin-statistics\", \"version\": 1, \"x\": \"{}\"}}",
        "x".repeat(300 << 20)
    );
    let folder = Folder::new().with("s.json.zst", zstd::encode_all(Cursor::new(text), 1).unwrap());
    assert!(folder.read("s.json.zst").len() < 300_000);
    let error = "s.json.zst: not a document: the file is larger than 256 MiB";
    folder.attack(&["merge", "s.json.zst"], error, "one JSON object");
    folder.attack(&["fit", "--stats", "s.json.zst"], error, "one JSON object");
}

#[test]
fn a_line_without_an_end_is_refused_after_256_mib() {
    let line = format!("{{\"p_a\": \"{}\"}}\n", "x".repeat(300 << 20));
    let bytes = zstd::encode_all(Cursor::new(line), 1).unwrap();
    let folder = Folder::with_model().with("r.jsonl.zst", &bytes).with("r.csv.zst", &bytes[..bytes.len()]);
    let error = "r.jsonl.zst: a line is longer than 256 MiB";
    folder.attack(&["apply", "model.json", "r.jsonl.zst"], error, "unclosed quote");
}

#[test]
fn json_that_is_nested_too_deeply_is_refused() {
    let deep = "[".repeat(200_000);
    let folder = Folder::with_model()
        .with("m.json", format!("{{\"format\": \"cwplugin-model\", \"x\": {deep}"))
        .with("s.json", format!("{{\"format\": \"cwplugin-statistics\",\n\"x\": {deep}"))
        .with("r.jsonl", format!("{{\"x\": {deep}{}}}\n", "]".repeat(200_000)));
    for args in [
        &["apply", "m.json", "data.csv"][..],
        &["merge", "s.json"],
        &["elicit", "status", "m.json"],
        &["apply", "model.json", "r.jsonl"],
        &["apply", "model.json", "r.jsonl", "--from", "openai"],
    ] {
        let run = folder.limited(args);
        assert_eq!(run.code, 1, "{args:?}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 2, "{args:?}: {}", run.stderr);
    }
}

#[test]
fn a_constraint_of_a_model_that_is_nested_too_deeply_is_not_checked() {
    let folder = Folder::with_model();
    folder.ok(&["fit", "data.csv", "--method", "ascent", "--subject-to", "recall:a>=0.1", "-o", "m.json"]);
    for deep in ["(".repeat(200_000), "-".repeat(200_000), "2^".repeat(200_000)] {
        folder.write("deep.json", folder.text("m.json").replace("recall:a", &format!("expr:{deep}")));
        let run = folder.limited(&["eval", "deep.json", "data.csv"]).ok();
        assert!(run.stderr.contains("is not checked"), "{}", run.stderr);
    }
}

/// Statistics of a few rows with weights, as a document and as a table.
fn weighted() -> Folder {
    let table = "label,w,p_a,p_b\na,0.5,0.9,0.1\na,2,0.4,0.6\nb,3,0.2,0.8\nb,1,0.7,0.3\n";
    let folder = Folder::new().with("data.csv", table);
    for file in ["s.json", "s.csv"] {
        folder.ok(&["stats", "data.csv", "--weight", "w", "--bins", "10", "--reference", "b", "-o", file]);
    }
    folder
}

/// Merging them would drop the weight silently.
#[test]
fn statistics_with_a_weight_in_a_bin_without_rows_are_refused() {
    let folder = weighted();
    let mut document: Value = folder.json("s.json");
    let pair = &mut document["pairs"][0];
    let free =
        (0..10).find(|bin| pair["cuts"].as_array().unwrap().iter().all(|cut| cut[0] != json!(bin))).unwrap();
    // The weight moves from the first bin to one without rows, so that the totals stay the same.
    let first = pair["weights"][0][1].clone();
    let second = pair["weights"][0][2].clone();
    let (mut cuts, mut weights) =
        (pair["cuts"].as_array().unwrap().clone(), pair["weights"].as_array().unwrap().clone());
    weights[0] = json!([weights[0][0], [], []]);
    cuts.push(json!([free, 0, 0]));
    weights.push(json!([free, first, second]));
    (pair["cuts"], pair["weights"]) = (json!(cuts), json!(weights));
    folder.write("moved.json", document.to_string());
    let lines: Vec<String> = folder.text("s.csv").lines().map(String::from).collect();
    let taken = lines.iter().position(|line| line.starts_with("weight,")).unwrap();
    let bin = lines[taken].split(',').nth(3).unwrap().to_string();
    let moved = lines[taken].replacen(&format!(",{bin},"), &format!(",{free},"), 1);
    let table: String = lines
        .iter()
        .enumerate()
        .map(|(i, line)| if i == taken { &moved } else { line })
        .fold(String::new(), |text, line| text + line + "\n");
    folder.write("moved.csv", table);
    for file in ["moved.json", "moved.csv"] {
        for args in [&["merge", file][..], &["fit", "--stats", file]] {
            let run = folder.limited(args);
            let expected = format!("not valid statistics: bin {free} of \"a\" has the weight");
            assert_eq!(run.code, 1, "{args:?}: {}", run.stderr);
            assert!(run.stderr.contains(&expected), "{args:?}: {}", run.stderr);
        }
    }
    folder.limited(&["merge", "s.json", "-o", "again.json"]).ok();
    assert_eq!(folder.text("again.json"), folder.text("s.json"));
}

/// 134 classes with a million bins are 2 GiB of counters; weights for each of them would be 8 GiB more.
#[test]
fn small_statistics_with_weights_cannot_claim_gigabytes() {
    let classes: Vec<String> = (0..30).map(|class| class.to_string()).collect();
    let pair = json!({"class": "1", "cuts": [[0, 1, 0]], "weights": [[0, [0.5], []]]});
    let statistics = json!({
        "format": "cwplugin-statistics", "version": 1, "cwplugin": "0.1.0", "classes": classes, "reference": "0",
        "step": 1e-6, "bins": 1_000_000, "rows": 1, "unlabelled": 0, "totals": [], "pairs": [pair],
    });
    let folder = Folder::new().with("s.json", statistics.to_string());
    let error = "s.json: not valid statistics: 30 classes with 1000000 bins each exceed the limit of 33554432 counters";
    folder.attack(&["merge", "s.json"], error, "write statistics");
}

#[test]
fn an_absurd_calibration_names_the_model() {
    let mut absurd: Value = serde_json::from_str(&model(&["a", "b", "c"], &[0.25, 0.25, 0.5])).unwrap();
    absurd["calibration"] = json!({
        "kind": "vector", "input": "log", "diagonal": [1e308, 1e308, -1e308], "bias": [1e308, -1e308, 1e308],
    });
    let folder = Folder::with_model().with("m.json", absurd.to_string());
    for verb in ["apply", "eval", "report"] {
        let error = "m.json: the calibration makes a probability of class \"a\" NaN";
        folder.attack(&[verb, "m.json", "data.csv"], error, "its numbers are too large");
    }
}
