//! What only fits can tell: whether the rows give the model again, how far other labels would have moved its weights, and
//! what more of them would bring.

use cwplugin::{Fit, FitReport, LearningCurve, Metric, Model, Sample};

use crate::Spread;
use crate::again::fit_flags;
use crate::number::capitalised;

/// Refits, unless told otherwise.
const USUAL: usize = 40;

/// Refits of the largest of samples.
const FEWEST: usize = 10;

/// So many probabilities are fitted again by all refits together, unless a number of them was asked for.
const BUDGET: usize = 2_000_000;

const SPREAD: &str = "the spread of the weights";
const CURVE: &str = "the learning curve";

/// Whoever wants to know how far the work is.
pub trait Observe: Sync {
    /// Work of so many steps begins.
    fn begin(&self, work: &'static str, steps: usize);
    /// So many of its steps are done.
    fn done(&self, steps: usize);
}

/// What fits of the rows tell of a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Refits {
    /// Whether a fit of the rows gives the model again, to the last bit, so that it has seen them; `None` if nobody tried.
    pub gives_model_again: Option<bool>,
    /// How far other labels would have moved the weights.
    pub spread: Option<Spread>,
    /// What more labels would bring.
    pub learning: Option<LearningCurve>,
    /// The flags of `cwplugin fit` that ask for the model, if its record tells all of them and the rows do not give another.
    pub flags: Option<Vec<String>>,
    /// What is missing, and why.
    pub left_out: Vec<String>,
}

impl Refits {
    /// How many bootstrap samples are fitted unless the user says otherwise: on many rows fewer.
    pub fn usual(rows: &Sample) -> usize {
        let numbers = rows.n_labelled() as usize * rows.n_classes();
        (BUDGET / numbers.max(1)).clamp(FEWEST, USUAL)
    }

    /// Fits the rows once more and, if that gives the model, bootstrap samples and parts of them, `refits` in number; 0 of
    /// them fits nothing. `metric` is that of the model, if it can be had.
    pub fn of(
        model: &Model,
        sample: &Sample,
        metric: Option<&dyn Metric>,
        refits: usize,
        observe: &dyn Observe,
    ) -> Self {
        let Some(record) = model.report() else {
            let why = "the model file does not tell how the weights came about";
            let left_out = [SPREAD, CURVE].map(|what| sentence(what, why)).to_vec();
            return Self { left_out, ..Self::default() };
        };
        let mut found = Self {
            spread: Spread::of_report(record, model.classes().len()),
            learning: record.learning_curve.clone(),
            ..Self::default()
        };
        let fit = metric.and_then(|metric| Fit::again(model, metric));
        let (Some(fit), Some(flags)) = (fit, fit_flags(record)) else {
            found.leave_out(
                record,
                "the model file does not tell all that a fit takes, or names a file or a program",
            );
            return found;
        };
        if refits == 0 {
            found.flags = Some(flags);
            found.leave_out(record, "no refits were asked for");
            return found;
        }
        observe.begin("fitting again", 1);
        let Ok(fitted) = fit.fit(sample) else {
            found.flags = Some(flags);
            found.leave_out(record, "the rows could not be fitted again");
            return found;
        };
        found.gives_model_again = Some(fitted.rule() == model.rule());
        if fitted.rule() != model.rule() {
            found.leave_out(
                record,
                "a fit of the rows gives another model, so they are not those of the model's fit",
            );
            return found;
        }
        found.flags = Some(flags);
        found.refit(&fit, &fitted, sample, refits, observe);
        found
    }

    /// Fits bootstrap samples and parts of the rows.
    fn refit(
        &mut self,
        fit: &Fit<'_>,
        fitted: &Model,
        sample: &Sample,
        refits: usize,
        observe: &dyn Observe,
    ) {
        if self.spread.is_none() {
            observe.begin("refitting", refits);
            let rules = fit.bootstrap(sample, refits, |done| observe.done(done)).unwrap_or_default();
            match Spread::of_refits(&rules) {
                Some(spread) if spread.is_wide() => self.spread = Some(spread),
                Some(_) => self.left_out.push(sentence(SPREAD, "refits on other rows of the same classes have the same weights: what this method learns lies elsewhere")),
                None => self.left_out.push(sentence(SPREAD, "fewer than five refits say nothing about it")),
            }
        }
        if self.learning.is_some() {
            return;
        }
        if sample.n_labelled() as usize * sample.n_classes() > BUDGET / 10 {
            let why = "it takes thirty fits of parts of the rows, and they are many; `cwplugin fit --learning-curve` draws it all the same";
            self.left_out.push(sentence(CURVE, why));
            return;
        }
        observe.begin("learning curve", LearningCurve::n_fits(sample));
        let curve = fit.learning_curve(fitted, sample, |done| observe.done(done));
        self.learning = curve.ok();
        if !has_points(self.learning.as_ref()) {
            self.left_out.push(sentence(
                CURVE,
                "it takes at least 14 labelled rows, and a method that learns from them",
            ));
        }
    }

    /// Says why there is no spread and no curve, if there is none.
    fn leave_out(&mut self, record: &FitReport, why: &str) {
        if self.spread.is_none() {
            self.left_out.push(sentence(SPREAD, why));
        }
        if !has_points(self.learning.as_ref()) {
            let why = if record.learning_curve.is_some() { "there were too few labelled rows" } else { why };
            self.left_out.push(sentence(CURVE, why));
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

    struct Nobody;

    impl Observe for Nobody {
        fn begin(&self, _: &'static str, _: usize) {}
        fn done(&self, _: usize) {}
    }

    /// Rows of a black box that is too fond of class `a`, and now and then mistaken.
    fn rows(n: usize) -> Sample {
        let first = |i: usize| ((i * 37) % 97 + 1) as f64 / 99.0;
        let p = Probabilities::new((0..n).flat_map(|i| [first(i), 1.0 - first(i)]).collect(), 2).unwrap();
        Sample::new(p, (0..n).map(|i| Some(usize::from((first(i) < 0.7) != (i % 5 == 0)))).collect()).unwrap()
    }

    fn model(method: &str, sample: &Sample) -> Model {
        Fit::new(MacroF1).method(method).fit(sample).unwrap()
    }

    #[test]
    fn the_rows_of_the_fit_give_the_model_again_and_others_do_not() {
        let sample = rows(60);
        for method in
            ["cwplugin", "cwplugin:published", "ascent", "bagged", "expected", "auto", "vector", "probing"]
        {
            let model = model(method, &sample);
            let found = Refits::of(&model, &sample, Some(&MacroF1), 5, &Nobody);
            assert_eq!(found.gives_model_again, Some(true), "{method} {found:?}");
            assert!(found.flags.is_some() && found.learning.is_some(), "{method}");
            // What a map learned is not told by weights.
            assert_eq!(found.spread.is_some(), !["vector", "probing"].contains(&method), "{method}");
            assert_eq!(found.spread.is_none(), !found.left_out.is_empty(), "{method}");
        }
        // Rows that a black box is right about ask for no weights.
        let says_b = |row: usize| usize::from(sample.probabilities().get(row, 0) < 0.5);
        let labels = (0..sample.n_rows()).map(|row| Some(says_b(row))).collect();
        let all_right = Sample::new(sample.probabilities().clone(), labels).unwrap();
        let found = Refits::of(&model("ascent", &sample), &all_right, Some(&MacroF1), 5, &Nobody);
        assert_eq!((found.gives_model_again, found.flags.is_some()), (Some(false), false));
        assert!(found.spread.is_none() && found.left_out.len() == 2, "{found:?}");
    }

    #[test]
    fn what_is_missing_is_said() {
        let sample = rows(60);
        let bare = Model::new(vec!["a".into(), "b".into()], Weights::new(vec![1.0, 2.0]).unwrap()).unwrap();
        assert_eq!(Refits::of(&bare, &sample, Some(&MacroF1), 5, &Nobody).left_out.len(), 2);
        let model = model("cwplugin", &sample);
        assert_eq!(Refits::of(&model, &sample, None, 5, &Nobody).left_out.len(), 2);
        let quick = Refits::of(&model, &sample, Some(&MacroF1), 0, &Nobody);
        assert!(quick.left_out[0].ends_with("no refits were asked for.") && quick.flags.is_some());
        assert_eq!(quick.gives_model_again, None);
        let few = Refits::of(&model, &sample, Some(&MacroF1), 2, &Nobody);
        assert_eq!(few.left_out, ["The spread of the weights: fewer than five refits say nothing about it."]);
    }
}
