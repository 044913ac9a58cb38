//! Lines of votes: a line is counted once, or refused and not counted.

#![no_main]

use cwplugin_replies::{Classes, Documents, Source, VoteCounter};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut counter = VoteCounter::new(Classes::new(["ham", "spam"]).unwrap());
    let mut documents = Documents::new(Source::Openai);
    documents.push(bytes);
    documents.finish();
    let mut counted = 0;
    while let Ok(Some(document)) = documents.next() {
        match counter.read(document.bytes) {
            Ok(()) => counted += 1,
            Err(error) => drop((error.to_string(), error.cure(), error.kind())),
        }
    }
    let votes = |votes: &cwplugin_replies::Votes| votes.counts.iter().sum::<u64>() + votes.other;
    assert_eq!(counter.votes().iter().map(votes).sum::<u64>(), counted);
});
