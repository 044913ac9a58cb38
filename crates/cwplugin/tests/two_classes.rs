//! On two classes Algorithm 1 is a threshold: the exact search must find the best one, and predict with it.

use cwplugin::plugin::Settings;
use cwplugin::{Metric, Reference, Ties};

use crate::support::close;
use crate::support::fits::{pairs, plugin_with, score};
use crate::support::metrics::every_metric;
use crate::support::naive::whole_score;
use crate::support::tables::{KINDS, Kind, Table, random_table};

/// The best score of `argmax_k w_k·b_k` over all pairs of positive weights.
fn best_threshold(table: &Table, metric: &dyn Metric) -> f64 {
    let mut ratios: Vec<f64> = table.counted().map(|(b, ..)| b[1] / b[0]).collect();
    ratios.sort_by(f64::total_cmp);
    // No weight separates rows whose ratios differ only by rounding.
    ratios.dedup_by(|a, b| *a - *b <= 1e-12 * *b);
    let between = ratios.windows(2).map(|pair| (pair[0] * pair[1]).sqrt());
    let ends = [ratios[0] / 2.0, ratios[ratios.len() - 1] * 2.0];
    let score = |ratio: f64| whole_score(table, metric, &[ratio, 1.0]);
    between.chain(ends).map(score).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn exact_search_finds_the_best_threshold_and_predicts_with_it() {
    let kinds = [
        Kind::Continuous,
        Kind::Rounded,
        Kind::Complements,
        Kind::AllEqual,
        Kind::IntegerWeights,
        Kind::FractionalWeights,
        Kind::Unlabelled,
    ];
    let mut fits = 0;
    for seed in 0..350 {
        let kind = kinds[seed % kinds.len()];
        let table = random_table(seed as u64, kind, 2);
        // Only weight 0 moves a row (1, 0): see the test below.
        let has_both = (0..2).all(|k| table.counted().any(|row| row.1 == k));
        if !has_both || table.counted().any(|(b, ..)| b[0] * b[1] == 0.0) {
            continue;
        }
        let sample = table.sample();
        for metric in every_metric(2) {
            let best = best_threshold(&table, &metric);
            for ties in [Ties::First, Ties::NearestHalf, Ties::Middle] {
                for reference in [Reference::Class(0), Reference::Class(1)] {
                    let settings = Settings { ties, reference, ..Settings::EXACT };
                    let model = plugin_with(&metric, settings).fit(&sample).unwrap();
                    let found = [pairs(&model)[0].score, score(&model).fitted];
                    assert!(
                        found.iter().all(|&score| close(score, best)),
                        "seed {seed} {kind:?} {} {settings:?}: {found:?} {best}",
                        metric.name()
                    );
                    fits += 1;
                }
            }
        }
    }
    assert!(fits > 30_000, "{fits}");
}

#[test]
fn what_the_exact_search_promises_is_what_its_weights_do() {
    let mut fits = 0;
    for seed in 0..550 {
        let kind = KINDS[seed % KINDS.len()];
        let table = random_table(90_000 + seed as u64, kind, 2);
        let sample = table.sample();
        for metric in every_metric(2) {
            for ties in [Ties::NearestHalf, Ties::Middle] {
                let fit = plugin_with(&metric, Settings { ties, ..Settings::EXACT });
                let Ok(model) = fit.fit(&sample) else { continue };
                let case = || format!("seed {seed} {kind:?} {} {ties}", metric.name());
                assert!(model.weights().as_slice().iter().all(|&weight| weight > 0.0), "{}", case());
                for pair in pairs(&model) {
                    assert!(close(score(&model).fitted, pair.score), "{}: {pair:?}", case());
                    fits += 1;
                }
            }
        }
    }
    assert!(fits > 10_000, "{fits}");
}
