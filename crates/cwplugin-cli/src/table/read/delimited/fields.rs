//! Splits CSV rows into fields, as the `csv` crate does but many times faster.
//!
//! A quote is special only at the beginning of a field; inside quotes it is doubled. Every line feed and every carriage return
//! outside quotes ends a row; empty rows are skipped.

use memchr::{memchr, memchr3, memrchr2};

const QUOTE: u8 = b'"';

/// The end of the last whole row, if there is one.
pub(super) fn rows_end(rows: &[u8], delimiter: u8) -> Option<usize> {
    let opens = |at: usize| at == 0 || ends_field(rows[at - 1], delimiter);
    let (mut end, mut plain) = (None, 0);
    loop {
        let mut from = plain;
        let open = loop {
            match memchr(QUOTE, &rows[from..]) {
                Some(step) if opens(from + step) => break Some(from + step),
                Some(step) => from += step + 1,
                None => break None,
            }
        };
        let outside = &rows[plain..open.unwrap_or(rows.len())];
        end = memrchr2(b'\n', b'\r', outside).map(|last| plain + last + 1).or(end);
        let Some(open) = open else { return end };
        plain = open + 1;
        loop {
            let Some(step) = memchr(QUOTE, &rows[plain..]) else { return end };
            plain += step + 1;
            if rows.get(plain) != Some(&QUOTE) {
                break;
            }
            plain += 1;
        }
    }
}

/// What the first row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FirstRow {
    /// The number of fields; 0 if there is no row.
    pub(super) fields: usize,
    pub(super) end: usize,
    /// A quote is not closed, so that the field goes on to the end of the text.
    pub(super) is_open: bool,
}

/// Passes the fields of the first row to `take`, in pieces with their column.
pub(super) fn first_row(rows: &[u8], delimiter: u8, mut take: impl FnMut(usize, &[u8])) -> FirstRow {
    let mut at = rows.iter().take_while(|&&byte| is_line_end(byte)).count();
    if at == rows.len() {
        return FirstRow { fields: 0, end: at, is_open: false };
    }
    let mut column = 0;
    let mut is_open = false;
    loop {
        if rows.get(at) == Some(&QUOTE) {
            let end = quoted(rows, at + 1, delimiter, |piece| take(column, piece));
            is_open = end.is_none();
            at = end.unwrap_or(rows.len());
        } else {
            let end = plain_end(rows, at, delimiter);
            take(column, &rows[at..end]);
            at = end;
        }
        column += 1;
        match rows.get(at) {
            Some(&byte) if byte == delimiter => at += 1,
            Some(_) => return FirstRow { fields: column, end: at + 1, is_open },
            None => return FirstRow { fields: column, end: at, is_open },
        }
    }
}

/// Passes a field after its opening quote to `take`; returns its end, or `None` if the quote is not closed.
fn quoted(rows: &[u8], mut at: usize, delimiter: u8, mut take: impl FnMut(&[u8])) -> Option<usize> {
    loop {
        let Some(step) = memchr(QUOTE, &rows[at..]) else {
            take(&rows[at..]);
            return None;
        };
        let close = at + step;
        match rows.get(close + 1) {
            Some(&QUOTE) => {
                take(&rows[at..=close]);
                at = close + 2;
            }
            Some(&byte) if !ends_field(byte, delimiter) => {
                take(&rows[at..close]);
                // Text after the closing quote belongs to the field, and quotes in it are not special.
                let end = plain_end(rows, close + 1, delimiter);
                take(&rows[close + 1..end]);
                return Some(end);
            }
            _ => {
                take(&rows[at..close]);
                return Some(close + 1);
            }
        }
    }
}

fn plain_end(rows: &[u8], from: usize, delimiter: u8) -> usize {
    let rest = &rows[from..];
    // Most fields are short, and end before a call of memchr3 has begun.
    for (place, &word) in rest.as_chunks().0.iter().take(SHORT_WORDS).enumerate() {
        let ends = [delimiter, b'\n', b'\r'].map(|end| places_of(end, word));
        let found = (ends[0] | ends[1] | ends[2]).trailing_zeros();
        if found < u64::BITS {
            return from + 8 * place + found as usize / 8;
        }
    }
    memchr3(delimiter, b'\n', b'\r', rest).map_or(rows.len(), |step| from + step)
}

/// Words of eight bytes that are looked at before the rest of a field.
const SHORT_WORDS: usize = 3;

/// The highest bit of the first byte that is this one; higher bytes may also have it.
fn places_of(byte: u8, word: [u8; 8]) -> u64 {
    let differs = u64::from_le_bytes(word) ^ u64::from_le_bytes([byte; 8]);
    differs.wrapping_sub(u64::from_le_bytes([1; 8])) & !differs & u64::from_le_bytes([0x80; 8])
}

fn ends_field(byte: u8, delimiter: u8) -> bool {
    byte == delimiter || is_line_end(byte)
}

fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All rows, cut into blocks of at least `size` bytes where whole rows end.
    fn ours(text: &[u8], size: usize) -> Vec<Vec<Vec<u8>>> {
        let (mut all, mut start) = (Vec::new(), 0);
        while start < text.len() {
            let end = (start + size..text.len()).find_map(|end| rows_end(&text[start..end], b','));
            let block = &text[start..end.map_or(text.len(), |end| start + end)];
            start += block.len();
            let mut at = 0;
            while at < block.len() {
                let mut row = Vec::<Vec<u8>>::new();
                let FirstRow { fields, end, .. } = first_row(&block[at..], b',', |column, piece| {
                    row.resize(row.len().max(column + 1), Vec::new());
                    row[column].extend_from_slice(piece);
                });
                assert_eq!(fields, row.len());
                at += end;
                all.extend((fields > 0).then_some(row));
            }
        }
        all
    }

    fn theirs(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
        reader.byte_records().map(|row| row.unwrap().iter().map(<[u8]>::to_vec).collect()).collect()
    }

    #[test]
    fn every_short_text_is_read_as_the_csv_crate_reads_it() {
        const LETTERS: [u8; 5] = *b"a,\"\n\r";
        for length in 1..=6_u32 {
            for number in 0..LETTERS.len().pow(length) {
                let letter = |place: u32| LETTERS[number / LETTERS.len().pow(place) % LETTERS.len()];
                let text: Vec<u8> = (0..length).map(letter).collect();
                let expected = theirs(&text);
                for size in [1, 3, 100] {
                    assert_eq!(ours(&text, size), expected, "{size}: {:?}", String::from_utf8_lossy(&text));
                }
            }
        }
    }

    #[test]
    fn the_end_of_a_long_field_is_found() {
        const LETTERS: [u8; 8] = *b"a\x00\x0b\xff,\n\r-"; // also neighbours of the ends
        let mut seed = 1_u64;
        for _ in 0..20_000 {
            let letter = |_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let is_common = seed >> 60 != 0;
                LETTERS[(seed >> 40) as usize % if is_common { 4 } else { LETTERS.len() }]
            };
            let text: Vec<u8> = (0..40).map(letter).collect();
            let expected = text.iter().position(|&byte| ends_field(byte, b',')).unwrap_or(text.len());
            assert_eq!(plain_end(&text, 0, b','), expected, "{text:?}");
        }
    }

    #[test]
    fn a_quote_that_is_not_closed_is_found() {
        let is_open = |text: &str| first_row(text.as_bytes(), b',', |_, _| ()).is_open;
        for text in ["a,\"b", "\"", "\"a\",\"b\nc,d\n", "a,\"b\"\""] {
            assert!(is_open(text), "{text:?}");
        }
        for text in ["", "a,b", "a,\"b\"", "\"a\"\"\",b\n", "5\" pipe,b", "\"a\"b\",c", "\"b\nc\"\n\""] {
            assert!(!is_open(text), "{text:?}");
        }
    }

    #[test]
    fn a_block_ends_behind_its_last_whole_row() {
        assert_eq!(rows_end(b"a,b\nc", b','), Some(4));
        assert_eq!(rows_end(b"a,\"b\nc\",d", b','), None);
        assert_eq!(rows_end(b"a\n\"b\n\"\"\nc\"\nd", b','), Some(11));
        assert_eq!(rows_end(b"5\" pipe\nx", b','), Some(8));
        assert_eq!(rows_end(b"a;\"\n\";\nb", b';'), Some(7));
        assert_eq!(rows_end(b"", b','), None);
    }
}
