//! The Arrow file format: the footer lists the batches.

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use anyhow::Result;
use arrow_buffer::Buffer;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::{Block, root_as_footer};
use arrow_schema::{ArrowError, SchemaRef};

use super::super::guard::decode;
use super::super::source::{Progress, Seekable, Source};
use super::super::{Decode, Rows};
use super::{MARKER, TITLE, check_held, check_message, invalid};

/// A file with a footer.
pub(super) struct ArrowFile {
    name: String,
    progress: Progress,
    file: Seekable,
    schema: SchemaRef,
    /// `None` only while columns are selected.
    decoder: Option<FileDecoder>,
    batches: Vec<Block>,
    done: usize,
}

impl ArrowFile {
    pub(super) fn open(source: Source) -> Result<Self> {
        let (name, progress) = (source.name().to_owned(), source.progress());
        let mut file = source.into_seekable()?;
        let (schema, decoder, batches) = decode(&name, TITLE, || read_footer(&mut file))?;
        Ok(Self { name, progress, file, schema, decoder: Some(decoder), batches, done: 0 })
    }
}

impl Decode for ArrowFile {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        self.decoder = self.decoder.take().map(|decoder| decoder.with_projection(columns.to_vec()));
        Ok(())
    }

    fn next_rows(&mut self) -> Result<Option<Rows>> {
        while let (Some(block), Some(decoder)) = (self.batches.get(self.done), &self.decoder) {
            self.done += 1;
            self.progress.set(self.done as u64, self.batches.len() as u64);
            let batch = decode(&self.name, TITLE, || {
                let (bytes, _) = read_block(&mut self.file, block)?;
                decoder.read_record_batch(block, &bytes)
            })?;
            if batch.is_some() {
                return Ok(batch.map(Rows::Batch));
            }
        }
        Ok(None)
    }
}

fn read_footer(file: &mut Seekable) -> Result<(SchemaRef, FileDecoder, Vec<Block>), ArrowError> {
    let length = file.seek(SeekFrom::End(0))?;
    if length < 10 {
        return Err(invalid("it ends before its footer"));
    }
    let mut trailer = [0; 10];
    file.seek(SeekFrom::Start(length - 10))?;
    file.read_exact(&mut trailer)?;
    let footer_length = read_footer_length(trailer)?;
    if footer_length as u64 > length - 10 {
        return Err(invalid("its footer is longer than the file"));
    }
    let mut footer = vec![0; footer_length];
    file.seek(SeekFrom::Start(length - 10 - footer_length as u64))?;
    file.read_exact(&mut footer)?;
    let footer = root_as_footer(&footer).map_err(invalid)?;
    let schema = super::schema(footer.schema().ok_or_else(|| invalid("its footer has no schema"))?)?;
    let mut decoder = FileDecoder::new(Arc::clone(&schema), footer.version());
    let (dictionaries, batches) = (footer.dictionaries(), footer.recordBatches());
    for block in dictionaries.iter().flatten().chain(batches.iter().flatten()) {
        let parts = [block.offset(), i64::from(block.metaDataLength()), block.bodyLength()];
        let end = parts.iter().try_fold(0_u64, |sum, &part| sum.checked_add(u64::try_from(part).ok()?));
        if end.is_none_or(|end| end > length) {
            return Err(invalid("its footer names a batch outside the file"));
        }
    }
    let mut held = 0_u64;
    for block in dictionaries.iter().flatten() {
        let (bytes, taken) = read_block(file, block)?;
        held = held.saturating_add(taken);
        check_held(held)?;
        decoder.read_dictionary(block, &bytes)?;
    }
    Ok((schema, decoder, batches.iter().flatten().copied().collect()))
}

/// The bytes of a block that lies inside the file, and how many it takes when it is decompressed.
fn read_block(file: &mut Seekable, block: &Block) -> Result<(Buffer, u64), ArrowError> {
    let number = |value: i64| u64::try_from(value).map_err(invalid);
    let metadata = number(block.metaDataLength().into())?;
    let length = metadata + number(block.bodyLength())?;
    file.seek(SeekFrom::Start(number(block.offset())?))?;
    check_held(length)?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    let message = bytes.split_at_checked(usize::try_from(metadata).map_err(invalid)?);
    let (message, body) = message.ok_or_else(|| invalid("it ends inside a batch"))?;
    // The length comes before the message, after a marker in all but the oldest files.
    let skip = if message.starts_with(&MARKER) { 8 } else { 4 };
    let held = check_message(message.get(skip..).unwrap_or_default(), body)?;
    Ok((Buffer::from_vec(bytes), held))
}
