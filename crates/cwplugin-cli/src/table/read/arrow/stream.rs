//! The Arrow stream format.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::root_as_message;
use arrow_schema::{ArrowError, SchemaRef};

use super::super::guard::decode;
use super::super::source::{Source, Stream};
use super::super::{Decode, Rows};
use super::{MARKER, TITLE, check_held, check_message, invalid};

/// A stream of messages.
pub(super) struct ArrowStream {
    name: String,
    stream: Stream,
    schema: SchemaRef,
    selected: Option<Vec<usize>>,
    decoder: StreamDecoder,
    /// Bytes that the decoder has not consumed yet.
    pending: Buffer,
    done: bool,
    /// Whether the stream ended without an end marker.
    is_cut: Arc<AtomicBool>,
}

impl ArrowStream {
    pub(super) fn open(source: Source) -> Result<Self> {
        let name = source.name().to_owned();
        let mut stream = source.into_stream();
        let (schema, first) = decode(&name, TITLE, || read_schema(&mut stream))?;
        let decoder = StreamDecoder::new();
        Ok(Self {
            name,
            stream,
            schema,
            selected: None,
            decoder,
            pending: first,
            done: false,
            is_cut: Arc::default(),
        })
    }

    fn step(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if self.pending.is_empty() {
            let message = read_message(&mut self.stream)?.unwrap_or_else(|| {
                self.is_cut.store(true, Ordering::Relaxed);
                [MARKER, [0; 4]].concat()
            });
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

    fn is_cut(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_cut)
    }

    fn next_rows(&mut self) -> Result<Option<Rows>> {
        let mut batch = None;
        while batch.is_none() && !(self.done && self.pending.is_empty()) {
            let name = self.name.clone();
            batch = decode(&name, TITLE, || self.step())?;
        }
        match (batch, &self.selected) {
            (Some(batch), Some(columns)) => Ok(Some(Rows::Batch(batch.project(columns)?))),
            (batch, _) => Ok(batch.map(Rows::Batch)),
        }
    }
}

/// The schema, and its message, which the decoder needs too.
fn read_schema(stream: &mut Stream) -> Result<(SchemaRef, Buffer), ArrowError> {
    let first = read_message(stream)?.unwrap_or_default();
    let message = root_as_message(first.get(8..).unwrap_or_default()).map_err(invalid)?;
    let schema = message.header_as_schema().ok_or_else(|| invalid("it does not start with a schema"))?;
    Ok((super::schema(schema)?, Buffer::from_vec(first)))
}

/// One message with its prefix and body; at the end of the stream the eight bytes of the end marker. `None` without it: a writer may
/// close the stream instead, as `to_arrow_ipc` of DuckDB does. The buffer grows with the data, not with the claimed length.
fn read_message(stream: &mut Stream) -> Result<Option<Vec<u8>>, ArrowError> {
    let mut message = MARKER.to_vec();
    let cut = || invalid("it ends inside a message");
    match stream.by_ref().take(4).read_to_end(&mut message)? {
        4 => {}
        0 => return Ok(None),
        _ => return Err(cut()),
    }
    let mut append = |message: &mut Vec<u8>, length: u64| match stream.take(length).read_to_end(message)? {
        count if count as u64 == length => Ok(()),
        _ => Err(cut()),
    };
    // The oldest streams have no marker.
    if message[4..] == MARKER {
        message.truncate(4);
        append(&mut message, 4)?;
    }
    let length = message[4..].first_chunk().map_or(0, |length| i32::from_le_bytes(*length));
    let length = u64::try_from(length).map_err(invalid)?;
    if length == 0 {
        return Ok(Some(message));
    }
    append(&mut message, length)?;
    let end = message.len();
    let body = root_as_message(&message[8..]).map_err(invalid)?.bodyLength();
    let body = u64::try_from(body).map_err(invalid)?;
    check_held(body)?;
    append(&mut message, body)?;
    let (metadata, body) = message.split_at(end);
    check_message(&metadata[8..], body)?;
    Ok(Some(message))
}
