//! Text in blocks of whole rows.

use std::io::{self, Read as _};

use anyhow::Result;

use super::sniff::BOM;
use super::source::{Source, Stream};
use super::{ReadOptions, errors};
use crate::user_error::UserError;

/// The longest row: a longer one is an unclosed quote, or an attack.
pub(super) const ROW_BYTES: usize = 256 << 20;

/// The bytes of a text file, split after rows.
pub(super) struct Blocks {
    name: String,
    stream: Stream,
    /// The beginning of the next block: bytes after the last whole row.
    kept: Vec<u8>,
    size: usize,
}

impl Blocks {
    /// The text of a source without a byte order mark.
    pub(super) fn open(source: Source, options: &ReadOptions) -> Result<Self> {
        let (name, has_bom) = (source.name().to_owned(), source.head().starts_with(BOM));
        let mut stream = source.into_stream();
        if has_bom {
            stream.read_exact(&mut [0; BOM.len()]).map_err(|err| errors::reading(&name, err))?;
        }
        Ok(Self::new(&name, stream, options.block_bytes))
    }

    /// Blocks of about `size` bytes; rows are never split.
    fn new(name: &str, stream: Stream, size: usize) -> Self {
        Self { name: name.to_owned(), stream, kept: Vec::new(), size: size.max(1) }
    }

    /// Puts bytes back before the next ones.
    pub(super) fn put_back(&mut self, mut bytes: Vec<u8>) {
        bytes.append(&mut self.kept);
        self.kept = bytes;
    }

    /// The next whole rows, or `None` at the end; `rows_end` finds the end of the last whole row, and a row may have about
    /// `limit` bytes.
    pub(super) fn next(
        &mut self,
        limit: usize,
        rows_end: impl Fn(&[u8]) -> Option<usize>,
    ) -> Result<Option<Vec<u8>>> {
        let mut block = std::mem::take(&mut self.kept);
        let mut target = self.size.max(block.len());
        loop {
            let missing = target - block.len();
            let reserved = block.try_reserve(missing).map_err(|_| io::ErrorKind::OutOfMemory.into());
            reserved.map_err(|err| errors::reading(&self.name, err))?;
            let read = self.stream.by_ref().take(missing as u64).read_to_end(&mut block);
            if read.map_err(|err| errors::reading(&self.name, err))? < missing {
                return Ok((!block.is_empty()).then_some(block)); // the last row may lack a line feed
            }
            if let Some(end) = rows_end(&block) {
                self.kept = block.split_off(end);
                return Ok(Some(block));
            }
            if block.len() >= limit {
                let what = format!("{}: a line is longer than {} MiB", self.name, limit >> 20);
                return Err(UserError::new(what).hint("look for an unclosed quote").into());
            }
            target = (2 * target).min(limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn cut(text: &'static str, size: usize, limit: usize) -> Result<Vec<String>> {
        let mut blocks = Blocks::new("t", Box::new(Cursor::new(text)), size);
        let lines = |block: &[u8]| block.iter().rposition(|&byte| byte == b'\n').map(|end| end + 1);
        let mut all = Vec::new();
        while let Some(block) = blocks.next(limit, lines)? {
            all.push(String::from_utf8(block).unwrap());
        }
        Ok(all)
    }

    #[test]
    fn blocks_end_after_a_row_and_lose_nothing() {
        let text = "1\n22\n\n4444444444444\n5";
        assert_eq!(cut(text, 6, 100).unwrap(), ["1\n22\n\n", "4444444444444\n5"]);
        for size in 1..30 {
            let blocks = cut(text, size, 100).unwrap();
            assert_eq!(blocks.concat(), text);
            assert!(blocks[..blocks.len() - 1].iter().all(|block| block.ends_with('\n')), "{size}");
        }
        assert_eq!(cut("", 6, 100).unwrap(), [""; 0]);
    }

    #[test]
    fn an_endless_row_is_refused() {
        let mut blocks = Blocks::new("t", Box::new(std::io::repeat(b'x')), 1 << 10);
        let error = blocks.next(1 << 20, |_| None).unwrap_err().to_string();
        assert_eq!(error, "t: a line is longer than 1 MiB");
        assert!(cut("123456789\n", 2, 4).is_err());
    }
}
