//! What only fits can tell: whether the rows give the model again, how far other labels would have moved its weights, and
//! what more of them would bring.

use cwplugin::{CurveRecord, FitRecord, LearningCurve, Metric, Model, Sample};

use crate::number::capitalised;
use crate::{Again, Spread};

/// Refits, unless told otherwise.
const USUAL: usize = 40;

/// Refits of the largest of samples.
const FEWEST: usize = 10;

/// So many probabilities are fitted again by all refits together, unless a number of them was asked for.
const BUDGET: usize = 2_000_000;

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
    /// Whether a fit of the rows gives the model again, to the last bit: it has seen them.
    pub gives_model_again: bool,
    /// How far other labels would have moved the weights.
    pub spread: Option<Spread>,
    /// What more labels would bring.
    pub learning: Option<CurveRecord>,
    /// The flags of `cwplugin fit` that ask for the model, if its record tells all of them.
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
        let Some(record) = model.fit() else {
            return Self::without("the model file does not tell how the weights came about");
        };
        let mut found = Self {
            spread: Spread::of_record(record),
            learning: record.learning_curve.clone(),
            ..Self::default()
        };
        let Some(again) = metric.and_then(|metric| Again::of(model, metric)) else {
            found.leave_out(
                record,
                "the model file does not tell all that a fit takes, or names a file or a program",
            );
            return found;
        };
        found.flags = Some(again.flags(record));
        if refits == 0 {
            found.leave_out(record, "no refits were asked for");
            return found;
        }
        observe.begin("fitting again", 1);
        let Some((again, fitted)) = again.on(sample, model) else {
            found.leave_out(record, "the rows could not be fitted again");
            return found;
        };
        found.flags = Some(again.flags(record));
        found.gives_model_again = fitted.rule() == model.rule();
        if !found.gives_model_again {
            found.leave_out(
                record,
                "a fit of the rows gives other weights, so they are not those of the model's fit",
            );
            return found;
        }
        let recipe = again.fitter();
        if found.spread.is_none() {
            observe.begin("refitting", refits);
            let rules = recipe.bootstrap(sample, refits, |done| observe.done(done));
            found.spread = rules.ok().and_then(|rules| Spread::of_refits(&rules));
        }
        if found.learning.is_none() {
            observe.begin("learning curve", LearningCurve::n_fits(sample));
            let curve = recipe.learning_curve(&fitted, sample, |done| observe.done(done));
            found.learning = curve.ok().map(|curve| CurveRecord::from(&curve));
        }
        found.leave_out(record, "there are too few labelled rows, or the method learns nothing from them");
        found
    }

    fn without(why: &str) -> Self {
        let what = ["the spread of the weights", "the learning curve"];
        Self { left_out: what.map(|what| sentence(what, why)).to_vec(), ..Self::default() }
    }

    /// Says why there is no spread and no curve, if there is none.
    fn leave_out(&mut self, record: &FitRecord, why: &str) {
        if self.spread.is_none() {
            self.left_out.push(sentence("the spread of the weights", why));
        }
        if self.learning.as_ref().is_none_or(|curve| curve.points.is_empty()) {
            let why = if record.learning_curve.is_some() { "there were too few labelled rows" } else { why };
            self.left_out.push(sentence("the learning curve", why));
        }
    }
}

fn sentence(what: &str, why: &str) -> String {
    format!("{}: {why}.", capitalised(what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cwplugin::metric::MacroF1;
    use cwplugin::{Method, Probabilities, Weights};

    struct Nobody;

    impl Observe for Nobody {
        fn begin(&self, _: &'static str, _: usize) {}
        fn done(&self, _: usize) {}
    }

    fn rows(n: usize) -> Sample {
        let p = Probabilities::new([0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8].repeat(n), 2).unwrap();
        Sample::new(p, [0, 1, 1, 1].map(Some).repeat(n)).unwrap()
    }

    fn model(method: &str, sample: &Sample) -> Model {
        let fitted =
            Method::by_name(method).unwrap().fit(sample, &MacroF1, &cwplugin::FitOptions::default()).unwrap();
        Model::from_fit(vec!["a".into(), "b".into()], &fitted, method, 0).unwrap()
    }

    #[test]
    fn the_rows_of_the_fit_give_the_model_again_and_others_do_not() {
        let sample = rows(10);
        for method in
            ["cwplugin", "cwplugin:published", "ascent", "bagged", "expected", "auto", "vector", "probing"]
        {
            let model = model(method, &sample);
            let found = Refits::of(&model, &sample, Some(&MacroF1), 5, &Nobody);
            assert!(found.gives_model_again && found.left_out.is_empty(), "{method} {found:?}");
            assert!(found.spread.is_some() && found.learning.is_some(), "{method}");
        }
        // Rows that a black box is right about ask for no weights.
        let all_right =
            Sample::new(sample.probabilities().clone(), [0, 0, 0, 1].map(Some).repeat(10)).unwrap();
        let found = Refits::of(&model("ascent", &sample), &all_right, Some(&MacroF1), 5, &Nobody);
        assert!(!found.gives_model_again && found.spread.is_none() && found.left_out.len() == 2, "{found:?}");
    }

    #[test]
    fn what_is_missing_is_said() {
        let sample = rows(10);
        let bare = Model::new(vec!["a".into(), "b".into()], Weights::new(vec![1.0, 2.0]).unwrap()).unwrap();
        assert_eq!(Refits::of(&bare, &sample, Some(&MacroF1), 5, &Nobody).left_out.len(), 2);
        let model = model("cwplugin", &sample);
        assert_eq!(Refits::of(&model, &sample, None, 5, &Nobody).left_out.len(), 2);
        let quick = Refits::of(&model, &sample, Some(&MacroF1), 0, &Nobody);
        assert!(quick.left_out[0].ends_with("no refits were asked for.") && quick.flags.is_some());
    }
}
