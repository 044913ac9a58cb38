//! One page per fit: what it changed, what is to be expected, and how sure one can be.

use cwplugin::{CurveRecord, Error, Evaluation, FitRecord, Metric, Model, Sample, ScoreInterval};
use serde_json::{Value, json};

use crate::alpha::AlphaCurves;
use crate::order;
use crate::refits::{Observe, Refits};
use crate::sections::{
    alpha, changes, classes, confusion, data, learning, metrics, reproduce, verdict, weights,
};
use crate::spread::Spread;
use crate::{live, shell};

/// A page is kept below this by rounding or sampling its rows, unless all else is larger already.
const MOST_BYTES: usize = 1_980_000;

/// What a page about a fit is made of.
///
/// The metrics, the confusion matrices, the changes and what the reader tries out are of the test rows, if there are any,
/// else of the rows themselves; the evaluation must be of the same rows. What cannot be had is left out, and said to be.
#[derive(Debug)]
pub struct FitPage<'a, M> {
    /// The model.
    pub model: &'a Model,
    /// Labelled rows, as a rule those that it was fitted on.
    pub rows: &'a Sample,
    /// Labelled rows that it was not fitted on.
    pub test: Option<&'a Sample>,
    /// The metrics, in the order of the evaluation.
    pub metrics: &'a [M],
    /// Every metric before and after.
    pub evaluation: &'a Evaluation,
    /// Whether a fit of the rows gives the model again: it has seen them.
    pub gives_model_again: bool,
    /// The metric against α.
    pub alpha: Option<AlphaCurves>,
    /// How far other labels would have moved the weights.
    pub spread: Option<Spread>,
    /// What more labels would bring.
    pub learning: Option<CurveRecord>,
    /// The flags of `cwplugin fit` that ask for the model, if its record tells all of them.
    pub flags: Option<Vec<String>>,
    /// What is called what.
    pub words: Words,
    /// Seed of the rows that are drawn, if they are too many for a page.
    pub seed: u64,
}

/// What is called what, and how to get it again.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Words {
    /// The rows: the name of their file.
    pub data: String,
    /// The test rows.
    pub test: Option<String>,
    /// Commands, or lines of code, that give the model and the page again.
    pub commands: Vec<String>,
    /// What is left out of the page, and why.
    pub left_out: Vec<String>,
}

impl<'a, M: Metric> FitPage<'a, M> {
    /// Finds out what the page shows beside the evaluation, with so many refits, see [`Refits::of`]; the words are the
    /// caller's to add.
    pub fn of(
        model: &'a Model,
        rows: &'a Sample,
        test: Option<&'a Sample>,
        metrics: &'a [M],
        evaluation: &'a Evaluation,
        refits: usize,
        observe: &dyn Observe,
    ) -> Self {
        let named = model.fit().and_then(|record| record.metric.as_deref());
        let own = named.and_then(|name| metrics.iter().find(|metric| metric.name() == name));
        let own = own.map(|metric| metric as &dyn Metric);
        let found = Refits::of(model, rows, own, refits, observe);
        let mut left_out = found.left_out;
        let alpha = own.and_then(|metric| match AlphaCurves::of(model, rows, metric) {
            Ok(curves) => Some(curves),
            Err(error) => {
                left_out.push(format!("The metric against α: {error}."));
                None
            }
        });
        if let (None, Some(name)) = (own, named) {
            left_out.push(format!(
                "The model's own metric, {name}: it is computed by something that the model file only names."
            ));
        }
        Self {
            model,
            rows,
            test,
            metrics,
            evaluation,
            gives_model_again: found.gives_model_again,
            alpha,
            spread: found.spread,
            learning: found.learning,
            flags: found.flags,
            words: Words { left_out, ..Words::default() },
            seed: 0,
        }
    }

    /// The page: one file that needs no other, and the same bytes for the same contents.
    ///
    /// # Errors
    ///
    /// If the model is for other rows.
    pub fn to_html(&self) -> Result<String, Error> {
        let context = json!({
            "title": self.title(),
            "verdict": verdict::section(self),
            "metrics": metrics::section(self),
            "confusion": confusion::section(self),
            "classes": classes::section(self),
            "weights": weights::section(self),
            "alpha": alpha::section(self),
            "learning": learning::section(self),
            "changes": changes::section(self)?,
            "data": data::section(self)?,
            "reproduce": reproduce::section(self),
            "left_out": self.words.left_out,
        });
        let live = |letters: usize| {
            live::data(self.model, self.looked_at(), self.metrics, self.own_metric(), letters, self.seed)
        };
        // What the rest of the page leaves is for the rows.
        let rest = shell::render("fit.html", &context, Some(&live(0)?)).len();
        let letters = MOST_BYTES.saturating_sub(rest).max(MOST_BYTES / 8);
        Ok(shell::render("fit.html", &context, Some(&live(letters)?)))
    }

    fn title(&self) -> String {
        let metric = self.own_metric().unwrap_or("no metric");
        format!("{metric} on {}", self.words.data)
    }

    /// How the model came about, if its file tells.
    pub(crate) fn record(&self) -> Option<&FitRecord> {
        self.model.fit()
    }

    /// The rows that metrics and matrices are of.
    pub(crate) fn looked_at(&self) -> &Sample {
        self.test.unwrap_or(self.rows)
    }

    /// What these rows are called.
    pub(crate) fn looked_at_name(&self) -> &str {
        self.words.test.as_deref().unwrap_or(&self.words.data)
    }

    /// The metric that the model was fitted for, if it is among those shown, else the first.
    pub(crate) fn own_metric(&self) -> Option<&str> {
        let named = self.record().and_then(|record| record.metric.as_deref());
        let is_shown = |name: &&str| self.evaluation.metrics.iter().any(|shown| shown == name);
        named.filter(is_shown).or_else(|| self.evaluation.metrics.first().map(String::as_str))
    }

    /// What that metric is, before and after.
    pub(crate) fn own_score(&self) -> Option<&ScoreInterval> {
        let own = self.own_metric()?;
        let place = self.evaluation.metrics.iter().position(|name| name == own)?;
        self.evaluation.scores.get(place)
    }

    pub(crate) fn class(&self, class: usize) -> &str {
        &self.model.classes()[class]
    }

    /// The classes in the order in which they are shown.
    pub(crate) fn order(&self) -> Vec<usize> {
        order::by_change(&self.evaluation.outcomes, self.model.classes().len())
    }

    /// A sentence about the order, if it is not that of the model.
    pub(crate) fn order_note(&self) -> Value {
        if self.model.classes().len() > order::SEEN_AT_ONCE {
            json!("Classes with the most changed rows come first.")
        } else {
            Value::Null
        }
    }
}
