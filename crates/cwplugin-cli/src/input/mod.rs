//! From a table to probabilities, labels and weights.

mod columns; // the meaning of the columns
mod decimal; // fast parsing of decimals
mod labels; // classes by name
mod label_file; // labels in another table
mod idle; // flags without an effect
mod form; // replies or a table
mod replies; // replies of a black box as a table
mod open; // a table, its options and labels elsewhere
mod values; // numbers and labels of a column
mod preparation; // from numbers to probabilities
mod recognition; // … of which kind they are
mod features; // features of the rows
mod conversion; // probabilities, labels and weights of some rows
mod description; // what was read, in a few words
mod chunks; // converted in parallel, in order
mod errors; // errors of the library, with file, row and column
mod metrics; // metrics and constraints by name
mod costs; // … with a cost matrix in a file
mod linear_fractional; // … with coefficients in a file
mod formula; // … with a formula
mod method_options; // options of methods, and source priors
pub(crate) mod statistics_file; // statistics in files
mod plain; // tables without options, for the lab
mod given; // tables with options, for the fuzz targets

use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use cwplugin::{Model, Probabilities, Sample};

pub(crate) use chunks::Chunks;
pub(crate) use columns::Layout;
pub use columns::refuse_listed_twice;
pub(crate) use conversion::Conversion;
pub(crate) use features::is_file as is_feature_file;
pub use given::GivenOptions;
pub(crate) use method_options::{is_priors_file, reference, resolved_options};
pub use metrics::{NamedMetric, metric_by_name, settled};
pub(crate) use metrics::{constrained_metrics, constraints_by_names, metric_file, metrics_by_names};
pub use plain::{decode_labelled, for_each_row, read_labelled};
pub(crate) use values::column_texts;

use crate::args::Data;
use crate::output::{Progress, Screen};
use crate::table::{Format, Reader};
use crate::user_error::UserError;
use crate::whole_file::fits_into_memory;
use open::Opened;

/// Whether a command needs labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Labels {
    Needed,
    /// Used if there are any.
    Optional,
    Ignored,
}

/// What to do about too many classes.
const FEWER_CLASSES: &str = "name fewer classes with --classes A,B,C, and add --normalize; columns that are not classes are excluded with --id NAME";

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
    pub(crate) fn open(path: &Path, data: &Data, needs: Needs, screen: &Screen) -> anyhow::Result<Self> {
        let features = features::wanted(needs)?;
        let input = Opened::new(path, data, needs, screen)?.with_meaning(needs, &features)?;
        let m = input.classes().len() as u64;
        // The confusion matrices before and after.
        if needs.labels != Labels::Ignored && !fits_into_memory(16 * m * m) {
            let what = format!("{}: confusion matrices of {m} classes do not fit into memory", input.name());
            return Err(UserError::new(what).hint(FEWER_CLASSES).into());
        }
        Ok(input)
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

    /// Whether the table claims to have more than this many probabilities, so that they need not be counted first.
    pub(crate) fn has_more_than(&self, numbers: usize) -> bool {
        self.reader.n_rows().is_some_and(|rows| rows.saturating_mul(self.classes().len()) > numbers)
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
                Some(sample) => rows.append(sample).map_err(|error| self.conversion().not_kept(&error))?,
                None => return Ok((rows, true)),
            }
        }
        Ok((rows, false))
    }
}
