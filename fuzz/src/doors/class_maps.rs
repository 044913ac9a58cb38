//! A file of `--class-map`: it is refused with a message, or its classes read a reply.

use std::collections::BTreeMap;

use cwplugin_cli::GivenOptions;
use cwplugin_replies::{Classes, Reader, Rows, Source, VoteCounter};

use super::replies::cases;
use super::tables::outcome;
use crate::Door;
use crate::files::file;

pub(super) const DOOR: Door =
    Door { name: "class_maps", title: "class maps", longest: 4 << 10, check, seeds };

const REPLY: &[u8] = br#"{"choices": [{"logprobs": {"content": [{"token": "spam", "logprob": -0.5, "top_logprobs": [
    {"token": "spam", "logprob": -0.5}, {"token": " pos", "logprob": -1.5}, {"token": "1", "logprob": -2}]}]}}]}"#;

fn check(input: &[u8]) {
    let map = file("map.toml", input).to_string_lossy().into_owned();
    let words = ["--quiet", "--from", "openai", "--class-map", &map];
    outcome(GivenOptions::parse(words).and_then(|given| given.read(&file("r.json", REPLY), None)));

    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(map) = toml::from_str::<BTreeMap<String, Vec<String>>>(text) else { return };
    let names: Vec<String> = map.keys().cloned().collect();
    match Classes::new(names).and_then(|classes| classes.spellings(map.clone())) {
        Err(error) => drop((error.to_string(), error.cure())),
        Ok(classes) => {
            let counter = VoteCounter::new(classes.clone());
            let spellings = map.values().enumerate();
            for (k, text) in spellings.flat_map(|(k, list)| list.iter().map(move |text| (k, text))) {
                assert_eq!(counter.class_of(text), Some(k), "{text:?} is a spelling of its class");
            }
            drop(Reader::new(Source::Openai, classes).read(REPLY, &mut Rows::new()));
        }
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![
        b"ham = [\"no\", \"0\"]\nspam = [\"yes\", \"1\", \" Spam\"]\n".to_vec(),
        "\"so \\\"so\\\"\" = ['a']\n\"größe\" = [\"\\u00fc\", '''b''']\n".as_bytes().to_vec(),
    ];
    for (_, options, _) in cases() {
        let lines = options["class"].as_object().into_iter().flatten();
        let lines: Vec<String> = lines.map(|(name, list)| format!("{name:?} = {list}\n")).collect();
        seeds.push(lines.concat().into_bytes());
    }
    seeds.sort();
    seeds.dedup();
    seeds
}
