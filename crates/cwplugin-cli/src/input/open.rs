//! Opens a table: first the file with its options and labels elsewhere, then the meaning of its columns.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cwplugin::Scores;
use cwplugin::data::{classes_hint, quoted};

use super::columns::{self, Request};
use super::conversion::{Conversion, Notes};
use super::features::{self, FeatureColumns};
use super::label_file::LabelFile;
use super::labels::{LabelOptions, Names};
use super::plain::for_each_text;
use super::preparation::Preparation;
use super::{Columns, Input, Labels, Layout, Needs, replies};
use crate::args::{Data, From};
use crate::table::{Format, ReadOptions, Reader, ReplyOptions};
use crate::user_error::UserError;

/// A table that is open, before the meaning of its columns is known.
pub(super) struct Opened {
    reader: Reader,
    /// The options of the user and of the model; the label is that of the table.
    data: Data,
    /// Labels in another table.
    joined: Option<LabelFile>,
    replies: Option<Arc<ReplyOptions>>,
}

impl Opened {
    /// Opens the table, and that of the labels.
    pub(super) fn new(path: &Path, data: &Data, needs: Needs) -> anyhow::Result<Self> {
        let Needs { labels, model, .. } = needs;
        let mut data = match model {
            Some((model, path)) => data.with_input_of(model.input(), path)?,
            None => data.clone(),
        };
        refuse_idle_missing(&data)?;
        let label = data.label.clone();
        let array = Some(PathBuf::from(&label))
            .filter(|path| labels != Labels::Ignored && Format::of_name(path) == Some(Format::Npy));
        let may_be_joined = labels != Labels::Ignored && LabelFile::is_named(&label);
        let may_be_absent = labels != Labels::Ignored && array.is_none() && LabelFile::is_absent(&label);
        let join = |data: &Data| LabelFile::read(Path::new(&label), data.id.first());
        let mut joined = None;
        if data.replies.from.is_some() {
            if may_be_absent {
                return Err(LabelFile::absent(&label, "", "a field beside the reply").into());
            }
            joined = may_be_joined.then(|| join(&data)).transpose()?;
        }
        if joined.is_some() {
            data.label = "label".into();
        }
        let classes = model.map(|(model, _)| model.classes());
        let replies = replies::options(path, &data, classes, joined.as_ref())?;
        let options = ReadOptions {
            format: data.format,
            delimiter: data.delimiter,
            label_file: array.clone(),
            replies: replies.clone(),
            ..ReadOptions::default()
        };
        let reader = Reader::open(path, &options)?;
        if joined.is_none() && reader.schema().index_of(&label).is_err() {
            if may_be_absent {
                let (table, columns) = (reader.name(), reader.schema());
                let columns = quoted(columns.fields().iter().map(|field| field.name()));
                let also = format!(", and no such column in {table}, which has {columns}");
                return Err(LabelFile::absent(&label, &also, &format!("a column of {table}")).into());
            }
            joined = may_be_joined.then(|| join(&data)).transpose()?;
        }
        if array.is_some() || joined.is_some() {
            data.label = "label".into();
        }
        Ok(Self { reader, data, joined, replies })
    }

    /// Determines the meaning of the columns.
    pub(super) fn with_meaning(self, needs: Needs, features: &[String]) -> anyhow::Result<Input> {
        let Self { mut reader, data, joined, replies } = self;
        let mut notes = Vec::new();
        let layout = layout(&mut reader, &data, joined.as_ref(), needs, features, &mut notes)?;
        let first = reader.peek()?;
        let preparation =
            Preparation::recognise(&data, &layout, first.as_ref(), replies.is_some(), &mut notes);
        let warnings = preparation.warnings(first.as_ref(), &layout);
        let names = if needs.labels == Labels::Ignored { None } else { Some(names(&data, &layout)?) };
        let features = match features {
            [] => None,
            items => Some(FeatureColumns::open(items, &layout.features)?),
        };
        features.as_ref().map_or(Ok(()), |features| features.check_width(needs))?;
        let conversion = Conversion {
            file: reader.name().to_string(),
            schema: reader.schema(),
            class_names: layout.classes.as_slice().into(),
            layout,
            names,
            joined,
            features,
            preparation,
            replies,
            fitted_on: needs
                .model
                .and_then(|(model, path)| Some((model.input().votes?, path.display().to_string()))),
            notes: Notes::new(notes, warnings),
            data,
        };
        Ok(Input { reader, conversion: Arc::new(conversion) })
    }
}

/// The meaning of the columns; `notes` gets what was recognised. Columns without one are not read if the command does not need them.
fn layout(
    reader: &mut Reader,
    data: &Data,
    joined: Option<&LabelFile>,
    needs: Needs,
    features: &[String],
    notes: &mut Vec<String>,
) -> anyhow::Result<Layout> {
    let request = Request {
        data,
        labels: if joined.is_some() { Labels::Ignored } else { needs.labels },
        model: needs.model,
        features: features.iter().filter(|item| !features::is_file(item)).cloned().collect(),
        id: joined.map(|joined| joined.id.as_str()),
        file: reader.name().to_string(),
        format: reader.format(),
    };
    let schema = match reader.format() {
        Format::Csv | Format::Tsv => columns::trimmed(&reader.schema()),
        _ => reader.schema().as_ref().clone(),
    };
    let Some(mut layout) = request.by_name(&schema)? else {
        // The classes are the numeric columns: look at some rows.
        return Ok(request.by_content(&schema, reader.peek()?.as_ref(), notes)?);
    };
    if needs.columns == Columns::Meaningful {
        reader.select(&layout.select())?;
    }
    Ok(layout)
}

/// The rule for missing classes is about probabilities.
fn refuse_idle_missing(data: &Data) -> Result<(), UserError> {
    let scores = data.scores.filter(|scores| matches!(scores, Scores::Logits | Scores::Logprobs));
    let (with, cure) = match (scores, data.replies.from) {
        _ if data.replies.missing.is_none() => return Ok(()),
        (_, Some(From::Votes)) => (
            "--from votes".to_owned(),
            "omit it: a class without votes gets half a vote; write 0 for an empty cell",
        ),
        (Some(scores), _) => {
            let cure = "convert the scores to probabilities, or fill in the empty cells";
            (format!("--scores {}", scores.name()), cure)
        }
        _ => return Ok(()),
    };
    Err(UserError::usage(format!("--missing is not supported with {with}")).hint(cure))
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
                return Err(UserError::new(what).hint(classes_hint(class, &layout.classes)).into());
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
