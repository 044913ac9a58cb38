//! Detects the format: as given, else by the extension, else by the first bytes.

use anyhow::Result;
use cwplugin_replies::recognise;

use super::super::Format;
use super::source::Source;
use super::{ReadOptions, replies};
use crate::user_error::UserError;

pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Refuses an empty file, and one that has to be converted first.
pub(super) fn check_head(source: &Source) -> Result<()> {
    let (name, head) = (source.name(), source.head());
    let error = |what: &str, cure: &str| Err(UserError::new(format!("{name}: {what}")).hint(cure).into());
    if head.is_empty() {
        return error("is empty", "check the program that wrote it");
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return error("is UTF-16 text", "save it as UTF-8, for instance with `iconv -f UTF-16 -t UTF-8`");
    }
    if let Some(kind) = spreadsheet(head) {
        return error(&format!("is a spreadsheet ({kind})"), "save it as CSV");
    }
    let foreign = [
        (&b"BZh"[..], "bzip2", "bunzip2"),
        (b"\xfd7zXZ\0", "xz", "unxz"),
        (b"\x1f\x8b", "gzip, twice", "gunzip"),
    ];
    if let Some((_, how, with)) = foreign.iter().find(|(magic, ..)| head.starts_with(magic)) {
        let cure = format!("decompress it with {with}; gzip and zstd are read directly");
        return error(&format!("is compressed with {how}"), &cure);
    }
    Ok(())
}

/// The kind of spreadsheet by the first bytes: a zip archive of XML files, or Microsoft's container of old.
fn spreadsheet(head: &[u8]) -> Option<&'static str> {
    let has = |text: &[u8]| memchr::memmem::find(head, text).is_some();
    match head {
        [b'P', b'K', 3, 4, ..] if has(b"[Content_Types].xml") || has(b"xl/") => Some("xlsx"),
        [b'P', b'K', 3, 4, ..] if has(b"opendocument.spreadsheet") => Some("ods"),
        [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ..] => Some("xls"),
        _ => None,
    }
}

/// Decides the format; content that is clearly of another format is an error.
pub(super) fn format(source: &Source, options: &ReadOptions) -> Result<Format> {
    check_head(source)?;
    let (name, head) = (source.name(), source.head());
    if let Some(reply) = replies::first_in(head).as_deref().and_then(recognise) {
        let at = reply.reply_at.map_or_else(String::new, |field| format!(" --reply {field}"));
        let from = reply.source.name();
        return Err(UserError::new(format!("{name}: holds replies of {from}, not a table"))
            .hint(format!("read them with --from {from}{at}"))
            .into());
    }
    let given = options.format.or_else(|| Format::of_name(source.path()));
    let found = by_content(head);
    let Some(given) = given else {
        let text = if options.delimiter.is_none() && is_object(head) { Format::Jsonl } else { Format::Csv };
        return Ok(found.unwrap_or(text));
    };
    match found {
        Some(found) if found != given => Err(contradiction(name, given, found)),
        // No magic number: text, or a damaged file.
        None if !given.is_text() && is_text(head) => {
            let found = if is_object(head) { Format::Jsonl } else { Format::Csv };
            Err(contradiction(name, given, found))
        }
        None if matches!(given, Format::Csv | Format::Tsv) && is_json_line(head) => {
            Err(contradiction(name, given, Format::Jsonl))
        }
        _ => Ok(given),
    }
}

fn contradiction(name: &str, given: Format, found: Format) -> anyhow::Error {
    let looks = if found.is_text() { "looks like" } else { "is" };
    let article = if matches!(found, Format::Arrow | Format::Npy | Format::Npz) { "an" } else { "a" };
    UserError::new(format!("{name}: {looks} {article} {} file, not {}", found.title(), given.title()))
        .hint(format!("read it with `--format {}`, or rename it", found.flag()))
        .into()
}

/// The binary format by its magic number. `PK` and `PAR1` may be the beginning of a text, too.
fn by_content(head: &[u8]) -> Option<Format> {
    let format = match head {
        [b'P', b'A', b'R', b'1' | b'E', ..] => Format::Parquet,
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] | [0xff, 0xff, 0xff, 0xff, ..] => Format::Arrow,
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => Format::Npy,
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Format::Npz,
        _ => return None,
    };
    (!is_text(head)).then_some(format)
}

/// Whether the head is text: only the usual control characters, and no 0xff, which starts Arrow streams and is not valid
/// UTF-8.
fn is_text(head: &[u8]) -> bool {
    let control = |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    !head.iter().any(|&byte| control(byte) || byte == 0xff)
}

fn is_object(head: &[u8]) -> bool {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    head.trim_ascii_start().first() == Some(&b'{')
}

/// The first line that is not blank, without a byte order mark.
fn first_line(head: &[u8]) -> &[u8] {
    let text = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    text.split(|&byte| byte == b'\n' || byte == b'\r').next().unwrap_or_default()
}

/// The first line, if it is a whole JSON object; a CSV header may start with a brace.
fn object_line(head: &[u8]) -> Option<serde_json::Map<String, serde_json::Value>> {
    serde_json::from_slice(first_line(head)).ok()
}

/// Whether the first line is a JSON object, or begins an array of objects.
fn is_json_line(head: &[u8]) -> bool {
    let line = first_line(head);
    let in_array = line.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    let begins_object = in_array.is_some_and(|rest| {
        let rest = rest.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
        rest.is_some_and(|rest| rest.starts_with(b"\""))
    });
    object_line(head).is_some() || begins_object
}

/// Whether it is one JSON object, on several lines or with a field `format`, as opposed to a row of a table.
pub(super) fn is_document(head: &[u8]) -> bool {
    let object = object_line(head);
    is_object(head) && object.is_none_or(|object| object.contains_key("format"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_formats_are_recognised_by_magic_numbers() {
        assert_eq!(by_content(b"PAR1\x15\x04"), Some(Format::Parquet));
        assert_eq!(by_content(b"ARROW1\0\0"), Some(Format::Arrow));
        assert_eq!(by_content(b"\xff\xff\xff\xff\x10\0\0\0"), Some(Format::Arrow));
        assert_eq!(by_content(b"\x93NUMPY\x01\0"), Some(Format::Npy));
        assert_eq!(by_content(b"PK\x03\x04\x14\0"), Some(Format::Npz));
    }

    #[test]
    fn spreadsheets_are_no_arrays() {
        assert_eq!(spreadsheet(b"PK\x03\x04\x14\0[Content_Types].xml"), Some("xlsx"));
        assert_eq!(
            spreadsheet(b"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet"),
            Some("ods")
        );
        assert_eq!(spreadsheet(b"PK\x03\x04\x14\0probs.npy"), None);
    }

    #[test]
    fn text_with_the_same_letters_is_text() {
        assert_eq!(by_content(b"PK,name\n1,a\n"), None);
        assert_eq!(by_content(b"PAR1,PAR2\n"), None);
        assert!(is_object(b"\xef\xbb\xbf \n {\"a\": 1}"));
        assert!(object_line(b"{\"a\": 1}\n{").is_some());
        assert!(object_line(b"{a},{b}\n").is_none());
    }

    #[test]
    fn json_is_recognised_after_a_byte_order_mark_and_blank_lines() {
        for head in [
            &b"{\"a\": 1}\n{"[..],
            b"\xef\xbb\xbf{\"a\": 1}\r\n{",
            b"\xef\xbb\xbf\n\n{\"a\": 1}",
            b"[ {\"a\": 1},\n",
        ] {
            assert!(is_json_line(head), "{}", String::from_utf8_lossy(head));
        }
        for head in [&b"{a},{b}\n"[..], b"[a],[b]\n", b"\xef\xbb\xbflabel,p_a\n", b"", b"\n"] {
            assert!(!is_json_line(head), "{}", String::from_utf8_lossy(head));
        }
    }

    #[test]
    fn a_document_is_not_a_row_of_a_table() {
        assert!(is_document(b"{\n  \"format\": \"x\"\n}\n"));
        assert!(is_document(b"{\"a\": 1, \"format\": \"x\"}"));
        assert!(is_document(b" {\"a\": [1, 2"), "longer than the head");
        assert!(!is_document(b"{\"kind\": \"class\"}\n{\"kind\": \"cut\"}\n"));
        assert!(!is_document(b"kind,class\n") && !is_document(b"[1]") && !is_document(b""));
    }
}
