//! Every option under `input`: used without a flag, confirmed by the same value, contradicted by another one.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{folder, words};

/// An option under `input` of a model.
#[derive(Default, Clone, Copy)]
struct Case {
    /// Its field in the model file.
    field: &'static str,
    /// The file of the fit, and its flags.
    fit: &'static str,
    /// The value in the model file, as JSON; null for a default.
    stored: &'static str,
    /// The flags that are the same as the stored option, if there are any.
    same: &'static str,
    /// A flag that contradicts it, if there is one.
    other: &'static str,
    /// What the model was fitted with, if that is not the first of `same`.
    with: &'static str,
    /// Whether the file means the same without this option, because it tells by itself, or because it is the default.
    is_plain: bool,
}

const CHAT: &str = "chat.jsonl --from openai --reply response";
const SPELLINGS: &str = r#"{"ham": ["good", "fine"], "spam": ["junk"]}"#;
const SPELLED: &str = "with --class 'ham=good,fine' --class 'spam=junk'";

/// One for every field of `input`, and one for every default that a flag may contradict.
#[rustfmt::skip]
fn cases() -> Vec<Case> {
    let case = Case { stored: "null", ..Case::default() };
    vec![
        Case { field: "from", fit: CHAT, stored: r#""openai""#, same: "--from openai", other: "--from gemini", ..case },
        Case { field: "from", fit: "votes.csv --from votes", stored: r#""votes""#, same: "--from votes",
            other: "--from openai", ..case },
        Case { field: "spellings", fit: "junk.jsonl --from openai --class ham=good,fine --class spam=junk", stored: SPELLINGS,
            same: "--class spam=junk --class ham=fine,good", other: "--class 'ham=good'", with: SPELLED, ..case },
        Case { field: "spellings", fit: "junk.jsonl --from openai --class-map map.toml", stored: SPELLINGS,
            same: "--class-map map.toml", other: "--class 'spam=x'", with: SPELLED, ..case },
        Case { field: "spellings", fit: CHAT, other: "--class 'spam=x'", with: "with the names of the classes",
            is_plain: true, ..case },
        Case { field: "reply", fit: CHAT, stored: r#""response""#, same: "--reply response", other: "--reply body", ..case },
        Case { field: "answer_at", fit: "answers.jsonl --from openai --answer-at kind", stored: r#""kind""#,
            same: "--answer-at kind", other: "--answer-at label", ..case },
        Case { field: "answer_at", fit: "texts.jsonl --from votes --answer-at text", stored: r#""text""#,
            same: "--answer-at text", other: "--answer-at answer", ..case },
        Case { field: "answer_at", fit: CHAT, other: "--answer-at label", with: "without --answer-at", is_plain: true, ..case },
        Case { field: "missing", fit: "top.csv --missing floor:0.25", stored: r#""floor:0.25""#,
            same: "--missing floor:0.25", other: "--missing spread", ..case },
        Case { field: "missing", fit: CHAT, same: "--missing spread", other: "--missing refuse", is_plain: true, ..case },
        Case { field: "scores", fit: "logits.csv --scores logits", stored: r#""logits""#, same: "--scores logits",
            other: "--scores logprobs", ..case },
        Case { field: "scores", fit: "percent.csv", stored: r#""percentages""#, same: "--scores percentages",
            other: "--scores probabilities", is_plain: true, ..case },
        Case { field: "normalize", fit: "sums.csv --normalize", stored: "true", same: "--normalize", ..case },
        Case { field: "positive", fit: "score.csv --positive spam", stored: r#""spam""#, same: "--positive spam",
            other: "--positive ham", ..case },
        Case { field: "decimal", fit: "comma.csv", stored: r#"",""#, same: "--decimal ,", other: "--decimal .",
            is_plain: true, ..case },
        // A fact for a warning.
        Case { field: "votes", fit: "votes.csv --from votes", stored: r#"{"min": 5, "median": 5, "max": 5}"#,
            is_plain: true, ..case },
    ]
}

#[test]
fn every_option_of_the_input_is_used_confirmed_or_contradicted() {
    let folder = folder();
    for case in cases() {
        let Case { field, fit, stored, same, other, with, is_plain } = case;
        let stored: Value = serde_json::from_str(stored).unwrap();
        let fit = words(fit);
        let file = fit[0].as_str();
        let run = |verb: &str, model: &str, flags: &str| {
            let flags = words(flags);
            let mut args = vec![verb, model, file];
            args.extend(flags.iter().map(String::as_str));
            match verb {
                "apply" => args.push("--json"),
                "eval" => args.extend(["--metric", "accuracy", "--resamples", "10"]),
                _ => args.extend(["-o", "page.html", "--resamples", "10", "--refits", "0"]),
            }
            folder.run(&args)
        };
        let mut args = vec!["fit"];
        args.extend(fit.iter().map(String::as_str));
        args.extend(["--method", "ascent", "-o", "m.json", "--json"]);
        let mut model = folder.ok(&args).json();
        assert_eq!(model["input"][field], stored, "{fit:?}");
        // Without the flag the stored option is used, and the same value is fine.
        let predicted = run("apply", "m.json", "").ok().json();
        for verb in ["apply", "eval", "report"] {
            run(verb, "m.json", "").ok();
            run(verb, "m.json", same).ok();
        }
        assert_eq!(run("apply", "m.json", same).json(), predicted, "{fit:?} {same}");
        assert_ne!(predicted["predicted"]["spam"], 0, "the model changes predictions: {fit:?}");
        if let Some(fields) = model["input"].as_object_mut() {
            fields.shift_remove(field);
        }
        folder.write("forgetful.json", model.to_string());
        let forgetful = run("apply", "forgetful.json", "");
        let is_equal = forgetful.code == 0 && forgetful.json() == predicted;
        assert_eq!(is_equal, is_plain, "{fit:?}: {}", forgetful.stderr);
        // Another value is an error that names both, and the cure.
        let Some(flag) = other.split(' ').next().filter(|flag| !flag.is_empty()) else { continue };
        let with = if with.is_empty() { format!("with {same}") } else { with.to_owned() };
        let hint = format!("omit {flag}, or fit a model with {other}");
        for verb in ["apply", "eval", "report"] {
            run(verb, "m.json", other).refused(2, &format!("{other}, but m.json was fitted {with}"), &hint);
        }
    }
}

#[test]
fn every_field_of_the_input_has_a_case() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/model.schema.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let fields = schema["properties"]["input"]["properties"].as_object().unwrap();
    assert!(fields.len() >= 10);
    for field in fields.keys() {
        assert!(cases().iter().any(|case| case.field == *field && case.stored != "null"), "{field}");
    }
}
