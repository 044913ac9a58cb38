//! What a writer writes.

use super::*;
use arrow_array::types::{Float32Type, Int32Type};
use arrow_array::{
    DictionaryArray, Float32Array, ListArray, StructArray, TimestampMillisecondArray, UInt64Array,
};

fn text(name: &str, batch: &RecordBatch) -> String {
    let place = Place::new();
    write(&place.path(name), std::slice::from_ref(batch)).unwrap();
    fs::read_to_string(place.path(name)).unwrap()
}

/// Types that only Parquet and Arrow have.
fn rich() -> RecordBatch {
    let dictionary: DictionaryArray<Int32Type> = [Some("a"), None, Some("a")].into_iter().collect();
    let list = ListArray::from_iter_primitive::<Float32Type, _, _>([
        Some(vec![Some(0.1), None]),
        None,
        Some(vec![]),
    ]);
    let inner: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
    let nested = StructArray::from(vec![(Arc::new(Field::new("k", DataType::Int64, false)), inner)]);
    RecordBatch::try_from_iter_with_nullable([
        ("d", Arc::new(dictionary) as ArrayRef, true),
        ("l", Arc::new(list), true),
        ("s", Arc::new(nested), true),
        ("f", Arc::new(Float32Array::from(vec![Some(0.1), Some(f32::NAN), None])), true),
        ("t", Arc::new(TimestampMillisecondArray::from(vec![0, 1, 1000])), true),
        ("u", Arc::new(UInt64Array::from(vec![Some(1), None, Some(3)])), true),
    ])
    .unwrap()
}

#[test]
fn rich_types_become_json() {
    let expected = [
        r#"{"d":"a","l":[0.1,null],"s":{"k":1},"f":0.1,"t":"1970-01-01T00:00:00","u":1}"#,
        r#"{"d":null,"l":null,"s":{"k":2},"f":null,"t":"1970-01-01T00:00:00.001","u":null}"#,
        r#"{"d":"a","l":[],"s":{"k":3},"f":null,"t":"1970-01-01T00:00:01","u":3}"#,
    ];
    assert_eq!(text("a.jsonl", &rich()), expected.join("\n") + "\n");
}

#[test]
fn rich_types_become_csv() {
    let csv = text("a.csv", &rich());
    assert!(
        csv.starts_with("d,l,s,f,t,u\na,\"[0.1,null]\",\"{\"\"k\"\":1}\",0.1,1970-01-01T00:00:00,1\n"),
        "{csv}"
    );
}

#[test]
fn rich_types_survive_in_binary_formats() {
    let place = Place::new();
    for name in ["a.parquet", "a.arrow"] {
        write(&place.path(name), &[rich(), rich().slice(1, 2)]).unwrap();
        let table = read(&place.path(name)).unwrap();
        let rows = cells(&table);
        assert_eq!(rows[1..4], cells(&[rich()])[1..], "{name}");
        assert_eq!(rows.len(), 6);
    }
}

#[test]
fn dictionaries_that_differ_from_batch_to_batch_go_into_one_arrow_file() {
    let place = Place::new();
    let batch = |values: [&str; 2]| {
        let column: DictionaryArray<Int32Type> = values.into_iter().collect();
        RecordBatch::try_from_iter([("d", Arc::new(column) as ArrayRef)]).unwrap()
    };
    write(&place.path("a.arrow"), &[batch(["a", "b"]), batch(["c", "a"])]).unwrap();
    assert_eq!(cells(&read(&place.path("a.arrow")).unwrap()), [["d"], ["a"], ["b"], ["c"], ["a"]]);
}

#[test]
fn floats_are_as_short_as_they_can_be() {
    let values = vec![0.1, 1.0, 1e-7, 1e21, f64::NAN, f64::INFINITY];
    let batch =
        RecordBatch::try_from_iter([("x", Arc::new(Float64Array::from(values)) as ArrayRef)]).unwrap();
    assert_eq!(text("a.csv", &batch), "x\n0.1\n1.0\n1e-7\n1e+21\nNaN\ninf\n");
    assert!(text("a.jsonl", &batch).ends_with("{\"x\":1e+21}\n{\"x\":null}\n{\"x\":null}\n"));
}

#[test]
fn json_values_become_text_elsewhere() {
    let place = Place::new();
    let path = place.file("a.jsonl", "{\"a\":\"x, \\\"y\\\"\",\"b\":0.10,\"c\":{\"d\": 1}}\n{\"a\":null}\n");
    let table = read(&path).unwrap();
    assert_eq!(text("a.csv", &table[0]), "a,b,c\n\"x, \"\"y\"\"\",0.10,\"{\"\"d\"\": 1}\"\n,,\n");
    write(&place.path("a.parquet"), &table).unwrap();
    let parquet = read(&place.path("a.parquet")).unwrap();
    assert!(parquet[0].schema().field(0).metadata().is_empty());
    assert_eq!(parquet[0].column(0).as_string::<i32>().value(0), "x, \"y\"");
}

#[test]
fn repeated_names_are_refused_where_they_cannot_be_written() {
    let place = Place::new();
    let table = read(&place.file("in.csv", "a,a\n1,2\n")).unwrap();
    let found = message(write(&place.path("a.jsonl"), &table));
    assert_eq!(found, "a.jsonl: two columns are named \"a\", which JSON lines do not allow");
    assert!(!place.path("a.jsonl").exists());
    for name in ["a.csv", "a.parquet", "a.arrow"] {
        write(&place.path(name), &table).unwrap();
        assert_eq!(cells(&read(&place.path(name)).unwrap()), [["a", "a"], ["1", "2"]], "{name}");
    }
}

#[test]
fn numpy_files_are_not_written() {
    let place = Place::new();
    for (name, title) in [("a.npy", "NPY"), ("a.npz", "NPZ")] {
        let found = message(write(&place.path(name), &sample()));
        assert_eq!(found, format!("{name}: {title} files cannot be written"));
        assert!(!place.path(name).exists());
    }
}

#[test]
fn nothing_is_left_without_finish() {
    let place = Place::new();
    for name in ["a.csv", "a.tsv.gz", "a.jsonl.zst", "a.parquet", "a.arrow"] {
        let path = place.file(name, "old");
        let mut writer =
            Writer::create(Some(&path), Format::of_name(&path).unwrap(), sample()[0].schema()).unwrap();
        writer.write(&sample()[0]).unwrap();
        drop(writer);
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 5);
}

#[test]
fn a_table_can_be_written_over_the_file_it_comes_from() {
    let place = Place::new();
    let path = place.file("a.csv", "a,b\n1,2\n");
    let mut reader = open(&path).unwrap();
    let mut writer = Writer::create(Some(&path), Format::Csv, reader.schema()).unwrap();
    while let Some(part) = reader.next_part().unwrap() {
        writer.write(&part.decode(0).unwrap().batch).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "a,b\n1,2\n");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_refused_and_a_broken_pipe_is_told() {
    use std::os::fd::AsRawFd;
    for format in [Format::Csv, Format::Jsonl, Format::Parquet, Format::Arrow] {
        let device = Path::new("/dev/full");
        let fill = |path: &Path, ready: &dyn Fn()| {
            let mut writer = Writer::create(Some(path), format, sample()[0].schema())?;
            ready();
            writer.write(&sample()[0])?;
            writer.finish()
        };
        if device.exists() {
            let found = message(fill(device, &|| {}));
            assert!(found.starts_with("full: cannot be written (No space left"), "{format:?}: {found}");
        }
        let (reader, pipe) = std::io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", pipe.as_raw_fd());
        let reader = std::cell::Cell::new(Some(reader));
        if Path::new(&path).exists() {
            let err = fill(Path::new(&path), &|| drop(reader.take())).unwrap_err();
            let io = err.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>()).unwrap();
            assert_eq!(io.kind(), std::io::ErrorKind::BrokenPipe, "{format:?}");
        }
    }
}
