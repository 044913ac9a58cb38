//! What refits show: whether the rows reproduce the model, how far its weights spread, and the learning curve.

use cwplugin::methods::AutoReport;
pub use cwplugin::report::Progress;
use cwplugin::{Fit, FitReport, LearningCurve, Metric, Model, Sample};

use crate::Spread;
use crate::effort;
use crate::number::capitalised;
use crate::reproduce::fit_flags;

const SPREAD: &str = "spread of the weights";
const CURVE: &str = "learning curve";

/// What refits of the rows show about a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Refits {
    /// Whether a refit of the rows gives exactly this model, so that it was fitted on them; `None` if not checked.
    pub reproduces_model: Option<bool>,
    /// Bootstrap spread of the weights.
    pub spread: Option<Spread>,
    /// The gain against the number of labelled rows.
    pub learning: Option<LearningCurve>,
    /// The flags of `cwplugin fit` that repeat the fit, if the report has all of them and no refit gave another model.
    pub flags: Option<Vec<String>>,
    /// What is missing, and why: a sentence each.
    pub omitted: Vec<String>,
}

impl Refits {
    /// The number of bootstrap refits by default, for a few seconds of work: fewer for more rows and classes, 0 for very many.
    /// It depends on the size of the problem alone, never on the speed of the machine.
    pub fn default_count(model: &Model, rows: &Sample) -> usize {
        effort::default_refits(model, rows)
    }

    /// Refits the rows and, if that reproduces the model, `refits` bootstrap samples and the parts of a learning curve; 0
    /// refits nothing. `metric` is the metric of the fit, if known.
    pub fn of(
        model: &Model,
        sample: &Sample,
        metric: Option<&dyn Metric>,
        refits: usize,
        progress: &dyn Progress,
    ) -> Self {
        let Some(report) = model.report() else {
            let why = "the model file contains no fit report";
            let omitted = [SPREAD, CURVE].map(|what| sentence(what, why)).to_vec();
            return Self { omitted, ..Self::default() };
        };
        let mut found = Self {
            spread: Spread::of_report(report, model.classes().len()),
            learning: report.learning_curve.clone(),
            ..Self::default()
        };
        let fit = metric.and_then(|metric| Fit::again(model, metric));
        let (Some(fit), Some(flags)) = (fit, fit_flags(report)) else {
            found.omit(report, "the model file does not contain all settings of the fit");
            return found;
        };
        if refits == 0 {
            found.flags = Some(flags);
            found.omit(
                report,
                "no refits were made; `--refits 40` adds it, which can take long with many rows or classes",
            );
            return found;
        }
        let Ok(fitted) = fit.fit_with_progress(sample, progress) else {
            found.flags = Some(flags);
            found.omit(report, "refitting the rows failed");
            return found;
        };
        found.reproduces_model = Some(fitted.rule() == model.rule());
        if fitted.rule() != model.rule() {
            found.omit(report, "a refit gives another model, so the model was fitted on other rows");
            return found;
        }
        found.flags = Some(flags);
        found.find_spread(&fit, &fitted, sample, refits, progress);
        found.find_curve(&fit, &fitted, sample, progress);
        found
    }

    /// Refits bootstrap samples, unless the model file has the spread.
    fn find_spread(
        &mut self,
        fit: &Fit<'_>,
        fitted: &Model,
        sample: &Sample,
        refits: usize,
        progress: &dyn Progress,
    ) {
        if self.spread.is_some() {
            return;
        }
        let auto = fitted.report().and_then(FitReport::details::<AutoReport>);
        if auto.is_some_and(|auto| auto.chosen == "clean") {
            self.omitted.push(sentence(SPREAD, "the model leaves the predictions unchanged"));
            return;
        }
        progress.begin("bootstrap", refits);
        let rules = fit.bootstrap(fitted, sample, refits, |done| progress.done(done)).unwrap_or_default();
        let why = match Spread::of_refits(&rules) {
            Some(spread) if spread.is_wide() => {
                self.spread = Some(spread);
                return;
            }
            Some(_) => "all refits have the same weights; this method learns a calibration map instead",
            None => "at least five refits are needed",
        };
        self.omitted.push(sentence(SPREAD, why));
    }

    /// Fits parts of the rows, unless the model file has the curve.
    fn find_curve(&mut self, fit: &Fit<'_>, fitted: &Model, sample: &Sample, progress: &dyn Progress) {
        if self.learning.is_some() {
            return;
        }
        progress.begin("learning curve", LearningCurve::n_fits(sample));
        self.learning = fit.learning_curve(fitted, sample, |done| progress.done(done)).ok();
        if !has_points(self.learning.as_ref()) {
            let why = "it needs at least 14 labelled rows, and a method that learns from them";
            self.omitted.push(sentence(CURVE, why));
        }
    }

    /// Notes why spread and curve are missing, where they are.
    fn omit(&mut self, report: &FitReport, why: &str) {
        if self.spread.is_none() {
            self.omitted.push(sentence(SPREAD, why));
        }
        if !has_points(self.learning.as_ref()) {
            let why = if report.learning_curve.is_some() { "too few labelled rows" } else { why };
            self.omitted.push(sentence(CURVE, why));
        }
    }
}

fn has_points(curve: Option<&LearningCurve>) -> bool {
    curve.is_some_and(|curve| !curve.points.is_empty())
}

fn sentence(what: &str, why: &str) -> String {
    format!("{}: {why}.", capitalised(what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cwplugin::metric::MacroF1;
    use cwplugin::{Probabilities, Weights};

    struct Quiet;

    impl Progress for Quiet {
        fn begin(&self, _: &'static str, _: usize) {}
        fn done(&self, _: usize) {}
    }

    /// Rows of a black box that over-predicts class `a`, with some label noise.
    fn rows(n: usize) -> Sample {
        let first = |i: usize| ((i * 37) % 97 + 1) as f64 / 99.0;
        let p = Probabilities::new((0..n).flat_map(|i| [first(i), 1.0 - first(i)]).collect(), 2).unwrap();
        Sample::new(p, (0..n).map(|i| Some(usize::from((first(i) < 0.7) != (i % 5 == 0)))).collect()).unwrap()
    }

    fn model(method: &str, sample: &Sample) -> Model {
        Fit::new(MacroF1).method(method).fit(sample).unwrap()
    }

    #[test]
    fn only_the_rows_of_the_fit_reproduce_the_model() {
        let sample = rows(60);
        for method in
            ["cwplugin", "cwplugin:published", "ascent", "bagged", "expected", "auto", "vector", "probing"]
        {
            let model = model(method, &sample);
            let found = Refits::of(&model, &sample, Some(&MacroF1), 5, &Quiet);
            assert_eq!(found.reproduces_model, Some(true), "{method} {found:?}");
            assert!(found.flags.is_some() && found.learning.is_some(), "{method}");
            // Weights do not show what a calibration map learned.
            assert_eq!(found.spread.is_some(), !["vector", "probing"].contains(&method), "{found:?}");
            assert_eq!(found.spread.is_none(), !found.omitted.is_empty(), "{method}");
        }
        // If the black box is always right, the best weights are equal.
        let predicts_b = |row: usize| usize::from(sample.probabilities().get(row, 0) < 0.5);
        let labels = (0..sample.n_rows()).map(|row| Some(predicts_b(row))).collect();
        let all_right = Sample::new(sample.probabilities().clone(), labels).unwrap();
        let found = Refits::of(&model("ascent", &sample), &all_right, Some(&MacroF1), 5, &Quiet);
        assert_eq!((found.reproduces_model, found.flags.is_some()), (Some(false), false));
        assert!(found.spread.is_none() && found.omitted.len() == 2, "{found:?}");
        let found = Refits::of(&model("auto", &all_right), &all_right, Some(&MacroF1), 5, &Quiet);
        assert!(found.reproduces_model == Some(true) && found.spread.is_none(), "{found:?}");
        let is_unchanged = |line: &String| line.contains("leaves the predictions unchanged");
        assert!(found.omitted.iter().any(is_unchanged), "{found:?}");
    }

    #[test]
    fn what_is_missing_is_explained() {
        let sample = rows(60);
        let bare = Model::new(vec!["a".into(), "b".into()], Weights::new(vec![1.0, 2.0]).unwrap()).unwrap();
        assert_eq!(Refits::of(&bare, &sample, Some(&MacroF1), 5, &Quiet).omitted.len(), 2);
        let model = model("cwplugin", &sample);
        assert_eq!(Refits::of(&model, &sample, None, 5, &Quiet).omitted.len(), 2);
        let quick = Refits::of(&model, &sample, Some(&MacroF1), 0, &Quiet);
        assert!(quick.omitted[0].contains("no refits were made") && quick.flags.is_some());
        assert_eq!(quick.reproduces_model, None);
        let few = Refits::of(&model, &sample, Some(&MacroF1), 2, &Quiet);
        assert_eq!(few.omitted, ["Spread of the weights: at least five refits are needed."]);
    }
}
