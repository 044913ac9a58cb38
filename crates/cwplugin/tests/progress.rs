//! The progress of a fit: every stage has a number of steps, and never does more.

use std::sync::Mutex;

use cwplugin::methods::ConstraintSupport;
use cwplugin::metric::MacroF1;
use cwplugin::report::Progress;
use cwplugin::{Features, Fit, METHODS, Probabilities, Sample};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// A stage as it was reported.
#[derive(Debug)]
struct Stage {
    name: &'static str,
    steps: usize,
    done: usize,
    reports: usize,
}

/// Every stage of a fit, in order.
#[derive(Default)]
struct Record(Mutex<Vec<Stage>>);

impl Progress for Record {
    fn begin(&self, name: &'static str, steps: usize) {
        self.0.lock().unwrap().push(Stage { name, steps, done: 0, reports: 0 });
    }

    fn done(&self, steps: usize) {
        let mut stages = self.0.lock().unwrap();
        let stage = stages.last_mut().expect("a stage begins before its steps");
        stage.done = stage.done.max(steps);
        stage.reports += 1;
    }
}

/// The stages of a fit, which is the same as without a record.
fn stages(fit: &Fit<'_>, sample: &Sample) -> Vec<Stage> {
    let record = Record::default();
    let seen = fit.fit_with_progress(sample, &record);
    assert_eq!(seen, fit.fit(sample));
    let stages = record.0.into_inner().unwrap();
    for stage in &stages {
        assert!(stage.steps > 0 && stage.done <= stage.steps, "{stage:?}");
    }
    stages
}

/// Rows of a black box that over-predicts the first class; every `unlabelled`-th has no label.
fn sample(rows: usize, m: usize, unlabelled: usize) -> Sample {
    let mut rng = ChaCha8Rng::seed_from_u64(rows as u64);
    let (mut values, mut labels, mut features) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..rows {
        let label = row % m;
        let mut own: Vec<f64> =
            (0..m).map(|k| rng.random::<f64>() + f64::from(u8::from(k == label))).collect();
        own[0] *= 2.0;
        let sum: f64 = own.iter().sum();
        values.extend(own.iter().map(|value| value / sum));
        labels.push(Some(label).filter(|_| (row + 1) % unlabelled != 0));
        features.extend([rng.random::<f64>() + label as f64, rng.random()]);
    }
    let sample = Sample::new(Probabilities::new(values, m).unwrap(), labels).unwrap();
    sample.with_features(Features::new(features, 2).unwrap()).unwrap()
}

/// A method with an option that makes it do other work.
fn variants() -> Vec<(&'static str, Option<(&'static str, &'static str)>)> {
    let defaults = METHODS.iter().map(|method| (method.name, None));
    let more = [
        ("dirichlet-full", ("select", "cv")),
        ("dirichlet-diag", ("select", "cv")),
        ("label-shift", ("source-priors", "0.5,0.3,0.2")),
        ("cwplugin", ("search", "grid:0.01")),
        ("expected", ("mixing", "0.5")),
    ];
    defaults.chain(more.map(|(name, option)| (name, Some(option)))).collect()
}

fn fit(method: &str, option: Option<(&str, &str)>) -> Fit<'static> {
    let fit = Fit::new(MacroF1).method(method);
    option.into_iter().fold(fit, |fit, (name, value)| fit.option(name, value))
}

#[test]
fn every_method_counts_its_steps() {
    let sample = sample(90, 3, 5);
    let weights = (0..90).map(|row| 0.5 + f64::from(row % 4)).collect();
    let weighted = sample.clone().with_weights(weights).unwrap();
    for (method, option) in variants() {
        for sample in [&sample, &weighted] {
            let stages = stages(&fit(method, option), sample);
            // One pass over the rows is the only work without a stage.
            assert_eq!(stages.is_empty(), method == "clean", "{method}");
            for stage in stages {
                assert!(stage.reports > 1, "{method}: {stage:?}");
                let may_end_early = stage.name == "probing";
                assert!(stage.done == stage.steps || may_end_early, "{method} {option:?}: {stage:?}");
            }
        }
    }
}

#[test]
fn odd_samples_do_not_break_the_count() {
    let one_class = sample(40, 3, 90).select(&(0..40).step_by(3).collect::<Vec<_>>());
    let absent = sample(60, 3, 90).select(&(0..60).filter(|row| row % 3 != 1).collect::<Vec<_>>());
    for sample in [&one_class, &absent, &sample(4, 3, 90), &sample(30, 3, 2)] {
        for (method, option) in variants() {
            stages(&fit(method, option), sample);
        }
    }
}

#[test]
fn many_rows_and_classes_are_counted_too() {
    // From 2,000 labels `expected` counts them; more than 65,536 probabilities are a large sample of the ascent.
    let names = |method: &str, sample: &Sample| -> Vec<&str> {
        stages(&fit(method, None), sample).iter().map(|stage| stage.name).collect()
    };
    let many = sample(2_100, 3, 9_999);
    let auto = ["calibrating", "maximising", "ascending", "cross-validating"];
    let found = names("auto", &many);
    assert_eq!(found[..4], auto, "then the chosen method, if it is another one: {found:?}");
    assert_eq!(names("ascent", &sample(1_500, 50, 9_999)), ["tuning", "ascending"]);
    assert_eq!(names("bagged", &sample(120, 40, 7)), ["bagging", "resampling"]);
}

#[test]
fn constraints_are_counted_too() {
    let sample = sample(90, 3, 5);
    for method in METHODS.iter().filter(|method| method.constraints != ConstraintSupport::None) {
        for constraint in ["recall:c1>=0.9", "recall:c1>=0.1"] {
            let fit = Fit::new(MacroF1).method(method.name).subject_to(constraint);
            let named = sample.clone().with_classes(["c0", "c1", "c2"].map(String::from).to_vec()).unwrap();
            let stages = stages(&fit, &named);
            assert_eq!(stages.last().map(|stage| stage.name), Some("checking constraints"), "{method:?}");
        }
    }
}
