//! Elicitation sessions: refused, or read back equal; the next queries are asked and answered, and a model is made.

use cwplugin::{Elicitation, Mode, Session};
use serde_json::Value;

use super::models::check_model;
use crate::Door;
use crate::support::tables::{Kind, random_table};

pub(super) const DOOR: Door =
    Door { name: "sessions", title: "elicitation sessions", longest: 8 << 10, check, seeds };

/// The most answers that a session may still ask for here: each replays all before it.
const MOST_QUERIES: u64 = 200;

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let document: Option<Value> = serde_json::from_str(text).ok();
    if document.is_some_and(|document| document["budget"].as_u64() > Some(MOST_QUERIES)) {
        return;
    }
    let Ok(mut session) = Session::from_json(text) else { return };
    check_document(&session);
    for round in 0..3 {
        let Ok(queries) = session.ask(1 + round) else { return };
        assert!(
            queries.len() <= 1 + round
                && session.queries().len() <= session.recipe().budget().max(queries.len())
        );
        for query in queries {
            let sum: f64 = query.weights.as_slice().iter().sum();
            assert!((sum - 1.0).abs() < 1e-9, "{:?}", query.weights);
            session.tell(query.id, 1.0 / (1 + query.id) as f64, None).unwrap();
        }
        check_document(&session);
    }
    if let Ok(model) = session.model() {
        check_model(&model);
    }
}

fn check_document(session: &Session) {
    let written = session.to_json();
    assert_eq!(
        Session::from_json(&written).unwrap().to_json(),
        written,
        "the same session gives the same bytes"
    );
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (mode, quasi_concave, with_rows) in [
        (Mode::Safe, false, true),
        (Mode::Restricted, true, false),
        (Mode::Restricted, false, true),
        (Mode::Safe, true, false),
    ] {
        let table = random_table(3, Kind::Rounded, 3);
        let mut recipe = Elicitation::new(3, mode, 20).unwrap().quasi_concave(quasi_concave).repeats(2);
        if with_rows {
            recipe = recipe.population(table.probabilities()).unwrap();
        }
        let mut session = Session::start(["a", "b", "c"].map(String::from).to_vec(), recipe).unwrap();
        seeds.push(session.to_json().into_bytes());
        for value in 0..6_u8 {
            for query in session.ask(1).unwrap() {
                session.tell(query.id, f64::from(value * 7 % 4), (value % 2 == 0).then_some(0.1)).unwrap();
            }
        }
        seeds.push(session.to_json().into_bytes());
    }
    seeds
}
