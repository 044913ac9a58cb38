use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_ipc::writer::StreamWriter;
use parquet::arrow::ArrowWriter;

use crate::support::Folder;

const ROWS: usize = 77;

fn table() -> RecordBatch {
    let label: ArrayRef = Arc::new(StringArray::from(vec!["a"; ROWS]));
    let column = |p: f64| Arc::new(Float64Array::from(vec![p; ROWS])) as ArrayRef;
    let columns = [("label", label), ("p_a", column(0.5)), ("p_b", column(0.25)), ("p_c", column(0.25))];
    RecordBatch::try_from_iter(columns).unwrap()
}

#[test]
fn a_stream_that_is_cut_between_two_batches_does_not_lose_rows_silently() {
    let mut writer = StreamWriter::try_new(Vec::new(), &table().schema()).unwrap();
    writer.write(&table()).unwrap();
    let one = writer.get_ref().len();
    writer.write(&table()).unwrap();
    let bytes = writer.into_inner().unwrap();
    let warning = "warning: s.arrows: the stream has no end marker: rows are missing if it was cut";
    for (end, rows, is_cut) in [(bytes.len(), 154, false), (bytes.len() - 8, 154, true), (one, 77, true)] {
        let folder = Folder::with_model().with("s.arrows", &bytes[..end]);
        let run = folder.limited(&["eval", "model.json", "s.arrows"]).ok();
        assert!(run.text().starts_with(&format!("{rows} labelled rows")), "{}", run.text());
        assert_eq!(run.stderr.contains(warning), is_cut, "{end}: {}", run.stderr);
    }
}

/// The file with another number of rows in its footer; `everywhere` also in its row groups and columns.
fn with_rows(rows: usize, everywhere: bool) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), table().schema(), None).unwrap();
    writer.write(&table()).unwrap();
    let mut bytes = writer.into_inner().unwrap();
    let number = |rows: usize| [0x16, (2 * rows % 128 + 128) as u8, (2 * rows / 128) as u8];
    let length = u32::from_le_bytes(*bytes[..bytes.len() - 4].last_chunk().unwrap()) as usize;
    let footer = bytes.len() - 8 - length;
    let (mut place, mut changed) = (footer, 0);
    while let Some(step) = bytes[place..].windows(3).position(|window| window == number(ROWS)) {
        place += step;
        bytes[place..place + 3].copy_from_slice(&number(rows));
        (place, changed) = (place + 3, changed + 1);
        if !everywhere {
            break;
        }
    }
    assert!(changed > 0);
    bytes
}

#[test]
fn a_parquet_file_whose_footer_claims_other_rows_is_damaged() {
    let folder = Folder::with_model().with("p.parquet", with_rows(78, false));
    let hint = "write or copy the file again";
    let error = "p.parquet: not a valid Parquet file (its footer claims 78 rows, its row groups 77)";
    folder.attack(&["eval", "model.json", "p.parquet"], error, hint);
    folder.write("p.parquet", with_rows(78, true));
    let run = folder.limited(&["eval", "model.json", "p.parquet"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("not a valid Parquet file"), "{}", run.stderr);
}
