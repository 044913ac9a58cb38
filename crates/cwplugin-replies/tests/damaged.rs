//! Truncated replies are errors; replies changed at random never panic.

use cwplugin_replies::{Documents, Rows, Source, recognise};

use crate::support::{Case, Expected, cases};

/// Changes per source.
const CHANGES: usize = 3_000;

/// A fixed stream of numbers.
struct Stream(u64);

impl Stream {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

fn valid_cases() -> Vec<Case> {
    cases().into_iter().filter(|case| matches!(case.expected, Expected::Rows(_))).collect()
}

#[test]
fn every_truncation_is_an_error_and_adds_no_row() {
    for case in valid_cases().iter().filter(|case| case.source().is_some()) {
        let reader = case.reader().unwrap();
        let mut rows = Rows::new();
        for document in case.documents().iter().take(2) {
            // All ends of short documents, and every so many of long ones.
            let step = document.len() / 400 + 1;
            for end in
                (0..document.len()).step_by(step).chain(document.len().saturating_sub(20)..document.len())
            {
                let read = reader.read(&document[..end], &mut rows);
                assert!(read.is_err() && rows.is_empty(), "{}: {end} bytes: {read:?}", case.name);
            }
        }
    }
}

#[test]
fn changed_replies_never_panic_and_rows_are_probabilities() {
    let pieces: [&[u8]; 14] = [
        b"null", b"\"", b"{", b"}", b"[", b"]", b",", b"-9999.0", b"1e999", b"NaN", b"\\u00e9", b"\xff",
        b"\\ud83d", b"0",
    ];
    let valid = valid_cases();
    for &source in Source::all() {
        let of_source: Vec<&Case> = valid.iter().filter(|case| case.source() == Some(source)).collect();
        let readers: Vec<_> =
            of_source.iter().map(|case| (case.reader().unwrap(), case.documents())).collect();
        assert!(!readers.is_empty(), "no fixture of {source}");
        let mut random = Stream(7);
        let mut rows = Rows::new();
        let (mut read, mut refused) = (0, 0);
        for _ in 0..CHANGES {
            let (reader, documents) = &readers[random.below(readers.len())];
            let mut bytes = documents[random.below(documents.len())].clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] ^= 1 << random.below(8),
                    1 => drop(bytes.drain(at..(at + 1 + random.below(12)).min(bytes.len()))),
                    2 => drop(bytes.splice(at..at, pieces[random.below(pieces.len())].iter().copied())),
                    _ => {
                        let end = (at + 1 + random.below(6)).min(bytes.len());
                        drop(bytes.splice(at..end, pieces[random.below(pieces.len())].iter().copied()));
                    }
                }
                if bytes.is_empty() {
                    break;
                }
            }
            rows.clear();
            match reader.read(&bytes, &mut rows) {
                Ok(n) => {
                    assert_eq!(n, rows.len());
                    read += 1;
                }
                Err(error) => {
                    assert!(rows.is_empty() && !error.to_string().is_empty());
                    drop(error.cure());
                    refused += 1;
                }
            }
            for row in rows.iter() {
                let sum: f64 = row.probabilities.iter().sum();
                let positive = row.probabilities.iter().all(|p| p.is_finite() && *p >= 0.0);
                assert!(positive && (sum - 1.0).abs() < 1e-9, "{source}: {row:?}");
                assert!((0.0..=1.0).contains(&row.other), "{source}: {row:?}");
            }
            drop(recognise(&bytes));
        }
        assert!(read > 100 && refused > 100, "{source}: {read} read, {refused} refused");
    }
}

#[test]
fn changed_files_never_panic_the_splitter() {
    let mut random = Stream(11);
    for case in cases() {
        for mut input in case.inputs() {
            for _ in 0..20 {
                let at = random.below(input.len());
                input[at] = [b'{', b'}', b'[', b']', b'"', b'\\', b'\n', b','][random.below(8)];
                let mut documents = Documents::new(case.source().unwrap_or(Source::Openai));
                let mut chunks = input.chunks(1 + random.below(999));
                let mut bytes = 0;
                loop {
                    match documents.next() {
                        Ok(Some(document)) => bytes += document.bytes.len(),
                        Ok(None) => match chunks.next() {
                            Some(chunk) => documents.push(chunk),
                            None => break,
                        },
                        Err(_) => break,
                    }
                }
                assert!(bytes <= input.len());
            }
        }
    }
}

#[test]
fn changed_votes_never_panic() {
    let mut random = Stream(13);
    for case in valid_cases().iter().filter(|case| case.source().is_none()) {
        let mut counter = case.counter().unwrap();
        for document in case.documents() {
            for _ in 0..300 {
                let mut bytes = document.clone();
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
                drop(counter.read(&bytes));
            }
        }
    }
}
