//! Laws of the input: different forms of the same data give the same result, bit for bit.
#![allow(clippy::cast_possible_truncation)] // f32 on purpose

use cwplugin::metric::{MacroF1, Mcc};
use cwplugin::plugin::Settings;
use cwplugin::report::PairReport;
use cwplugin::{Absent, Model, Outcomes, Probabilities, Reference, Sample, ScorePair, Side, Weights};
use proptest::prelude::*;

use crate::support::fits::{on_threads, pairs, plugin, plugin_with};
use crate::support::strategies::{
    any_choice, any_search, any_table, any_ties, cases, metric, shuffled, tables_of,
};
use crate::support::tables::{Kind, Table};

fn fit(table: &Table, choice: usize, reference: Reference) -> Model {
    let settings = Settings { reference, absent: Absent::Drop, ..Settings::EXACT };
    plugin_with(metric(table, choice), settings).fit(&table.sample()).unwrap()
}

fn any_reference() -> impl Strategy<Value = Reference> {
    proptest::sample::select(vec![Reference::Largest, Reference::Last, Reference::Best])
}

/// The numbers of a fit, without the numbers of rows.
fn numbers(model: &Model) -> (Weights, Option<ScorePair>, Vec<PairReport>) {
    (model.weights().clone(), model.report().unwrap().score, pairs(model))
}

/// The table with more rows below its own.
fn with_more(table: &Table, more: &[(Option<usize>, f64)]) -> Table {
    let mut longer = table.clone();
    for (i, &(label, weight)) in more.iter().enumerate() {
        longer.rows.push(table.rows[i % table.rows.len()].clone());
        longer.labels.push(label.map(|label| label % table.m));
        longer.weights.push(weight);
    }
    longer
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn permuting_rows_changes_no_bit(
        table in prop_oneof![any_table(), tables_of(Kind::FractionalWeights, 0)],
        choice in any_choice(),
        search in any_search(),
        ties in any_ties(),
        reference in any_reference(),
        seed in any::<u64>(),
    ) {
        let settings = Settings { reference, search, ties, absent: Absent::Drop };
        let fit = plugin_with(metric(&table, choice), settings).option("force", true);
        let permuted = table.with_rows(&shuffled(table.rows.len(), seed));
        prop_assert_eq!(fit.fit(&table.sample()).unwrap(), fit.fit(&permuted.sample()).unwrap());
    }

    #[test]
    fn a_row_of_whole_weight_is_that_many_rows(
        table in tables_of(Kind::IntegerWeights, 0),
        choice in any_choice(),
        reference in any_reference(),
    ) {
        let (weighted, repeated) = (fit(&table, choice, reference), fit(&table.repeated(), choice, reference));
        prop_assert_eq!(numbers(&weighted), numbers(&repeated));
    }

    #[test]
    fn rows_without_label_or_weight_change_nothing(
        table in any_table(),
        choice in any_choice(),
        reference in any_reference(),
        weightless in 0..5_usize,
        unlabelled in 1..5_usize,
    ) {
        let mut more: Vec<_> = (0..weightless).map(|label| (Some(label), 0.0)).collect();
        more.extend(vec![(None, 1.0); unlabelled]);
        let longer = with_more(&table, &more);
        let (with, without) = (fit(&longer, choice, reference), fit(&table, choice, reference));
        prop_assert_eq!(numbers(&with), numbers(&without));
        let [more, fewer] = [&with, &without].map(|model| model.report().unwrap());
        prop_assert_eq!(&more.warnings, &fewer.warnings);
        prop_assert_eq!(more.rows, fewer.rows);
        prop_assert_eq!(more.unlabelled, fewer.unlabelled.map(|rows| rows + unlabelled as u64));
        let count = |table: &Table| {
            let mut outcomes = Outcomes::new(table.m);
            outcomes.add_sample(&table.sample(), without.rule()).unwrap();
            outcomes
        };
        prop_assert_eq!(count(&longer), count(&table));
    }

    #[test]
    fn single_precision_that_holds_the_numbers_gives_the_same_bits(
        table in tables_of(Kind::Continuous, 0),
        choice in any_choice(),
    ) {
        let single: Vec<f32> = table.rows.concat().iter().map(|&b| b as f32).collect();
        let double = single.iter().map(|&b| f64::from(b)).collect();
        let fit = |p: Probabilities| {
            let sample = Sample::new(p, table.labels.clone()).unwrap();
            plugin(metric(&table, choice)).fit(&sample).unwrap()
        };
        prop_assert_eq!(
            fit(Probabilities::from_f32(single, table.m).unwrap()),
            fit(Probabilities::new(double, table.m).unwrap())
        );
    }

    #[test]
    fn chunks_are_one_piece(table in any_table(), chunk in 1..10_usize) {
        let mut chunked = Probabilities::new(Vec::new(), table.m).unwrap();
        for rows in table.rows.chunks(chunk) {
            chunked.append(Probabilities::new(rows.concat(), table.m).unwrap()).unwrap();
        }
        prop_assert_eq!(chunked, table.probabilities());
    }

    #[test]
    fn outcomes_counted_in_pieces_are_outcomes_counted_at_once(table in any_table(), at in 0..40_usize) {
        let rule = Weights::new((1..=table.m).map(|k| k as f64).collect()).unwrap().into();
        let n = table.rows.len();
        let at = at.min(n);
        let mut pieces = Outcomes::new(table.m);
        for rows in [0..at, at..n] {
            let piece = table.with_rows(&rows.collect::<Vec<_>>());
            pieces.add_sample(&piece.sample(), &rule).unwrap();
        }
        let mut whole = Outcomes::new(table.m);
        whole.add_sample(&table.sample(), &rule).unwrap();
        prop_assert_eq!(&pieces, &whole);
        prop_assert_eq!(pieces.intervals(&[Mcc], 20, 3), whole.intervals(&[Mcc], 20, 3));
        let counted: f64 = table.counted().map(|row| row.2).sum();
        prop_assert!((whole.confusion(Side::Fitted).total() - counted).abs() < 1e-9);
    }

    #[test]
    fn a_model_is_read_back_to_the_same_bytes(table in any_table(), choice in any_choice(), ties in any_ties()) {
        let settings = Settings { ties, ..Settings::EXACT };
        let model = plugin_with(metric(&table, choice), settings).seed(7).fit(&table.sample()).unwrap();
        let text = model.to_json();
        let read = Model::from_json(&text).unwrap();
        prop_assert_eq!(read.to_json(), text);
        prop_assert_eq!(read, model);
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits(table in any_table(), choice in any_choice(), seed in any::<u64>()) {
        let answer = || {
            let model = fit(&table, choice, Reference::Best);
            let mut outcomes = Outcomes::new(table.m);
            outcomes.add_sample(&table.sample(), model.rule()).unwrap();
            (model, outcomes.intervals(&[MacroF1], 30, seed))
        };
        let alone = on_threads(1, answer);
        prop_assert_eq!(&alone, &on_threads(2, answer));
        prop_assert_eq!(&alone, &on_threads(4, answer));
    }
}
