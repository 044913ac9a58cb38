//! The pool and the test rows.

use std::collections::BTreeSet;
use std::path::Path;

use cwplugin::{Error, Noise, Sample, Shift};

use crate::args::{Compare, Data, Spoil, TestColumn};
use crate::input::{Columns, Input, Want, column_texts, quoted};
use crate::output::{Progress, Screen};
use crate::refusal::Refusal;

/// So many different values of a column are remembered, for the error message.
const MOST_VALUES: usize = 20;

/// What the methods are compared on.
pub(super) struct Rows {
    pub(super) file: String,
    pub(super) classes: Vec<String>,
    /// Samples are drawn from it.
    pub(super) pool: Sample,
    pub(super) test: Sample,
}

/// Reads the table, takes the test rows out of it and shifts both.
pub(super) fn read(args: &Compare, seed: u64, screen: &Screen) -> anyhow::Result<Rows> {
    let mut data = args.data.clone();
    // Whatever tells the test rows is no class, even if it is a number.
    data.id.extend(args.test_column.as_ref().map(|column| column.name.clone()));
    let columns = if args.test_column.is_some() { Columns::All } else { Columns::Meaningful };
    let input = Input::open(&args.path, &data, Want { columns, features: &args.features, ..Want::LABELLED })?;
    let (file, classes) = (input.name().to_string(), input.classes().to_vec());
    let shifts = shifts(&args.shift, &classes)?;
    noise(&args.noise, &classes)?; // a wrong name is told before the work
    let mut progress = screen.progress("reading");
    let (pool, test) = match &args.test_column {
        None => {
            let (sample, _) = input.read_sample(&mut progress)?;
            sample.split(args.test_share, seed).map_err(|error| {
                Refusal::new(format!("{file}: {error}")).hint("label more rows, or change --test-share")
            })?
        }
        Some(column) => by_column(input, column, &mut progress)?,
    };
    drop(progress);
    let shifted = |sample: Sample, rows_are: &str| {
        shifts.iter().try_fold(sample, |sample, shift| shift.apply(&sample, seed)).map_err(
            |error| match error {
                Error::ClassGone { class } => Refusal::new(format!(
                    "{file}: --shift leaves no row of class \"{}\" in the {rows_are}",
                    classes[class]
                ))
                .hint("delete a smaller share"),
                error => Refusal::new(format!("{file}: {error}")),
            },
        )
    };
    Ok(Rows { pool: shifted(pool, "pool")?, test: shifted(test, "test rows")?, file, classes })
}

/// The names of the classes, the rows to draw samples from and the labelled rows whose column `name` holds `value`, which are
/// for testing. Features are columns or files, as for `--features`.
///
/// # Errors
///
/// If the table cannot be read, or one of the two parts has no labelled row.
pub fn read_split(
    path: &Path,
    (name, value): (&str, &str),
    features: &[String],
    screen: &Screen,
) -> anyhow::Result<(Vec<String>, Sample, Sample)> {
    let want = Want { columns: Columns::All, features, ..Want::LABELLED };
    let input = Input::open(path, &Data::plain(), want)?;
    let classes = input.classes().to_vec();
    let column = TestColumn { name: name.into(), value: value.into() };
    let (pool, test) = by_column(input, &column, &mut screen.progress("reading"))?;
    Ok((classes, pool, test))
}

/// The rows whose column does not hold the value, labelled or not, and the labelled rows whose column does.
fn by_column(input: Input, column: &TestColumn, progress: &mut Progress) -> anyhow::Result<(Sample, Sample)> {
    let (file, name) = (input.name().to_string(), column.name.clone());
    let index = input.schema().index_of(&name).map_err(|_| {
        Refusal::new(format!("{file}: no column \"{name}\"")).hint("it tells which rows are for testing")
    })?;
    let conversion = input.conversion();
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
            Some(rows) => rows.append(sample)?,
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
        let values = quoted(seen.iter().map(String::as_str));
        return Err(Refusal::new(what).hint(format!("the column holds {values}")).into());
    }
    Ok((rows.select(&pool), rows.select(&test)))
}

/// The shifts that the user wants, with class numbers.
///
/// # Errors
///
/// If there is no such class.
pub fn shifts(asked: &[Spoil], classes: &[String]) -> anyhow::Result<Vec<Shift>> {
    asked.iter().map(|spoil| Ok(Shift::new(classes_of(spoil, "--shift", classes)?, spoil.share)?)).collect()
}

/// The noise that the user wants, with class numbers.
///
/// # Errors
///
/// If there is no such class.
pub fn noise(asked: &[Spoil], classes: &[String]) -> anyhow::Result<Vec<Noise>> {
    let mut noise = Vec::new();
    for spoil in asked {
        for class in classes_of(spoil, "--noise", classes)? {
            noise.push(Noise::new(class, spoil.share)?);
        }
    }
    Ok(noise)
}

fn classes_of(spoil: &Spoil, flag: &str, classes: &[String]) -> Result<Vec<usize>, Refusal> {
    let find = |name: &str| classes.iter().position(|class| class == name.trim());
    // A class may have a comma in its name: then it stands alone.
    if let Some(class) = find(&spoil.classes) {
        return Ok(vec![class]);
    }
    let of_name = |name: &str| {
        find(name).ok_or_else(|| {
            let names = quoted(classes.iter().map(String::as_str));
            Refusal::usage(format!(
                "{flag} {}:{}: there is no class \"{}\"",
                spoil.classes,
                spoil.share,
                name.trim()
            ))
            .hint(format!("the classes are {names}"))
        })
    };
    spoil.classes.split(',').map(of_name).collect()
}
