//! `Fit`: what all methods share.

use std::sync::atomic::{AtomicUsize, Ordering};

use cwplugin::metric::{Accuracy, MacroF1};
use cwplugin::plugin::Settings;
use cwplugin::{
    Constraint, Error, Fit, LearningCurve, Model, PluginReport, Sample, ScorePair, Statistics, Step, Ties,
};

use crate::support::fits::{details, methods, plugin, plugin_with, warnings};
use crate::support::metrics::class_names;

/// Rows of three classes, the first `bare` of them unlabelled.
fn sample(n: usize, bare: usize) -> Sample {
    let number = |i: usize| f64::from((i as u32).wrapping_mul(2_654_435_761) >> 20) / 4096.0;
    let row = |i: usize| {
        let parts = [0, 1, 2].map(|k| 0.1 + number(3 * i + k) + if i % 3 == k { 0.4 } else { 0.0 });
        parts.map(|part| part / parts.iter().sum::<f64>())
    };
    let labels = (0..n).map(|i| Some(i % 3).filter(|_| i >= bare));
    Sample::from_rows((0..n).map(row), &["a", "b", "c"]).unwrap().labels(labels).unwrap()
}

#[test]
fn a_report_says_how_the_fit_was_made_and_makes_it_again() {
    let sample = sample(90, 10);
    for method in methods() {
        let model = Fit::new(MacroF1).method(method.name).seed(4).fit(&sample).unwrap();
        let report = model.report().unwrap();
        assert_eq!((report.method.as_str(), report.seed), (method.name, Some(4)));
        assert_eq!((report.rows, report.unlabelled), (Some(80), Some(10)), "{}", method.name);
        assert_eq!(report.metric.as_deref(), Some("macro-f1"), "{}", method.name);
        assert!(report.options.is_empty() && report.score.is_some());
        let again = Fit::again(&model, MacroF1).unwrap();
        assert_eq!(again.fit(&sample).unwrap(), model, "{}", method.name);
    }
    let fit = plugin(Accuracy).option("ties", Ties::First).subject_to("recall:b>=0.5").unscored();
    let model = fit.fit(&sample).unwrap();
    assert_eq!(model.report().unwrap().options, [("ties".into(), "first".into())].into());
    assert_eq!(Fit::again(&model, Accuracy).unwrap().fit(&sample).unwrap(), model);
}

#[test]
fn the_published_method_is_algorithm_1_with_the_published_settings() {
    let sample = sample(90, 0).with_classes(class_names(3)).unwrap();
    let published = || Fit::new(MacroF1).method("cwplugin:published");
    let by_options = plugin_with(MacroF1, Settings::PUBLISHED).fit(&sample).unwrap();
    let model = published().fit(&sample).unwrap();
    assert_eq!(model.rule(), by_options.rule());
    assert_eq!(details::<PluginReport>(&model), details(&by_options));
    assert_eq!(published().plugin_settings(sample.classes()), Ok(Some(Settings::PUBLISHED)));
    let settings = Settings { ties: Ties::Middle, ..Settings::PUBLISHED };
    assert_eq!(published().option("ties", "middle").plugin_settings(sample.classes()), Ok(Some(settings)));
    assert_eq!(Fit::new(MacroF1).plugin_settings(sample.classes()), Ok(None));
}

#[test]
fn unscored_fits_skip_the_score_of_algorithm_1_alone() {
    let sample = sample(90, 0);
    for method in ["cwplugin", "cwplugin:published", "ascent"] {
        let [scored, unscored] = [Fit::new(MacroF1), Fit::new(MacroF1).unscored()]
            .map(|fit| fit.method(method).fit(&sample).unwrap());
        assert_eq!(scored.rule(), unscored.rule());
        assert_eq!(unscored.report().unwrap().score.is_none(), method != "ascent", "{method}");
    }
}

#[test]
fn constraints_by_text_and_as_values_are_the_same_and_bind_the_learning_curve() {
    let sample = sample(90, 0);
    let constraint = Constraint::by_name("recall:b>=0.8", sample.classes()).unwrap();
    for method in ["cwplugin", "ascent", "auto"] {
        let fit = || Fit::new(Accuracy).method(method).seed(2);
        let by_text = fit().subject_to("recall:b>=0.8");
        let model = by_text.fit(&sample).unwrap();
        assert_eq!(model, fit().constraints([constraint.clone()]).fit(&sample).unwrap(), "{method}");
        assert!(model.report().unwrap().constraints[0].is_met());
        let [bound, free] = [by_text, fit()].map(|fit| fit.learning_curve(&model, &sample, |_| {}).unwrap());
        assert!(!bound.points.is_empty());
        assert_ne!(bound, free, "{method}");
    }
}

#[test]
fn a_learning_curve_counts_its_fits_and_is_kept_in_the_model() {
    let (sample, fit) = (sample(90, 10), Fit::new(MacroF1));
    let model = fit.fit(&sample).unwrap();
    let most = AtomicUsize::new(0);
    let done = |n: usize| {
        most.fetch_max(n, Ordering::Relaxed);
    };
    let curve = fit.learning_curve(&model, &sample, done).unwrap();
    assert_eq!(most.into_inner(), LearningCurve::n_fits(&sample));
    let model = model.with_learning_curve(curve.clone());
    let read = Model::from_json(&model.to_json()).unwrap();
    assert_eq!(read.report().unwrap().learning_curve, Some(curve));
}

#[test]
fn bootstrap_samples_are_reproducible_and_not_the_rows_themselves() {
    let (sample, fit) = (sample(60, 6), Fit::new(MacroF1).method("ascent"));
    let most = AtomicUsize::new(0);
    let count = |done| {
        most.fetch_max(done, Ordering::Relaxed);
    };
    let whole = fit.fit(&sample).unwrap();
    let rules = fit.bootstrap(&whole, &sample, 12, count).unwrap();
    assert_eq!((rules.len(), most.into_inner()), (12, 12));
    assert_eq!(fit.bootstrap(&whole, &sample, 12, |_| {}).unwrap(), rules);
    let first = fit.bootstrap(&whole, &sample, 5, |_| {}).unwrap();
    assert_eq!(first, rules[..5], "more of them do not change the first");
    assert!(rules.iter().any(|rule| rule != whole.rule()), "other rows, other weights");
    let unlabelled = Sample::unlabelled(sample.probabilities().clone());
    assert!(fit.bootstrap(&whole, &unlabelled, 3, |_| {}).is_err());
}

#[test]
fn a_rule_of_more_rows_is_reported_on_few() {
    let (sample, fit) = (sample(120, 0), Fit::new(MacroF1).method("expected"));
    let learned = fit.fit(&sample).unwrap();
    let reported = fit.report_on(&sample, learned.rule().clone()).unwrap();
    let [again, first] = [&reported, &learned].map(|model| model.report().unwrap());
    assert_eq!((reported.rule(), again.score), (learned.rule(), first.score));
    let [again, first] = [again, first].map(|report| report.forecast.unwrap());
    assert!((again.fitted - first.fitted).abs() < 1e-9, "{again:?} {first:?}");

    let below = ScorePair { clean: 0.5, fitted: 0.4 };
    let model = reported.with_all_rows(1_000_000, 7, Some(below));
    let report = model.report().unwrap();
    assert_eq!((report.rows, report.unlabelled, report.score), (Some(1_000_000), Some(7), Some(below)));
    assert_eq!(warnings(&model).iter().filter(|(kind, _)| *kind == "below-clean").count(), 1);
}

#[test]
fn counts_of_cuts_serve_algorithm_1_alone() {
    let sample = sample(90, 0);
    let mut statistics = Statistics::new(sample.classes().to_vec(), 2, Step::HUNDREDTH).unwrap();
    statistics.add_rows(&sample).unwrap();
    let refused = Fit::new(MacroF1).method("ascent").fit_statistics(&statistics).unwrap_err();
    assert_eq!(refused, Error::NeedsRows { method: "ascent".into() });
    let published = Fit::new(MacroF1).method("cwplugin:published");
    let [counted, whole] =
        [published.fit_statistics(&statistics), published.fit(&sample)].map(Result::unwrap);
    assert_eq!(counted.weights(), whole.weights());
    assert_eq!(details::<PluginReport>(&counted), details(&whole));
}
