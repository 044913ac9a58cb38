//! A model and the table that it is applied to: what the model remembers about its input decides how the table is read.

use cwplugin::{Model, Weights};
use cwplugin_cli::GivenOptions;
use serde_json::json;

use super::tables::outcome;
use crate::Door;
use crate::corpus::joined;
use crate::files::file;
use crate::rows::check_predictions;

pub(super) const DOOR: Door =
    Door { name: "remembered", title: "a model with its input, and a table", longest: 8 << 10, check, seeds };

/// Input: `input` of the model as JSON, a NUL, the table.
fn check(input: &[u8]) {
    let Some(end) = input.iter().position(|byte| *byte == 0) else { return };
    let Ok(remembered) = serde_json::from_slice(&input[..end]) else { return };
    let model = Model::new(vec!["ham".into(), "spam".into()], Weights::new(vec![1.0, 3.0]).unwrap()).unwrap();
    let model = model.with_input(remembered);
    assert_eq!(Model::from_json(&model.to_json()).unwrap().input(), model.input());
    let (path, table) = (file("model.json", b""), file("t", &input[end + 1..]));
    let given = GivenOptions::parse(["--quiet"]).unwrap();
    if let Some((sample, _)) = outcome(given.read(&table, Some((&model, &path)))) {
        check_predictions(&model, &sample);
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let reply = "{\"response\": {\"choices\": [{\"logprobs\": {\"content\": [{\"token\": \"spam\", \"logprob\": -0.5, \
                 \"top_logprobs\": [{\"token\": \"no\", \"logprob\": -1}]}]}}]}, \"label\": \"ham\"}\n";
    let pairs = [
        (json!({}), "label,ham,spam\nham,0.9,0.1\nspam,0.3,0.7\n"),
        (json!({"scores": "logits"}), "ham,spam\n2.5,-1\n0,3\n"),
        (json!({"scores": "percentages", "normalize": true}), "ham,spam\n90,10.5\n"),
        (json!({"positive": "spam"}), "spam\n0.25\n1\n"),
        (json!({"decimal": ","}), "ham;spam\n0,9;0,1\n"),
        (
            json!({"from": "openai", "reply": "response", "spellings": {"ham": ["no"]}, "missing": "floor:0.01"}),
            reply,
        ),
        (
            json!({"from": "votes", "votes": {"min": 2, "median": 2, "max": 3}}),
            "{\"id\": 1, \"answer\": \"ham\"}\n",
        ),
        (json!({"from": "openai", "answer_at": "label", "missing": "refuse"}), reply),
    ];
    pairs.map(|(input, table)| joined(format!("{input}\0").as_bytes(), table.as_bytes())).to_vec()
}
