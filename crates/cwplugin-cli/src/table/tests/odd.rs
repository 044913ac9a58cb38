//! Unusual files, and the errors of those that cannot be read.

use super::*;

fn table(name: &str, content: impl AsRef<[u8]>) -> Vec<Vec<String>> {
    let place = Place::new();
    cells(&read(&place.file(name, content)).unwrap())
}

fn error_of(name: &str, content: impl AsRef<[u8]>) -> String {
    let place = Place::new();
    message(read(&place.file(name, content)))
}

#[test]
fn csv_in_all_its_spellings() {
    assert_eq!(
        table("a.csv", "\u{feff}a,b c\r\n1,\"x\r\ny\"\r\n\r\n2,\r\n"),
        [["a", "b c"], ["1", "x\r\ny"], ["2", ""]]
    );
    assert_eq!(table("a.csv", "\u{feff}\"a\",b\n1,2"), [["a", "b"], ["1", "2"]]);
    assert_eq!(table("a.csv", "a;b\n0,5;1\n"), [["a", "b"], ["0,5", "1"]]);
    assert_eq!(table("a.txt", "a\tb;c\n1\t2;3\n").len(), 2);
    assert_eq!(table("a.csv", "\"a;b\",c\n1,2\n")[0], ["a;b", "c"]);
    assert_eq!(table("a.tab", "a\tb,c\n1\t2\n")[0], ["a", "b,c"]);
    assert_eq!(table("a", "a,a\n1,2\n"), [["a", "a"], ["1", "2"]]);
    assert_eq!(table("a.csv", "PK,label\n1,a\n")[0], ["PK", "label"]);
    assert_eq!(table("a.csv", "0,1,2\n.1,.2,.7\n"), [["0", "1", "2"], [".1", ".2", ".7"]]);
}

#[test]
fn csv_that_cannot_be_read() {
    assert_eq!(
        error_of("a.csv", "a,b,c,d\n1,2,3,4\n\n1,2,3\n"),
        "a.csv: row 2 has 3 fields, the header has 4"
    );
    assert_eq!(error_of("a.csv", "a,b\n1\n"), "a.csv: row 1 has 1 field, the header has 2");
    assert_eq!(
        error_of("a.csv", b"a,p_spam\n1,2\n3,\xff\n"),
        "a.csv: row 2, column \"p_spam\": bytes are not UTF-8"
    );
    assert_eq!(error_of("a.csv", b"a,\xff\n1,2\n"), "a.csv: header, column 2: bytes are not UTF-8");
    assert_eq!(error_of("a.csv", "0.1,0.9\n0.2,0.8\n"), "a.csv: first line looks like data (0.1, 0.9)");
    assert_eq!(error_of("a.csv", "0,1\n0.2,0.8\n"), "a.csv: first line looks like data (0, 1)");
    assert_eq!(error_of("a.csv", ""), "a.csv: is empty");
    assert_eq!(error_of("a.csv", "\n\n"), "a.csv: is empty");
    assert_eq!(error_of("a.csv", b"\xff\xfea\0,\0b\0"), "a.csv: is UTF-16 text");
}

#[test]
fn csv_batches_are_bounded_by_bytes() {
    let place = Place::new();
    let path = place.file("a.csv", "a\n1\n2\n3\n4\n5\n");
    let options = ReadOptions { block_bytes: 4, ..ReadOptions::default() };
    let batches = batches(&mut Reader::open(&path, &options).unwrap()).unwrap();
    assert_eq!(batches.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [2, 2, 1]);
    let path = place.file("pipes.csv", "a|b\n1|2\n");
    let options = ReadOptions { delimiter: Some(b'|'), ..ReadOptions::default() };
    assert_eq!(Reader::open(&path, &options).unwrap().schema().fields().len(), 2);
}

#[test]
fn parquet_batches_of_long_texts_have_few_rows() {
    let place = Place::new();
    let texts: Vec<String> = (0..12).map(|row| format!("{row}{}", "x".repeat(1 << 20))).collect();
    let columns: [(_, ArrayRef); 2] = [
        ("text", Arc::new(StringArray::from(texts))),
        ("p", Arc::new(Float64Array::from_iter_values((0..12).map(f64::from)))),
    ];
    write(&place.path("t.parquet"), &[RecordBatch::try_from_iter(columns).unwrap()]).unwrap();
    let rows = |columns: &[usize]| {
        let mut reader = open(&place.path("t.parquet")).unwrap();
        reader.select(columns).unwrap();
        batches(&mut reader).unwrap().iter().map(RecordBatch::num_rows).collect::<Vec<_>>()
    };
    assert_eq!(rows(&[0, 1]), [3, 3, 3, 3]);
    assert_eq!(rows(&[1]), [12], "columns that are not wanted do not count");
}

#[test]
fn json_lines_with_keys_that_come_and_go() {
    let text = "\u{feff}{\"b\": 0.10, \"a\": \"x\"}\n\n{\"a\": null, \"c\": [1, 2]}\r\n{}";
    assert_eq!(
        table("a.jsonl", text),
        [["b", "a", "c"], ["0.10", "\"x\"", "∅"], ["∅", "∅", "[1, 2]"], ["∅", "∅", "∅"]]
    );
    assert_eq!(table("a", " {\"a\": 1}\n"), [["a"], ["1"]]);
}

#[test]
fn json_lines_that_cannot_be_read() {
    assert_eq!(error_of("a.jsonl", "{\"a\": 1}\n\n[1]\n"), "a.jsonl: row 2: is an array, not an object");
    assert_eq!(error_of("a.jsonl", "3\n"), "a.jsonl: row 1: is not a JSON object");
    assert_eq!(
        error_of("a.json", "{\n  \"a\": 1\n}\n"),
        "a.json: row 1, column 1: EOF while parsing an object"
    );
    assert_eq!(error_of("a.jsonl", "{\"a\": NaN}\n"), "a.jsonl: row 1, column 7: expected value");
    assert_eq!(error_of("a.jsonl", "{\"a\": 1} x\n"), "a.jsonl: row 1, column 10: trailing characters");
    assert_eq!(error_of("a.jsonl", "{\"a\": 1, \"a\": 2}\n"), "a.jsonl: row 1: key \"a\" occurs twice");
    assert_eq!(error_of("a.jsonl", b"{\"a\": \"\xff\"}\n"), "a.jsonl: row 1: bytes are not UTF-8");
    assert_eq!(error_of("a.jsonl", "\n \n"), "a.jsonl: is empty");
    let place = Place::new();
    let path = place.file("a.jsonl", "{\"a\": 1}\n{\"a\": 1, \"b\": 2}\n");
    let options = ReadOptions { batch_rows: 1, block_bytes: 5, ..ReadOptions::default() };
    let late = message(batches(&mut Reader::open(&path, &options).unwrap()));
    assert_eq!(late, "a.jsonl: row 2: key \"b\" is missing in the first rows");
}

#[test]
fn npy_of_every_float_and_order() {
    let expected = [["0", "1"], ["0.5", "0.25"], ["1.0", "-2.0"]];
    assert_eq!(table("a.npy", npy("<f8", &[2, 2], floats(&[0.5, 0.25, 1.0, -2.0]))), expected);
    let big: Vec<u8> = [0.5_f32, 0.25, 1.0, -2.0].iter().flat_map(|value| value.to_be_bytes()).collect();
    assert_eq!(table("a.npy", npy(">f4", &[2, 2], big)), expected);
    let half =
        [0x3800_u16, 0x3400, 0x3c00, 0xc000].iter().flat_map(|bits| bits.to_le_bytes()).collect::<Vec<_>>();
    assert_eq!(table("a.npy", npy("<f2", &[2, 2], half)), expected);
    let mut fortran = npy("<f8", &[2, 2], floats(&[0.5, 1.0, 0.25, -2.0]));
    let flag = fortran.windows(5).position(|bytes| bytes == b"False").unwrap();
    fortran[flag..flag + 5].copy_from_slice(b"True ");
    assert_eq!(table("a.npy", fortran), expected);
}

#[test]
fn npy_streams_and_chooses_in_both_orders() {
    let place = Place::new();
    let c = place.file("c.npy", npy("<f8", &[3, 2], floats(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])));
    let mut bytes = npy("<f8", &[3, 2], floats(&[0.0, 2.0, 4.0, 1.0, 3.0, 5.0]));
    let flag = bytes.windows(5).position(|bytes| bytes == b"False").unwrap();
    bytes[flag..flag + 5].copy_from_slice(b"True ");
    let fortran = place.file("f.npy", bytes);
    let labels = place.file("y.npy", npy("|S1", &[3], "abc"));
    for path in [c, fortran] {
        let options =
            ReadOptions { batch_rows: 2, label_file: Some(labels.clone()), ..ReadOptions::default() };
        let mut reader = Reader::open(&path, &options).unwrap();
        reader.select(&[2, 1]).unwrap();
        let batches = batches(&mut reader).unwrap();
        assert_eq!(batches.len(), 2);
        assert_eq!(cells(&batches), [["label", "1"], ["a", "1.0"], ["b", "3.0"], ["c", "5.0"]]);
    }
}

#[test]
fn npy_that_cannot_be_read() {
    let has = |dtype: &str, shape: &[usize]| error_of("a.npy", npy(dtype, shape, [0; 64]));
    assert_eq!(has("<f8", &[3]), "a.npy: has shape (3,) and dtype <f8");
    assert_eq!(has("<f8", &[1, 2, 3]), "a.npy: has shape (1, 2, 3) and dtype <f8");
    assert_eq!(has("<i8", &[2, 2]), "a.npy: has shape (2, 2) and dtype <i8");
    assert_eq!(has("<c16", &[2, 2]), "a.npy: has shape (2, 2) and dtype <c16");
    assert_eq!(has("|O", &[2, 2]), "a.npy: has shape (2, 2) and dtype |O");
    assert_eq!(has("<f8", &[0, 1 << 40]), "a.npy: not a valid NPY file (it claims 1099511627776 columns)");
    assert_eq!(has("<f8", &[usize::MAX, 2]), "a.npy: not a valid NPY file (it ends before its last row)");
    assert_eq!(has("<f8", &[100, 2]), "a.npy: not a valid NPY file (it ends before its last row)");
    let place = Place::new();
    let path = place.file("a.npy", npy("<f8", &[1, 2], floats(&[0.5, 0.5])));
    let with = |content: Vec<u8>| {
        let options =
            ReadOptions { label_file: Some(place.file("y.npy", content)), ..ReadOptions::default() };
        message(Reader::open(&path, &options))
    };
    assert!(with(npy("<i8", &[2], [0; 16])).starts_with("y.npy: has 2 labels, "));
    assert_eq!(with(npy("|O", &[1], [0; 16])), "y.npy: has shape (1,) and dtype |O");
    assert_eq!(with(b"label\na\n".to_vec()), "y.npy: is not an NPY file");
    let options = ReadOptions { label_file: Some(path.clone()), ..ReadOptions::default() };
    let csv = place.file("a.csv", "a\n1\n");
    assert_eq!(message(Reader::open(&csv, &options)), "a.csv: a label file is supported for NPY files only");
}

#[test]
fn npz_finds_the_matrix_and_its_columns() {
    let matrix = || npy("<f8", &[2, 2], floats(&[0.5, 0.5, 0.25, 0.75]));
    let text = npy("<U1", &[2], [b'a', 0, 0, 0, b'b', 0, 0, 0]);
    let bytes = npz(&[
        ("label", npy("<i4", &[2], [7, 0, 0, 0, 8, 0, 0, 0])),
        ("x", matrix()),
        ("proba", matrix()),
        ("classes", text),
        ("other", npy("<f4", &[3], [0; 12])),
        ("scalar", npy("<f4", &[], [0; 4])),
    ]);
    assert_eq!(table("a.npz", &bytes), [["label", "a", "b"], ["7", "0.5", "0.5"], ["8", "0.25", "0.75"]]);
    assert_eq!(table("a.npz", npz(&[("anything", matrix())]))[0], ["0", "1"]);
    let two = error_of("a.npz", npz(&[("x", matrix()), ("y", matrix())]));
    assert_eq!(two, "a.npz: has 2 matrices of floats (x, y)");
    let object = error_of("a.npz", npz(&[("p", matrix()), ("y", npy("|O", &[2], [0; 8]))]));
    assert_eq!(object, "a.npz: array \"y\" holds pickled Python objects (dtype object)");
    let ints = error_of("a.npz", npz(&[("p", npy("<i8", &[2, 1], [0; 16]))]));
    assert_eq!(ints, "a.npz: array \"p\": has shape (2, 1) and dtype <i8");
    let lengths = npz(&[("a", npy("|b1", &[2], [0; 2])), ("b", npy("|b1", &[3], [0; 3]))]);
    assert_eq!(error_of("a.npz", lengths), "a.npz: array \"a\" has 2 items, array \"b\" has 3");
    assert_eq!(error_of("a.xlsx", npz(&[])), "a.xlsx: is a zip archive without arrays");
}

#[test]
fn content_decides_without_an_extension_and_must_not_contradict_it() {
    let place = Place::new();
    for (format, name) in [
        ("parquet", "t.parquet"),
        ("arrow", "t.arrow"),
        ("npz", "t.npz"),
        ("jsonl", "t.jsonl"),
        ("csv", "t.csv.gz"),
    ] {
        let bytes = if format == "npz" {
            sample_npz()
        } else {
            write(&place.path(name), &sample()).unwrap();
            fs::read(place.path(name)).unwrap()
        };
        let reader = open(&place.file("nameless", &bytes)).unwrap();
        assert_eq!(reader.format().flag(), format);
        let plain = place.file(&format!("t.{format}"), &bytes);
        assert_eq!(cells(&read(&plain).unwrap()).len(), 5);
        let misnamed = place.file("misnamed.tsv", &bytes);
        if format != "csv" {
            let err = open(&misnamed).err().unwrap();
            assert!(err.to_string().ends_with(" file, not TSV"), "{err}");
            let cure = err.downcast_ref::<UserError>().unwrap().cure.clone().unwrap();
            assert!(cure.contains(&format!("--format {format}`")), "{cure}");
        }
    }
    assert_eq!(error_of("a.parquet", "a,b\n1,2\n"), "a.parquet: looks like a CSV file, not Parquet");
    assert_eq!(error_of("a.npy", "{\"a\": 1}\n"), "a.npy: looks like a JSON lines file, not NPY");
    assert_eq!(error_of("a.arrow", npz(&[])), "a.arrow: is an NPZ file, not Arrow");
    assert_eq!(error_of("a.feather", b"FEA1\0\0\0\0"), "a.feather: is a Feather file of version 1");
}

#[test]
fn missing_files() {
    let place = Place::new();
    assert_eq!(message(open(&place.path("no.csv"))), "no.csv: no such file");
    assert!(message(open(place.0.path())).ends_with(": is a folder"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_read_like_a_file() {
    use std::os::fd::AsRawFd;
    let place = Place::new();
    for name in ["t.csv", "t.tsv.gz", "t.jsonl.zst", "t.parquet", "t.arrow"] {
        write(&place.path(name), &sample()).unwrap();
        let bytes = fs::read(place.path(name)).unwrap();
        let (reader, mut pipe) = std::io::pipe().unwrap();
        let options = ReadOptions { format: Format::of_name(Path::new(name)), ..ReadOptions::default() };
        let writer = std::thread::spawn(move || std::io::Write::write_all(&mut pipe, &bytes).unwrap());
        let path = PathBuf::from(format!("/proc/self/fd/{}", reader.as_raw_fd()));
        let mut table = Reader::open(&path, &options).unwrap();
        assert_eq!(cells(&batches(&mut table).unwrap()), cells(&read(&place.path(name)).unwrap()), "{name}");
        assert_eq!(table.progress().1, None);
        writer.join().unwrap();
    }
}

#[test]
fn readers_and_writers_go_to_other_threads() {
    fn is_send<T: Send>() {}
    is_send::<Reader>();
    is_send::<Writer>();
}
