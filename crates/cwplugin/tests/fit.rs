//! A fitter does what its method, its settings and its constraints do.

use cwplugin::metric::{Accuracy, MacroF1};
use cwplugin::{
    Constraint, FitOptions, Fitter, METHODS, Method, Plugin, Probabilities, Recipe, Sample, Settings,
    SubjectTo,
};

fn sample(n: usize, bare: usize) -> Sample {
    let number = |i: usize| f64::from((i as u32).wrapping_mul(2_654_435_761) >> 20) / 4096.0;
    let row = |i: usize| {
        let parts = [0, 1, 2].map(|k| 0.1 + number(3 * i + k) + if i % 3 == k { 0.4 } else { 0.0 });
        parts.map(|part| part / parts.iter().sum::<f64>())
    };
    let p = Probabilities::new((0..n).flat_map(row).collect(), 3).unwrap();
    Sample::new(p, (0..n).map(|i| Some(i % 3).filter(|_| i >= bare)).collect()).unwrap()
}

#[test]
fn without_more_it_is_the_method() {
    let sample = sample(90, 10);
    for method in METHODS.iter().filter(|method| !method.needs_features()) {
        let options = FitOptions { seed: 4, bags: Some(10), ..FitOptions::default() };
        let fitter = Fitter::new(method, &MacroF1, options.clone());
        assert_eq!(fitter.fit(&sample), method.fit(&sample, &MacroF1, &options), "{}", method.name);
    }
}

#[test]
fn settings_are_those_of_algorithm_1_and_nothing_to_others() {
    let sample = sample(90, 0);
    for method in METHODS.iter().filter(|method| matches!(method.recipe, Recipe::Plugin(_) | Recipe::Ascent))
    {
        let fitter = Fitter::new(method, &MacroF1, FitOptions::default()).settings(Settings::PUBLISHED);
        let expected = match method.recipe {
            Recipe::Plugin(_) => Plugin::new(MacroF1).settings(Settings::PUBLISHED).fit(&sample),
            _ => method.fit(&sample, &MacroF1, &FitOptions::default()),
        };
        assert_eq!(fitter.fit(&sample), expected);
        let unscored = fitter.unscored(true).fit(&sample).unwrap();
        assert_eq!(unscored.report().score.is_none(), matches!(method.recipe, Recipe::Plugin(_)));
    }
}

#[test]
fn constraints_are_kept_as_by_subject_to() {
    let sample = sample(90, 0);
    let classes = ["a", "b", "c"].map(String::from);
    let constraints = [Constraint::by_name("recall:b>=0.8", &classes).unwrap()];
    let options = FitOptions { seed: 2, ..FitOptions::default() };
    for name in ["cwplugin", "ascent", "auto"] {
        let method = Method::by_name(name).unwrap();
        let fitter = Fitter::new(method, &Accuracy, options.clone()).subject_to(&constraints);
        let subject = SubjectTo::new(&Accuracy, &constraints).seed(2);
        assert_eq!(fitter.fit(&sample), subject.fit(method, &sample, &options), "{name}");
        let curve = fitter.learning_curve(&fitter.fit(&sample).unwrap(), &sample, |_| {}).unwrap();
        assert!(!curve.points.is_empty());
    }
}

#[test]
fn bootstrap_samples_are_the_same_again_and_not_the_rows_themselves() {
    let sample = sample(60, 6);
    let fitter = Fitter::new(Method::by_name("ascent").unwrap(), &MacroF1, FitOptions::default());
    let most = std::sync::atomic::AtomicUsize::new(0);
    let count = |done| {
        most.fetch_max(done, std::sync::atomic::Ordering::Relaxed);
    };
    let rules = fitter.bootstrap(&sample, 12, count).unwrap();
    assert_eq!((rules.len(), most.into_inner()), (12, 12));
    assert_eq!(fitter.bootstrap(&sample, 12, |_| {}).unwrap(), rules);
    let first = fitter.bootstrap(&sample, 5, |_| {}).unwrap();
    assert_eq!(first, rules[..5], "more of them do not change the first");
    let whole = fitter.fit(&sample).unwrap();
    assert!(rules.iter().any(|rule| rule != whole.rule()), "other rows, other weights");
    let unlabelled = Sample::unlabelled(sample.probabilities().clone());
    assert!(fitter.bootstrap(&unlabelled, 3, |_| {}).is_err());
}
