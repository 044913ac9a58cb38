//! Chunks are made on several threads and come out in the order of the table.
//!
//! A thread of its own reads the file; what it reads is turned into chunks, and whatever is made of them, on rayon's
//! pool. A bounded queue keeps the order and the memory: it holds, for every part that was read, the slot into which
//! its result will be put.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::conversion::Conversion;
use super::{Chunk, Input};
use crate::output::Progress;
use crate::refusal::Refusal;
use crate::table::{Part, Reader};

/// What was made of the chunks of a table, one after the other.
pub(crate) struct Chunks<T> {
    maker: Arc<Maker<T>>,
    parts: Parts<T>,
    rows_read: usize,
}

/// Makes something of a part.
struct Maker<T> {
    conversion: Arc<Conversion>,
    work: Box<dyn Fn(Chunk) -> anyhow::Result<T> + Send + Sync>,
}

struct Made<T> {
    thing: T,
    rows: usize,
    progress: (u64, Option<u64>),
}

/// Where the result of a part will be, unless making it panicked. If something is wrong with the part, it comes back:
/// which row that is will be known when all parts before it have been counted.
type Slot<T> = Receiver<thread::Result<Result<Made<T>, Part>>>;

enum Parts<T> {
    /// With a single thread, or where rows must be numbered, they are read when they are wanted.
    Inline(Reader),
    Ahead(Receiver<anyhow::Result<Slot<T>>>, JoinHandle<()>),
    Done,
}

impl<T> Maker<T> {
    fn make(&self, part: &Part, first_row: usize) -> anyhow::Result<Made<T>> {
        let chunk = self.conversion.chunk(part, first_row)?;
        let rows = chunk.sample.n_rows();
        Ok(Made { thing: (self.work)(chunk)?, rows, progress: part.progress() })
    }
}

impl<T: Send + 'static> Chunks<T> {
    /// Begins to read. If this is dropped before the end, nobody waits for the reader, which may be waiting for a
    /// stream: it ends when it has read something that nobody takes.
    pub(super) fn start(
        input: Input,
        work: impl Fn(Chunk) -> anyhow::Result<T> + Send + Sync + 'static,
    ) -> anyhow::Result<Self> {
        let maker = Arc::new(Maker { conversion: input.conversion, work: Box::new(work) });
        let (reader, threads) = (input.reader, rayon::current_num_threads());
        let parts = if threads == 1 || maker.conversion.needs_row_numbers() {
            Parts::Inline(reader)
        } else {
            // One more part is with the reader, and one with the command.
            let (sender, queue) = sync_channel(2 * threads);
            let maker = Arc::clone(&maker);
            let thread = thread::Builder::new().name("reader".into());
            Parts::Ahead(queue, thread.spawn(move || read_ahead(reader, &maker, &sender))?)
        };
        Ok(Self { maker, parts, rows_read: 0 })
    }

    /// What the columns mean.
    pub(super) fn conversion(&self) -> Arc<Conversion> {
        Arc::clone(&self.maker.conversion)
    }

    /// What was made of the next rows, or `None` after the last; a table without any row is refused.
    pub(crate) fn next(&mut self, progress: &mut Progress) -> anyhow::Result<Option<T>> {
        loop {
            // Nothing follows an error.
            let parts = std::mem::replace(&mut self.parts, Parts::Done);
            let Some((made, parts)) = parts.next(&self.maker, self.rows_read)? else { break };
            self.parts = parts;
            self.rows_read += made.rows;
            if made.rows > 0 {
                progress.read(made.progress, self.rows_read);
                return Ok(Some(made.thing));
            }
        }
        self.maker.conversion.check_rows(self.rows_read)?;
        if self.rows_read == 0 {
            let what = format!("{}: the table has no rows", self.maker.conversion.file);
            return Err(Refusal::new(what).hint("a header alone is not enough: add rows below it").into());
        }
        Ok(None)
    }
}

impl<T: Send + 'static> Parts<T> {
    /// What was made of the next part, and the parts after it.
    fn next(self, maker: &Maker<T>, first_row: usize) -> anyhow::Result<Option<(Made<T>, Self)>> {
        match self {
            Self::Done => Ok(None),
            Self::Inline(mut reader) => {
                let Some(part) = reader.next_part()? else { return Ok(None) };
                Ok(Some((maker.make(&part, first_row)?, Self::Inline(reader))))
            }
            Self::Ahead(queue, reader) => {
                let Ok(slot) = queue.recv() else {
                    // The reader is done, or it fell over: the rows of a table do not just end.
                    reader.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
                    return Ok(None);
                };
                let made = match slot?.recv()? {
                    Ok(Ok(made)) => made,
                    Ok(Err(part)) => maker.make(&part, first_row)?,
                    Err(panic) => panic::resume_unwind(panic),
                };
                Ok(Some((made, Self::Ahead(queue, reader))))
            }
        }
    }
}

/// Reads to the end, or until nobody wants any more.
fn read_ahead<T: Send + 'static>(
    mut reader: Reader,
    maker: &Arc<Maker<T>>,
    queue: &SyncSender<anyhow::Result<Slot<T>>>,
) {
    while let Some(part) = reader.next_part().transpose() {
        let part = match part {
            Ok(part) => part,
            Err(error) => {
                let _ = queue.send(Err(error));
                return;
            }
        };
        let (result, slot) = sync_channel(1);
        if queue.send(Ok(slot)).is_err() {
            return;
        }
        let maker = Arc::clone(maker);
        rayon::spawn(move || {
            // A panic would end the program on the spot; in the command's thread it ends as any other does.
            let made = panic::catch_unwind(AssertUnwindSafe(|| maker.make(&part, 0)));
            let _ = result.send(made.map(|made| made.map_err(|_| part)));
        });
    }
}

#[cfg(test)]
mod tests;
