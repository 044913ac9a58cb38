//! Who is taken for whom: before, after, and the difference, as tables whose cells are coloured.

use cwplugin::{Confusion, Metric, Side};
use serde_json::{Value, json};

use crate::fit_page::FitPage;
use crate::number::{count, count_change, percent};

/// Shades of a cell, from none on.
const SHADES: f64 = 10.0;

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Value {
    let [clean, fitted] = [Side::Clean, Side::Fitted].map(|side| page.evaluation.outcomes.confusion(side));
    let order = page.order();
    let names: Vec<&str> = order.iter().map(|&class| page.class(class)).collect();
    let table = |id: &str, title: &str, rows: Vec<Value>| json!({"id": id, "title": title, "rows": rows});
    json!({
        "note": page.order_note(),
        "classes": names,
        "is_large": names.len() > crate::order::SEEN_AT_ONCE,
        "tables": [
            table("before", "Before: the black box as it is", matrix(page, &clean, &order)),
            table("after", "After: with the model", matrix(page, &fitted, &order)),
            table("difference", "Difference: after − before", difference(page, &clean, &fitted, &order)),
        ],
    })
}

/// Counts with their share of the row.
fn matrix<M: Metric>(page: &FitPage<M>, confusion: &Confusion, order: &[usize]) -> Vec<Value> {
    let row = |&truth: &usize| {
        let total = confusion.class(truth).truth;
        let cells = order.iter().map(|&predicted| {
            let rows = confusion.get(truth, predicted);
            let share = if total > 0.0 { rows / total } else { 0.0 };
            let note = if rows > 0.0 { Value::from(percent(share)) } else { Value::Null };
            cell(&format!("h{}", shade(share)), &count(rows), &note, truth == predicted)
        });
        json!({"class": page.class(truth), "total": count(total), "cells": cells.collect::<Vec<_>>()})
    };
    order.iter().map(row).collect()
}

/// How the counts changed; the sign stands in the cell, for the colour alone says nothing to some.
fn difference<M: Metric>(
    page: &FitPage<M>,
    clean: &Confusion,
    fitted: &Confusion,
    order: &[usize],
) -> Vec<Value> {
    let row = |&truth: &usize| {
        let total = clean.class(truth).truth;
        let cells = order.iter().map(|&predicted| {
            let change = fitted.get(truth, predicted) - clean.get(truth, predicted);
            let share = if total > 0.0 { change.abs() / total } else { 0.0 };
            let kind = if change > 0.0 { "u" } else { "d" };
            cell(&format!("{kind}{}", shade(share)), &count_change(change), &Value::Null, truth == predicted)
        });
        json!({"class": page.class(truth), "total": count(total), "cells": cells.collect::<Vec<_>>()})
    };
    order.iter().map(row).collect()
}

fn cell(shade: &str, text: &str, note: &Value, is_diagonal: bool) -> Value {
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
        assert_eq!(cell("h0", "", &Value::Null, false)["shade"], Value::Null);
        assert_eq!(cell("h10", "", &Value::Null, false)["shade"], "h10");
    }
}
