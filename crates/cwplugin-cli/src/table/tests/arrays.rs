//! NumPy arrays: rows of a matrix are read without making columns of them.

use super::*;
use proptest::prelude::*;
use zip::CompressionMethod;

/// An NPZ file of these NPY files, stored or compressed.
fn archive(arrays: &[(&str, Vec<u8>)], method: CompressionMethod) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in arrays {
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        zip.start_file(format!("{name}.npy"), options).unwrap();
        std::io::Write::write_all(&mut zip, bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A matrix of small numbers, in C order or in Fortran order.
fn matrix(dtype: &str, rows: usize, width: usize, is_fortran: bool) -> Vec<u8> {
    let number = |i: usize| {
        let (row, column) = if is_fortran { (i % rows, i / rows) } else { (i / width, i % width) };
        u16::try_from(row * width + column).unwrap()
    };
    let item = |i: usize| match dtype {
        "<f8" => f64::from(number(i)).to_le_bytes().to_vec(),
        ">f8" => f64::from(number(i)).to_be_bytes().to_vec(),
        "<f4" => f32::from(number(i)).to_le_bytes().to_vec(),
        ">f4" => f32::from(number(i)).to_be_bytes().to_vec(),
        // From 1024 on, the last bits of a half are a whole number.
        _ => (0x6400 | number(i)).to_le_bytes().to_vec(),
    };
    let mut bytes = npy(dtype, &[rows, width], (0..rows * width).flat_map(item).collect::<Vec<_>>());
    if is_fortran {
        let flag = bytes.windows(5).position(|bytes| bytes == b"False").unwrap();
        bytes[flag..flag + 5].copy_from_slice(b"True ");
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn rows_of_a_matrix_equal_its_columns(
        dtype in prop::sample::select(vec!["<f8", ">f8", "<f4", ">f4", "<f2"]),
        rows in 1..9_usize,
        width in 1..5_usize,
        batch_rows in 1..10_usize,
        is_fortran: bool,
        container in 0..3,
        picked in prop::collection::vec(0..5_usize, 1..6),
    ) {
        let place = Place::new();
        let items = matrix(dtype, rows, width, is_fortran);
        let labels = npy("|b1", &[rows], vec![1; rows]);
        let path = match container {
            0 => place.file("a.npy", items),
            1 => place.file("a.npz", archive(&[("y", labels), ("p", items)], CompressionMethod::Stored)),
            _ => place.file("a.npz", archive(&[("p", items), ("y", labels)], CompressionMethod::Deflated)),
        };
        let mut reader = Reader::open(&path, &ReadOptions { batch_rows, ..ReadOptions::default() }).unwrap();
        let fields = reader.schema().fields().len();
        let columns: Vec<usize> = picked.into_iter().map(|column| column % fields).collect();
        let mut all_columns: Vec<usize> = (0..fields).rev().collect();
        reader.select(&all_columns).unwrap();
        all_columns.retain(|column| reader.schema().field(*column).data_type().is_floating());
        let mut seen = 0;
        while let Some(part) = reader.next_part().unwrap() {
            let batch = part.decode(0).unwrap().batch;
            let column = |&column: &usize| super::super::doubles(batch.column(column)).ok();
            let wanted: Option<Vec<Float64Array>> = columns.iter().map(column).collect();
            let is_matrix = columns.iter().all(|column| all_columns.contains(column)) && !is_fortran;
            let found = part.decode_matrix(&columns).unwrap();
            prop_assert_eq!(found.is_some(), is_matrix);
            if let Some((numbers, beside)) = found {
                let wanted = wanted.unwrap();
                let row = |row: usize| wanted.iter().map(move |column| column.value(row));
                let expected: Vec<f64> = (0..batch.num_rows()).flat_map(row).collect();
                prop_assert_eq!(numbers, expected);
                prop_assert_eq!(beside.num_rows(), batch.num_rows());
                for column in 0..fields {
                    if columns.contains(&column) {
                        prop_assert_eq!(beside.column(column).data_type(), &DataType::Null);
                    } else {
                        prop_assert_eq!(beside.column(column), batch.column(column));
                    }
                }
            }
            seen += batch.num_rows();
        }
        prop_assert_eq!(seen, rows);
        prop_assert_eq!(reader.n_rows(), Some(rows));
    }
}

#[test]
fn one_changed_item_of_an_archive_is_found() {
    let place = Place::new();
    for is_fortran in [false, true] {
        let items = matrix("<f8", 50, 2, is_fortran);
        let mut bytes = archive(&[("p", items.clone())], CompressionMethod::Stored);
        let start = bytes.windows(items.len()).position(|part| part == items).unwrap();
        assert_eq!(cells(&read(&place.file("a.npz", &bytes)).unwrap()).len(), 51);
        bytes[start + items.len() - 9] ^= 1;
        let path = place.file("a.npz", &bytes);
        assert_eq!(message(read(&path)), "a.npz: not a valid NPZ file (Invalid checksum)");
        let mut reader =
            Reader::open(&path, &ReadOptions { batch_rows: 7, ..ReadOptions::default() }).unwrap();
        reader.select(&[1]).unwrap();
        assert_eq!(message(batches(&mut reader)), "a.npz: not a valid NPZ file (Invalid checksum)");
    }
}

#[test]
fn an_archive_that_claims_more_rows_than_it_has_is_damaged() {
    let place = Place::new();
    for (method, rows) in [(CompressionMethod::Stored, 60), (CompressionMethod::Deflated, usize::MAX / 64)] {
        let items = npy("<f8", &[rows, 2], floats(&[0.5; 100]));
        let path = place.file("a.npz", archive(&[("p", items)], method));
        let found = message(read(&path));
        assert_eq!(found, "a.npz: not a valid NPY file (it ends before its last row)", "{rows}");
    }
    let items = npy("<f8", &[usize::MAX / 2, 2], floats(&[0.5; 4]));
    let path = place.file("a.npz", archive(&[("p", items)], CompressionMethod::Stored));
    assert_eq!(message(read(&path)), "a.npz: not a valid NPZ file (an array claims too many rows)");
}
