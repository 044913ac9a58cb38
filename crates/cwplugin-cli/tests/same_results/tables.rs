//! The tables of the cases: rows by a formula of whole numbers and divisions, the same on every machine.

use std::fmt::Write as _;

use crate::support::Folder;

use super::formats;

/// Rows with labels, weights, two features and probabilities of a black box.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) n_classes: usize,
    pub(super) rows: Vec<Row>,
}

#[derive(Clone)]
pub(super) struct Row {
    pub(super) label: Option<usize>,
    pub(super) weight: f64,
    pub(super) features: [f64; 2],
    pub(super) p: Vec<f64>,
}

/// What is odd about a table.
#[derive(Clone, Copy, PartialEq)]
enum Oddity {
    Nothing,
    /// Probabilities of two decimals: many are equal, and many fall on a grid.
    Cents,
    /// Many probabilities are 0.
    Holes,
    /// The last class but one has no labelled rows.
    Absent,
    /// … and never any probability.
    Never,
    /// The last class but one has labelled rows, but never any probability.
    Mute,
    /// Two rows of three have no label.
    Partly,
    /// All labelled rows are of one class.
    OneClass,
    /// No row has a label.
    Bare,
}

/// Name, classes, rows and oddity of every table; each has a second one, `NAME-test`, to predict.
const TABLES: [(&str, usize, usize, Oddity); 15] = [
    ("two", 2, 80, Oddity::Nothing),
    ("three", 3, 70, Oddity::Nothing),
    ("six", 6, 110, Oddity::Nothing),
    ("twelve", 12, 150, Oddity::Nothing),
    ("cents", 3, 100, Oddity::Cents),
    ("cents6", 6, 90, Oddity::Cents),
    ("holes", 6, 90, Oddity::Holes),
    ("absent", 4, 80, Oddity::Absent),
    ("never", 4, 70, Oddity::Never),
    ("partly", 3, 120, Oddity::Partly),
    ("tiny", 3, 9, Oddity::Nothing),
    ("oneclass", 3, 30, Oddity::OneClass),
    ("bare", 3, 60, Oddity::Bare),
    ("mute", 4, 60, Oddity::Mute),
    ("few", 3, 4, Oddity::Nothing),
];
const TEST_ROWS: usize = 25;

/// Weights of rows: none, one, and what no double holds exactly.
const WEIGHTS: [f64; 6] = [0.0, 0.5, 1.0 / 3.0, 1.0, 2.5, 0.1];

/// A folder with every table as CSV, some in other formats, and the files that metrics name.
pub(super) fn folder() -> Folder {
    let folder = Folder::new();
    for (seed, &(name, n_classes, n, oddity)) in TABLES.iter().enumerate() {
        let seed = seed as u64 + 1;
        let table = table(n_classes, n, oddity, seed);
        folder.write(&format!("{name}.csv"), table.csv());
        // Rows to predict have all labels, so that `eval` can count them.
        let oddity =
            if oddity == Oddity::Cents || oddity == Oddity::Holes { oddity } else { Oddity::Nothing };
        let test = self::table(n_classes, TEST_ROWS, oddity, seed + 100);
        folder.write(&format!("{name}-test.csv"), test.csv());
        formats::write(&folder, name, &table, &test);
    }
    super::programs::write(&folder);
    folder
        .with("cost3.csv", "0,1,2\n4,0,1\n2.5,1,0\n")
        .with("cost6.csv", "0,1,1,1,1,1\n5,0,1,1,1,1\n1,1,0,1,1,1\n1,1,1,0,1,2\n1,1,1,1,0,1\n3,1,1,1,1,0\n")
        .with("ratio3.json", r#"{"a": [1, 2, 3], "c": {"b": -0.5}, "d": 1}"#)
        .with("ratio6.json", r#"{"a": [1, 2, 3, 1, 2, 3], "c": {"b": -0.5, "d": 0.25}, "d": 1}"#)
        .with("priors.csv", "a,0.5\nb,0.3\nc,0.2\n")
        .with("priors.json", r#"{"a": 0.2, "b": 0.3, "c": 0.5}"#)
}

/// The name of a class.
pub(super) fn class(k: usize) -> char {
    char::from(b'a' + k as u8)
}

impl Table {
    pub(super) fn csv(&self) -> String {
        self.csv_with(|p| p)
    }

    /// The table with other numbers in the place of the probabilities.
    pub(super) fn csv_with(&self, number: impl Fn(f64) -> f64) -> String {
        let mut text = "label,w,x,y".to_string();
        for k in 0..self.n_classes {
            write!(text, ",p_{}", class(k)).unwrap();
        }
        for Row { label, weight, features: [x, y], p } in &self.rows {
            let label = label.map_or_else(String::new, |label| class(label).to_string());
            write!(text, "\n{label},{weight},{x},{y}").unwrap();
            for &p in p {
                write!(text, ",{}", number(p)).unwrap();
            }
        }
        text + "\n"
    }
}

/// Rows of a black box that is right more often than not and likes the first class too much.
fn table(n_classes: usize, n: usize, oddity: Oddity, seed: u64) -> Table {
    let mut draw = Draw(seed);
    let m = n_classes;
    let row = |i: usize| {
        let mut label = draw.below(m).min(draw.below(m));
        if matches!(oddity, Oddity::Absent | Oddity::Never) && label == m - 2 {
            label = m - 1;
        }
        if oddity == Oddity::OneClass {
            label = 1;
        }
        let mut p: Vec<f64> = (0..m).map(|_| draw.unit() * draw.unit() + 0.02).collect();
        p[label] += 0.9 * draw.unit();
        p[0] *= 1.7;
        for (k, p) in p.iter_mut().enumerate() {
            let is_hole = match oddity {
                Oddity::Holes => draw.below(2) == 0,
                Oddity::Never | Oddity::Mute => k == m - 2,
                _ => false,
            };
            *p = if is_hole { 0.0 } else { *p };
        }
        p[0] += 0.001; // so that some probability is left
        let weight = WEIGHTS[draw.below(WEIGHTS.len())];
        let features = [label as f64 + 3.0 * draw.unit(), draw.unit() - 0.1 * label as f64];
        let is_unlabelled = oddity == Oddity::Bare || oddity == Oddity::Partly && !i.is_multiple_of(3);
        Row { label: (!is_unlabelled).then_some(label), weight, features, p: shares(&p, oddity) }
    };
    Table { n_classes, rows: (0..n).map(row).collect() }
}

/// The numbers divided by their sum, perhaps in whole hundredths.
fn shares(p: &[f64], oddity: Oddity) -> Vec<f64> {
    let sum: f64 = p.iter().sum();
    if oddity != Oddity::Cents {
        return p.iter().map(|p| p / sum).collect();
    }
    let mut cents: Vec<f64> = p.iter().map(|p| (100.0 * p / sum).floor()).collect();
    cents[0] += 100.0 - cents.iter().sum::<f64>();
    cents.into_iter().map(|cents| cents / 100.0).collect()
}

/// `SplitMix64`, written out: no version of a crate may change the rows.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}
