//! Tables of metrics and classes.

use cwplugin::evaluate::Interval;
use cwplugin::{Evaluation, Side};

use crate::output::{Align, Table};

/// Every metric with confidence intervals; in a narrow terminal only the gain has one.
pub(crate) fn metric_table(evaluation: &Evaluation, width: usize) -> String {
    let wide = metrics(evaluation, Intervals::All);
    let narrow = || metrics(evaluation, Intervals::Gain).to_text(width);
    if !evaluation.has_model || wide.fits(width) { wide.to_text(width) } else { narrow() }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Intervals {
    All,
    Gain,
}

fn metrics(evaluation: &Evaluation, intervals: Intervals) -> Table {
    let sides = if evaluation.has_model { &["unadjusted", "fitted"][..] } else { &["unadjusted"] };
    let has_all = intervals == Intervals::All;
    let mut columns = vec![("metric", Align::Left)];
    for &side in sides {
        columns.push((side, Align::Right));
        columns.extend(has_all.then_some(("95% CI", Align::Left)));
    }
    if evaluation.has_model {
        columns.extend([("gain", Align::Gain), ("95% CI", Align::Left)]);
    }
    let rows = evaluation.metrics.iter().zip(&evaluation.scores).map(|(metric, score)| {
        let mut row = vec![metric.clone()];
        for Interval { value, low, high, .. } in [score.clean, score.fitted].into_iter().take(sides.len()) {
            row.push(format!("{value:.4}"));
            let to = if low < 0.0 { " to " } else { "–" };
            row.extend(has_all.then(|| format!("{low:.4}{to}{high:.4}")));
        }
        if evaluation.has_model {
            let gain = score.gain;
            row.extend([format!("{:+.4}", gain.value), format!("{:+.4} to {:+.4}", gain.low, gain.high)]);
        }
        row
    });
    Table::new(&columns, rows)
}

/// Precision, recall and F1 of each class.
pub(crate) fn class_table(evaluation: &Evaluation, width: usize) -> String {
    let mut columns = vec![("class", Align::Name), ("rows", Align::Right)];
    columns.extend(["precision", "recall", "F1"].map(|title| (title, Align::Right)));
    let [clean, fitted] = [Side::Clean, Side::Fitted].map(|side| evaluation.outcomes.confusion(side));
    let rows = evaluation.classes.iter().enumerate().map(|(class, name)| {
        let mut row = vec![name.clone(), count(clean.class(class).truth)];
        let [before, after] = [&clean, &fitted].map(|confusion| confusion.class(class).rates());
        row.extend(before.iter().zip(after).map(|(before, after)| {
            if evaluation.has_model { format!("{before:.3} → {after:.3}") } else { format!("{before:.3}") }
        }));
        row
    });
    Table::new(&columns, rows).to_text(width)
}

/// A number of rows, or their weight.
pub(super) fn count(n: f64) -> String {
    if n.fract().abs() < 1e-9 { format!("{n:.0}") } else { format!("{n:.3}") }
}
