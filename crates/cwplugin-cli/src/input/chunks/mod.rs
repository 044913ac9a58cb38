//! Converts a table on several threads, with results in the order of the rows.
//!
//! A separate thread reads the file; rayon's pool converts the parts and processes them. A bounded queue limits the memory and
//! keeps the order: it holds a slot for the result of every part that was read.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::conversion::Conversion;
use super::features::FeatureColumns;
use super::{Chunk, Input};
use crate::output::Progress;
use crate::table::{Part, Reader};
use crate::user_error::UserError;

/// The results for the chunks of a table, in order.
pub(crate) struct Chunks<T> {
    worker: Arc<Worker<T>>,
    parts: Parts<T>,
    rows_read: usize,
}

/// Converts and processes a part.
struct Worker<T> {
    conversion: Arc<Conversion>,
    work: Box<dyn Fn(Chunk) -> anyhow::Result<T> + Send + Sync>,
}

struct Done<T> {
    result: T,
    rows: usize,
    progress: (u64, Option<u64>),
}

/// Receives the result of a part, or a panic. A part with an error is returned: its row numbers are known only when all parts
/// before it are counted.
type Slot<T> = Receiver<thread::Result<Result<Done<T>, Part>>>;

enum Parts<T> {
    /// Read on demand: with a single thread, or if the conversion needs row numbers.
    Inline(Reader),
    Ahead(Receiver<anyhow::Result<Slot<T>>>, JoinHandle<()>),
    Done,
}

impl<T> Worker<T> {
    fn run(&self, part: &Part, first_row: usize) -> anyhow::Result<Done<T>> {
        let chunk = self.conversion.chunk(part, first_row)?;
        let rows = chunk.sample.n_rows();
        Ok(Done { result: (self.work)(chunk)?, rows, progress: part.progress })
    }
}

impl Input {
    /// Reads the table and applies `work` to every chunk, on several threads; the results are in the order of the rows. Only a
    /// few chunks are in memory at any time. If the result is dropped before the end, the reader thread ends at its next part.
    pub(crate) fn map<T: Send + 'static>(
        self,
        work: impl Fn(Chunk) -> anyhow::Result<T> + Send + Sync + 'static,
    ) -> anyhow::Result<Chunks<T>> {
        let worker = Arc::new(Worker { conversion: self.conversion, work: Box::new(work) });
        let (reader, threads) = (self.reader, rayon::current_num_threads());
        let needs_row_numbers = worker.conversion.joined.is_some()
            || worker.conversion.features.as_ref().is_some_and(FeatureColumns::has_files);
        let parts = if threads == 1 || needs_row_numbers {
            Parts::Inline(reader)
        } else {
            let (sender, queue) = sync_channel(2 * threads);
            let worker = Arc::clone(&worker);
            let thread = thread::Builder::new().name("reader".into());
            Parts::Ahead(queue, thread.spawn(move || read_ahead(reader, &worker, &sender))?)
        };
        Ok(Chunks { worker, parts, rows_read: 0 })
    }
}

impl<T: Send + 'static> Chunks<T> {
    /// The meaning of the columns.
    pub(super) fn conversion(&self) -> Arc<Conversion> {
        Arc::clone(&self.worker.conversion)
    }

    /// The result for the next rows, or `None` at the end; an error if the table has no rows.
    pub(crate) fn next(&mut self, progress: &mut Progress) -> anyhow::Result<Option<T>> {
        loop {
            let parts = std::mem::replace(&mut self.parts, Parts::Done);
            let Some((done, parts)) = parts.next(&self.worker, self.rows_read)? else { break };
            self.parts = parts;
            self.rows_read += done.rows;
            if done.rows > 0 {
                progress.read(done.progress, self.rows_read);
                return Ok(Some(done.result));
            }
        }
        let Conversion { file, files, features, replies, data, .. } = &*self.worker.conversion;
        let first_pass = replies.as_ref().and_then(|replies| replies.first_pass.as_ref());
        first_pass.map_or(Ok(()), |first_pass| files.refuse_changed(first_pass))?;
        features.as_ref().map_or(Ok(()), |features| features.check_rows(file, self.rows_read))?;
        if self.rows_read == 0 && replies.is_some() {
            let left_out =
                if data.replies.skip_errors { ", or --skip-errors left out all of them" } else { "" };
            let what = format!("{file}: there is no reply{left_out}");
            return Err(UserError::new(what).hint("check the program that wrote the file").into());
        }
        if self.rows_read == 0 {
            let what = format!("{file}: the table has no rows");
            return Err(UserError::new(what).hint("add rows below the header").into());
        }
        let (notes, warnings) = self.worker.conversion.remarks();
        for note in notes {
            progress.remark(&format!("note: {note}"), |screen, note| screen.note(note));
        }
        for warning in warnings {
            progress.remark(&warning, |screen, text| screen.warn(text));
        }
        Ok(None)
    }
}

impl<T: Send + 'static> Parts<T> {
    /// The result for the next part, and the parts after it.
    fn next(self, worker: &Worker<T>, first_row: usize) -> anyhow::Result<Option<(Done<T>, Self)>> {
        match self {
            Self::Done => Ok(None),
            Self::Inline(mut reader) => {
                let Some(part) = reader.next_part()? else { return Ok(None) };
                Ok(Some((worker.run(&part, first_row)?, Self::Inline(reader))))
            }
            Self::Ahead(queue, reader) => {
                let Ok(slot) = queue.recv() else {
                    // The reader is done, or it panicked.
                    reader.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
                    return Ok(None);
                };
                let done = match slot?.recv()? {
                    Ok(Ok(done)) => done,
                    Ok(Err(part)) => worker.run(&part, first_row)?,
                    Err(panic) => panic::resume_unwind(panic),
                };
                Ok(Some((done, Self::Ahead(queue, reader))))
            }
        }
    }
}

/// Reads to the end, or until the receiver is dropped.
fn read_ahead<T: Send + 'static>(
    mut reader: Reader,
    worker: &Arc<Worker<T>>,
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
        let worker = Arc::clone(worker);
        rayon::spawn(move || {
            // A panic here would abort the program; it is resumed in the command's thread.
            let done = panic::catch_unwind(AssertUnwindSafe(|| worker.run(&part, 0)));
            let _ = result.send(done.map(|done| done.map_err(|_| part)));
        });
    }
}

#[cfg(test)]
mod tests;
