//! Sessions of `elicit`: queries, state after the answers, and the final model.

use super::extract::{ASKED, ASKED_IDS, ASKED_QUERIES, ASKED_WEIGHTS, MODEL, STATUS};
use super::programs::worth;
use super::record::Group;
use super::run::{document, fit, run, run_fits};
use super::tables;
use super::values::{Parts, at, parts};

/// Name, flags of `start`, queries at once, and further flags of `tell`.
const SESSIONS: [(&str, &str, usize, &str); 5] = [
    ("elicit-restricted", "--classes a,b,c --mode restricted --budget 24 --quasi-concave", 3, ""),
    ("elicit-coarse", "--classes a,b,c --mode restricted --budget 60 --precision 0.05", 4, ""),
    ("elicit-safe", "--classes a,b,c --mode safe --budget 16", 1, ""),
    ("elicit-table", "--predictions three.csv --budget 16 --reference c --precision 0.1", 2, "--se 0.01"),
    ("elicit-repeats", "--predictions partly.csv --budget 18 --repeats 2 --seed 3", 2, ""),
];

fn record(name: &'static str) {
    let (_, flags, batch, error) = SESSIONS.into_iter().find(|session| session.0 == name).unwrap();
    let folder = tables::folder();
    let mut group = Group::new(name);
    let start = format!("elicit start {flags} -o s.json --quiet");
    run(&folder, &start);
    let ask = format!("elicit ask s.json --batch {batch} --json");
    let (mut queries, mut round) = (Parts::new(), 0);
    let status = |at: &str| -> Parts {
        let line = "elicit status s.json --json";
        let status = document(&run(&folder, line), STATUS, line);
        parts(&status, STATUS).into_iter().map(|(part, text)| (format!("{part}-{at}"), text)).collect()
    };
    let mut halfway = Parts::new();
    loop {
        let asked = document(&run(&folder, &ask), ASKED, &ask);
        queries.extend(parts(&asked, ASKED));
        let ids = at(&asked, ASKED_IDS);
        if ids.is_empty() {
            break;
        }
        for (i, (id, query)) in ids.into_iter().zip(at(&asked, ASKED_QUERIES)).enumerate() {
            let weights: Vec<f64> = at(query, ASKED_WEIGHTS).iter().map(|w| w.as_f64().unwrap()).collect();
            // Answers that differ a little, so that repeats tell something.
            let value = worth(&weights) + f64::from((round * 7 + i as u32 * 3) % 5) / 1024.0;
            run(&folder, &format!("elicit tell s.json {id} {value} {error} --quiet"));
        }
        round += 1;
        if round == 3 {
            halfway = status("halfway");
        }
    }
    let texts: Vec<String> = queries.into_iter().map(|(_, text)| text).collect();
    let mut all: Parts = vec![("queries".into(), texts.join("\n"))];
    all.extend(halfway);
    all.extend(status("end"));
    let finish = "elicit finish s.json --json --quiet";
    all.extend(parts(&document(&run(&folder, finish), MODEL, finish), MODEL));
    group.add("session", &format!("cwplugin {start}\ncwplugin {ask}\ncwplugin {finish}"), all);
    group.finish();
}

#[test]
fn restricted_sessions_are_the_same() {
    record("elicit-restricted");
}

#[test]
fn coarse_sessions_are_the_same() {
    record("elicit-coarse");
}

#[test]
fn safe_sessions_are_the_same() {
    record("elicit-safe");
}

#[test]
fn safe_sessions_with_a_table_are_the_same() {
    record("elicit-table");
}

#[test]
fn safe_sessions_with_repeats_are_the_same() {
    record("elicit-repeats");
}

#[test]
fn oracles_are_the_same() {
    let of = |name, flags: &str| {
        let run = format!("elicit run 'command:perl oracle.pl' --budget 30 {flags}");
        fit(name, run).applied_to("three-test.csv")
    };
    let fits = vec![
        of("elicit-restricted", "--classes a,b,c --mode restricted --quasi-concave"),
        of("safe", "--classes a,b,c --mode safe --reference a"),
        of("safe-table", "--predictions three.csv --precision 0.02"),
        of("repeats", "--predictions three.csv --mode safe --repeats 2"),
    ];
    run_fits("oracle", &tables::folder(), fits);
}
