//! Confusion matrices before and after, and their difference, as tables with shaded cells.

use cwplugin::{Confusion, Metric, Side};
use serde_json::{Value, json};

use crate::fit_page::FitPage;
use crate::number::{count, count_change, percent};

/// With more classes, cells show one number, so that before and after fit side by side on a desktop.
const MOST_SPACIOUS: usize = 8;

/// Shades of a cell, beside none.
const SHADES: f64 = 10.0;

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Value {
    let [clean, fitted] = [Side::Clean, Side::Fitted].map(|side| page.evaluation.outcomes.confusion(side));
    let order = page.drawn();
    let is_large = order.len() > MOST_SPACIOUS;
    let table = |id: &str, title: &str, cell: &dyn Fn(usize, usize) -> Value| {
        let row = |&truth: &usize| {
            let cells: Vec<Value> = order.iter().map(|&predicted| cell(truth, predicted)).collect();
            json!({"class": page.class(truth), "total": count(clean.class(truth).truth), "cells": cells})
        };
        json!({"id": id, "title": title, "rows": order.iter().map(row).collect::<Vec<_>>()})
    };
    let counted = |confusion: &Confusion, truth: usize, predicted: usize| {
        let rows = confusion.get(truth, predicted);
        let share = share(rows, confusion.class(truth).truth);
        let note = (rows > 0.0 && !is_large).then(|| percent(share));
        let text = if rows == 0.0 && is_large { String::new() } else { count(rows) };
        cell(&format!("h{}", shade(share)), &text, note.as_deref(), truth == predicted)
    };
    let changed = |truth: usize, predicted: usize| {
        let change = fitted.get(truth, predicted) - clean.get(truth, predicted);
        let share = share(change, clean.class(truth).truth);
        // The sign repeats what the colour says.
        let (kind, sign) = if change > 0.0 { ("u", "+") } else { ("d", "−") };
        let note = (change != 0.0 && !is_large).then(|| format!("{sign}{}", percent(share.abs())));
        let text = if change == 0.0 && is_large { String::new() } else { count_change(change) };
        cell(&format!("{kind}{}", shade(share.abs())), &text, note.as_deref(), truth == predicted)
    };
    json!({
        "note": page.order_note(),
        "classes": order.iter().map(|&class| page.class(class)).collect::<Vec<_>>(),
        "is_large": is_large,
        "is_weighted": page.is_weighted(),
        "tables": [
            table("before", "Before: unadjusted", &|truth, predicted| counted(&clean, truth, predicted)),
            table("after", "After: fitted", &|truth, predicted| counted(&fitted, truth, predicted)),
            table("difference", "Difference: after − before", &changed),
        ],
    })
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn cell(shade: &str, text: &str, note: Option<&str>, is_diagonal: bool) -> Value {
    let shade = Some(shade).filter(|shade| !shade.ends_with('0') || shade.ends_with("10"));
    json!({"shade": shade, "text": text, "note": note, "is_diagonal": is_diagonal})
}

/// Rounded up, so that no cell with rows looks empty.
fn shade(share: f64) -> u8 {
    (share * SHADES).ceil().clamp(0.0, SHADES) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_with_rows_looks_empty() {
        assert_eq!([0.0, 1e-6, 0.1, 0.11, 1.0, 1.0 + 1e-12].map(shade), [0, 1, 1, 2, 10, 10]);
        assert_eq!(cell("h0", "", None, false)["shade"], Value::Null);
        assert_eq!(cell("h10", "", None, false)["shade"], "h10");
    }
}
