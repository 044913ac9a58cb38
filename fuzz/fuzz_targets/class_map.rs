//! A file of `--class-map`: it is refused with a message, or its classes read a reply.

#![no_main]

use std::collections::BTreeMap;

use cwplugin_replies::{Classes, Reader, Rows, Source, VoteCounter};
use libfuzzer_sys::fuzz_target;

const REPLY: &[u8] = br#"{"choices": [{"logprobs": {"content": [{"token": "spam", "logprob": -0.5, "top_logprobs": [
    {"token": "spam", "logprob": -0.5}, {"token": " pos", "logprob": -1.5}, {"token": "1", "logprob": -2}]}]}}]}"#;

fuzz_target!(|text: &str| {
    let Ok(map) = toml::from_str::<BTreeMap<String, Vec<String>>>(text) else { return };
    let names: Vec<String> = map.keys().cloned().collect();
    match Classes::new(names).and_then(|classes| classes.spellings(map.clone())) {
        Err(error) => drop((error.to_string(), error.cure())),
        Ok(classes) => {
            let counter = VoteCounter::new(classes.clone());
            for (k, text) in map.values().enumerate().flat_map(|(k, list)| list.iter().map(move |text| (k, text))) {
                assert_eq!(counter.class_of(text), Some(k), "{text:?} is a spelling of its class");
            }
            drop(Reader::new(Source::Openai, classes).read(REPLY, &mut Rows::new()));
        }
    }
});
