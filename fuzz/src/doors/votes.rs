//! Lines of votes: a line is counted once, or refused and not counted.

use cwplugin_replies::{Classes, Documents, Source, VoteCounter, Votes};

use super::replies::cases;
use crate::Door;

pub(super) const DOOR: Door = Door { name: "votes", title: "lines of votes", longest: 8 << 10, check, seeds };

fn check(input: &[u8]) {
    let mut counter = VoteCounter::new(Classes::new(["ham", "spam"]).unwrap());
    let mut documents = Documents::new(Source::Openai);
    documents.push(input);
    documents.finish();
    let mut lines = 0;
    while let Ok(Some(document)) = documents.next() {
        match counter.read(document.bytes) {
            Ok(()) => lines += 1,
            Err(error) => drop((error.to_string(), error.cure(), error.kind())),
        }
    }
    let votes = |votes: &Votes| votes.counts.iter().sum::<u64>() + votes.other;
    assert_eq!(counter.votes().iter().map(votes).sum::<u64>(), lines);
}

fn seeds() -> Vec<Vec<u8>> {
    let of_votes = cases().into_iter().filter(|(from, ..)| from == "votes");
    let mut seeds: Vec<Vec<u8>> = of_votes.map(|(.., content)| content).collect();
    seeds.push(b"{\"id\": 7, \"answer\": \"ham\"}\n{\"id\": \"7\", \"answer\": \" Spam.\"}\n{\"id\": 8, \"answer\": 1}\n".to_vec());
    seeds
}
