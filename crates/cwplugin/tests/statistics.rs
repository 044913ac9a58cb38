//! Statistics: any partition of the rows, merged in any order, is the grid fit of the whole to the last bit.

use cwplugin::plugin::Settings;
use cwplugin::plugin::{StatisticsError, StatisticsLine};
use cwplugin::{
    Absent, Error, Model, Outcomes, Probabilities, Reference, Sample, Search, Statistics, Step, Ties,
};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::fits::{plugin, plugin_with};
use crate::support::metrics::class_names;
use crate::support::strategies::{any_choice, any_step, any_table, any_ties, cases, metric, shuffled};
use crate::support::tables::Table;

fn statistics(table: &Table, reference: usize, step: Step) -> Statistics {
    let mut statistics = Statistics::new(class_names(table.m), reference, step).unwrap();
    statistics.add_rows(&table.sample()).unwrap();
    statistics
}

/// The rows in three parts, which may be empty, in any order.
fn parts(table: &Table, seed: u64) -> Vec<Table> {
    let order = shuffled(table.rows.len(), seed);
    let cut = |share: u64| (seed >> share) as usize % (order.len() + 1);
    let (a, b) = (cut(3).min(cut(17)), cut(3).max(cut(17)));
    [&order[..a], &order[a..b], &order[b..]].map(|rows| table.with_rows(rows)).to_vec()
}

/// The model without what statistics do not tell: a fingerprint of the rows, and a warning about their values.
fn as_counted(model: &Model) -> Model {
    let mut document: Value = serde_json::from_str(&model.to_json()).unwrap();
    let fit = document["fit"].as_object_mut().unwrap();
    fit.shift_remove("fingerprint");
    let is_known = |warning: &Value| {
        !["one-hot", "two-valued", "labels-as-predicted", "uneven-weights", "repeated-rows"]
            .contains(&warning["kind"].as_str().unwrap())
    };
    fit["warnings"].as_array_mut().unwrap().retain(is_known);
    Model::from_json(&document.to_string()).unwrap()
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn merged_statistics_of_any_partition_fit_like_the_whole(
        table in any_table(),
        choice in any_choice(),
        step in prop_oneof![any_step(), (2..300_usize).prop_map(|bins| Step::bins(bins).unwrap())],
        ties in any_ties(),
        is_binary in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let metric = metric(&table, choice);
        let search = if is_binary { Search::Binary(step) } else { Search::Grid(step) };
        for reference in 0..table.m {
            let settings = Settings { reference: Reference::Class(reference), search, ties, absent: Absent::Drop };
            let fit = plugin_with(&metric, settings).option("force", true).unscored();
            let whole = as_counted(&fit.fit(&table.sample()).unwrap());
            let mut merged = Statistics::new(class_names(table.m), reference, step).unwrap();
            for part in parts(&table, seed).iter().rev() {
                merged.merge(&statistics(part, reference, step)).unwrap();
            }
            let model = fit.fit_statistics(&merged).unwrap();
            prop_assert_eq!(&model, &whole);
            prop_assert_eq!(model.to_json(), whole.to_json());
            prop_assert_eq!(&merged, &statistics(&table, reference, step));
            prop_assert_eq!(merged.to_json(), statistics(&table, reference, step).to_json());
        }
    }

    #[test]
    fn what_was_counted_in_parts_fits_like_the_whole_with_its_score(
        table in any_table(),
        choice in any_choice(),
        bins in 2..200_usize,
        reference in prop_oneof![Just(Reference::Best), Just(Reference::Largest), Just(Reference::Last)],
        seed in any::<u64>(),
    ) {
        let metric = metric(&table, choice);
        let step = Step::bins(bins).unwrap();
        let settings = Settings { reference, search: Search::Grid(step), ties: Ties::Middle, absent: Absent::Drop };
        let fit = plugin_with(&metric, settings);
        let counted: Vec<(Statistics, Outcomes)> = (0..table.m).map(|class| {
            let mut cuts = Statistics::new(class_names(table.m), class, step).unwrap();
            let mut outcomes = Outcomes::new(table.m);
            for part in parts(&table, seed) {
                cuts.merge(&statistics(&part, class, step)).unwrap();
            }
            let model = fit.fit_statistics(&cuts).unwrap();
            for part in parts(&table, seed) {
                let mut some = Outcomes::new(table.m);
                some.add_sample(&part.sample(), model.rule()).unwrap();
                outcomes.merge(&Outcomes::from_json(&some.to_json()).unwrap()).unwrap();
            }
            (cuts, outcomes)
        }).collect();
        let counted: Vec<(&Statistics, &Outcomes)> = counted.iter().map(|(a, b)| (a, b)).collect();
        prop_assert_eq!(fit.fit_counted(&counted).unwrap(), as_counted(&fit.fit(&table.sample()).unwrap()));
        let tried = counted[0].0.references(reference).unwrap();
        let few: Vec<_> = counted.iter().copied().filter(|(cuts, _)| cuts.reference() != tried[0]).collect();
        let is_refused = matches!(fit.fit_counted(&few), Err(Error::StatisticsDiffer { .. }));
        prop_assert!(is_refused);
    }

    #[test]
    fn documents_and_tables_are_read_back(table in any_table(), bins in 2..200_usize, seed in any::<u64>()) {
        let written = statistics(&table, table.m - 1, Step::bins(bins).unwrap());
        let text = written.to_json();
        let read = Statistics::from_json(&text).unwrap();
        prop_assert_eq!(&read, &written);
        prop_assert_eq!(read.to_json(), text.clone());
        let lines = written.to_lines();
        let in_any_order: Vec<StatisticsLine> =
            shuffled(lines.len(), seed).into_iter().map(|i| lines[i].clone()).collect();
        prop_assert_eq!(Statistics::from_lines(&in_any_order).unwrap().to_json(), text);
    }
}

fn small() -> Statistics {
    let p = Probabilities::new(vec![0.7, 0.2, 0.1, 0.2, 0.5, 0.3, 0.1, 0.1, 0.8, 0.4, 0.3, 0.3], 3).unwrap();
    let sample = Sample::new(p, vec![Some(0), Some(1), Some(2), None]).unwrap();
    let mut statistics = Statistics::new(class_names(3), 2, Step::bins(10).unwrap()).unwrap();
    statistics.add_rows(&sample).unwrap();
    statistics
}

#[test]
fn statistics_that_do_not_belong_together_are_refused_with_both_values() {
    let other = |classes: usize, reference, bins| {
        let other = Statistics::new(class_names(classes), reference, Step::bins(bins).unwrap()).unwrap();
        match small().merge(&other).unwrap_err() {
            Error::StatisticsDiffer { what, ours, theirs } => (what, ours, theirs),
            error => panic!("{error}"),
        }
    };
    let names = class_names(4);
    assert_eq!(other(3, 2, 20), ("grid", "10 bins".into(), "20 bins".into()));
    assert_eq!(other(3, 1, 10), ("reference", names[2].clone(), names[1].clone()));
    assert_eq!(other(4, 2, 10), ("classes", names[..3].join(", "), names.join(", ")));
    let p = Probabilities::new(vec![0.5, 0.5], 2).unwrap();
    let refused = small().add_rows(&Sample::new(p, vec![Some(0)]).unwrap()).unwrap_err();
    assert_eq!(refused, Error::LengthMismatch { what: "classes", found: 2, expected: 3 });
}

#[test]
fn impossible_statistics_are_refused() {
    let new = |classes: &[&str], reference, bins| {
        let classes = classes.iter().map(ToString::to_string).collect();
        Statistics::new(classes, reference, Step::bins(bins).unwrap()).unwrap_err()
    };
    assert_eq!(new(&["a"], 0, 10), Error::TooFewClasses { found: 1 });
    assert_eq!(new(&["a", "a"], 0, 10), Error::DuplicateClass { name: "a".into() });
    assert_eq!(new(&["a", "b"], 2, 10), Error::UnknownReference { class: 2, classes: 2 });
    let names: Vec<String> = (0..1000).map(|i| i.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert!(matches!(new(&names, 0, 1_000_000), Error::TooManyCounters { classes: 1000, .. }));
    assert!(Step::bins(1).is_err() && Step::bins(2_000_000).is_err());
}

#[test]
fn a_document_that_contradicts_itself_is_refused() {
    let text = small().to_json();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in\n{text}");
        Statistics::from_json(&text.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert!(with("\"cwplugin-statistics\"", "\"x\"").contains("not \"cwplugin-statistics\""));
    assert!(with("\"version\": 1", "\"version\": 7").contains("version 7"));
    assert!(with("\"rows\": 3", "\"rows\": 4").contains("\"rows\" is 4"));
    assert!(with("\"bins\": 10", "\"bins\": 11").contains("\"bins\" 11"));
    assert!(
        with("\"reference\": ", "\"reference\": \"zebra\", \"old\": ").contains("unknown class \"zebra\"")
    );
    assert!(with("\"rows\": 1, ", "\"rows\": 2, ").contains("4 rows"));
    assert!(with("{", "").contains("at line"));
    for count in [u64::MAX, u64::MAX - 1, 1 << 63] {
        assert!(with("\"rows\": 1, ", &format!("\"rows\": {count}, ")).contains("the totals are"));
        assert!(with("[[", &format!("[[0, {count}, {count}], [")).contains("but there are"));
    }
    let beyond = with("[[", "[[12, 0, 1], [");
    assert!(beyond.contains("beyond the grid"), "{beyond}");
}

#[test]
fn a_table_that_cannot_be_is_refused_with_its_line() {
    let lines = small().to_lines();
    let with = |change: &dyn Fn(&mut Vec<StatisticsLine>)| {
        let mut lines = lines.clone();
        change(&mut lines);
        Statistics::from_lines(&lines).unwrap_err().to_string()
    };
    let cut = lines.iter().position(|line| line.kind == "cut").unwrap();
    let at = format!("line {}: ", cut + 1);
    assert_eq!(with(&|lines| lines[cut].bin = Some(11)), at.clone() + "the bin is not on the grid");
    assert!(with(&|lines| lines[cut].bin = Some(-1)).contains("below 1e-290"));
    assert!(with(&|lines| lines[cut].rows = Some(-2)).contains("not a number of rows"));
    assert!(with(&|lines| lines[cut].each = Some(f64::NAN)).contains("not a weight"));
    assert!(with(&|lines| lines[cut].kind = "x".into()).contains("unknown kind \"x\""));
    assert!(with(&|lines| lines[cut].label = Some("zebra".into())).contains("unknown class \"zebra\""));
    assert!(
        with(&|lines| drop(lines.remove(cut))).contains("only 2 of 3 labelled rows"),
        "a line is missing"
    );
    let last_cut = lines.iter().rposition(|line| line.kind == "cut").unwrap();
    let without = with(&|lines| drop(lines.remove(last_cut)));
    assert!(without.contains("but there are"), "a line of the reference is missing: {without}");
    for rows in 1..lines.len() {
        assert!(Statistics::from_lines(&lines[..rows]).is_err(), "cut short after {rows} lines");
    }
    assert!(with(&|lines| lines.retain(|line| line.kind != "reference")).contains("\"reference\""));
    assert!(with(&|lines| drop(lines.remove(0))).contains("positions"));
    let unknown =
        StatisticsLine { label: Some("?".into()), rows: Some(3), kind: "unknown".into(), ..lines[0].clone() };
    assert!(with(&|lines| lines.push(unknown.clone())).contains("3 rows have the unknown label \"?\""));
}

#[test]
fn nothing_counted_is_nothing_to_fit() {
    let empty = Statistics::new(class_names(2), 0, Step::HUNDREDTH).unwrap();
    assert_eq!(empty.largest_class(), None);
    let refused = plugin(cwplugin::metric::MacroF1).fit_statistics(&empty).unwrap_err();
    assert_eq!(refused, Error::NoLabelledRows);
    assert_eq!(small().largest_class(), Some(0));
    let unknown = Statistics::from_json("[]").unwrap_err();
    assert_eq!(unknown, StatisticsError::WrongFormat { found: "missing".into() });
}
