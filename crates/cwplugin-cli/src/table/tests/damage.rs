//! Truncated and corrupted files are errors, and nothing panics.

use super::*;
use crate::table::Compression;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};

/// A valid file of every format, and its name.
fn valid(place: &Place) -> Vec<(&'static str, Vec<u8>)> {
    let mut files = Vec::new();
    for name in ["a.csv.gz", "a.csv.zst", "a.jsonl.gz", "a.parquet", "a.arrow"] {
        write(&place.path(name), &sample()).unwrap();
        files.push((name, fs::read(place.path(name)).unwrap()));
    }
    files.push(("a.npz", sample_npz()));
    files.push(("a.npy", sample_npy()));
    let options = IpcWriteOptions::default();
    let options = options.try_with_compression(Some(arrow_ipc::CompressionType::LZ4_FRAME)).unwrap();
    let mut stream = StreamWriter::try_new_with_options(Vec::new(), &sample()[0].schema(), options).unwrap();
    for batch in &sample() {
        stream.write(batch).unwrap();
    }
    files.push(("a.arrows", stream.into_inner().unwrap()));
    files
}

fn is_compressed(name: &str) -> bool {
    Compression::of_name(Path::new(name)).is_some()
}

#[test]
fn valid_files_are_read() {
    let place = Place::new();
    for (name, bytes) in valid(&place) {
        assert_eq!(cells(&read(&place.file(name, bytes)).unwrap()).len(), 5, "{name}");
    }
}

#[test]
fn a_truncated_file_is_an_error() {
    let place = Place::new();
    for (name, bytes) in valid(&place) {
        // An Arrow stream may end between two messages.
        if name == "a.arrows" {
            continue;
        }
        let step = (bytes.len() / 150).max(1);
        for length in (1..bytes.len()).step_by(step) {
            // Too short to be recognised as compressed: it is text.
            if length < 4 && is_compressed(name) {
                continue;
            }
            let found = message(read(&place.file(name, &bytes[..length])));
            assert!(found.starts_with(&format!("{name}: ")), "{found}");
        }
        let half = message(read(&place.file(name, &bytes[..bytes.len() / 2])));
        if is_compressed(name) {
            assert_eq!(half, format!("{name}: the compressed data ends too early"));
        } else {
            assert!(half.contains(": not a valid "), "{half}");
        }
    }
}

#[test]
fn a_truncated_stream_is_an_error() {
    let place = Place::new();
    let (name, bytes) = valid(&place).pop().unwrap();
    for length in [4, 7, 100, bytes.len() / 2, bytes.len() - 20] {
        assert!(message(read(&place.file(name, &bytes[..length]))).contains(": not a valid Arrow file ("));
    }
}

#[test]
fn a_changed_byte_never_panics() {
    let place = Place::new();
    for (name, bytes) in valid(&place) {
        let step = (bytes.len() / 240).max(1);
        for (position, change) in (0..bytes.len()).step_by(step).zip([0x01, 0x80, 0xff].into_iter().cycle()) {
            let mut changed = bytes.clone();
            changed[position] ^= change;
            // Some changes cannot be detected, but every error is a user error.
            if let Err(err) = read(&place.file(name, &changed)) {
                assert!(err.downcast_ref::<UserError>().is_some(), "{name} at {position}: {err:?}");
            }
        }
    }
}

#[test]
fn garbage_is_an_error_with_every_extension() {
    let place = Place::new();
    let noise: Vec<u8> = (0..4096_u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
    for (name, magic) in [
        ("a.parquet", &b"PAR1"[..]),
        ("a.arrow", b"ARROW1\0\0"),
        ("a.arrows", b"\xff\xff\xff\xff"),
        ("a.npy", b"\x93NUMPY\x01\0"),
        ("a.npz", b"PK\x03\x04"),
        ("a.csv.gz", b"\x1f\x8b\x08"),
        ("a.csv.zst", b"\x28\xb5\x2f\xfd"),
    ] {
        message(read(&place.file(name, &noise)));
        message(read(&place.file(name, [magic, &noise].concat())));
        message(read(&place.file(name, [magic, &noise, magic].concat())));
        message(read(&place.file(name, magic)));
    }
}
