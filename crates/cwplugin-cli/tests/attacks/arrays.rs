use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::npy;
use crate::support::{Folder, model};

const MANY: u64 = 1 << 40;

fn archive(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in arrays {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        zip.start_file(format!("{name}.npy"), options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn probabilities() -> Vec<u8> {
    let values = [0.5_f64, 0.5, 0.25, 0.75, 0.75, 0.25];
    npy("<f8", false, "(3, 2)", &values.map(f64::to_le_bytes).concat())
}

#[test]
fn labels_of_no_width_cannot_claim_a_trillion_rows_of_128_bytes() {
    for dtype in ["<U0", "|S0"] {
        let labels = npy(dtype, false, &format!("({MANY},)"), &[]);
        assert_eq!(labels.len(), 128);
        let folder = Folder::with_model().with("p.npy", probabilities()).with("y.npy", labels);
        folder.attack(
            &["eval", "p.npy", "--label", "y.npy", "--classes", "a,b"],
            &format!("y.npy: has {MANY} labels, p.npy has 3 rows"),
            "give one label for each row",
        );
    }
}

#[test]
fn a_column_of_no_width_cannot_claim_a_trillion_rows_of_a_small_archive() {
    for dtype in ["<U0", "|S0"] {
        let column = || npy(dtype, false, &format!("({MANY},)"), &[]);
        let matrix = npy("<f8", false, &format!("({MANY}, 2)"), &[0; 16]);
        let alone = archive(&[("label", column())]);
        let beside = archive(&[("label", column()), ("probabilities", matrix)]);
        for bytes in [alone, beside] {
            let folder = Folder::with_model().with("a.npz", bytes);
            folder.attack(
                &["eval", "a.npz"],
                &format!("a.npz: array \"label\": has {MANY} empty texts, more than 16777216"),
                "leave the array out",
            );
        }
    }
}

#[test]
fn columns_that_compress_well_cannot_claim_more_memory_than_one_file_may_have() {
    // 2³³ integers of one byte are 64 GiB as a column of 64-bit integers.
    let column = npy("|i1", false, "(8589934592,)", &vec![0; 1 << 16]);
    let folder = Folder::with_model().with("a.npz", archive(&[("label", column)]));
    let error = "a.npz: array \"label\": its arrays take 64 GiB of memory, more than 4";
    folder.attack(&["eval", "a.npz"], error, "read in parts");
}

#[test]
fn a_compressed_matrix_in_fortran_order_cannot_claim_more_memory_than_one_file_may_have() {
    let matrix = npy("<f8", true, "(4294967296, 2)", &vec![0; 1 << 16]);
    let bytes = zstd::encode_all(Cursor::new(matrix), 3).unwrap();
    let folder = Folder::with_model().with("p.npy.zst", bytes);
    let error = "p.npy.zst: its arrays take 64 GiB of memory, more than 4";
    folder.write("m.json", model(&["a", "b"], &[0.5, 0.5]));
    folder.attack(&["apply", "m.json", "p.npy.zst"], error, "np.ascontiguousarray");
}
