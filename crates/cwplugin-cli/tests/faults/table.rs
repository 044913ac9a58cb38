//! Outcomes by operation and fault, and the table of `make faults`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;

use super::by_call;
use super::by_time::{self, FAULT};
use super::operations::{ALL, Scene};
use super::outcome::Outcome;

/// Whether a fault is of a kind.
type IsOfKind = fn(&str) -> bool;

/// Kinds of faults.
const KINDS: [(&str, IsOfKind); 4] = [
    ("a call fails", |fault| !is_harmless(fault) && !fault.ends_with("killed")),
    ("a call is interrupted or short", is_harmless),
    ("killed before a call", |fault| fault == "any: killed"),
    ("killed at any moment", |fault| fault == FAULT),
];

fn is_harmless(fault: &str) -> bool {
    fault.ends_with("(EINTR)") || fault.ends_with("short")
}

/// Counts by fault and operation.
#[derive(Debug, Default)]
pub(super) struct Table(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// Whole, as before, wrong.
    cells: BTreeMap<(String, &'static str), [usize; 3]>,
    wrong: Vec<String>,
}

impl Table {
    pub(super) fn add(&self, operation: &'static str, fault: &str, place: &str, outcome: Outcome) {
        let mut counts = self.0.lock().unwrap();
        let cell = counts.cells.entry((fault.to_string(), operation)).or_default();
        cell[match outcome {
            Outcome::Whole => 0,
            Outcome::Kept => 1,
            Outcome::Wrong(_) => 2,
        }] += 1;
        if let Outcome::Wrong(what) = outcome {
            counts.wrong.push(format!("{fault}, {place}: {what}"));
        }
    }

    pub(super) fn assert_nothing_wrong(&self) {
        let counts = self.0.lock().unwrap();
        assert!(counts.cells.len() > 1, "no fault has happened");
        let shown = counts.wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
        assert!(counts.wrong.is_empty(), "{} outcomes are wrong:\n{shown}", counts.wrong.len());
    }

    /// Runs in which a process was killed.
    fn kills(&self) -> usize {
        let counts = self.0.lock().unwrap();
        counts
            .cells
            .iter()
            .filter(|((fault, _), _)| fault.contains("killed"))
            .map(|(_, cell)| cell.iter().sum::<usize>())
            .sum()
    }

    /// A row for each fault, and one for each operation.
    fn markdown(&self) -> String {
        let counts = self.0.lock().unwrap();
        let mut text = String::new();
        let line = |text: &mut String, name: &str, cell: [usize; 3]| {
            let [whole, kept, wrong] = cell;
            writeln!(text, "| {name} | {} | {whole} | {kept} | {wrong} |", whole + kept + wrong).unwrap();
        };
        let sum = |of: &dyn Fn(&str, &str) -> bool| {
            let cells = counts.cells.iter().filter(|((fault, operation), _)| of(fault, operation));
            cells.fold([0; 3], |sum, (_, cell)| [0, 1, 2].map(|k| sum[k] + cell[k]))
        };
        let head = |text: &mut String, what: &str| {
            write!(text, "| {what} | runs | whole | as before | wrong |\n|---|---:|---:|---:|---:|\n")
                .unwrap();
        };
        let mut faults: Vec<&str> = counts.cells.keys().map(|(fault, _)| fault.as_str()).collect();
        faults.dedup();
        head(&mut text, "fault");
        for &fault in &faults {
            line(&mut text, fault, sum(&|other, _| other == fault));
        }
        line(&mut text, "all", sum(&|_, _| true));
        text.push('\n');
        text.push_str("Cells are runs = whole + as before + wrong.\n\n| operation |");
        for (title, _) in KINDS {
            write!(text, " {title} |").unwrap();
        }
        write!(text, "\n|---{}|\n", "|---:".repeat(KINDS.len())).unwrap();
        for operation in ALL {
            write!(text, "| {} |", operation.name).unwrap();
            for (_, is_of_kind) in KINDS {
                let [whole, kept, wrong] = sum(&|fault, other| other == operation.name && is_of_kind(fault));
                let runs = whole + kept + wrong;
                match runs {
                    0 => text.push_str(" |"),
                    _ => write!(text, " {runs} = {whole} + {kept} + {wrong} |").unwrap(),
                }
            }
            text.push('\n');
        }
        text
    }
}

/// `make faults`: every fault of every operation, and kills at random moments; writes `target/faults.md`.
#[test]
#[ignore = "takes minutes: run `make faults`"]
fn every_fault_of_every_operation() {
    if super::injection::library().is_none() {
        return;
    }
    let rounds: usize =
        std::env::var("CWPLUGIN_FAULT_ROUNDS").ok().map_or(1000, |rounds| rounds.parse().unwrap());
    let table = Table::default();
    let operations = Mutex::new(ALL.iter());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(&operation) = operations.lock().unwrap().next() else { break };
                    for scene in Scene::all_of(operation) {
                        by_call::every_fault(&scene, &table);
                    }
                }
            });
        }
    });
    by_time::kill(rounds, 1, &table);
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("../faults.md");
    std::fs::write(path, table.markdown()).unwrap();
    assert!(table.kills() >= rounds, "{}", table.kills());
    table.assert_nothing_wrong();
}
