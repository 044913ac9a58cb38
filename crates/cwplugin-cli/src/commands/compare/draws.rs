//! The draws of a comparison as a document, for methods outside the program.

use std::fmt::Write as _;

use cwplugin::Sample;
use cwplugin::compare::Draw;
use serde_json::json;

use super::rows::Rows;

/// The draws by an id that tells a draw of other rows, labels or test rows from this one.
pub(super) struct NamedDraws {
    pub(super) draws: Vec<(String, Draw)>,
    /// The test rows as they are scored, with the noise of the comparison.
    test: Sample,
}

impl NamedDraws {
    /// `in_table` are the indices of the test rows in the table.
    pub(super) fn new(draws: Vec<Draw>, in_table: &[usize], test: Sample) -> Self {
        let mut of_test = Hash::new();
        for (i, &row) in in_table.iter().enumerate() {
            of_test.add(row);
            of_test.add(test.label(i).unwrap_or(usize::MAX));
        }
        let named = |draw: Draw| {
            let mut hash = of_test;
            for numbers in [&draw.labelled, &draw.labels, &draw.unlabelled] {
                hash.add(numbers.len());
                for &number in numbers {
                    hash.add(number);
                }
            }
            (format!("{}-{}-{:012x}", draw.size, draw.repeat, hash.0 >> 16), draw)
        };
        Self { draws: draws.into_iter().map(named).collect(), test }
    }

    /// Size and repeat of a draw.
    pub(super) fn find(&self, id: &str) -> Option<(usize, usize)> {
        let (_, draw) = self.draws.iter().find(|(name, _)| name == id)?;
        Some((draw.size, draw.repeat))
    }

    /// A JSON document with one draw per line; rows are those of the table, from 0.
    pub(super) fn document(&self, rows: &Rows, metrics: &[String], seed: u64) -> String {
        let name_of = |label: usize| rows.classes[label].as_str();
        let test_labels = (0..self.test.n_rows()).map(|row| self.test.label(row).map(name_of));
        let mut text = String::from("{\n");
        for (name, value) in [
            ("format", json!("cwplugin-draws")),
            ("version", json!(1)),
            ("rows", json!(rows.in_table)),
            ("classes", json!(rows.classes)),
            ("metrics", json!(metrics)),
            ("seed", json!(seed)),
            ("test", json!(rows.test.rows)),
            ("test_labels", json!(test_labels.collect::<Vec<_>>())),
        ] {
            let _ = writeln!(text, "\"{name}\": {value},");
        }
        text.push_str("\"draws\": [\n");
        for (i, (id, draw)) in self.draws.iter().enumerate() {
            let of_table = |indices: &[usize]| -> Vec<usize> {
                indices.iter().map(|&index| rows.pool.rows[index]).collect()
            };
            let labels: Vec<&str> = draw.labels.iter().map(|&label| name_of(label)).collect();
            // In this order, and not in that of the alphabet.
            let comma = if i + 1 < self.draws.len() { "," } else { "" };
            let _ = writeln!(
                text,
                "{{\"id\": \"{id}\", \"size\": {}, \"repeat\": {}, \"labelled\": {}, \"labels\": {}, \"unlabelled\": {}}}{comma}",
                draw.size,
                draw.repeat,
                json!(of_table(&draw.labelled)),
                json!(labels),
                json!(of_table(&draw.unlabelled)),
            );
        }
        text + "]\n}\n"
    }
}

/// FNV-1a over 64-bit numbers.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, number: usize) {
        for byte in (number as u64).to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
