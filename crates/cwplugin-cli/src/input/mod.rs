//! A table becomes probabilities, labels and weights.

mod columns; // which column means what
mod decimal; // numbers out of text
mod labels; // classes out of text
mod values; // numbers and labels out of a column
mod features; // what else is known of the rows
mod conversion; // probabilities, labels and weights out of some rows
mod chunks; // several of them at once, in order
mod refusals; // what the library found wrong, with the file's own names
mod metrics; // the metric that a name means
mod formula; // … that are written down
mod linear_fractional; // … with the coefficients in a file
mod named_metric; // … and what went wrong with it
mod constraints; // limits to such metrics
mod priors; // the shares that the black box learned from
mod plain; // tables without options

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use cwplugin::{Model, Probabilities, Sample};

pub(crate) use chunks::Chunks;
pub use columns::refuse_listed_twice;
pub(crate) use columns::{Layout, quoted};
pub(crate) use constraints::{constraints_by_names, limited};
pub(crate) use conversion::Conversion;
pub(crate) use features::is_file as is_feature_file;
pub use metrics::metric_by_name;
pub(crate) use metrics::{metric_file, metrics_by_names};
pub use named_metric::{NamedMetric, settled};
pub use plain::{decode_labelled, for_each_row, read_labelled};
pub(crate) use priors::{is_priors_file, source_priors};
pub(crate) use values::column_texts;

use crate::args::Data;
use crate::output::Progress;
use crate::table::{Format, ReadOptions, Reader};
use columns::Wanted;
use features::FeatureColumns;
use labels::Names;

/// Whether a command needs the true labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Labels {
    Needed,
    /// Read if they are there.
    Welcome,
    Ignored,
}

/// Which columns a command passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Columns {
    /// All of them: the input's table is written again.
    All,
    /// Only those that mean something here; the others are not even decoded.
    Meaningful,
}

/// What a command wants from a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Want<'a> {
    pub(crate) labels: Labels,
    pub(crate) columns: Columns,
    /// Its classes are looked for, and the features that it looks at.
    pub(crate) model: Option<(&'a Model, &'a Path)>,
    /// Columns of the table, or files of numbers.
    pub(crate) features: &'a [String],
}

impl Want<'_> {
    /// Labelled rows, and nothing else.
    pub(crate) const LABELLED: Self =
        Self { labels: Labels::Needed, columns: Columns::Meaningful, model: None, features: &[] };
}

/// An opened table.
#[derive(Debug)]
pub(crate) struct Input {
    reader: Reader,
    conversion: Arc<Conversion>,
}

/// Some rows: the table's own columns, and what they mean.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) batch: RecordBatch,
    pub(crate) sample: Sample,
}

impl Input {
    /// Opens a table and finds out which column means what.
    pub(crate) fn open(path: &Path, data: &Data, want: Want) -> anyhow::Result<Self> {
        let Want { labels, columns, model, .. } = want;
        let features = features::wanted(want)?;
        let label_file = Some(PathBuf::from(&data.label))
            .filter(|path| labels != Labels::Ignored && Format::of_name(path) == Some(Format::Npy));
        let mut data = data.clone();
        let options = ReadOptions {
            format: data.format,
            delimiter: data.delimiter,
            label_file: label_file.clone(),
            ..ReadOptions::default()
        };
        if label_file.is_some() {
            data.label = "label".into();
        }
        let mut reader = Reader::open(path, &options)?;
        let in_table = features.iter().filter(|item| !features::is_file(item)).cloned().collect();
        let wanted = Wanted {
            data: &data,
            labels,
            model,
            features: in_table,
            file: reader.name().to_string(),
            format: reader.format(),
        };
        let schema = match reader.format() {
            Format::Csv | Format::Tsv => columns::trimmed(&reader.schema()),
            _ => reader.schema().as_ref().clone(),
        };
        let layout = if let Some(mut layout) = wanted.by_name(&schema)? {
            if columns == Columns::Meaningful {
                reader.select(&layout.select())?;
            }
            layout
        } else {
            // Only the numbers tell which columns are classes: look at some.
            wanted.by_content(&schema, reader.peek()?.as_ref())?
        };
        let names = (labels != Labels::Ignored).then(|| Names::new(&layout.classes, layout.unnamed));
        let (file, schema) = (reader.name().to_string(), reader.schema());
        let features = match &features[..] {
            [] => None,
            items => Some(FeatureColumns::open(items, &layout.features)?),
        };
        features.as_ref().map_or(Ok(()), |features| features.check_width(want))?;
        let class_names = layout.classes.as_slice().into();
        let conversion = Conversion { file, schema, layout, class_names, names, features, data };
        Ok(Self { reader, conversion: Arc::new(conversion) })
    }

    /// Class names in the order of the probabilities.
    pub(crate) fn classes(&self) -> &[String] {
        &self.conversion.layout.classes
    }

    /// For each class its column in [`Input::schema`].
    pub(crate) fn class_columns(&self) -> &[usize] {
        &self.conversion.layout.columns
    }

    /// What the user called the table.
    pub(crate) fn name(&self) -> &str {
        self.reader.name()
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.conversion.schema
    }

    pub(crate) fn format(&self) -> Format {
        self.reader.format()
    }

    /// What the columns mean; it outlives the reading.
    pub(crate) fn conversion(&self) -> Arc<Conversion> {
        Arc::clone(&self.conversion)
    }

    /// Begins to read, and does `work` to every chunk: on several threads at once, but the results keep the order of
    /// the rows. Only a few chunks are in memory at any time.
    pub(crate) fn map<T: Send + 'static>(
        self,
        work: impl Fn(Chunk) -> anyhow::Result<T> + Send + Sync + 'static,
    ) -> anyhow::Result<Chunks<T>> {
        Chunks::start(self, work)
    }

    /// All rows as one sample; refuses a table in which no row has a label.
    pub(crate) fn read_sample(self, progress: &mut Progress) -> anyhow::Result<(Sample, Vec<String>)> {
        let conversion = self.conversion();
        let sample = self.read_all(progress)?;
        if sample.n_labelled() == 0 {
            return Err(conversion.no_labelled_rows().into());
        }
        Ok((sample, conversion.layout.classes.clone()))
    }

    /// All rows as one sample, whether they have labels or not.
    pub(crate) fn read_all(self, progress: &mut Progress) -> anyhow::Result<Sample> {
        let (sample, _) = self.samples()?.read_rows(usize::MAX, progress)?;
        Ok(sample)
    }

    /// Whether the table has a column of labels.
    pub(crate) fn has_labels(&self) -> bool {
        self.conversion.layout.label.is_some()
    }

    /// The rows, chunk by chunk.
    pub(crate) fn samples(self) -> anyhow::Result<Chunks<Sample>> {
        self.map(|chunk| Ok(chunk.sample))
    }
}

impl Chunks<Sample> {
    /// The rows up to about so many numbers, and whether those were all.
    pub(crate) fn read_rows(
        &mut self,
        most_numbers: usize,
        progress: &mut Progress,
    ) -> anyhow::Result<(Sample, bool)> {
        let (names, is_weighted) =
            (self.conversion().class_names.clone(), self.conversion().layout.weight.is_some());
        let m = names.len();
        let mut rows = Sample::new(Probabilities::new(Vec::new(), m)?, Vec::new())?.with_classes(names)?;
        if is_weighted {
            rows = rows.with_weights(Vec::new())?;
        }
        while rows.n_rows().saturating_mul(m) < most_numbers {
            match self.next(progress)? {
                Some(sample) => rows.append(sample)?,
                None => return Ok((rows, true)),
            }
        }
        Ok((rows, false))
    }
}
