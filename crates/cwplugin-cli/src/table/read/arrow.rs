//! Arrow IPC, file and stream: batches as they are.
//!
//! arrow-ipc allocates whatever length a message claims, and a failed allocation ends the program; so the
//! messages of a damaged file are looked at before they are given to it.

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use anyhow::Result;
use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::reader::{FileDecoder, StreamDecoder, read_footer_length};
use arrow_ipc::{Block, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};

use super::super::Format;
use super::guard::decode;
use super::source::{Progress, Seekable, Source, Stream};
use super::{Decode, refuse};
use crate::refusal::Refusal;

const TITLE: &str = Format::Arrow.title();

/// What stands before every message, and with a length of zero at the end of a stream.
const MARKER: [u8; 4] = [0xff; 4];

/// No codec packs tighter: zstd needs four bytes for a block of 128 KiB.
const BEST_RATIO: i64 = 1 << 15;

/// Opens either kind, told apart by the first bytes.
pub(super) fn open(source: Source) -> Result<Box<dyn Decode>> {
    if source.head().starts_with(b"FEA1") {
        return Err(Refusal::new(format!("{}: is a Feather file of version 1", source.name()))
            .hint("write it again with version 2, which is the default today")
            .into());
    }
    if source.head().starts_with(b"ARROW1") {
        Ok(Box::new(ArrowFile::open(source)?))
    } else {
        Ok(Box::new(ArrowStream::open(source)?))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is called by `map_err`")]
fn invalid(what: impl ToString) -> ArrowError {
    ArrowError::ParseError(what.to_string())
}

/// Checks the lengths that the compressed buffers of a message claim to have.
fn check_message(metadata: &[u8], body: &[u8]) -> Result<(), ArrowError> {
    let message = root_as_message(metadata).map_err(invalid)?;
    let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
    let Some(batch) = message.header_as_record_batch().or(dictionary) else { return Ok(()) };
    if batch.compression().is_none() {
        return Ok(());
    }
    // An empty buffer has no bytes of its own, not even a length.
    for buffer in batch.buffers().iter().flatten().filter(|buffer| buffer.length() > 0) {
        let start = usize::try_from(buffer.offset()).ok();
        let packed = start.and_then(|start| body.get(start..)).and_then(|rest| rest.first_chunk::<8>());
        let claimed = packed.map_or(0, |length| i64::from_le_bytes(*length));
        if claimed > buffer.length().saturating_mul(BEST_RATIO) {
            return Err(invalid("a compressed buffer claims an impossible length"));
        }
    }
    Ok(())
}

/// A file, whose footer lists its batches.
struct ArrowFile {
    name: String,
    progress: Progress,
    file: Seekable,
    schema: SchemaRef,
    /// `None` only while a projection is added.
    decoder: Option<FileDecoder>,
    batches: Vec<Block>,
    done: usize,
}

impl ArrowFile {
    fn open(source: Source) -> Result<Self> {
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

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        while let (Some(block), Some(decoder)) = (self.batches.get(self.done), &self.decoder) {
            self.done += 1;
            self.progress.set(self.done as u64, self.batches.len() as u64);
            let batch = decode(&self.name, TITLE, || {
                let bytes = read_block(&mut self.file, block)?;
                decoder.read_record_batch(block, &bytes)
            })?;
            if batch.is_some() {
                return Ok(batch);
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
    let schema = footer.schema().ok_or_else(|| invalid("its footer has no schema"))?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err(invalid("it was written on a machine with another byte order"));
    }
    let schema = Arc::new(fb_to_schema(schema));
    let mut decoder = FileDecoder::new(Arc::clone(&schema), footer.version());
    let (dictionaries, batches) = (footer.dictionaries(), footer.recordBatches());
    for block in dictionaries.iter().flatten().chain(batches.iter().flatten()) {
        let parts = [block.offset(), i64::from(block.metaDataLength()), block.bodyLength()];
        let end = parts.iter().try_fold(0_u64, |sum, &part| sum.checked_add(u64::try_from(part).ok()?));
        if end.is_none_or(|end| end > length) {
            return Err(invalid("its footer names a batch outside the file"));
        }
    }
    for block in dictionaries.iter().flatten() {
        let bytes = read_block(file, block)?;
        decoder.read_dictionary(block, &bytes)?;
    }
    Ok((schema, decoder, batches.iter().flatten().copied().collect()))
}

/// The bytes of a block, which lies inside the file.
fn read_block(file: &mut Seekable, block: &Block) -> Result<Buffer, ArrowError> {
    let number = |value: i64| u64::try_from(value).map_err(invalid);
    let metadata = number(block.metaDataLength().into())?;
    let length = metadata + number(block.bodyLength())?;
    file.seek(SeekFrom::Start(number(block.offset())?))?;
    let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(invalid)?);
    file.take(length).read_to_end(&mut bytes)?;
    let message = bytes.split_at_checked(usize::try_from(metadata).map_err(invalid)?);
    let (message, body) = message.ok_or_else(|| invalid("it ends inside a batch"))?;
    // The length stands before the message, behind a marker in all but the oldest files.
    let skip = if message.starts_with(&MARKER) { 8 } else { 4 };
    check_message(message.get(skip..).unwrap_or_default(), body)?;
    Ok(Buffer::from_vec(bytes))
}

/// A stream, one message after the other.
struct ArrowStream {
    name: String,
    stream: Stream,
    schema: SchemaRef,
    selected: Option<Vec<usize>>,
    decoder: StreamDecoder,
    /// What the decoder has not taken yet.
    pending: Buffer,
    done: bool,
}

impl ArrowStream {
    fn open(source: Source) -> Result<Self> {
        let name = source.name().to_owned();
        let mut stream = source.into_stream();
        let (schema, first) = decode(&name, TITLE, || {
            let first = read_message(&mut stream)?;
            let message = root_as_message(first.get(8..).unwrap_or_default()).map_err(invalid)?;
            let schema =
                message.header_as_schema().ok_or_else(|| invalid("it does not begin with a schema"))?;
            if !schema.endianness().equals_to_target_endianness() {
                return Err(invalid("it was written on a machine with another byte order"));
            }
            Ok((Arc::new(fb_to_schema(schema)), Buffer::from_vec(first)))
        })?;
        let decoder = StreamDecoder::new();
        Ok(Self { name, stream, schema, selected: None, decoder, pending: first, done: false })
    }

    fn step(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if self.pending.is_empty() {
            let message = read_message(&mut self.stream)?;
            self.done = message.len() == 8;
            self.pending = Buffer::from_vec(message);
        }
        self.decoder.decode(&mut self.pending)
    }
}

impl Decode for ArrowStream {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        self.selected = Some(columns.to_vec());
        Ok(())
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let mut batch = None;
        while batch.is_none() && !(self.done && self.pending.is_empty()) {
            let name = self.name.clone();
            batch = decode(&name, TITLE, || self.step())?;
        }
        match (batch, &self.selected) {
            (Some(batch), Some(columns)) => Ok(Some(batch.project(columns)?)),
            (batch, _) => Ok(batch),
        }
    }
}

/// One message with all that stands before and behind it; at the end of the stream the eight bytes that say so,
/// which a writer may leave out. The buffer grows with what is there, whatever length is claimed.
fn read_message(stream: &mut Stream) -> Result<Vec<u8>, ArrowError> {
    let mut message = MARKER.to_vec();
    let mut append = |message: &mut Vec<u8>, length: u64| match stream.take(length).read_to_end(message)? {
        count if count as u64 == length => Ok(true),
        0 => Ok(false),
        _ => Err(invalid("it ends inside a message")),
    };
    let cut = || invalid("it ends inside a message");
    if !append(&mut message, 4)? {
        message.extend([0; 4]);
        return Ok(message);
    }
    // The oldest streams have no marker.
    if message[4..] == MARKER {
        message.truncate(4);
        if !append(&mut message, 4)? {
            return Err(cut());
        }
    }
    let length = message[4..].first_chunk().map_or(0, |length| i32::from_le_bytes(*length));
    let length = u64::try_from(length).map_err(invalid)?;
    if length == 0 {
        return Ok(message);
    }
    if !append(&mut message, length)? {
        return Err(cut());
    }
    let end = message.len();
    let body = root_as_message(&message[8..]).map_err(invalid)?.bodyLength();
    let body = u64::try_from(body).map_err(invalid)?;
    if body > 0 && !append(&mut message, body)? {
        return Err(cut());
    }
    let (metadata, body) = message.split_at(end);
    check_message(&metadata[8..], body)?;
    Ok(message)
}
