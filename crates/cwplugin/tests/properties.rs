//! Laws of the search and of the weights, for every sample.

use cwplugin::metric::MacroF1;
use cwplugin::plugin::Settings;
use cwplugin::report::PairReport;
use cwplugin::{Absent, Confusion, Metric, PluginReport, Reference, Search, Step, Ties, Weights};
use proptest::prelude::*;

use crate::support::fits::{details, pairs, plugin_with, warnings};
use crate::support::metrics::{class_names, every_metric};
use crate::support::naive::pair_score;
use crate::support::strategies::{
    any_choice, any_search, any_step, any_table, any_ties, cases, metric, shuffled, tables_of,
};
use crate::support::tables::{Kind, Table};
use crate::support::{all_close, close};

/// One class against another, on their rows of a table.
struct Problem<'a> {
    table: &'a Table,
    metric: &'a dyn Metric,
    class: usize,
    reference: usize,
}

impl Problem<'_> {
    fn score(&self, alpha: f64) -> f64 {
        pair_score(self.table, &self.metric, self.class, self.reference, alpha)
    }

    /// The best α that a search finds.
    fn peak(&self, search: Search, ties: Ties) -> PairReport {
        let settings =
            Settings { reference: Reference::Class(self.reference), search, ties, ..Settings::EXACT };
        let fit = plugin_with(self.metric, settings).option("force", true).unscored();
        let class = &class_names(self.table.m)[self.class];
        let pairs = pairs(&fit.fit(&self.table.sample()).unwrap());
        pairs.into_iter().find(|pair| pair.class == *class).unwrap()
    }

    /// Where rows move, up to rounding.
    fn cuts(&self) -> Vec<f64> {
        let of_pair = self.table.counted().filter(|row| row.1 == self.class || row.1 == self.reference);
        let both = of_pair.map(|(b, ..)| (b[self.class], b[self.reference]));
        let mut cuts: Vec<f64> = both.filter(|(k, _)| *k > 0.0).map(|(k, r)| r / (k + r)).collect();
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        cuts
    }

    /// Whether α is between two cuts that differ only by rounding, where no weight has the effect of α.
    fn is_on_a_razors_edge(&self, alpha: f64) -> bool {
        let is_around = |pair: &[f64]| pair[0] - 1e-15 <= alpha && alpha <= pair[1] + 1e-15;
        self.cuts().windows(2).any(|pair| is_around(pair) && pair[1] - pair[0] < 1e-12)
    }
}

/// Shows every ordered pair of classes that have rows and a probability.
fn for_every_pair(table: &Table, metric: &dyn Metric, mut check: impl FnMut(&Problem)) {
    let sample = table.sample();
    let present: Vec<usize> = (0..table.m).filter(|&k| sample.n_rows_of(k) > 0).collect();
    for &class in present.iter().filter(|&&k| sample.is_ever_probable(k)) {
        for &reference in present.iter().filter(|&&reference| reference != class) {
            check(&Problem { table, metric, class, reference });
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn scaling_weights_changes_no_prediction(
        table in any_table(),
        weights in proptest::collection::vec(1e-3..1e3_f64, 5),
        exponent in prop_oneof![-990..1000_i32, 1010..1014_i32],
    ) {
        let weights = &weights[..table.m];
        // By a power of two: the products keep every bit, so that not even a tie may turn.
        let scaled = weights.iter().map(|w| w * 2.0_f64.powi(exponent)).collect();
        let p = table.probabilities();
        prop_assert_eq!(
            Weights::new(scaled).unwrap().predict(&p),
            Weights::new(weights.to_vec()).unwrap().predict(&p)
        );
    }

    #[test]
    fn permuting_classes_permutes_weights(
        table in any_table(),
        search in any_search(),
        ties in any_ties(),
        seed in any::<u64>(),
    ) {
        let order = shuffled(table.m, seed);
        let permuted = table.with_classes(&order);
        let fit = |table: &Table, class| {
            let settings = Settings { reference: Reference::Class(class), search, ties, absent: Absent::Drop };
            plugin_with(MacroF1, settings).option("force", true).fit(&table.sample()).unwrap()
        };
        for (place, &class) in order.iter().enumerate() {
            let (before, after) = (fit(&table, class), fit(&permuted, place));
            let moved: Vec<f64> = order.iter().map(|&k| before.weights().as_slice()[k]).collect();
            prop_assert!(all_close(&moved, after.weights().as_slice()), "{:?} {:?}", moved, after.weights());
        }
    }

    #[test]
    fn a_peak_never_scores_below_the_pair_at_one_half(
        table in any_table(),
        choice in any_choice(),
        half_steps in 1..60_u32,
    ) {
        let grid = Search::Grid(Step::try_from(0.5 / f64::from(half_steps)).unwrap());
        for_every_pair(&table, &metric(&table, choice), |pair| {
            let half = pair.score(0.5);
            let peak = pair.peak(grid, Ties::Middle);
            assert!(peak.score >= half - 1e-12, "{peak:?} below {half}");
            let peak = pair.peak(Search::Exact, Ties::Middle);
            assert!(peak.score >= half - 1e-12 || pair.is_on_a_razors_edge(0.5), "{peak:?} below {half}");
        });
    }

    #[test]
    fn exact_search_is_never_worse_than_a_grid_or_a_binary_search(
        table in any_table(),
        choice in any_choice(),
        ties in any_ties(),
        step in any_step(),
    ) {
        for_every_pair(&table, &metric(&table, choice), |pair| {
            let exact = pair.peak(Search::Exact, ties);
            for search in [Search::Grid(step), Search::Binary(step)] {
                let other = pair.peak(search, ties);
                // What only weight 0 reaches (rows with b_r = 0) is left to the literal reading.
                let is_zero = other.alpha == 0.0 && pair.cuts().first() == Some(&0.0) && ties != Ties::First;
                let is_edge = pair.is_on_a_razors_edge(other.alpha);
                assert!(exact.score >= other.score - 1e-12 || is_edge || is_zero, "{search} {exact:?} {other:?}");
            }
        });
    }

    #[test]
    fn a_peak_scores_what_the_curve_scores_there(
        table in any_table(),
        choice in any_choice(),
        search in any_search(),
        ties in any_ties(),
    ) {
        for_every_pair(&table, &metric(&table, choice), |pair| {
            let peak = pair.peak(search, ties);
            let score = pair.score(peak.alpha);
            assert!(close(score, peak.score), "{search} {ties} {peak:?} {score}");
            assert!((0.0..1.0).contains(&peak.alpha));
            assert!((peak.plateau[0]..=peak.plateau[1]).contains(&peak.alpha), "{peak:?}");
        });
    }

    #[test]
    fn on_two_classes_predictions_reproduce_the_chosen_cut(
        table in prop_oneof![tables_of(Kind::Continuous, 2), tables_of(Kind::Rounded, 2), tables_of(Kind::Complements, 2)],
        choice in any_choice(),
        ties in any_ties(),
        reference in 0..2_usize,
    ) {
        let k = 1 - reference;
        let settings = Settings { ties, reference: Reference::Class(reference), absent: Absent::Drop, ..Settings::EXACT };
        let model = plugin_with(metric(&table, choice), settings).fit(&table.sample()).unwrap();
        for pair in pairs(&model) {
            for b in &table.rows {
                let (class, other) = (pair.alpha * b[k], (1.0 - pair.alpha) * b[reference]);
                let says_class = class > other;
                // The middle of a plateau may lie on a cut that makes no difference; no weight moves a row (1, 0).
                let is_indifferent = class == other && pair.plateau[1] > pair.alpha;
                if !is_indifferent && b[reference] > 0.0 {
                    prop_assert_eq!(model.weights().predict_row(b) == k, says_class, "{:?} {:?}", b, pair);
                }
            }
        }
    }

    #[test]
    fn an_absent_class_keeps_the_weight_of_the_reference_or_gets_none(
        table in tables_of(Kind::AbsentClass, 0),
        choice in any_choice(),
        search in any_search(),
    ) {
        let (metric, sample) = (metric(&table, choice), table.sample());
        for absent in [Absent::Keep, Absent::Drop] {
            let fit = plugin_with(&metric, Settings { search, absent, ..Settings::EXACT }).option("force", true);
            let model = fit.fit(&sample).unwrap();
            let reference = details::<PluginReport>(&model).reference;
            let reference = sample.classes().iter().position(|class| *class == reference).unwrap();
            let weights = model.weights().as_slice();
            let expected = if absent == Absent::Keep { weights[reference] } else { 0.0 };
            for class in (0..table.m).filter(|&class| sample.n_rows_of(class) == 0) {
                prop_assert_eq!(weights[class], expected);
                prop_assert!(warnings(&model).contains(&("absent-class", Some(&sample.classes()[class]))));
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(256))]

    /// Expected counts are sums and differences of fractions, so that a zero may be a little above or below it.
    #[test]
    fn no_metric_is_undefined_on_expected_counts(
        m in 2..5_usize,
        cells in prop::collection::vec((0..4_u8, 0.0..1.0_f64), 16),
    ) {
        let rounding = [0.0, 1e-17, -1e-17];
        let mut confusion = Confusion::zeros(m);
        for (cell, &(kind, value)) in cells.iter().take(m * m).enumerate() {
            confusion.add(cell / m, cell % m, rounding.get(usize::from(kind)).copied().unwrap_or(value));
        }
        for metric in every_metric(m) {
            let score = metric.score(&confusion);
            prop_assert!(score.is_finite(), "{}: {score} of {confusion:?}", metric.name());
        }
    }
}
