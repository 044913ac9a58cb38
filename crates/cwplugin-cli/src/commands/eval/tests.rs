//! The output at several widths.

use cwplugin::metric::plain_names;
use insta::assert_snapshot;
use unicode_width::UnicodeWidthStr as _;

use super::*;
use crate::output::rendered;

/// An evaluation of `m` classes, each often confused with the next two, before and after.
fn evaluation(m: usize) -> Evaluation {
    let names = ["negative", "neutral", "positive", "未分類", "a rather long name of a class", "x_1"];
    let classes: Vec<String> =
        (0..m).map(|k| names.get(k).map_or_else(|| format!("class_{k}"), ToString::to_string)).collect();
    let mut rows = Vec::new();
    let mut labels = Vec::new();
    for truth in 0..m {
        for i in 0..30 {
            let predicted = if i < 20 { truth } else { (truth + 1 + i % 2) % m };
            let mut row = vec![0.4 / m as f64; m];
            row[predicted] += 0.35;
            row[truth] += 0.25;
            rows.push(row);
            labels.push(classes[truth].clone());
        }
    }
    let sample = cwplugin::Sample::from_rows(rows, &classes).unwrap().labels(labels).unwrap();
    let weights: Vec<f64> = (0..m).map(|k| if k == 0 { 1.6 } else { 1.0 }).collect();
    let mut outcomes = Outcomes::new(m);
    outcomes.add_sample(&sample, &cwplugin::Weights::new(weights).unwrap().into()).unwrap();
    let metrics: Vec<_> =
        plain_names().map(|name| cwplugin::metric::by_name(name, &classes).unwrap()).collect();
    Evaluation::new(classes, outcomes, 0, &metrics, Some(&[]), (20, 0)).unwrap()
}

/// The output without colours.
fn printed(evaluation: &Evaluation, shown: Shown, width: usize) -> String {
    rendered(&text(evaluation, shown, width), false)
}

#[test]
fn every_line_fits_the_width() {
    for m in [2, 6, 20, 100] {
        let evaluation = evaluation(m);
        for width in [60, 80, 140] {
            for shown in [Shown::Largest, Shown::Full] {
                let plain = printed(&evaluation, shown, width);
                for line in plain.lines() {
                    assert!(line.width() <= width, "{m} classes, {width} columns: {line}");
                }
            }
        }
    }
}

#[test]
fn six_classes_in_60_columns() {
    assert_snapshot!(printed(&evaluation(6), Shown::Largest, 60));
}

#[test]
fn six_classes_in_80_columns() {
    assert_snapshot!(printed(&evaluation(6), Shown::Largest, 80));
}

#[test]
fn twenty_classes_in_80_columns() {
    assert_snapshot!(printed(&evaluation(20), Shown::Largest, 80));
}

#[test]
fn many_classes_are_listed_by_their_largest_confusions() {
    let evaluation = evaluation(20);
    let list = printed(&evaluation, Shown::Largest, usize::MAX);
    assert!(list.contains("  15 of 40; --full prints the 20 × 20 matrix"), "{list}");
    assert!(!list.contains("truth ╲ predicted"), "{list}");
    let full = printed(&evaluation, Shown::Full, usize::MAX);
    assert_eq!(full.matches("truth ╲ predicted").count(), 2, "{full}");
}
