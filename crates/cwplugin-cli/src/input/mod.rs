//! From a table to probabilities, labels and weights.

mod columns; // the meaning of the columns
mod decimal; // fast parsing of decimals
mod labels; // classes by name
mod label_file; // labels in another table
mod replies; // replies of a black box as a table
mod values; // numbers and labels of a column
mod preparation; // from numbers to probabilities
mod features; // features of the rows
mod conversion; // probabilities, labels and weights of some rows
mod chunks; // converted in parallel, in order
mod errors; // errors of the library, with file, row and column
mod text_file; // files that are read as a whole
mod metrics; // metrics and constraints by name
mod costs; // … with a cost matrix in a file
mod linear_fractional; // … with coefficients in a file
mod formula; // … with a formula
mod method_options; // options of methods, and source priors
pub(crate) mod statistics_file; // statistics in files
mod plain; // tables without options, for the lab

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use cwplugin::data::quoted;
use cwplugin::model::InputOptions;
use cwplugin::{Model, Probabilities, Sample, Scores};

pub(crate) use chunks::Chunks;
pub(crate) use columns::Layout;
pub use columns::refuse_listed_twice;
pub(crate) use conversion::Conversion;
use conversion::Notes;
pub(crate) use features::is_file as is_feature_file;
pub(crate) use method_options::{is_priors_file, reference, resolved_options};
pub use metrics::{NamedMetric, metric_by_name, settled};
pub(crate) use metrics::{constrained_metrics, constraints_by_names, metric_file, metrics_by_names};
pub use plain::{decode_labelled, for_each_row, read_labelled};
pub(crate) use text_file::{read_bytes, read_text};
pub(crate) use values::column_texts;

use crate::args::Data;
use crate::output::Progress;
use crate::table::{Format, ReadOptions, Reader};
use crate::user_error::UserError;
use columns::Request;
use features::FeatureColumns;
use label_file::LabelFile;
use labels::{LabelOptions, Names};
use plain::for_each_text;
use preparation::Preparation;

/// Whether a command needs labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Labels {
    Needed,
    /// Used if there are any.
    Optional,
    Ignored,
}

/// Which columns a command reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Columns {
    /// All, because the table is written again.
    All,
    /// Only those with a meaning; the others are not decoded.
    Meaningful,
}

/// What a command needs from a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Needs<'a> {
    pub(crate) labels: Labels,
    pub(crate) columns: Columns,
    /// The table must have its classes and features.
    pub(crate) model: Option<(&'a Model, &'a Path)>,
    /// Columns of the table, or files with numbers.
    pub(crate) features: &'a [String],
}

impl Needs<'_> {
    /// Labelled rows.
    pub(crate) const LABELLED: Self =
        Self { labels: Labels::Needed, columns: Columns::Meaningful, model: None, features: &[] };
}

/// An open table.
pub(crate) struct Input {
    reader: Reader,
    /// The meaning of the columns.
    pub(crate) conversion: Arc<Conversion>,
}

/// Some rows: the columns of the table, and their meaning.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) batch: RecordBatch,
    pub(crate) sample: Sample,
}

impl Input {
    /// Opens a table and determines the meaning of its columns.
    pub(crate) fn open(path: &Path, data: &Data, needs: Needs) -> anyhow::Result<Self> {
        let Needs { labels, columns, model, .. } = needs;
        let features = features::wanted(needs)?;
        let label_file = Some(PathBuf::from(&data.label))
            .filter(|path| labels != Labels::Ignored && Format::of_name(path) == Some(Format::Npy));
        let mut data = match model {
            Some((model, path)) => data.with_input_of(model.input(), path)?,
            None => data.clone(),
        };
        refuse_missing_logs(&data)?;
        let is_reply = data.replies.from.is_some();
        let may_be_joined = labels != Labels::Ignored && LabelFile::is_named(&data.label);
        let mut options = ReadOptions {
            format: data.format,
            delimiter: data.delimiter,
            label_file: label_file.clone(),
            ..ReadOptions::default()
        };
        let join = |data: &Data| LabelFile::read(Path::new(&data.label), data.id.first());
        let mut joined = if may_be_joined && is_reply { Some(join(&data)?) } else { None };
        let label = data.label.clone();
        if joined.is_some() {
            data.label = "label".into();
        }
        let classes = model.map(|(model, _)| model.classes());
        options.replies = replies::options(path, &data, classes, joined.as_ref())?;
        let mut reader = Reader::open(path, &options)?;
        if may_be_joined && joined.is_none() && reader.schema().index_of(&label).is_err() {
            joined = Some(join(&data)?);
        }
        let is_joined = joined.is_some();
        if label_file.is_some() || is_joined {
            data.label = "label".into();
        }
        let in_table = features.iter().filter(|item| !features::is_file(item)).cloned().collect();
        let request = Request {
            data: &data,
            labels: if is_joined { Labels::Ignored } else { labels },
            model,
            features: in_table,
            id: joined.as_ref().map(|joined| joined.id.as_str()),
            file: reader.name().to_string(),
            format: reader.format(),
        };
        let schema = match reader.format() {
            Format::Csv | Format::Tsv => columns::trimmed(&reader.schema()),
            _ => reader.schema().as_ref().clone(),
        };
        let mut notes = Vec::new();
        let layout = if let Some(mut layout) = request.by_name(&schema)? {
            if columns == Columns::Meaningful {
                reader.select(&layout.select())?;
            }
            layout
        } else {
            // The classes are the numeric columns: look at some rows.
            request.by_content(&schema, reader.peek()?.as_ref(), &mut notes)?
        };
        let first = reader.peek()?;
        let preparation =
            Preparation::recognise(&data, &layout, first.as_ref(), options.replies.is_some(), &mut notes);
        let warnings = preparation.warnings(first.as_ref(), &layout);
        let names = if labels == Labels::Ignored { None } else { Some(names(&data, &layout)?) };
        let (file, schema) = (reader.name().to_string(), reader.schema());
        let features = match &features[..] {
            [] => None,
            items => Some(FeatureColumns::open(items, &layout.features)?),
        };
        features.as_ref().map_or(Ok(()), |features| features.check_width(needs))?;
        let class_names = layout.classes.as_slice().into();
        let conversion = Conversion {
            file,
            schema,
            layout,
            class_names,
            names,
            joined,
            features,
            preparation,
            replies: options.replies,
            notes: Notes::new(notes, warnings),
            data,
        };
        Ok(Self { reader, conversion: Arc::new(conversion) })
    }

    /// How the table becomes probabilities, for the model.
    pub(crate) fn options(&self) -> anyhow::Result<InputOptions> {
        self.conversion.options()
    }

    /// Class names in the order of the probabilities.
    pub(crate) fn classes(&self) -> &[String] {
        &self.conversion.layout.classes
    }

    /// The name of the table as given.
    pub(crate) fn name(&self) -> &str {
        self.reader.name()
    }

    pub(crate) fn format(&self) -> Format {
        self.reader.format()
    }

    /// All rows as one sample; an error if no row has a label.
    pub(crate) fn read_sample(self, progress: &mut Progress) -> anyhow::Result<(Sample, Vec<String>)> {
        let conversion = Arc::clone(&self.conversion);
        let sample = self.read_all(progress)?;
        if sample.n_labelled() == 0 {
            return Err(conversion.no_labelled_rows().into());
        }
        Ok((sample, conversion.layout.classes.clone()))
    }

    /// All rows as one sample, with or without labels.
    pub(crate) fn read_all(self, progress: &mut Progress) -> anyhow::Result<Sample> {
        let (sample, _) = self.samples()?.read_rows(usize::MAX, progress)?;
        Ok(sample)
    }

    /// The rows, chunk by chunk.
    pub(crate) fn samples(self) -> anyhow::Result<Chunks<Sample>> {
        self.map(|chunk| Ok(chunk.sample))
    }
}

/// The rule for missing classes is about probabilities.
fn refuse_missing_logs(data: &Data) -> Result<(), UserError> {
    let scores = data.scores.filter(|scores| matches!(scores, Scores::Logits | Scores::Logprobs));
    match scores.filter(|_| data.replies.missing.is_some()) {
        Some(scores) => {
            Err(UserError::usage(format!("--missing is not supported with --scores {}", scores.name()))
                .hint("convert the scores to probabilities, or fill in the empty cells"))
        }
        None => Ok(()),
    }
}

/// How labels are matched to the classes.
fn names(data: &Data, layout: &Layout) -> anyhow::Result<Names> {
    let mut map = HashMap::new();
    if let Some(path) = &data.label_map {
        let reader = Reader::open(path, &ReadOptions::default())?;
        let (file, columns) = (reader.name().to_owned(), reader.schema().fields().len());
        if columns < 2 {
            let what = format!("{file}: --label-map needs two columns, the label and its class");
            return Err(UserError::new(what)
                .hint("for example `label,class`, then `0,ham` and `1,spam`")
                .into());
        }
        for_each_text(reader, &[0, 1], |row, cells| {
            let [label, class] = cells else { return Ok(()) };
            if !layout.classes.iter().any(|known| known == class) {
                let what = format!("{file}: row {}, second column: unknown class \"{class}\"", row + 1);
                let cure = format!("the classes are {}", quoted(&layout.classes));
                return Err(UserError::new(what).hint(cure).into());
            }
            if map.insert((*label).to_owned(), (*class).to_owned()).is_some() {
                let what = format!("{file}: row {}, first column: \"{label}\" occurs twice", row + 1);
                return Err(UserError::new(what).hint("map each label once").into());
            }
            Ok(())
        })?;
    }
    let (first, ignore_case) = (data.label_index, data.ignore_case);
    let options = LabelOptions { by_position: layout.unnamed, first, ignore_case, map };
    Ok(Names::new(&layout.classes, options))
}

impl Chunks<Sample> {
    /// The rows up to about this many numbers, and whether those are all.
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
