//! What holds for every reply.

use cwplugin_replies::{Classes, Reader, Row, Rows, Source, VoteCounter, names_in, recognise};
use proptest::prelude::*;

const CLASSES: [&str; 5] = ["no", "none", "not sure", "very good", "very bad"];

/// Pieces of spellings and other tokens.
const TOKENS: [&str; 22] = [
    "no", "No", " no", "ne", "none", "not", " sure", "n", "very", "▁very", " good", "Ġbad", " ", "\n", "\"",
    "no.", "none\"}", "**no", "x", "The", "正", "",
];

/// The tokens of an answer: the index of the chosen one and the alternatives with their weights.
type Answer = Vec<(usize, Vec<(usize, f64)>)>;

fn answers() -> impl Strategy<Value = Answer> {
    let alternatives = prop::collection::vec((0..TOKENS.len(), 0.001_f64..1.0), 1..8);
    prop::collection::vec((0..TOKENS.len(), alternatives), 1..5)
}

/// Distinct tokens with probabilities that sum to 0.95, the chosen one among them.
fn positions(answer: &Answer) -> Vec<(usize, Vec<(usize, f64)>)> {
    let position = |(chosen, list): &(usize, Vec<(usize, f64)>)| {
        let mut distinct: Vec<(usize, f64)> = vec![(*chosen, 0.5)];
        for (token, weight) in list {
            if distinct.iter().all(|(other, _)| other != token) {
                distinct.push((*token, *weight));
            }
        }
        let sum: f64 = distinct.iter().map(|(_, weight)| weight).sum();
        (*chosen, distinct.into_iter().map(|(token, weight)| (token, 0.95 * weight / sum)).collect())
    };
    answer.iter().map(position).collect()
}

fn reply(positions: &[(usize, Vec<(usize, f64)>)]) -> String {
    let json = |token: usize| serde_json::to_string(TOKENS[token]).unwrap();
    let position = |(chosen, list): &(usize, Vec<(usize, f64)>)| {
        let entry =
            |(token, p): &(usize, f64)| format!(r#"{{"token": {}, "logprob": {}}}"#, json(*token), p.ln());
        let list: Vec<String> = list.iter().map(entry).collect();
        format!(r#"{{"token": {}, "logprob": -1, "top_logprobs": [{}]}}"#, json(*chosen), list.join(", "))
    };
    let content: Vec<String> = positions.iter().map(position).collect();
    format!(r#"{{"choices": [{{"logprobs": {{"content": [{}]}}}}]}}"#, content.join(", "))
}

fn read(json: &str) -> Option<Rows> {
    let reader = Reader::new(Source::Openai, Classes::new(CLASSES).unwrap());
    let mut rows = Rows::new();
    match reader.read(json.as_bytes(), &mut rows) {
        Ok(_) => Some(rows),
        Err(error) => {
            assert_eq!(error.kind(), "no-class", "{error}");
            None
        }
    }
}

/// The rule of the specification, by recursion over texts, without tables.
struct Slow<'s> {
    positions: &'s [(usize, Vec<(usize, f64)>)],
    q: Vec<f64>,
}

impl Slow<'_> {
    fn walk(&mut self, i: usize, before: &str, mass: f64, otherwise: Option<usize>) {
        let (chosen, list) = &self.positions[i];
        for (token, p) in list {
            let text = format!("{before}{}", plain(TOKENS[*token]));
            let text = text.trim_start();
            let has_next = token == chosen && i + 1 < self.positions.len();
            let share = mass * p;
            let (equal, longer) = Self::matches(text);
            let others = longer.iter().any(|k| Some(*k) != equal);
            let is_blank = bare(text).is_empty();
            let class = match equal {
                _ if is_blank && has_next => {
                    self.walk(i + 1, text, share, None);
                    continue;
                }
                _ if is_blank => None,
                Some(k) if others && has_next => {
                    self.walk(i + 1, text, share, Some(k));
                    continue;
                }
                Some(k) => Some(k),
                None if longer.is_empty() => otherwise,
                None if longer.len() == 1 => {
                    let later = if token == chosen { &self.positions[i + 1..] } else { &[] };
                    if Self::leads_to(longer[0], text, later) { Some(longer[0]) } else { otherwise }
                }
                None if has_next => {
                    self.walk(i + 1, text, share, None);
                    continue;
                }
                None => None,
            };
            if let Some(k) = class {
                self.q[k] += share;
            }
        }
        if let Some(k) = otherwise {
            let listed: f64 = list.iter().map(|(_, p)| p).sum();
            self.q[k] += mass * (1.0 - listed);
        }
    }

    /// Whether the start of a spelling is continued to its end by the chosen tokens, or has two characters if they end before.
    fn leads_to(class: usize, text: &str, later: &[(usize, Vec<(usize, f64)>)]) -> bool {
        let mut whole = text.to_owned();
        for (chosen, _) in later {
            whole += &plain(TOKENS[*chosen]);
            match Self::matches(&whole) {
                (Some(k), _) => return k == class,
                (None, longer) if longer.contains(&class) => {}
                _ => return false,
            }
        }
        bare(text).len() > 1
    }

    /// The class that is spelled so, and those with a longer spelling.
    fn matches(text: &str) -> (Option<usize>, Vec<usize>) {
        let text = bare(text);
        let equal = |text: &str| CLASSES.iter().position(|class| *class == text);
        let is_longer = |k: &usize| CLASSES[*k].len() > text.len() && CLASSES[*k].starts_with(text);
        let longer: Vec<usize> = (0..CLASSES.len()).filter(is_longer).collect();
        let end = text.trim_end_matches(|c: char| c.is_whitespace() || ".\"}*".contains(c));
        match equal(text.trim_end()) {
            None if longer.is_empty() => (equal(end), longer),
            found => (found, longer),
        }
    }
}

fn plain(token: &str) -> String {
    token.replace(['Ġ', '▁'], " ").to_lowercase()
}

/// The text without opening marks.
fn bare(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || "\"*".contains(c))
}

fn close(a: &Row<'_>, b: &Row<'_>) -> bool {
    let same = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
    a.probabilities.iter().zip(b.probabilities).all(same) && (a.other - b.other).abs() < 1e-12
}

proptest! {
    #[test]
    fn rows_are_probabilities_and_other_is_the_rest(answer in answers()) {
        let Some(rows) = read(&reply(&positions(&answer))) else { return Ok(()) };
        let row = rows.get(0).unwrap();
        let sum: f64 = row.probabilities.iter().sum();
        prop_assert!((sum - 1.0).abs() < 1e-12);
        prop_assert!(row.probabilities.iter().all(|p| p.is_finite() && *p > 0.0));
        prop_assert!((0.0..=1.0).contains(&row.other));
    }

    #[test]
    fn the_order_of_alternatives_does_not_matter(answer in answers(), by in 0_usize..8) {
        let mut positions = positions(&answer);
        let first = read(&reply(&positions));
        for (_, list) in &mut positions {
            let n = list.len();
            list.rotate_left(by % n);
        }
        let second = read(&reply(&positions));
        prop_assert_eq!(first.is_some(), second.is_some());
        if let (Some(first), Some(second)) = (first, second) {
            prop_assert!(close(&first.get(0).unwrap(), &second.get(0).unwrap()));
        }
    }

    #[test]
    fn the_walk_agrees_with_a_slow_one(answer in answers()) {
        let positions = positions(&answer);
        let mut slow = Slow { positions: &positions, q: vec![0.0; CLASSES.len()] };
        slow.walk(0, "", 1.0, None);
        let found = read(&reply(&positions));
        prop_assert_eq!(found.is_some(), slow.q.iter().any(|q| *q > 0.0), "{:?}", slow.q);
        let Some(rows) = found else { return Ok(()) };
        let list = &positions[0].1;
        let smallest = list.iter().map(|(_, p)| *p).fold(1.0, f64::min);
        let unlisted = 1.0 - list.iter().map(|(_, p)| p).sum::<f64>();
        let missing = slow.q.iter().filter(|q| **q <= 0.0).count();
        let share = smallest.min(unlisted / missing as f64).max(1e-9);
        let q: Vec<f64> = slow.q.iter().map(|q| if *q > 0.0 { *q } else { share }).collect();
        let sum: f64 = q.iter().sum();
        let row = rows.get(0).unwrap();
        prop_assert_eq!(row.n_missing, missing);
        for (found, expected) in row.probabilities.iter().zip(&q) {
            prop_assert!((found - expected / sum).abs() < 1e-12, "{:?} {:?}", row, q);
        }
        prop_assert!((row.other - (1.0 - sum).max(0.0)).abs() < 1e-12);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), source in prop::sample::select(Source::all().to_vec())) {
        let reader = Reader::new(source, Classes::new(["a", "b"]).unwrap());
        prop_assert!(reader.read(&bytes, &mut Rows::new()).is_err());
        drop(names_in(source, None, &bytes));
        prop_assert_eq!(recognise(&bytes), None);
        drop(VoteCounter::new(Classes::new(["a", "b"]).unwrap()).read(&bytes));
    }

    #[test]
    fn no_json_panics(json in json(4), source in prop::sample::select(Source::all().to_vec())) {
        let reader = Reader::new(source, Classes::new(["a", "b"]).unwrap());
        let mut rows = Rows::new();
        drop(reader.read(json.as_bytes(), &mut rows));
        prop_assert!(rows.iter().all(|row| row.probabilities.iter().all(|p| *p >= 0.0)));
        drop(recognise(json.as_bytes()));
    }
}

/// JSON with the names of real fields.
fn json(depth: u32) -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "null", "true", "\"a\"", "\"b\"", "0", "0.5", "-1.5", "-9999.0", "\"\"", "[]", "{}", "1e9",
    ]);
    let key = prop::sample::select(vec![
        "choices",
        "message",
        "content",
        "logprobs",
        "token",
        "logprob",
        "top_logprobs",
        "bytes",
        "output",
        "text",
        "data",
        "probs",
        "label",
        "score",
        "labels",
        "scores",
        "candidates",
        "logprobsResult",
        "topCandidates",
        "chosenCandidates",
        "documents",
        "results",
        "confidenceScores",
        "class",
        "category",
        "confidenceScore",
        "Labels",
        "Classes",
        "Name",
        "Score",
        "Confidence",
        "SentimentScore",
        "categories",
        "name",
        "confidence",
        "labelAnnotations",
        "description",
        "outputs",
        "concepts",
        "value",
        "classifications",
        "id",
        "completion_probabilities",
        "prob",
        "tok_str",
        "custom_id",
        "response",
        "body",
        "error",
        "a",
        "b",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(depth, 48, 4, move |inner| {
        let list =
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(",")));
        let object = prop::collection::vec((key.clone(), inner), 0..5).prop_map(|fields| {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
            format!("{{{}}}", fields.join(","))
        });
        prop_oneof![list, object]
    })
}
