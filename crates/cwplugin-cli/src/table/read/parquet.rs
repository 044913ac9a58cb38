//! Parquet.

use std::sync::Arc;

use anyhow::Result;
use arrow_schema::SchemaRef;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::ChunkReader;

use super::super::Format;
use super::guard::decode;
use super::source::{Progress, Seekable, Source};
use super::{Decode, ReadOptions, Rows, errors, rows_of_width};
use crate::user_error::UserError;

const TITLE: &str = Format::Parquet.title();

/// Bytes in a batch, approximately: several batches are in memory at once.
const BATCH_BYTES: usize = 4 << 20;

/// A Parquet file; only the footer is read at first.
pub(super) struct Parquet {
    name: String,
    progress: Progress,
    metadata: ArrowReaderMetadata,
    selected: Option<Vec<usize>>,
    batch_rows: usize,
    rows: u64,
    state: State,
}

enum State {
    Waiting(Seekable),
    Reading(ParquetRecordBatchReader),
    Done,
}

impl Parquet {
    pub(super) fn open(source: Source, options: &ReadOptions) -> Result<Self> {
        let (name, progress) = (source.name().to_owned(), source.progress());
        let file = source.into_seekable()?;
        let metadata = decode(&name, TITLE, || match &file {
            Seekable::File(file) => ArrowReaderMetadata::load(file, ArrowReaderOptions::new()),
            Seekable::Memory(memory) => {
                ArrowReaderMetadata::load(memory.get_ref(), ArrowReaderOptions::new())
            }
        })?;
        check_codecs(&name, &metadata)?;
        check_rows(&name, &metadata)?;
        let (batch_rows, state) = (options.batch_rows, State::Waiting(file));
        Ok(Self { name, progress, metadata, selected: None, batch_rows, rows: 0, state })
    }

    fn start(&self, file: impl ChunkReader + 'static) -> Result<ParquetRecordBatchReader, ParquetError> {
        let mask = match &self.selected {
            Some(columns) => ProjectionMask::roots(self.metadata.parquet_schema(), columns.iter().copied()),
            None => ProjectionMask::all(),
        };
        ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
            .with_projection(mask)
            .with_batch_size(self.rows_in_batch())
            .build()
    }

    /// Fewer rows of a wide table or of one with long texts, by the sizes in the footer.
    fn rows_in_batch(&self) -> usize {
        let columns = self.metadata.parquet_schema();
        let is_selected = |column: &usize| {
            let root = columns.get_column_root_idx(*column);
            self.selected.as_ref().is_none_or(|selected| selected.contains(&root))
        };
        let selected: Vec<usize> = (0..columns.num_columns()).filter(is_selected).collect();
        let (mut rows, mut bytes) = (0_i64, 0_i64);
        for group in self.metadata.metadata().row_groups() {
            rows = group.num_rows().saturating_add(rows);
            let sizes = selected.iter().map(|&column| group.column(column).uncompressed_size());
            bytes = sizes.fold(bytes, i64::saturating_add);
        }
        let row_bytes = usize::try_from(bytes / rows.max(1)).unwrap_or(0).max(1);
        rows_of_width(self.batch_rows, selected.len()).min(BATCH_BYTES / row_bytes).max(1)
    }
}

/// How to get a file that can be read.
const OTHER_CODEC: &str = "write the file again with compression zstd, snappy, gzip or lz4";

/// An error if a column is compressed with a codec that is not built in: the one of Brotli would bring its encoder too, and
/// few files use it.
fn check_codecs(name: &str, metadata: &ArrowReaderMetadata) -> Result<()> {
    for column in metadata.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns) {
        let codec = match column.compression() {
            Compression::BROTLI(_) => "Brotli",
            Compression::LZO => "LZO",
            _ => continue,
        };
        let path = column.column_path().string();
        let what = format!("{name}: column {path:?} is compressed with {codec}, which is not supported");
        return Err(UserError::new(what).hint(OTHER_CODEC).into());
    }
    Ok(())
}

/// An error if the footer contradicts itself: row groups are missing.
fn check_rows(name: &str, metadata: &ArrowReaderMetadata) -> Result<()> {
    let groups = metadata.metadata().row_groups().iter().map(RowGroupMetaData::num_rows);
    let in_groups = groups.fold(0, i64::saturating_add);
    let rows = metadata.metadata().file_metadata().num_rows();
    if in_groups == rows {
        return Ok(());
    }
    Err(errors::damaged_because(
        name,
        TITLE,
        &format!("its footer claims {rows} rows, its row groups {in_groups}"),
    ))
}

impl Decode for Parquet {
    fn schema(&self) -> SchemaRef {
        Arc::clone(self.metadata.schema())
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        self.selected = Some(columns.to_vec());
        Ok(())
    }

    fn n_rows(&self) -> Option<usize> {
        usize::try_from(self.metadata.metadata().file_metadata().num_rows()).ok()
    }

    fn next_rows(&mut self) -> Result<Option<Rows>> {
        let mut reader = match std::mem::replace(&mut self.state, State::Done) {
            State::Waiting(file) => decode(&self.name, TITLE, || match file {
                Seekable::File(file) => self.start(file),
                Seekable::Memory(memory) => self.start(memory.into_inner()),
            })?,
            State::Reading(reader) => reader,
            State::Done => return Ok(None),
        };
        let batch = decode(&self.name, TITLE, || reader.next().transpose())?;
        if let Some(batch) = &batch {
            self.rows += batch.num_rows() as u64;
            let all = self.metadata.metadata().file_metadata().num_rows();
            self.progress.set(self.rows, u64::try_from(all).unwrap_or(self.rows));
            self.state = State::Reading(reader);
        } else if Some(self.rows) != self.n_rows().map(|rows| rows as u64) {
            let all = self.metadata.metadata().file_metadata().num_rows();
            let what = format!("its footer claims {all} rows, it has {}", self.rows);
            return Err(errors::damaged_because(&self.name, TITLE, &what));
        }
        Ok(batch.map(Rows::Batch))
    }
}
