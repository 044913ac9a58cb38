//! The library against Algorithm 1 written a second time as plain loops, on thousands of small random samples.

use cwplugin::plugin::Settings;
use cwplugin::{Absent, Metric, PairCurve, PluginReport, Reference, Sample, Search, Step, Ties};

use crate::support::agreement::assert_same_fit;
use crate::support::close;
use crate::support::fits::{details, pairs, plugin_with, score};
use crate::support::metrics::{class_names, every_metric};
use crate::support::naive::{self, Tried};
use crate::support::tables::{KINDS, Kind, Table, random_table};

const TIES: [Ties; 3] = [Ties::First, Ties::NearestHalf, Ties::Middle];
const ABSENTS: [Absent; 2] = [Absent::Keep, Absent::Drop];
const REFERENCES: [Reference; 4] =
    [Reference::Last, Reference::Largest, Reference::Best, Reference::Class(1)];

/// Samples per kind of sample and combination of options.
const DRAWS: u64 = 1;

fn step(epsilon: f64) -> Step {
    Step::try_from(epsilon).unwrap()
}

/// Every kind of sample with every combination of options, each on samples of its own, each for every metric.
fn compare_everywhere(first_seed: u64, tried: Tried, search: Search) {
    let (mut samples, mut fits, mut refused) = (0, 0, 0);
    for (kind, ties, absent, reference) in combinations() {
        let mut table = random_table(first_seed + samples, kind, 0);
        samples += 1;
        if ties == Ties::First {
            // The first of the largest scores to the last bit: sums must not depend on the order of adding.
            table.weights.iter_mut().for_each(|weight| *weight = (*weight * 16.0).round() / 16.0);
        }
        let (sample, settings) = (table.sample(), Settings { reference, search, ties, absent });
        for metric in every_metric(table.m) {
            let case = format!("sample {samples} {kind:?} {} {settings:?}", metric.name());
            let class = fixed_class(&table, &sample, &metric, settings);
            let expected = naive::fit(&table, &metric, tried, ties, absent, class);
            match (expected, plugin_with(&metric, settings).fit(&sample)) {
                (Some(expected), Ok(found)) => assert_same_fit(&table, &metric, &expected, &found, &case),
                (None, Err(_)) => refused += 1,
                (expected, found) => panic!("{case}: expected {expected:?}, found {found:?}"),
            }
            fits += 1;
        }
    }
    assert_eq!(samples, DRAWS * 264, "of each of 11 kinds × 3 tie rules × 2 absent rules × 4 references");
    assert_eq!(fits, 23 * samples, "a metric of the catalogue is missing");
    assert!(refused * 10 < fits, "{refused} of {fits} samples were refused");
}

fn combinations() -> impl Iterator<Item = (Kind, Ties, Absent, Reference)> {
    let options = |kind| {
        TIES.into_iter().flat_map(move |ties| {
            ABSENTS
                .into_iter()
                .flat_map(move |absent| REFERENCES.map(|reference| (kind, ties, absent, reference)))
        })
    };
    (0..DRAWS).flat_map(|_| KINDS).flat_map(options)
}

/// The class that should stay fixed.
///
/// For the best one the fits with each class are the library's: they are compared with plain loops on their own, and
/// where two products `w_k·b_k` agree to the last bit but one, a second program would choose another class.
fn fixed_class(table: &Table, sample: &Sample, metric: &dyn Metric, settings: Settings) -> usize {
    let heaviest = naive::by_weight(table);
    match settings.reference {
        Reference::Last => table.m - 1,
        Reference::Class(class) => class,
        _ if heaviest.is_empty() => 0,
        Reference::Largest => heaviest[0],
        // The best one.
        _ => {
            let fitted = |class: usize| {
                let settings = Settings { reference: Reference::Class(class), ..settings };
                score(&plugin_with(metric, settings).fit(sample).unwrap()).fitted
            };
            let scores: Vec<f64> = heaviest.iter().map(|&class| fitted(class)).collect();
            let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            heaviest[scores.iter().position(|&score| score >= top - 1e-12).unwrap()]
        }
    }
}

#[test]
fn exact_search_agrees_with_plain_loops_over_every_cut() {
    compare_everywhere(10_000, Tried::EveryCut, Search::Exact);
}

#[test]
fn a_grid_of_a_twentieth_agrees_with_plain_loops() {
    compare_everywhere(20_000, Tried::Grid(0.05), Search::Grid(step(0.05)));
}

#[test]
fn a_grid_that_does_not_divide_one_agrees_with_plain_loops() {
    compare_everywhere(30_000, Tried::Grid(0.3), Search::Grid(step(0.3)));
}

#[test]
fn binary_search_reports_the_score_of_the_grid_point_it_took() {
    let mut peaks = 0;
    for seed in 0..165 {
        let kind = KINDS[seed % KINDS.len()];
        let table = random_table(40_000 + seed as u64, kind, 0);
        for (metric, ties) in every_metric(table.m).iter().zip(TIES.into_iter().cycle()) {
            let settings = Settings { search: Search::Binary(step(0.01)), ties, ..Settings::EXACT };
            let Ok(found) = plugin_with(metric, settings).option("force", true).fit(&table.sample()) else {
                assert_eq!(table.counted().count(), 0, "{table:?}");
                continue;
            };
            let report = details::<PluginReport>(&found);
            let index = |name: &String| class_names(table.m).iter().position(|class| class == name).unwrap();
            for pair in &report.pairs {
                let (k, r, alpha) = (index(&pair.class), index(&report.reference), pair.alpha);
                assert_eq!((alpha * 100.0).round() / 100.0, alpha, "not on the grid");
                let score = naive::pair_score(&table, metric, k, r, alpha);
                assert!(close(score, pair.score), "{} {kind:?} {score} {pair:?}", metric.name());
                let weights = found.weights().as_slice();
                assert!(close(weights[k], weights[r] * alpha / (1.0 - alpha)), "{weights:?} {alpha}");
                assert!(pair.evaluations <= 20, "{pair:?}");
                peaks += 1;
            }
        }
    }
    assert!(peaks > 5_000, "{peaks}");
}

#[test]
fn a_pair_curve_is_the_metric_at_every_alpha_and_its_peak_is_that_of_the_fit() {
    let mut points = 0;
    for seed in 0..165 {
        let kind = KINDS[seed % KINDS.len()];
        let table = random_table(50_000 + seed as u64, kind, 3);
        let sample = table.sample();
        for (metric, ties) in every_metric(3).iter().zip(TIES.into_iter().cycle()) {
            let Ok(curve) = PairCurve::of(&sample, metric, 1, 2, ties) else { continue };
            let ends: Vec<f64> = [0.0].into_iter().chain(curve.cuts.iter().copied()).chain([1.0]).collect();
            for ends in ends.windows(2).filter(|ends| ends[1] - ends[0] > 1e-9) {
                let alpha = f64::midpoint(ends[0], ends[1]);
                let expected = naive::pair_score(&table, metric, 1, 2, alpha);
                assert!(close(curve.score(alpha), expected), "{} {kind:?} {alpha} {table:?}", metric.name());
                points += 1;
            }
            let settings = Settings { reference: Reference::Class(2), ties, ..Settings::EXACT };
            let model = plugin_with(metric, settings).fit(&sample).unwrap();
            for pair in pairs(&model).into_iter().filter(|pair| pair.class == "c1") {
                let peak = curve.peak;
                assert_eq!((pair.alpha, pair.score, pair.plateau), (peak.alpha, peak.score, peak.plateau));
            }
        }
    }
    assert!(points > 5_000, "{points}");
}

/// One row changes between any two neighbouring grid points: to a correct prediction below the peak, to a wrong one above.
fn table_with_one_peak(peak: usize) -> Table {
    let cuts: Vec<f64> = (0..99).map(|i| (f64::from(i) + 0.5) / 100.0).collect();
    Table {
        m: 2,
        rows: cuts.iter().map(|cut| vec![1.0 - cut, *cut]).collect(),
        labels: (0..99).map(|i| Some(usize::from(i >= peak))).collect(),
        weights: vec![1.0; 99],
    }
}

#[test]
fn binary_search_finds_the_peak_of_a_curve_that_has_one() {
    let mut peaks = 0;
    for peak in 1..99 {
        let sample = table_with_one_peak(peak).sample();
        for metric in every_metric(2).into_iter().filter(Metric::is_quasi_concave) {
            let fit = |search| {
                let settings = Settings { reference: Reference::Last, search, ..Settings::EXACT };
                pairs(&plugin_with(&metric, settings).fit(&sample).unwrap()).remove(0)
            };
            let (binary, grid) = (fit(Search::Binary(step(0.01))), fit(Search::Grid(step(0.01))));
            assert!(close(binary.score, grid.score), "{} {peak}: {binary:?} {grid:?}", metric.name());
            assert!(binary.evaluations <= 20 && grid.evaluations == 100);
            peaks += 1;
        }
    }
    assert_eq!(peaks, 98 * 13);
}
