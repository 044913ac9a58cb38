//! Arrow IPC, file and stream.
//!
//! arrow-ipc allocates any length that a message claims, and a failed allocation aborts the program, so messages are checked
//! first.

use std::sync::Arc;

use anyhow::Result;
use arrow_ipc::convert::fb_to_schema;
use arrow_ipc::root_as_message;
use arrow_schema::{ArrowError, SchemaRef};

use super::super::Format;
use super::Decode;
use super::source::Source;
use crate::user_error::UserError;
use crate::whole_file::{HELD, fits_into_memory};

mod file; // with a footer that lists the batches
mod stream; // one message after the other

const TITLE: &str = Format::Arrow.title();

/// The bytes before every message, and, with a length of zero, at the end of a stream.
const MARKER: [u8; 4] = [0xff; 4];

/// The highest compression ratio: zstd needs four bytes for a block of 128 KiB.
const BEST_RATIO: i64 = 1 << 15;

/// Rows of a batch, at most: those of some types take no bytes.
const MOST_ROWS: i64 = 1 << 31;

/// Opens either kind, by the first bytes.
pub(super) fn open(source: Source) -> Result<Box<dyn Decode>> {
    if source.head().starts_with(b"FEA1") {
        return Err(UserError::new(format!("{}: is a Feather file of version 1", source.name()))
            .hint("write it as version 2, the current default")
            .into());
    }
    if source.head().starts_with(b"ARROW1") {
        Ok(Box::new(file::ArrowFile::open(source)?))
    } else {
        Ok(Box::new(stream::ArrowStream::open(source)?))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is called by `map_err`")]
fn invalid(what: impl ToString) -> ArrowError {
    ArrowError::ParseError(what.to_string())
}

/// Checks the lengths that a message claims; returns the bytes that it takes in memory.
fn check_message(metadata: &[u8], body: &[u8]) -> Result<u64, ArrowError> {
    let message = root_as_message(metadata).map_err(invalid)?;
    let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
    let Some(batch) = message.header_as_record_batch().or(dictionary) else { return Ok(0) };
    if batch.length() > MOST_ROWS {
        return Err(invalid("a batch claims too many rows"));
    }
    let mut held = body.len() as u64;
    if batch.compression().is_none() {
        return Ok(held);
    }
    // An empty buffer has no length prefix.
    for buffer in batch.buffers().iter().flatten().filter(|buffer| buffer.length() > 0) {
        let start = usize::try_from(buffer.offset()).ok();
        let packed = start.and_then(|start| body.get(start..)).and_then(|rest| rest.first_chunk::<8>());
        let claimed = packed.map_or(0, |length| i64::from_le_bytes(*length));
        if claimed > buffer.length().saturating_mul(BEST_RATIO) {
            return Err(invalid("a compressed buffer claims an impossible length"));
        }
        held = held.saturating_add(claimed.max(0).unsigned_abs());
    }
    check_held(held)?;
    if !fits_into_memory(held) {
        return Err(invalid("a compressed batch does not fit into memory"));
    }
    Ok(held)
}

/// Refuses a batch, or dictionaries, that take more memory than one file may.
fn check_held(bytes: u64) -> Result<(), ArrowError> {
    if bytes <= HELD {
        return Ok(());
    }
    let what = format!("a batch takes {} GiB of memory, more than {}", bytes >> 30, HELD >> 30);
    Err(invalid(what))
}

fn schema(schema: arrow_ipc::Schema<'_>) -> Result<SchemaRef, ArrowError> {
    if !schema.endianness().equals_to_target_endianness() {
        return Err(invalid("it has another byte order"));
    }
    Ok(Arc::new(fb_to_schema(schema)))
}
