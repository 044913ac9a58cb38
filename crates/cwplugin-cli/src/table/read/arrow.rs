//! Arrow IPC, file and stream: batches as they are.

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use anyhow::Result;
use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::{FileReader, StreamDecoder, read_footer_length};
use arrow_schema::{ArrowError, SchemaRef};

use super::super::Format;
use super::guard::guarded;
use super::source::{Progress, Seekable, Source, Stream};
use super::{Decode, refuse};
use crate::refusal::Refusal;

const TITLE: &str = Format::Arrow.title();

/// How much of a stream is decoded at a time.
const CHUNK: u64 = 1 << 20;

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

/// Calls into arrow-ipc, whose panics count as damage.
fn decode<T>(name: &str, call: impl FnOnce() -> Result<T, ArrowError>) -> Result<T> {
    match guarded(call) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(err)) => Err(refuse::damaged(name, TITLE, &err)),
        Err(panic) => Err(refuse::damaged_because(name, TITLE, &panic)),
    }
}

struct ArrowFile {
    name: String,
    progress: Progress,
    schema: SchemaRef,
    /// `None` only while it is opened anew.
    reader: Option<FileReader<Seekable>>,
    batches: u64,
}

impl ArrowFile {
    fn open(source: Source) -> Result<Self> {
        let (name, progress) = (source.name().to_owned(), source.progress());
        let mut file = source.into_seekable()?;
        decode(&name, || check_blocks(&mut file))?;
        let reader = decode(&name, || FileReader::try_new(file, None))?;
        Ok(Self { name, progress, schema: reader.schema(), reader: Some(reader), batches: 0 })
    }
}

impl Decode for ArrowFile {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        // A reader takes its projection when it is made, and gives nothing back but a reference.
        let Some(mut old) = self.reader.take() else { return Ok(()) };
        let file = match old.get_mut() {
            Seekable::File(file) => {
                Seekable::File(file.try_clone().map_err(|err| refuse::reading(&self.name, err))?)
            }
            Seekable::Memory(memory) => Seekable::Memory(memory.clone()),
        };
        self.reader = Some(decode(&self.name, || FileReader::try_new(file, Some(columns.to_vec())))?);
        Ok(())
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let Some(reader) = &mut self.reader else { return Ok(None) };
        let batch = decode(&self.name, || reader.next().transpose())?;
        self.batches += u64::from(batch.is_some());
        self.progress.set(self.batches, reader.num_batches() as u64);
        Ok(batch)
    }
}

/// Checks that the footer and the blocks it lists lie inside the file: the reader allocates whatever length a
/// damaged footer claims, and a failed allocation ends the program.
fn check_blocks(file: &mut Seekable) -> Result<(), ArrowError> {
    let invalid = |what: &str| ArrowError::ParseError(what.to_owned());
    let length = file.seek(SeekFrom::End(0))?;
    if length < 10 {
        return Err(invalid("it ends before its footer"));
    }
    let mut trailer = [0; 10];
    file.seek(SeekFrom::End(-10))?;
    file.read_exact(&mut trailer)?;
    let footer_length = read_footer_length(trailer)?;
    if footer_length as u64 > length - 10 {
        return Err(invalid("its footer is longer than the file"));
    }
    let mut footer = vec![0; footer_length];
    file.seek(SeekFrom::Start(length - 10 - footer_length as u64))?;
    file.read_exact(&mut footer)?;
    let footer = arrow_ipc::root_as_footer(&footer).map_err(|err| invalid(&err.to_string()))?;
    let (dictionaries, batches) = (footer.dictionaries(), footer.recordBatches());
    for block in dictionaries.iter().flatten().chain(batches.iter().flatten()) {
        let parts = [block.offset(), i64::from(block.metaDataLength()), block.bodyLength()];
        let end = parts.iter().try_fold(0_u64, |sum, &part| sum.checked_add(u64::try_from(part).ok()?));
        if end.is_none_or(|end| end > length) {
            return Err(invalid("its footer names a batch outside the file"));
        }
    }
    Ok(())
}

/// A stream is pushed into the decoder as it comes, so that no claimed length is believed.
struct ArrowStream {
    name: String,
    stream: Stream,
    decoder: StreamDecoder,
    chunk: Buffer,
    schema: SchemaRef,
    selected: Option<Vec<usize>>,
    /// Comes out together with the schema if the file is short.
    first: Option<RecordBatch>,
    done: bool,
}

impl ArrowStream {
    fn open(source: Source) -> Result<Self> {
        let name = source.name().to_owned();
        let mut file = Self {
            name,
            stream: source.into_stream(),
            decoder: StreamDecoder::new(),
            chunk: Buffer::default(),
            schema: Arc::new(arrow_schema::Schema::empty()),
            selected: None,
            first: None,
            done: false,
        };
        while file.decoder.schema().is_none() && file.first.is_none() && !file.done {
            file.first = file.step()?;
        }
        let Some(schema) = file.decoder.schema() else {
            return Err(refuse::damaged_because(&file.name, TITLE, "it ends before its schema"));
        };
        file.schema = schema;
        Ok(file)
    }

    /// Decodes up to the next batch or the end of the chunk.
    fn step(&mut self) -> Result<Option<RecordBatch>> {
        if self.chunk.is_empty() {
            let mut bytes = Vec::new();
            let count = self.stream.by_ref().take(CHUNK).read_to_end(&mut bytes);
            if count.map_err(|err| refuse::reading(&self.name, err))? == 0 {
                self.done = true;
                decode(&self.name, || self.decoder.finish())?;
                return Ok(None);
            }
            self.chunk = Buffer::from_vec(bytes);
        }
        decode(&self.name, || self.decoder.decode(&mut self.chunk))
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
        let mut batch = self.first.take();
        while batch.is_none() && !self.done {
            batch = self.step()?;
        }
        match (batch, &self.selected) {
            (Some(batch), Some(columns)) => Ok(Some(batch.project(columns)?)),
            (batch, _) => Ok(batch),
        }
    }
}
