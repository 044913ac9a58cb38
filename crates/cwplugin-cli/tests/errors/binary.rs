//! Values that only binary formats can hold.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;

use crate::support::{Folder, testdata};

/// A table of three rows whose column `p_b` is this one.
fn table(p_b: ArrayRef) -> RecordBatch {
    let label: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "c"]));
    let float = |values: Vec<f64>| Arc::new(Float64Array::from(values)) as ArrayRef;
    let (p_a, p_c) = (float(vec![0.5, 0.5, 0.5]), float(vec![0.2, 0.2, 0.2]));
    RecordBatch::try_from_iter_with_nullable([
        ("label", label, true),
        ("p_a", p_a, true),
        ("p_b", p_b, true),
        ("p_c", p_c, true),
    ])
    .unwrap()
}

/// A folder with the table as `bad.parquet` and `bad.arrow`.
fn bad(p_b: ArrayRef) -> Folder {
    let batch = table(p_b);
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    let parquet = writer.into_inner().unwrap();
    let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    let arrow = writer.into_inner().unwrap();
    Folder::with_model().with("bad.parquet", parquet).with("bad.arrow", arrow)
}

/// Numbers as NPY: three columns, C order.
fn npy(values: &[f64]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, 3), }}", values.len() / 3);
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// One integer as NPY.
fn one_label(label: i64) -> Vec<u8> {
    let header = format!("{:<117}\n", "{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }");
    [b"\x93NUMPY\x01\x00\x76\x00" as &[u8], header.as_bytes(), &label.to_le_bytes()].concat()
}

#[test]
fn columnar_values_that_are_not_finite_or_negative_are_refused() {
    for (value, fact) in
        [(f64::NAN, "NaN is not finite"), (f64::INFINITY, "inf is not finite"), (-0.5, "-0.5 is negative")]
    {
        let folder = bad(Arc::new(Float64Array::from(vec![0.3, value, 0.3])));
        for file in ["bad.parquet", "bad.arrow"] {
            folder.all_refuse(&[file], &format!("{file}: row 2, column \"p_b\": {fact}"), "");
        }
    }
}

#[test]
fn columnar_missing_values_are_refused() {
    let folder = bad(Arc::new(Float64Array::from(vec![Some(0.3), None, Some(0.3)])));
    for file in ["bad.parquet", "bad.arrow"] {
        let error = format!("{file}: row 2, column \"p_b\": the value is missing");
        folder.all_refuse(&[file], &error, "fill it in, or drop the row");
    }
}

#[test]
fn columnar_rows_that_do_not_sum_to_1_are_refused() {
    let folder = bad(Arc::new(Int64Array::from(vec![0, 1, 2])));
    for file in ["bad.parquet", "bad.arrow"] {
        let error =
            format!("{file}: row 1, columns \"p_a\", \"p_b\", \"p_c\": the values sum to 0.7, not to 1");
        folder.all_refuse(&[file], &error, "--normalize");
    }
}

#[test]
fn columnar_text_among_the_numbers_is_refused() {
    let folder = bad(Arc::new(StringArray::from(vec!["0.3", "much", "0.3"])));
    for file in ["bad.parquet", "bad.arrow"] {
        folder.all_refuse(
            &[file],
            &format!("{file}: row 2, column \"p_b\": \"much\" is not a number"),
            "decimal point",
        );
    }
}

#[test]
fn a_columnar_class_of_truth_values_is_refused() {
    let folder = bad(Arc::new(arrow_array::BooleanArray::from(vec![true, false, true])));
    folder.all_refuse(
        &["bad.parquet"],
        "bad.parquet: column \"p_b\" holds Boolean, not numbers",
        "--classes",
    );
}

#[test]
fn npy_values_that_cannot_be_used_are_refused() {
    for (value, fact) in
        [(f64::NAN, "NaN is not finite"), (f64::INFINITY, "inf is not finite"), (-0.5, "-0.5 is negative")]
    {
        let folder = Folder::with_model().with("bad.npy", npy(&[0.5, 0.3, 0.2, 0.5, value, 0.5]));
        let error = format!("bad.npy: row 2, column \"1\": {fact}");
        folder.refuses(&["apply", "model.json", "bad.npy"], &error, "");
    }
    let folder = Folder::with_model().with("bad.npy", npy(&[0.5, 0.3, 0.2, 0.5, 0.5, 0.5]));
    let error = "bad.npy: row 2, columns \"0\", \"1\", \"2\": the values sum to 1.5, not to 1";
    folder.refuses(&["apply", "model.json", "bad.npy"], error, "--normalize");
}

#[test]
fn arrays_of_the_wrong_shape_or_type_are_refused() {
    for (name, fact, hint) in [
        ("bad-3d.npy", "has shape (2, 6, 3) and dtype <f8", "one row per sample and one column per class"),
        ("bad-int.npy", "has shape (12, 3) and dtype <i8", "astype(float)"),
        ("labels-int.npy", "has shape (12,) and dtype <i8", "matrix of probabilities"),
        (
            "bad-object-labels.npz",
            "array \"label\" holds pickled Python objects (dtype object)",
            "astype(str)",
        ),
    ] {
        let file = testdata(&format!("formats/{name}"));
        Folder::with_model().all_refuse(&[&file], &format!("{file}: {fact}"), hint);
    }
}

#[test]
fn a_matrix_of_another_width_than_the_model_is_refused() {
    let folder = Folder::with_model().with("two.json", crate::support::model(&["x", "y"], &[0.5, 0.5]));
    let file = testdata("formats/probs.npy");
    let error = format!("{file}: the matrix has 3 columns, but two.json names 2 classes");
    folder.refuses(&["apply", "two.json", &file], &error, "by position");
}

#[test]
fn label_files_of_another_length_or_kind_are_refused() {
    let folder = Folder::new().with("probs.npy", npy(&[0.5, 0.3, 0.2])).with("labels.txt", "a\n");
    let labels = testdata("formats/labels-int.npy");
    let error = format!("{labels}: has 12 labels, probs.npy has 1 rows");
    folder.refuses(&["fit", "probs.npy", "--label", &labels], &error, "same order");
    let error = "labels.txt: no column \"id\" to join the labels by";
    folder.refuses(&["fit", "probs.npy", "--label", "labels.txt"], error, "--id NAME");
    folder.write("data.csv", "label,p_a,p_b\na,1,0\n");
    let error = "data.csv: a label file is supported for NPY files only";
    folder.refuses(&["fit", "data.csv", "--label", &labels], error, "column of the table");
}

#[test]
fn integer_labels_beyond_the_columns_are_refused() {
    let folder = Folder::new().with("one.npy", npy(&[0.5, 0.3, 0.2])).with("labels.npy", one_label(3));
    let error = "one.npy: row 1, column \"label\": unknown class \"3\"";
    for names in [&[] as &[&str], &["--classes", "a,b,c"]] {
        folder.refuses(
            &[&["fit", "one.npy", "--label", "labels.npy"], names].concat(),
            error,
            "the classes are",
        );
    }
}

#[test]
fn a_codec_that_is_not_supported_is_named() {
    let file = testdata("formats/table-brotli.parquet");
    let error = format!("{file}: column \"id\" is compressed with Brotli, which is not supported");
    Folder::with_model().all_refuse(&[&file], &error, "compression zstd");
}
