//! Files with labels of another table: `--label FILE` and `--label-map FILE`, in every format.

use cwplugin_cli::GivenOptions;

use super::tables::outcome;
use crate::Door;
use crate::bytes::Bytes;
use crate::corpus::joined;
use crate::files::file;

pub(super) const DOOR: Door =
    Door { name: "label_files", title: "label files and label maps", longest: 4 << 10, check, seeds };

const TABLE: &[u8] = b"id,code,p_ham,p_spam\na,0,0.9,0.1\nb,1,0.2,0.8\nc,,0.5,0.5\nd,x,0.4,0.6\n";
const MATRIX: [f64; 8] = [0.9, 0.1, 0.2, 0.8, 0.5, 0.5, 0.4, 0.6];
const NAMES: [&str; 6] = ["l.csv", "l.tsv", "l.jsonl", "l.parquet", "l.npy", "l.npz"];

/// Input: the flag, the extension, the bytes of the file.
fn check(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let (is_map, name) = (bytes.byte() & 1 == 1, bytes.pick(&NAMES));
    let labels = file(name, bytes.rest());
    // An array holds the labels of an array.
    let is_array = name == "l.npy" && !is_map;
    let table = if is_array {
        file("t.npy", &array("<f8", "4, 2", &MATRIX.map(f64::to_le_bytes).concat()))
    } else {
        file("t.csv", TABLE)
    };
    let labels = labels.to_string_lossy().into_owned();
    let words = if is_map {
        ["--quiet", "--label", "code", "--id", "id", "--label-map", &labels].to_vec()
    } else if is_array {
        ["--quiet", "--label", &labels].to_vec()
    } else {
        ["--quiet", "--label", &labels, "--id", "id,code"].to_vec()
    };
    outcome(GivenOptions::parse(words).and_then(|given| given.read(&table, None)));
}

/// An NPY file.
fn array(kind: &str, shape: &str, items: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    let head = b"\x93NUMPY\x01\x00v\x00";
    joined(&joined(head, format!("{header:<117}\n").as_bytes()), items)
}

fn seeds() -> Vec<Vec<u8>> {
    let map = "label,class\n0,ham\n1,spam\nx,spam\n";
    let labels = "id,label\na,ham\nb,spam\nd,spam\n";
    let lines = "{\"id\": \"a\", \"label\": \"ham\"}\n{\"id\": \"b\", \"label\": \"spam\"}\n";
    vec![
        joined(&[1, 0], map.as_bytes()),
        joined(&[0, 0], labels.as_bytes()),
        joined(&[0, 1], labels.replace(',', "\t").as_bytes()),
        joined(&[0, 2], lines.as_bytes()),
        joined(&[0, 4], &array("<i8", "4,", &[0_i64, 1, 0, 1].map(i64::to_le_bytes).concat())),
        joined(&[0, 4], &array("|S1", "4,", b"0110")),
        joined(&[1, 4], &array("<U1", "4,", b"0\0\0\x001\0\0\x000\0\0\x001\0\0\0")),
    ]
}
