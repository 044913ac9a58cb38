//! Random rows, written in several formats.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::Folder;

/// Weights of rows: none, one, and what no double holds exactly.
const WEIGHTS: [f64; 6] = [0.0, 0.1, 1.0 / 3.0, 1.0, 2.5, 1e-9];

/// Names that a format has to quote or could take for a number.
pub(crate) const ODD_NAMES: [&str; 6] = ["01", "1,5", "say \"hi\"", "naïve ☃", "two\nlines", "1e3"];

/// Labelled and unlabelled rows.
pub(crate) struct Rows {
    pub(crate) classes: Vec<String>,
    pub(crate) labels: Vec<Option<String>>,
    pub(crate) weights: Vec<f64>,
    pub(crate) probabilities: Vec<Vec<f64>>,
}

impl Rows {
    /// Every eighth row is unlabelled; of the labelled ones one in four has no probability for its class or most others.
    pub(crate) fn random(n: usize, classes: &[&str], seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let m = classes.len();
        let (mut labels, mut weights, mut probabilities) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..n {
            let label = rng.random_range(0..m);
            labels.push((row % 8 != 3).then(|| classes[label].to_string()));
            weights.push(WEIGHTS[rng.random_range(0..WEIGHTS.len())]);
            // Percentages, whose cuts fall on the grid; the rest goes to one class.
            let mut cents = vec![0_u32; m];
            let mut left = 100;
            if rng.random_range(0..4) > 0 {
                for (class, share) in cents.iter_mut().enumerate() {
                    let fond = if class == label { left } else { left / 2 };
                    *share = rng.random_range(0..=fond);
                    left -= *share;
                }
            }
            cents[rng.random_range(0..m)] += left;
            probabilities.push(cents.iter().map(|&cents| f64::from(cents) / 100.0).collect());
        }
        let classes = classes.iter().map(ToString::to_string).collect();
        Self { classes, labels, weights, probabilities }
    }

    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// The same rows, those of a class side by side.
    pub(crate) fn sorted_by_label(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&row| &self.labels[row]);
        order
    }

    /// Rows in three parts, the first of one row, none in the order of the table.
    pub(crate) fn parts(&self, seed: u64) -> [Vec<usize>; 3] {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut order: Vec<usize> = (0..self.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.random_range(0..=i));
        }
        let cut = rng.random_range(2..order.len());
        [order[..1].to_vec(), order[1..cut].to_vec(), order[cut..].to_vec()]
    }

    /// Writes some of the rows in the format that the name says.
    pub(crate) fn write(&self, folder: &Folder, name: &str, rows: &[usize]) {
        folder.write(
            name,
            match name.rsplit_once('.').unwrap().1 {
                "csv" => self.delimited(rows, b','),
                "tsv" => self.delimited(rows, b'\t'),
                "jsonl" => self.json_lines(rows),
                "parquet" => self.parquet(rows),
                _ => self.arrow(rows),
            },
        );
    }

    fn delimited(&self, rows: &[usize], delimiter: u8) -> Vec<u8> {
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
        let classes = self.classes.iter().map(|class| format!("p_{class}"));
        writer.write_record(["label".into(), "w".into()].into_iter().chain(classes)).unwrap();
        for &row in rows {
            let label = self.labels[row].clone().unwrap_or_default();
            let numbers = [self.weights[row]].into_iter().chain(self.probabilities[row].iter().copied());
            writer.write_record([label].into_iter().chain(numbers.map(|x| x.to_string()))).unwrap();
        }
        writer.into_inner().unwrap()
    }

    fn json_lines(&self, rows: &[usize]) -> Vec<u8> {
        let line = |&row: &usize| {
            let mut object = serde_json::Map::new();
            object.insert("label".into(), self.labels[row].clone().into());
            object.insert("w".into(), self.weights[row].into());
            for (class, &p) in self.classes.iter().zip(&self.probabilities[row]) {
                object.insert(format!("p_{class}"), p.into());
            }
            serde_json::Value::from(object).to_string() + "\n"
        };
        rows.iter().map(line).collect::<String>().into_bytes()
    }

    fn batch(&self, rows: &[usize]) -> RecordBatch {
        let labels: StringArray = rows.iter().map(|&row| self.labels[row].clone()).collect();
        let weights: Float64Array = rows.iter().map(|&row| Some(self.weights[row])).collect();
        let mut columns: Vec<(String, ArrayRef)> =
            vec![("label".into(), Arc::new(labels)), ("w".into(), Arc::new(weights))];
        for (class, name) in self.classes.iter().enumerate() {
            let values: Float64Array = rows.iter().map(|&row| Some(self.probabilities[row][class])).collect();
            columns.push((format!("p_{name}"), Arc::new(values)));
        }
        RecordBatch::try_from_iter(columns).unwrap()
    }

    fn parquet(&self, rows: &[usize]) -> Vec<u8> {
        let (mut bytes, batch) = (Vec::new(), self.batch(rows));
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        bytes
    }

    fn arrow(&self, rows: &[usize]) -> Vec<u8> {
        let (mut bytes, batch) = (Vec::new(), self.batch(rows));
        let mut writer = FileWriter::try_new(&mut bytes, &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        drop(writer);
        bytes
    }
}
