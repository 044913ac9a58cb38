//! `cost:FILE.csv`: a cost matrix.

use std::path::Path;

use cwplugin::data::quoted;

use crate::user_error::UserError;
use crate::whole_file::{SMALL, csv_lines, read_text};

/// A cost matrix `[truth, predicted]`: m × m numbers in the order of the classes, or the same with a header of
/// predicted classes and a first column of true ones.
pub(super) fn read(path: &Path, classes: &[String]) -> anyhow::Result<Vec<f64>> {
    let (file, m) = (path.display(), classes.len());
    let shape = || {
        format!(
            "a cost matrix has one row and one column per class ({m} × {m} numbers), optionally with a header line of predicted \
             classes and a first column of true classes"
        )
    };
    let text = read_text(path, "a cost matrix", SMALL, "cost:FILE names a CSV file with a cost matrix")?;
    let rows = csv_lines(&text).map_err(|error| UserError::new(format!("{file}: {error}")).hint(shape()))?;
    let width = rows.first().map_or(0, csv::StringRecord::len);
    if let Some(ragged) = rows.iter().position(|row| row.len() != width) {
        let what =
            format!("{file}: line {} has {} fields, line 1 has {width}", ragged + 1, rows[ragged].len());
        return Err(UserError::new(what).hint(shape()).into());
    }
    let is_square = |side: usize| rows.len() == side && rows.iter().all(|row| row.len() == side);
    let (truths, predictions) = if is_square(m) {
        ((0..m).collect(), (0..m).collect())
    } else if is_square(m + 1) {
        let truths: Vec<&str> = rows[1..].iter().map(|row| &row[0]).collect();
        let predictions: Vec<&str> = rows[0].iter().skip(1).collect();
        (positions(&truths, classes, &file)?, positions(&predictions, classes, &file)?)
    } else {
        let what = format!("{file}: the table is {} × {width}, but there are {m} classes", rows.len());
        return Err(UserError::new(what).hint(shape()).into());
    };
    let skip = rows.len() - m;
    let cost = |i: usize, j: usize| {
        let (row, column) = (truths[i] + skip, predictions[j] + skip);
        let value = &rows[row][column];
        value.parse::<f64>().ok().filter(|cost| cost.is_finite()).ok_or_else(|| {
            let place = format!("{file}: line {}, field {}", row + 1, column + 1);
            UserError::new(format!("{place}: \"{value}\" is not a finite number")).hint(shape())
        })
    };
    let cells = (0..m).flat_map(|i| (0..m).map(move |j| (i, j)));
    Ok(cells.map(|(i, j)| cost(i, j)).collect::<Result<_, _>>()?)
}

/// The place of each class among the names of a cost matrix.
fn positions(
    names: &[&str],
    classes: &[String],
    file: &dyn std::fmt::Display,
) -> Result<Vec<usize>, UserError> {
    let place = |class: &String| {
        names.iter().position(|name| name == class).ok_or_else(|| {
            let names = quoted(names);
            UserError::new(format!("{file}: class \"{class}\" is missing; the file names {names}"))
                .hint("name the rows and columns of the cost matrix after the classes")
        })
    };
    classes.iter().map(place).collect()
}
