//! The pool and the test rows.

use std::collections::BTreeSet;
use std::path::Path;

use cwplugin::compare::{Noise, Shift};
use cwplugin::data::{classes_hint, quoted};
use cwplugin::{Error, Sample};

use crate::args::{ClassShare, Compare, Data, TestColumn};
use crate::input::{Columns, Input, Needs, column_texts};
use crate::output::{Progress, Screen};
use crate::user_error::UserError;

/// Distinct values of a column in an error message, at most.
const MOST_VALUES: usize = 20;

/// The rows of a comparison.
pub(super) struct Rows {
    pub(super) file: String,
    pub(super) classes: Vec<String>,
    /// Number of rows of the table.
    pub(super) in_table: usize,
    /// Samples are drawn from it.
    pub(super) pool: Part,
    pub(super) test: Part,
}

/// Some rows of the table.
pub(super) struct Part {
    pub(super) sample: Sample,
    /// Their indices in the table, from 0.
    pub(super) rows: Vec<usize>,
}

impl Part {
    fn of(table: &Sample, rows: Vec<usize>) -> Self {
        Self { sample: table.select(&rows), rows }
    }

    /// The rows that a shift leaves.
    fn shifted(self, shift: &Shift, seed: u64) -> Result<Self, Error> {
        let left = shift.remaining_rows(&self.sample, seed)?;
        let rows = left.iter().map(|&row| self.rows[row]).collect();
        Ok(Self { sample: self.sample.select(&left), rows })
    }
}

/// Reads the table, splits off the test rows and shifts both.
pub(super) fn read(args: &Compare, seed: u64, screen: &Screen) -> anyhow::Result<Rows> {
    let mut data = args.data.clone();
    // The column of the test rows is not a class, even if it is numeric.
    data.id.extend(args.test_column.as_ref().map(|column| column.name.clone()));
    let columns = if args.test_column.is_some() { Columns::All } else { Columns::Meaningful };
    let input = Input::open(
        &args.path,
        &data,
        Needs { columns, features: &args.features, ..Needs::LABELLED },
        screen,
    )?;
    let (file, classes) = (input.name().to_string(), input.classes().to_vec());
    let shifts = shifts(&args.shift, &classes)?;
    noise(&args.noise, &classes)?; // a wrong name fails before the work
    let mut progress = screen.progress("reading");
    let (table, pool, test) = match &args.test_column {
        None => {
            let (table, _) = input.read_sample(&mut progress)?;
            let (pool, test) = table.split_rows(args.test_share, seed).map_err(|error| {
                UserError::new(format!("{file}: {error}")).hint("label more rows, or change --test-share")
            })?;
            (table, pool, test)
        }
        Some(column) => by_column(input, column, &mut progress)?,
    };
    drop(progress);
    let (in_table, pool, test) = (table.n_rows(), Part::of(&table, pool), Part::of(&table, test));
    drop(table);
    let shifted = |part: Part, rows_are: &str| {
        let shifted = shifts.iter().try_fold(part, |part, shift| part.shifted(shift, seed));
        shifted.map_err(|error| {
            let Error::ClassGone { class } = error else { return UserError::new(format!("{file}: {error}")) };
            let class = &classes[class];
            UserError::new(format!("{file}: --shift leaves no row of class \"{class}\" in the {rows_are}"))
                .hint("use a smaller share")
        })
    };
    Ok(Rows { in_table, pool: shifted(pool, "pool")?, test: shifted(test, "test rows")?, file, classes })
}

/// The class names, the pool, and the test rows: the labelled rows whose column `name` is `value`. Features are columns or
/// files, as for `--features`.
///
/// # Errors
///
/// If the table cannot be read, or one of the parts has no labelled row.
pub fn read_split(
    path: &Path,
    (name, value): (&str, &str),
    features: &[String],
    screen: &Screen,
) -> anyhow::Result<(Vec<String>, Sample, Sample)> {
    let needs = Needs { columns: Columns::All, features, ..Needs::LABELLED };
    let input = Input::open(path, &Data::plain(), needs, screen)?;
    let classes = input.classes().to_vec();
    let column = TestColumn { name: name.into(), value: value.into() };
    let (table, pool, test) = by_column(input, &column, &mut screen.progress("reading"))?;
    Ok((classes, table.select(&pool), table.select(&test)))
}

/// The table, the rows whose column is not the value, labelled or not, and the labelled rows whose column is.
fn by_column(
    input: Input,
    column: &TestColumn,
    progress: &mut Progress,
) -> anyhow::Result<(Sample, Vec<usize>, Vec<usize>)> {
    let (file, name) = (input.name().to_string(), column.name.clone());
    let index = input.conversion.schema.index_of(&name).map_err(|_| {
        UserError::new(format!("{file}: no column \"{name}\""))
            .hint("--test-column NAME=VALUE selects the test rows")
    })?;
    let conversion = input.conversion.clone();
    let mut chunks = input.map(move |chunk| {
        let texts = column_texts(&chunk.batch, index)?;
        Ok((chunk.sample, texts))
    })?;
    let mut rows: Option<Sample> = None;
    let (mut is_test, mut seen) = (Vec::new(), BTreeSet::new());
    while let Some((sample, texts)) = chunks.next(progress)? {
        is_test.extend(texts.iter().map(|text| *text == column.value));
        if seen.len() <= MOST_VALUES {
            seen.extend(texts);
        }
        match &mut rows {
            Some(rows) => rows.append(sample).map_err(|error| conversion.not_kept(&error))?,
            None => rows = Some(sample),
        }
    }
    let Some(rows) = rows.filter(|rows| rows.n_labelled() > 0) else {
        return Err(conversion.no_labelled_rows().into());
    };
    let (test, pool): (Vec<usize>, Vec<usize>) = (0..rows.n_rows()).partition(|&row| is_test[row]);
    let test: Vec<usize> = test.into_iter().filter(|&row| rows.label(row).is_some()).collect();
    if test.is_empty() || !pool.iter().any(|&row| rows.label(row).is_some()) {
        let whose = if test.is_empty() { "no labelled row has" } else { "every labelled row has" };
        let what = format!("{file}: {whose} \"{}\" in column \"{name}\"", column.value);
        let values = quoted(&seen);
        return Err(UserError::new(what).hint(format!("its values are {values}")).into());
    }
    Ok((rows, pool, test))
}

/// The requested shifts.
///
/// # Errors
///
/// If a class is unknown.
pub fn shifts(requested: &[ClassShare], classes: &[String]) -> anyhow::Result<Vec<Shift>> {
    requested.iter().map(|one| Ok(Shift::new(classes_of(one, "--shift", classes)?, one.share)?)).collect()
}

/// The requested noise.
///
/// # Errors
///
/// If a class is unknown or named twice.
pub fn noise(requested: &[ClassShare], classes: &[String]) -> anyhow::Result<Vec<Noise>> {
    let (mut noise, mut seen) = (Vec::new(), BTreeSet::new());
    for one in requested {
        for class in classes_of(one, "--noise", classes)? {
            if !seen.insert(class) {
                let what = format!("--noise names class \"{}\" twice", classes[class]);
                return Err(UserError::usage(what).hint("give each class one share").into());
            }
            noise.push(Noise::new(class, one.share)?);
        }
    }
    Ok(noise)
}

fn classes_of(requested: &ClassShare, flag: &str, classes: &[String]) -> Result<Vec<usize>, UserError> {
    let find = |name: &str| classes.iter().position(|class| class == name.trim());
    // The name of a single class may have a comma.
    if let Some(class) = find(&requested.classes) {
        return Ok(vec![class]);
    }
    let of_name = |name: &str| {
        find(name).ok_or_else(|| {
            let ClassShare { classes: given, share } = requested;
            UserError::usage(format!("{flag} {given}:{share}: unknown class \"{}\"", name.trim()))
                .hint(classes_hint(name.trim(), classes))
        })
    };
    requested.classes.split(',').map(of_name).collect()
}
