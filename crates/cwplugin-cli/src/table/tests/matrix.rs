//! Any format is written as any other, and the values stay equal.

use super::*;

const NAMES: [&str; 7] = ["t.csv", "t.tsv", "t.jsonl", "t.parquet", "t.arrow", "t.csv.gz", "t.jsonl.zst"];

/// Values as numbers where they are numbers, so that `0.10`, `"0.1"` and `1e-1` compare equal.
fn values(batches: &[RecordBatch]) -> Vec<Vec<String>> {
    let normal = |cell: String| {
        let text = serde_json::from_str::<String>(&cell).unwrap_or(cell);
        text.parse::<f64>().map_or(text, |number| number.to_string())
    };
    cells(batches).into_iter().map(|row| row.into_iter().map(normal).collect()).collect()
}

#[test]
fn every_format_goes_into_every_other() {
    let place = Place::new();
    let expected = values(&sample());
    for from in NAMES {
        let source = place.path(&format!("from-{from}"));
        write(&source, &sample()).unwrap();
        let table = read(&source).unwrap();
        assert_eq!(values(&table), expected, "{from}");
        for to in NAMES {
            let target = place.path(&format!("to-{to}"));
            write(&target, &table).unwrap();
            assert_eq!(values(&read(&target).unwrap()), expected, "{from} to {to}");
        }
    }
}

#[test]
fn text_comes_back_byte_for_byte() {
    let place = Place::new();
    for (name, text) in [
        ("a.csv", "id,p a,\"x,y\"\n1,0.10,\"a \"\"b\"\"\"\n2,,\"c\nd\"\n"),
        ("a.tsv", "id\tp\n1\t0.10\n2\t1e-3\n"),
        (
            "a.jsonl",
            "{\"id\":1,\"p\":0.10,\"x\":{\"a\": [1.50]}}\n{\"id\":\"\\u00e9\",\"p\":null,\"x\":-0}\n",
        ),
    ] {
        let path = place.file(name, text);
        let copy = place.path(&format!("copy-{name}"));
        write(&copy, &read(&path).unwrap()).unwrap();
        assert_eq!(fs::read_to_string(&copy).unwrap(), text);
    }
}

#[test]
fn columns_are_chosen_in_any_order_in_every_format() {
    let place = Place::new();
    for name in NAMES {
        let path = place.path(name);
        write(&path, &sample()).unwrap();
        let all = cells(&read(&path).unwrap());
        let options = ReadOptions { batch_rows: 3, block_bytes: 20, ..ReadOptions::default() };
        for columns in [vec![4, 0, 1], vec![2], vec![0, 1, 2, 3, 4], vec![1, 1]] {
            let mut reader = Reader::open(&path, &options).unwrap();
            reader.select(&columns).unwrap();
            let chosen = cells(&batches(&mut reader).unwrap());
            let expected = all.iter().map(|row| columns.iter().map(|&c| row[c].clone()).collect::<Vec<_>>());
            assert_eq!(chosen, expected.collect::<Vec<_>>(), "{name} {columns:?}");
            let (read, total) = reader.progress();
            assert_eq!(Some(read), total, "{name}");
        }
        let mut reader = Reader::open(&path, &options).unwrap();
        reader.select(&[]).unwrap();
        let rows: usize = batches(&mut reader).unwrap().iter().map(RecordBatch::num_rows).sum();
        assert_eq!(rows, 4, "{name}");
        reader.select(&[]).unwrap();
        assert!(Reader::open(&path, &options).unwrap().select(&[9]).is_err());
    }
}

#[test]
fn empty_tables_keep_their_columns() {
    let place = Place::new();
    let empty = sample()[0].slice(0, 0);
    for name in ["t.csv", "t.tsv", "t.parquet", "t.arrow"] {
        write(&place.path(name), std::slice::from_ref(&empty)).unwrap();
        let reader = open(&place.path(name)).unwrap();
        assert_eq!(reader.schema().fields().len(), 5, "{name}");
        assert!(read(&place.path(name)).unwrap().iter().all(|batch| batch.num_rows() == 0));
    }
}
