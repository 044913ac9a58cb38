//! What changes by class.

use cwplugin::{Model, Outcomes, Side};

use super::Detail;
use super::layout::{Column, fitting_table};
use crate::output::{Align, count_of};

/// Up to this many classes are all shown.
const FEW_CLASSES: usize = 12;

/// Of more classes, those whose predictions change most.
const SHOWN_CLASSES: usize = 10;

/// Predictions, recall and precision of the classes on the labelled rows, before and after; and the weights, if they are
/// the whole rule. `rows` are the labelled rows of each class.
pub(super) fn changes(
    outcomes: &Outcomes,
    model: &Model,
    rows: &[u64],
    detail: Detail,
    width: usize,
) -> String {
    let names = model.classes();
    let n_rows = count_of(outcomes.n_rows(), "fitted row");
    if outcomes.n_changed() == 0 {
        return format!("No prediction changes on the {n_rows}.\n");
    }
    let [before, after] = [Side::Clean, Side::Fitted].map(|side| outcomes.confusion(side));
    let predicted = |class: usize| [before.class(class).predicted, after.class(class).predicted];
    let mut shown: Vec<usize> = (0..names.len()).collect();
    if names.len() > FEW_CLASSES && detail == Detail::Short {
        let change =
            |class: &usize| predicted(*class).into_iter().reduce(|a, b| (a - b).abs()).unwrap_or(0.0);
        shown.sort_by(|a, b| change(b).total_cmp(&change(a)));
        shown.truncate(SHOWN_CLASSES);
    }
    let rate = |class: usize, which: usize| {
        let [before, after] = [&before, &after].map(|side| side.class(class).rates()[which]);
        format!("{before:.2} → {after:.2}")
    };
    let cells = |cell: &dyn Fn(usize) -> String| shown.iter().map(|&class| cell(class)).collect::<Vec<_>>();
    let mut columns = vec![
        Column::new("class", Align::Name, cells(&|class| names[class].clone())),
        Column::new("labelled", Align::Right, cells(&|class| rows[class].to_string())),
        Column::new(
            "predicted",
            Align::Right,
            cells(&|class| {
                let [before, after] = predicted(class).map(amount);
                format!("{before} → {after}")
            }),
        ),
        Column::new("recall", Align::Right, cells(&|class| rate(class, 1))),
        Column::new("precision", Align::Right, cells(&|class| rate(class, 0))),
    ];
    if model.rule().calibration().is_none() {
        let weights = model.weights().as_slice();
        columns
            .insert(2, Column::new("weight", Align::Right, cells(&|class| format!("{:.4}", weights[class]))));
    }
    let title = format!("{} of {n_rows} change class (unadjusted → fitted):\n", outcomes.n_changed());
    let rest = match names.len() - shown.len() {
        0 => String::new(),
        rest => format!("  … and {rest} other classes: --verbose\n"),
    };
    title + &fitting_table(columns, &["labelled", "precision"], width) + &rest
}

/// A number of rows, or their weight.
fn amount(n: f64) -> String {
    if n.fract().abs() < 1e-9 { format!("{n:.0}") } else { format!("{n:.1}") }
}
