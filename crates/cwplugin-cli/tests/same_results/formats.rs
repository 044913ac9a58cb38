//! Some of the tables in other formats, and with other numbers than probabilities.

use std::io::{Cursor, Write as _};
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, StringArray};

use super::tables::{Row, Table, class};
use crate::support::Folder;
use crate::support::samples;

/// Writes the files of the cases other than `NAME.csv` and `NAME-test.csv`.
pub(super) fn write(folder: &Folder, name: &str, table: &Table, test: &Table) {
    match name {
        "two" => folder.write("two.tsv", table.csv().replace(',', "\t")),
        "three" => {
            folder.write("three.parquet", table.parquet(true));
            folder.write("three.npz", table.npz());
            folder.write("three.jsonl", table.json_lines());
            folder.write("three-semicolon.csv", table.csv().replace(',', ";"));
            for (name, table) in [("three", table), ("three-test", test)] {
                folder.write(&format!("{name}-x.npy"), table.features());
                folder.write(&format!("{name}-logits.csv"), table.csv_with(|p| 6.0 * p - 2.0));
                folder.write(&format!("{name}-logprobs.csv"), table.csv_with(rounded_logarithm));
                folder.write(&format!("{name}-counts.csv"), table.csv_with(|p| 40.0 * p));
            }
        }
        "six" => {
            folder.write("six-f32.parquet", table.parquet(false));
            folder.write("six-f32.npy", table.npy());
            folder.write("six-labels.npy", table.labels());
        }
        _ => {}
    }
}

/// Nine decimals, on which no two mathematical libraries differ.
fn rounded_logarithm(p: f64) -> f64 {
    (p.ln() * 1e9).round() / 1e9
}

impl Table {
    fn column(&self, number: impl Fn(&Row) -> f64, is_double: bool) -> ArrayRef {
        let numbers = self.rows.iter().map(number);
        if is_double {
            Arc::new(numbers.collect::<Float64Array>())
        } else {
            Arc::new(numbers.map(|number| number as f32).collect::<Float32Array>())
        }
    }

    fn parquet(&self, is_double: bool) -> Vec<u8> {
        let labels = self.rows.iter().map(|row| row.label.map(|label| class(label).to_string()));
        let mut columns: Vec<(String, ArrayRef)> = vec![
            ("label".into(), Arc::new(labels.collect::<StringArray>())),
            ("w".into(), self.column(|row| row.weight, is_double)),
        ];
        for k in 0..self.n_classes {
            columns.push((format!("p_{}", class(k)), self.column(|row| row.p[k], is_double)));
        }
        samples::write(columns)
    }

    fn json_lines(&self) -> String {
        let line = |row: &Row| {
            let mut object = serde_json::json!({"label": row.label.map(|label| class(label).to_string()), "w": row.weight});
            for (k, &p) in row.p.iter().enumerate() {
                object[format!("p_{}", class(k))] = p.into();
            }
            object.to_string() + "\n"
        };
        self.rows.iter().map(line).collect()
    }

    /// Single precision, without names.
    fn npy(&self) -> Vec<u8> {
        let numbers: Vec<f32> = self.rows.iter().flat_map(|row| &row.p).map(|&p| p as f32).collect();
        samples::npy(&numbers, self.n_classes)
    }

    fn features(&self) -> Vec<u8> {
        let numbers: Vec<f32> = self.rows.iter().flat_map(|row| row.features).map(|x| x as f32).collect();
        samples::npy(&numbers, 2)
    }

    /// The positions of the labels.
    fn labels(&self) -> Vec<u8> {
        let labels = self.rows.iter().flat_map(|row| (row.label.unwrap() as i64).to_le_bytes());
        array("<i8", &format!("({},)", self.rows.len()), &labels.collect::<Vec<u8>>())
    }

    /// Double precision, with names.
    fn npz(&self) -> Vec<u8> {
        let n = self.rows.len();
        let p: Vec<u8> = self.rows.iter().flat_map(|row| &row.p).flat_map(|p| p.to_le_bytes()).collect();
        let letters = |letters: &mut dyn Iterator<Item = usize>| -> Vec<u8> {
            letters.flat_map(|k| (class(k) as u32).to_le_bytes()).collect()
        };
        let labels = letters(&mut self.rows.iter().map(|row| row.label.unwrap()));
        let classes = letters(&mut (0..self.n_classes));
        let arrays = [
            ("probabilities.npy", array("<f8", &format!("({n}, {})", self.n_classes), &p)),
            ("label.npy", array("<U1", &format!("({n},)"), &labels)),
            ("classes.npy", array("<U1", &format!("({},)", self.n_classes), &classes)),
        ];
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in arrays {
            archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(&bytes).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }
}

/// An NPY file.
fn array(dtype: &str, shape: &str, items: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}");
    header += &" ".repeat(63 - (10 + header.len()) % 64);
    header.push('\n');
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), items].concat()
}
