//! Columns of raw JSON: `Utf8` with the extension type `arrow.json`.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{Array as _, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use super::convert::texts;

const EXTENSION: &str = "ARROW:extension:name";
const EXTENSION_METADATA: &str = "ARROW:extension:metadata";
const JSON: &str = "arrow.json";

/// A column of raw JSON texts.
pub(super) fn field(name: impl Into<String>) -> Field {
    let metadata = HashMap::from([(EXTENSION.to_owned(), JSON.to_owned())]);
    Field::new(name, DataType::Utf8, true).with_metadata(metadata)
}

/// Whether the column holds raw JSON.
pub(crate) fn is_json(field: &Field) -> bool {
    let text = matches!(field.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    text && field.metadata().get(EXTENSION).is_some_and(|name| name == JSON)
}

/// The schema for a format without JSON columns: they become plain text.
pub(super) fn plain_schema(schema: &Schema) -> SchemaRef {
    let plain = |field: &Arc<Field>| {
        if !is_json(field) {
            return Arc::clone(field);
        }
        let mut metadata = field.metadata().clone();
        metadata.remove(EXTENSION);
        metadata.remove(EXTENSION_METADATA);
        Arc::new(Field::new(field.name(), DataType::Utf8, true).with_metadata(metadata))
    };
    let fields: Vec<_> = schema.fields().iter().map(plain).collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

/// The batch under its [`plain_schema`]: strings as their text, other values as their raw JSON.
pub(super) fn plain_batch(batch: &RecordBatch, plain: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let columns = batch.schema_ref().fields().iter().zip(batch.columns());
    let columns = columns
        .map(|(field, column)| if is_json(field) { decode_json(column) } else { Ok(Arc::clone(column)) });
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::clone(plain), columns.collect::<Result<_, _>>()?, &options)
}

/// Strings as their text, other values as their raw JSON.
pub(crate) fn decode_json(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let raw = texts(column)?;
    let mut plain = StringBuilder::with_capacity(raw.len(), raw.value_data().len());
    for value in &raw {
        match value {
            None | Some("null") => plain.append_null(),
            // A string with half a surrogate pair is valid JSON but not text: it stays raw.
            Some(value) if value.starts_with('"') => match serde_json::from_str::<String>(value) {
                Ok(text) => plain.append_value(text),
                Err(_) => plain.append_value(value),
            },
            Some(value) => plain.append_value(value),
        }
    }
    Ok(Arc::new(plain.finish()))
}

#[cfg(test)]
mod tests {
    use arrow_array::StringArray;
    use arrow_array::cast::AsArray as _;

    use super::*;

    #[test]
    fn strings_become_text_and_other_values_stay_raw() {
        let raw = vec![
            Some(r#""a\"bé""#),
            Some("0.10"),
            Some("null"),
            None,
            Some(r#"{"a": [1]}"#),
            Some(r#""\ud800""#),
        ];
        let schema = Arc::new(Schema::new(vec![field("x")]));
        let batch =
            RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(StringArray::from(raw))]).unwrap();
        let plain = plain_schema(&schema);
        assert!(!is_json(plain.field(0)));
        let decoded = plain_batch(&batch, &plain).unwrap();
        let values: Vec<_> = decoded.column(0).as_string::<i32>().iter().collect();
        let expected = [Some("a\"bé"), Some("0.10"), None, None, Some(r#"{"a": [1]}"#), Some(r#""\ud800""#)];
        assert_eq!(values, expected);
    }
}
