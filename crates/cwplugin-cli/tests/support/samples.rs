//! Random rows of three classes with row weights and two features, as CSV, Parquet and NPY.
//!
//! All numbers are multiples of 1/1024, which text, single and double precision hold exactly.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

pub(crate) const CLASSES: [&str; 3] = ["a", "b", "c"];

/// Every method, with the flags that it needs on a table of [`Row`]s.
pub(crate) const METHODS: [&[&str]; 16] = [
    &["cwplugin"],
    &["cwplugin:published"],
    &["ascent"],
    &["bagged"],
    &["clean"],
    &["probing"],
    &["label-shift"],
    &["temperature"],
    &["bcts"],
    &["vector"],
    &["vector:probability"],
    &["dirichlet-diag"],
    &["dirichlet-full"],
    &["svs"],
    &["sms"],
    &["logistic", "--features", "x,y"],
];

#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) label: Option<usize>,
    pub(crate) weight: f64,
    pub(crate) features: [f64; 2],
    pub(crate) split: &'static str,
    pub(crate) p: [f64; 3],
}

/// Rows of a black box that is right more often than not and likes class `a` too much; every fifth is a test row, and
/// now and then class `c` has no probability at all.
pub(crate) fn rows(n: usize, seed: u64) -> Vec<Row> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let row = |i: usize| {
        let label = [0, 0, 1, 1, 2][rng.random_range(0..5)];
        let mut left = 1024_u32;
        let mut parts = [0; 3];
        for class in [1, 2] {
            let most = if class == label { 900 } else { 350 };
            parts[class] = rng.random_range(1..=most.min(left - 1));
            left -= parts[class];
        }
        parts[0] = left;
        if i % 11 == 3 {
            (parts[0], parts[2]) = (parts[0] + parts[2], 0);
        }
        let noise = |rng: &mut ChaCha8Rng| f64::from(rng.random_range(-1500..=1500)) / 1024.0;
        Row {
            label: Some(label),
            weight: [0.5, 1.0, 2.0][rng.random_range(0..3)],
            features: [label as f64 + noise(&mut rng), noise(&mut rng)],
            split: if i.is_multiple_of(5) { "test" } else { "pool" },
            p: parts.map(|part| f64::from(part) / 1024.0),
        }
    };
    (0..n).map(row).collect()
}

pub(crate) fn csv(rows: &[Row]) -> String {
    let mut table = String::from("label,w,x,y,split,p_a,p_b,p_c\n");
    for Row { label, weight, features: [x, y], split, p: [a, b, c] } in rows {
        let label = label.map_or("", |label| CLASSES[label]);
        writeln!(table, "{label},{weight},{x},{y},{split},{a},{b},{c}").unwrap();
    }
    table
}

/// The same table with numbers of single or double precision.
pub(crate) fn parquet(rows: &[Row], is_double: bool) -> Vec<u8> {
    let numbers = |of: &dyn Fn(&Row) -> f64| -> ArrayRef {
        let numbers = rows.iter().map(of);
        if is_double {
            Arc::new(numbers.collect::<Float64Array>())
        } else {
            Arc::new(numbers.map(|number| number as f32).collect::<Float32Array>())
        }
    };
    let labels: StringArray = rows.iter().map(|row| row.label.map(|label| CLASSES[label])).collect();
    let splits: StringArray = rows.iter().map(|row| Some(row.split)).collect();
    write(vec![
        ("label".into(), Arc::new(labels)),
        ("w".into(), numbers(&|row| row.weight)),
        ("x".into(), numbers(&|row| row.features[0])),
        ("y".into(), numbers(&|row| row.features[1])),
        ("split".into(), Arc::new(splits)),
        ("p_a".into(), numbers(&|row| row.p[0])),
        ("p_b".into(), numbers(&|row| row.p[1])),
        ("p_c".into(), numbers(&|row| row.p[2])),
    ])
}

/// A Parquet file of these columns.
pub(crate) fn write(columns: Vec<(String, ArrayRef)>) -> Vec<u8> {
    let (mut bytes, batch) = (Vec::new(), RecordBatch::try_from_iter(columns).unwrap());
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

/// The features of the rows as an NPY file.
pub(crate) fn features(rows: &[Row]) -> Vec<u8> {
    let numbers: Vec<f32> = rows.iter().flat_map(|row| row.features).map(|feature| feature as f32).collect();
    npy(&numbers, 2)
}

/// An NPY file of so many columns of single precision.
pub(crate) fn npy(numbers: &[f32], columns: usize) -> Vec<u8> {
    let shape = format!("({}, {columns})", numbers.len() / columns);
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    header += &" ".repeat(63 - (10 + header.len()) % 64);
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

/// What a model makes of a row, worked out from nothing but the numbers in its file: the scores of the classes.
pub(crate) fn scores(model: &Value, row: &Row) -> [f64; 3] {
    let calibration = &model["calibration"];
    let outlook = match calibration["kind"].as_str() {
        None => row.p,
        Some("probing") => {
            let mut shares = [0.0; 3];
            for step in calibration["steps"].as_array().unwrap() {
                let factors = numbers(&step["factors"]);
                shares[argmax(&[0, 1, 2].map(|k| factors[k] * row.p[k]))] += step["share"].as_f64().unwrap();
            }
            shares
        }
        Some(_) => {
            let inputs: Vec<f64> = match calibration["input"].as_str().unwrap() {
                "log" => {
                    let floor = calibration["floor"].as_f64().unwrap_or(f64::EPSILON);
                    let p = tempered(&calibration["tempering"], row.p.map(|p| p.max(floor)));
                    p.iter().map(|p| p.ln()).collect()
                }
                "probability" => row.p.to_vec(),
                _ => row.features.to_vec(),
            };
            let bias = numbers(&calibration["bias"]);
            let logits = [0, 1, 2].map(|k| {
                let slopes = match calibration["matrix"].get(k) {
                    Some(slopes) => numbers(slopes),
                    None => (0..3)
                        .map(|j| if j == k { numbers(&calibration["diagonal"])[k] } else { 0.0 })
                        .collect(),
                };
                assert_eq!(slopes.len(), inputs.len());
                bias[k] + slopes.iter().zip(&inputs).map(|(slope, x)| slope * x).sum::<f64>()
            });
            let exponentials = logits.map(|z| (z - logits.iter().copied().fold(f64::MIN, f64::max)).exp());
            exponentials.map(|e| e / exponentials.iter().sum::<f64>())
        }
    };
    let weights = numbers(&model["weights"]);
    let products = [0, 1, 2].map(|k| weights[k] * outlook[k]);
    products.map(|product| product / products.iter().sum::<f64>())
}

/// Probabilities after the temperature step of a calibration, if there is one.
fn tempered(step: &Value, p: [f64; 3]) -> [f64; 3] {
    let Some(slope) = step["slope"].as_f64() else { return p };
    let uniform = step["uniform"].as_f64().unwrap();
    let largest = p.iter().copied().fold(0.0, f64::max);
    let powers = p.map(|p| (p / largest).powf(slope));
    powers.map(|power| (1.0 - uniform) * power / powers.iter().sum::<f64>() + uniform / 3.0)
}

/// The first of the largest numbers.
pub(crate) fn argmax(numbers: &[f64]) -> usize {
    (0..numbers.len()).rev().max_by(|&i, &j| numbers[i].total_cmp(&numbers[j])).unwrap()
}

pub(crate) fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}
