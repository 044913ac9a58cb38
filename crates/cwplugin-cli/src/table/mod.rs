//! Tables in and out: every file format is a stream of Arrow record batches.
//!
//! Nothing here depends on the meaning of the columns. Text formats keep their text: a CSV column is `Utf8` with the raw
//! field, a JSON column is `Utf8` with the raw JSON and the extension type `arrow.json`, so values pass through unchanged.
//! Binary formats keep their types.

use std::path::Path;

use clap::ValueEnum;

mod text; // single values as text
mod convert; // columns of any type as text or numbers
mod errors; // files that cannot be read or written
mod json; // columns of raw JSON
mod numpy; // the header and the items of a NumPy array
mod read; // from a file to batches
mod write; // from batches to a file

#[cfg(test)]
mod tests;

pub(crate) use convert::{doubles, texts};
pub(crate) use json::{decode_json, is_json};
pub(crate) use read::{
    Decoded, DocumentOrTable, FoundDocument, OpenedFiles, Part, ReadOptions, Reader, ReplyFacts,
    ReplyOptions, ReplyReader, VOTES, broken_document, changed, first_document, for_each_document,
};
pub(crate) use write::{Encoded, Form, Writer};

/// Field metadata: the name of the two-dimensional NumPy array that the column belongs to.
pub(crate) const NPZ_ARRAY: &str = "npz:array";

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Comma-separated values with a header line
    Csv,
    /// Tab-separated values with a header line
    Tsv,
    /// One JSON object per line
    Jsonl,
    /// Apache Parquet
    Parquet,
    /// Apache Arrow IPC, file or stream
    Arrow,
    /// One NumPy array
    Npy,
    /// Several NumPy arrays in a zip archive
    Npz,
}

impl Format {
    /// Whether it is a text format.
    pub(crate) const fn is_text(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv | Self::Jsonl)
    }

    /// Its usual name.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Jsonl => "JSON lines",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
            Self::Npy => "NPY",
            Self::Npz => "NPZ",
        }
    }

    /// The value of `--format`.
    pub(crate) fn flag(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The format by the extension of a file, before `.gz` or `.zst`.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        let stem = match Compression::of_name(path) {
            Some(_) => Path::new(path.file_stem()?),
            None => path,
        };
        Some(match extension(stem)?.as_str() {
            "csv" | "txt" => Self::Csv,
            "tsv" | "tab" => Self::Tsv,
            "jsonl" | "ndjson" | "json" => Self::Jsonl,
            "parquet" | "pq" => Self::Parquet,
            "arrow" | "arrows" | "feather" | "ipc" => Self::Arrow,
            "npy" => Self::Npy,
            "npz" => Self::Npz,
            _ => return None,
        })
    }
}

/// The compression of a whole file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    /// The compression by the extension of a file.
    fn of_name(path: &Path) -> Option<Self> {
        match extension(path)?.as_str() {
            "gz" => Some(Self::Gzip),
            "zst" | "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    /// The compression by the first bytes of a file.
    fn of_content(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, 0x08, ..] => Some(Self::Gzip),
            // The second is a skippable frame, which parallel compressors write first.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// The user's `-`: standard input or output.
pub(crate) fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a file can be read only once: standard input, or a pipe with a name.
pub(crate) fn is_read_once(path: &Path) -> bool {
    is_stream(path) || path.metadata().is_ok_and(|file| !file.is_file() && !file.is_dir())
}

#[cfg(test)]
mod names {
    use super::*;

    #[test]
    fn formats_are_recognised_by_extension() {
        for (name, format) in [
            ("a.csv", Some(Format::Csv)),
            ("a.TSV", Some(Format::Tsv)),
            ("a.csv.gz", Some(Format::Csv)),
            ("a.b.ndjson.ZST", Some(Format::Jsonl)),
            ("dir.csv/a.pq", Some(Format::Parquet)),
            ("a.feather", Some(Format::Arrow)),
            ("a.npy", Some(Format::Npy)),
            ("a.npz", Some(Format::Npz)),
            ("a.gz", None),
            ("csv", None),
            ("dir.csv/a", None),
        ] {
            assert_eq!(Format::of_name(Path::new(name)), format, "{name}");
        }
    }
}
