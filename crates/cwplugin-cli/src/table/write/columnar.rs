//! Parquet, compressed with zstd, and Arrow IPC files.

use std::sync::Arc;

use anyhow::Result;
use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use super::super::convert::without_dictionary;
use super::super::errors;
use super::{Encode, Sink};

/// A row group is kept in memory until it is written.
const ROW_GROUP_BYTES: usize = 64 << 20;

pub(super) struct Parquet {
    name: String,
    writer: ArrowWriter<Sink>,
}

impl Parquet {
    pub(super) fn create(sink: Sink, schema: SchemaRef) -> Result<Self> {
        let name = sink.name().to_owned();
        let compression = Compression::ZSTD(ZstdLevel::default());
        let mut properties = WriterProperties::builder().set_compression(compression);
        // Probabilities hardly ever repeat: a dictionary would take a third of the time, and be given up.
        for field in schema.fields().iter().filter(|field| field.data_type().is_floating()) {
            let column = ColumnPath::from(vec![field.name().clone()]);
            properties = properties.set_column_dictionary_enabled(column, false);
        }
        let properties = properties.build();
        let writer = ArrowWriter::try_new(sink, schema, Some(properties));
        Ok(Self { writer: writer.map_err(|err| errors::writing(&name, &err))?, name })
    }
}

impl Encode for Parquet {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let mut written = self.writer.write(batch);
        if written.is_ok() && self.writer.in_progress_size() > ROW_GROUP_BYTES {
            written = self.writer.flush();
        }
        written.map_err(|err| errors::writing(&self.name, &err))
    }

    fn finish(self: Box<Self>) -> Result<Sink> {
        self.writer.into_inner().map_err(|err| errors::writing(&self.name, &err))
    }
}

/// Dictionaries are written as values: a file has one dictionary per column, but every batch has its own.
pub(super) struct Arrow {
    name: String,
    schema: SchemaRef,
    writer: FileWriter<Sink>,
}

impl Arrow {
    pub(super) fn create(sink: Sink, schema: &Schema) -> Result<Self> {
        let name = sink.name().to_owned();
        let fields: Vec<_> = schema.fields().iter().map(unpacked).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        let writer = FileWriter::try_new(sink, &schema).map_err(|err| errors::writing(&name, &err))?;
        Ok(Self { name, schema, writer })
    }
}

fn unpacked(field: &Arc<Field>) -> Arc<Field> {
    match field.data_type() {
        DataType::Dictionary(_, values) => {
            let metadata = field.metadata().clone();
            Arc::new(Field::new(field.name(), values.as_ref().clone(), true).with_metadata(metadata))
        }
        _ => Arc::clone(field),
    }
}

impl Encode for Arrow {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let columns = batch.columns().iter().map(without_dictionary);
        let columns = columns.collect::<Result<_, _>>().map_err(|err| errors::writing(&self.name, &err))?;
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)?;
        self.writer.write(&batch).map_err(|err| errors::writing(&self.name, &err))
    }

    fn finish(mut self: Box<Self>) -> Result<Sink> {
        self.writer.finish().map_err(|err| errors::writing(&self.name, &err))?;
        self.writer.into_inner().map_err(|err| errors::writing(&self.name, &err))
    }
}
