//! Outcomes by operation and fault, and the table of `make faults`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;

use super::operations::{ALL, Scene};
use super::outcome::Outcome;
use super::{by_call, by_time};

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

    /// A row for each fault, one for each operation, and the sum.
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
        head(&mut text, "operation");
        for operation in ALL {
            line(&mut text, operation.name, sum(&|_, other| other == operation.name));
        }
        text.push_str("\nEach cell: runs = whole + as before + wrong.\n\n| fault |");
        for operation in ALL {
            write!(text, " {} |", operation.name).unwrap();
        }
        write!(text, "\n|---|{}\n", "---|".repeat(ALL.len())).unwrap();
        for &fault in &faults {
            write!(text, "| {fault} |").unwrap();
            for operation in ALL {
                match counts.cells.get(&(fault.to_string(), operation.name)) {
                    Some([whole, kept, wrong]) => {
                        write!(text, " {} = {whole} + {kept} + {wrong} |", whole + kept + wrong).unwrap();
                    }
                    None => text.push_str(" |"),
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
