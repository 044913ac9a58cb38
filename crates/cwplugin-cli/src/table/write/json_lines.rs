//! JSON lines: one object per line, keys in the order of the columns.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::json_values::{Values, object, quoted};

/// The rows of a batch.
pub(super) fn lines(batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
    let fields = batch.schema_ref().fields().iter();
    let columns = fields
        .zip(batch.columns())
        .map(|(field, column)| Ok((quoted(field.name()), Values::new(field, column)?)));
    let columns = columns.collect::<Result<Vec<_>, ArrowError>>()?;
    let mut lines = String::new();
    for row in 0..batch.num_rows() {
        object(&columns, row, &mut lines)?;
        lines.push('\n');
    }
    Ok(lines.into_bytes())
}
