//! Opens a table: first the file with its options and labels elsewhere, then the meaning of its columns.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cwplugin::data::{classes_hint, quoted};

use super::columns::{self, Request};
use super::conversion::{Conversion, Notes};
use super::features::{FeatureColumns, Wanted};
use super::form;
use super::idle::{self, Form};
use super::label_file::LabelFile;
use super::labels::{LabelOptions, Names};
use super::plain::for_each_text;
use super::recognition::FirstRows;
use super::{Columns, Input, Labels, Layout, Needs, replies};
use crate::args::{Data, Remembered};
use crate::output::Screen;
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
    /// What is unlike the input of the model's fit.
    notes: Vec<String>,
}

impl Opened {
    /// Opens the table, and that of the labels.
    pub(super) fn new(path: &Path, given: &Data, needs: Needs, screen: &Screen) -> anyhow::Result<Self> {
        let Needs { labels, model, .. } = needs;
        let classes = model.map(|(model, _)| model.classes());
        let mut data = match model {
            Some((model, path)) => given.with_input_of(model.input(), path)?,
            None => given.clone(),
        };
        let mut notes = Vec::new();
        form::settle(path, &mut data, classes, &mut notes)?;
        let label = data.label.clone();
        let array = Some(PathBuf::from(&label))
            .filter(|path| labels != Labels::Ignored && Format::of_name(path) == Some(Format::Npy));
        let may_be_joined = labels != Labels::Ignored && LabelFile::is_named(&label);
        let may_be_absent = labels != Labels::Ignored && array.is_none() && LabelFile::is_absent(&label);
        let join = |data: &Data| LabelFile::read(Path::new(&label), data.id.first());
        let mut joined = None;
        let mut form = Form::Table;
        if let Some(from) = data.replies.from {
            form = replies::form(path, from, &data)?;
            idle::refuse(given, form)?;
            if may_be_absent {
                return Err(LabelFile::absent(&label, "", "a field beside the reply").into());
            }
            joined = may_be_joined.then(|| join(&data)).transpose()?;
        }
        if joined.is_some() {
            data.label = "label".into();
        }
        let replies = replies::options(path, (form, &data), classes, joined.as_ref(), screen)?;
        let options = ReadOptions {
            format: data.format,
            delimiter: data.delimiter,
            label_file: array.clone(),
            replies: replies.clone(),
            ..ReadOptions::default()
        };
        let mut progress = screen.progress("reading");
        let reader = Reader::open_watched(path, &options, &mut |bytes, rows| progress.read(bytes, rows))?;
        drop(progress);
        if form == Form::Table {
            idle::refuse(given, form)?; // a file of replies has been recognised by now
        }
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
        if replies.is_some() {
            data.normalize = false; // a model may have been fitted on a table
        }
        Ok(Self { reader, data, joined, replies, notes })
    }

    /// Determines the meaning of the columns.
    pub(super) fn with_meaning(self, needs: Needs, features: &[Wanted]) -> anyhow::Result<Input> {
        let Self { mut reader, data, joined, replies, mut notes } = self;
        let layout = layout(&mut reader, &data, joined.as_ref(), needs, features, &mut notes)?;
        let first = reader.peek()?;
        let first = FirstRows::new(&data, &layout, first.as_ref(), replies.is_some());
        let preparation = first.preparation(&mut notes);
        let warnings = first.warnings(preparation);
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
            is_cut: reader.is_cut(),
            layout,
            names,
            joined,
            features,
            preparation,
            columns: needs.columns,
            files: reader.files(),
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
    features: &[Wanted],
    notes: &mut Vec<String>,
) -> anyhow::Result<Layout> {
    let request = Request {
        data,
        labels: if joined.is_some() { Labels::Ignored } else { needs.labels },
        model: needs.model,
        features: features.iter().filter_map(Wanted::column).cloned().collect(),
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
    if layout.single.is_none()
        && let Remembered { model, positive: Some(positive), .. } = &data.remembered
    {
        notes.push(format!("every class has a column, not only \"{positive}\" as in the fit of {model}"));
    }
    if needs.columns == Columns::Meaningful {
        reader.select(&layout.select())?;
    }
    Ok(layout)
}

/// How labels are matched to the classes.
fn names(data: &Data, layout: &Layout) -> anyhow::Result<Names> {
    let mut map = HashMap::new();
    if let Some(path) = &data.label_map {
        let reader = Reader::open(path, &ReadOptions::default())?;
        let (file, schema) = (reader.name().to_owned(), reader.schema());
        let columns = schema.fields().len();
        if columns < 2 {
            let what = format!("{file}: --label-map needs two columns, the label and its class");
            return Err(UserError::new(what)
                .hint("for example `label,class`, then `0,ham` and `1,spam`")
                .into());
        }
        let second = schema.field(1).name();
        if layout.classes.contains(second) {
            let what = format!("{file}: the first line names class \"{second}\", but it must be a header");
            return Err(UserError::new(what).hint("begin with a line such as `label,class`").into());
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
