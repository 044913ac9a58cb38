//! Guarantees for users: threads, `Debug`, and the text of every error.

use std::fmt::Debug;

use cwplugin::compare::{Cell, Comparison, Draw, External, ExternalProblem, Failure, Noise, NoiseIn, Shift};
use cwplugin::data::{Features, Probabilities, RowSums, Sample, Scores};
use cwplugin::distributed::{Pass, PassCounts, PassError, Passes};
use cwplugin::elicit::{
    Answer, ElicitReport, Elicitation, Elicited, ElicitedLine, Mode, Query, Session, SessionError,
};
use cwplugin::evaluate::{
    Change, ConstraintStatus, Evaluation, Interval, Outcomes, OutcomesError, ScoreInterval, Side,
};
use cwplugin::methods::{
    AscentReport, AutoReport, BaggedReport, Calibrated, CalibrationReport, Candidate, ConstraintSupport,
    ExpectedReport, Family, LabelShift, LabelShiftReport, LogLoss, Logistic, Method, OptionSpec, OutOfBag,
    Probing, ProbingReport, Reason, Select, SlopeStructure, Strength, Structured, WeightSpread,
};
use cwplugin::metric::{
    self, Accuracy, BalancedAccuracy, Bound, ClassCounts, CohenKappa, Confusion, Constraint, Cost, Entry,
    Formula, GMean, LinearDiagonal, LinearFractional, MacroF1, MacroFBeta, MacroFowlkesMallows, MacroGMean,
    MacroJaccard, MacroPrecision, MacroRecall, Mcc, Metric, MinRecall, OneClass, PairFowlkesMallows, Rate,
    WeightedF1,
};
use cwplugin::model::{Fit, Model, ModelError};
use cwplugin::plugin::{
    Absent, PairCurve, Peak, PluginReport, Reference, Search, Settings, Statistics, StatisticsError,
    StatisticsLine, Step, Ties,
};
use cwplugin::report::{
    CurvePoint, Estimate, FitReport, Forecast, LearningCurve, PairReport, ScorePair, Warning,
};
use cwplugin::rule::{
    AffineMap, Calibration, MapInput, MapKind, Mixture, MixtureStep, Rule, Slope, Tempering, Weights,
};
use cwplugin::{Error, FormulaProblem};

use crate::support::fits::plugin;

#[test]
fn every_public_type_crosses_threads_and_can_be_printed() {
    fn check<T: Send + Sync + Debug>() {}
    fn crosses<T: Send + Sync + ?Sized>() {}
    check::<(Error, FormulaProblem)>();
    check::<(Features, Probabilities, RowSums, Sample, Scores)>();
    check::<(Accuracy, BalancedAccuracy, Bound, ClassCounts, CohenKappa, Confusion, Constraint, Cost, Entry)>(
    );
    check::<(Formula, GMean, LinearDiagonal, LinearFractional, MacroF1, MacroFBeta, MacroFowlkesMallows)>();
    check::<(MacroGMean, MacroJaccard, MacroPrecision, MacroRecall, Mcc, MinRecall, OneClass)>();
    check::<(PairFowlkesMallows, Rate, WeightedF1)>();
    check::<(AffineMap, Calibration, MapInput, MapKind, Mixture, MixtureStep, Rule, Slope, Tempering, Weights)>(
    );
    check::<(Change, ConstraintStatus, Evaluation, Interval, Outcomes, OutcomesError, ScoreInterval, Side)>();
    check::<(CurvePoint, Estimate, FitReport, Forecast, LearningCurve, PairReport, ScorePair, Warning)>();
    check::<(Absent, PairCurve, Peak, PluginReport, Reference, Search, Settings, Step, Ties)>();
    check::<(Statistics, StatisticsError, StatisticsLine)>();
    check::<(AscentReport, AutoReport, BaggedReport, Calibrated, CalibrationReport, Candidate)>();
    check::<(ConstraintSupport, ExpectedReport, Family, SlopeStructure, LabelShift, LabelShiftReport, LogLoss)>(
    );
    check::<(Logistic, Method, OptionSpec, OutOfBag, Probing<Accuracy>, ProbingReport, Reason, Select)>();
    check::<(Strength, Structured, WeightSpread)>();
    check::<(Fit, Model, ModelError)>();
    check::<(Cell, Comparison, Draw, External, ExternalProblem, Failure, Noise, NoiseIn, Shift)>();
    check::<(Answer, ElicitReport, Elicitation, Elicited, ElicitedLine, Mode, Query, Session, SessionError)>(
    );
    check::<(Pass, PassCounts, PassError, Passes<Accuracy>)>();
    crosses::<dyn Metric>();
}

/// A metric that is not a number as soon as anything is wrong.
struct Broken;

impl Metric for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }
    fn score(&self, c: &Confusion) -> f64 {
        if c.correct() < c.total() { f64::NAN } else { 1.0 }
    }
}

fn sample() -> Sample {
    let p = Probabilities::new(vec![0.7, 0.3, 0.2, 0.8], 2).unwrap();
    Sample::new(p, vec![Some(0), Some(0)]).unwrap()
}

fn from_rows(values: &[f64]) -> Error {
    Probabilities::new(values.to_vec(), 2).unwrap_err()
}

fn named(name: &str) -> Error {
    metric::by_name(name, &["ham".to_string(), "spam".to_string()]).err().unwrap()
}

#[test]
fn every_error_about_a_table_says_what_is_wrong_and_where() {
    let with_weights = |weights| sample().with_weights(weights).unwrap_err();
    let labels = |labels| Sample::new(sample().probabilities().clone(), labels).unwrap_err();
    let zeros =
        Probabilities::from_scores(vec![0.0; 2], 2, Scores::Probabilities, RowSums::Normalize).unwrap_err();
    for (error, text) in [
        (Probabilities::new(vec![1.0], 1).unwrap_err(), "at least 2 classes are needed, 1 given"),
        (from_rows(&[1.0, 0.0, 1.0]), "3 values cannot be split into rows of 2 classes"),
        (from_rows(&[1.0, f64::NAN]), "row 0, class 1: NaN is not finite"),
        (from_rows(&[1.0, 0.0, 1.5, -0.5]), "row 1, class 1: -0.5 is negative"),
        (from_rows(&[0.5, 0.25]), "row 0: the probabilities sum to 0.75, not to 1"),
        (zeros, "row 0: every probability is 0, so the row cannot be normalised"),
        (labels(vec![Some(0)]), "expected 2 labels, found 1"),
        (labels(vec![None, Some(2)]), "row 1: label 2 is out of range for 2 classes"),
        (with_weights(vec![1.0; 3]), "expected 2 weights, found 3"),
        (with_weights(vec![1.0, f64::INFINITY]), "row 1: weight inf must be 0 or between 1e-100 and 1e100"),
    ] {
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn every_error_of_a_fit_says_why() {
    let refused = |fit: Fit| fit.fit(&sample()).unwrap_err();
    let weightless = sample().with_weights(vec![0.0; 2]).unwrap();
    for (error, text) in [
        (plugin(Accuracy).fit(&weightless).unwrap_err(), "no row has a label and a weight above 0"),
        (
            refused(plugin(Accuracy).option("reference", "last")),
            "reference class 1 has no labelled rows in the sample",
        ),
        (refused(plugin(Accuracy).option("reference", "2")), "unknown reference class \"2\""),
        (refused(plugin(Broken)), "metric broken is NaN, not a finite number"),
        (
            refused(plugin(MacroF1).option("search", "binary:0.01")),
            "metric macro-f1 is not known to be quasi-concave on a pair, which binary search needs",
        ),
        (
            refused(plugin(Cost::new("cost:c", vec![0.0; 9], 3).unwrap())),
            "metric cost:c is for 3 classes, the sample has 2",
        ),
        (refused(Fit::new(Accuracy).method("magic")), "unknown method \"magic\""),
        (refused(Fit::new(Accuracy).option("ties", "first")), "ties is not supported by method auto"),
        (refused(plugin(Accuracy).option("mixing", 0.5)), "mixing is not supported by method cwplugin"),
        (refused(plugin(Accuracy).option("ties", "last")), "invalid value \"last\" for ties"),
        (refused(plugin(Accuracy).option("force", false)), "invalid value \"false\" for force"),
        (
            refused(Fit::new(Accuracy).method("bagged").option("n-bootstrap", "many")),
            "invalid value \"many\" for n-bootstrap",
        ),
        (
            refused(Fit::new(Accuracy).method("expected").option("mixing", 1.5)),
            "share 1.5 is not a number from 0 to 1",
        ),
        (refused(Fit::new(Accuracy).subject_to("recall:0>0.5")), "invalid constraint \"recall:0>0.5\""),
        (
            refused(Fit::new(Accuracy).method("clean").subject_to("recall:0>=0.5")),
            "method clean does not support constraints: it does not search weights",
        ),
        (
            Weights::uniform(3).unwrap().predict(sample().probabilities()).unwrap_err(),
            "expected 3 classes, found 2",
        ),
        (Weights::new(vec![1.0, -2.0]).unwrap_err(), "class 1: weight -2 is not a finite number >= 0"),
        (Weights::new(vec![0.0; 3]).unwrap_err(), "every class weight is 0"),
    ] {
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn every_error_of_a_baseline_or_a_comparison_says_why() {
    let map = |slopes: &[f64], bias: &[f64]| {
        AffineMap::new(MapInput::LogProbability, Slope::Diagonal(slopes.to_vec()), bias.to_vec()).unwrap_err()
    };
    let step = |share, factors: [f64; 2]| MixtureStep { share, factors: factors.to_vec() };
    let mixture = |steps| Mixture::new(steps).unwrap_err();
    let clean = vec![Method::by_name("clean").unwrap()];
    let compare = |sizes| {
        let comparison = Comparison::new(clean.clone(), sizes);
        comparison.run(&sample(), &sample(), &[Accuracy], |_| {}).unwrap_err()
    };
    let shift = |priors: [f64; 2], sample: &Sample| {
        LabelShift::default().source_priors(priors.to_vec()).learn(sample).unwrap_err()
    };
    let unlabelled = Sample::unlabelled(sample().into_probabilities());
    let weightless = sample().with_weights(vec![0.0; 2]).unwrap();
    for (error, text) in [
        (shift([1.0, 0.0], &sample()), "class 1: source prior 0 is not a number above 0"),
        (shift([0.5, 0.25], &sample()), "the source priors sum to 0.75, not to 1"),
        (shift([0.5, 0.5], &weightless), "no row has a weight above 0"),
        (
            LabelShift::default().learn(&unlabelled).unwrap_err(),
            "no row has a label and a weight above 0, and no source priors are given",
        ),
        (map(&[1.0, f64::NAN], &[0.0; 2]), "slope 1 of the calibration map is NaN, not a finite number"),
        (map(&[1.0; 3], &[0.0; 2]), "expected 2 slopes, found 3"),
        (Features::new(vec![1.0; 3], 2).unwrap_err(), "3 values cannot be split into rows of 2 features"),
        (
            Features::new(vec![f64::INFINITY], 1).unwrap_err(),
            "row 0, feature 0: inf is not a number from -1e100 to 1e100",
        ),
        (Tempering::new(0.0, 0.5).unwrap_err(), "slope 0 of the temperature step is not a number above 0"),
        (
            Tempering::new(1.0, 1.0).unwrap_err(),
            "uniform 1 of the temperature step is not a number above 0 and below 1",
        ),
        (mixture(vec![step(0.0, [1.0; 2])]), "step 0: share 0 is not a finite number > 0"),
        (mixture(vec![step(0.5, [1.0; 2])]), "the shares of the steps sum to 0.5, not to 1"),
        (mixture(vec![step(1.0, [1.0, f64::NAN])]), "step 0, class 1: factor NaN is not finite"),
        (
            Fit::new(Accuracy).method("logistic").fit(&sample()).unwrap_err(),
            "features are required, but the rows have none",
        ),
        (compare(vec![3]), "a sample of 3 rows cannot be drawn from 2 labelled rows"),
        (Noise::new(0, 1.5).unwrap_err(), "share 1.5 is not a number from 0 to 1"),
        (Shift::new(vec![0], 1.0).unwrap().apply(&sample(), 0).unwrap_err(), "class 0 has no rows left"),
        (
            sample().split(0.1, 0).unwrap_err(),
            "a test share of 0.1 leaves no rows on one side of a split of 2 labelled rows",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn every_unknown_name_is_repeated() {
    for (error, text) in [
        ("max".parse::<Ties>().unwrap_err(), "invalid value \"max\" for ties"),
        ("line:0.1".parse::<Search>().unwrap_err(), "invalid value \"line:0.1\" for search"),
        ("no".parse::<Absent>().unwrap_err(), "invalid value \"no\" for absent"),
        ("grid:0.7".parse::<Search>().unwrap_err(), "step 0.7 is not a number from 0.000001 to 0.5"),
        (named("f2"), "unknown metric \"f2\""),
        (named("f1"), "metric \"f1\": name the class after the colon, e.g. f1:spam"),
        (named("f1:eggs"), "metric \"f1:eggs\": unknown class \"eggs\""),
        (named("macro-f-beta:0"), "metric \"macro-f-beta:0\": beta must be a number from 1e-6 to 1e6"),
        (
            named("macro-f-beta"),
            "metric \"macro-f-beta\": write the number after a colon, e.g. macro-f-beta:2",
        ),
        (named("f-beta:2"), "metric \"f-beta:2\": write f-beta:BETA:CLASS, e.g. f-beta:2:spam"),
        (
            named("linear-diagonal:1"),
            "metric \"linear-diagonal:1\": the number of weights must equal the number of classes",
        ),
        (named("expr:mean(recal)"), "formula, column 6: unknown name \"recal\""),
        (named("expr"), "formula, column 1: the formula is empty"),
        (
            Cost::new("cost:c.csv", vec![0.0; 3], 2).unwrap_err(),
            "metric \"cost:c.csv\": the cost matrix must have one row and one column per class",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn every_error_of_a_model_file_says_why() {
    let weights = || Weights::new(vec![1.0, 3.0]).unwrap();
    let names = |names: [&str; 2]| Model::new(names.map(String::from).to_vec(), weights());
    assert_eq!(names(["a", "a"]).unwrap_err().to_string(), "duplicate class \"a\"");

    let text = names(["a", "b"]).unwrap().to_json();
    let with = |from: &str, to: &str| Model::from_json(&text.replace(from, to)).unwrap_err().to_string();
    assert_eq!(with("\"weights\"", "\"w\""), "missing field `weights`");
    assert_eq!(with("cwplugin-model", "other"), "field \"format\" is \"other\", not \"cwplugin-model\"");
    assert_eq!(
        with("\"version\": 1", "\"version\": 2"),
        "the file has version 2; this cwplugin reads version 1"
    );
    assert_eq!(
        with("  \"calibration\": null,\n", ""),
        "field \"calibration\" is missing, so it is unknown whether probabilities are calibrated before the weights"
    );
    assert_eq!(
        with("\"calibration\": null", "\"calibration\": {\"kind\": \"later\"}"),
        "the model has a calibration of kind \"later\", which this cwplugin cannot apply"
    );
    assert_eq!(with("0.25", "-1"), "class 0: weight -1 is not a finite number >= 0");
}
