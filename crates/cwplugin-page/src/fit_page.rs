//! One page per fit: what it changed, what is to be expected, and how sure one can be.

use std::borrow::Cow;

use cwplugin::{Error, Evaluation, FitReport, LearningCurve, Metric, Model, Sample, ScoreInterval};
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

/// The weights of more classes are not moved one by one.
const MOST_MOVED: usize = 1_000;

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
    /// Whether a fit of the rows gives the model again, so that it has seen them; `None` if nobody tried.
    pub gives_model_again: Option<bool>,
    /// The metric against α.
    pub alpha: Option<AlphaCurves>,
    /// How far other labels would have moved the weights.
    pub spread: Option<Spread>,
    /// What more labels would bring.
    pub learning: Option<LearningCurve>,
    /// The flags of `cwplugin fit` that ask for the model, if its record tells all of them.
    pub flags: Option<Vec<String>>,
    /// What is called what.
    pub words: Words,
    /// Resamples that the intervals of the evaluation rest on.
    pub resamples: usize,
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
        let named = model.report().and_then(|record| record.metric.as_deref());
        let own = named.and_then(|name| metrics.iter().find(|metric| metric.name() == name));
        let own = own.map(|metric| metric as &dyn Metric);
        let found = Refits::of(model, rows, own, refits, observe);
        let mut left_out = found.left_out;
        let alpha = own.map(|metric| AlphaCurves::of(model, rows, metric)).transpose();
        let alpha = alpha.map(|alpha| alpha.filter(|alpha| !alpha.curves.is_empty()));
        let why = match (&alpha, named) {
            (Ok(Some(_)), _) => None,
            (Err(error), _) => Some(error.to_string()),
            (Ok(None), _) if own.is_some() => Some("only one class has labelled rows".into()),
            (Ok(None), Some(name)) => Some(format!(
                "the model was fitted for {name}, which is not shown here; name it beside the other metrics to see it"
            )),
            (Ok(None), None) => Some("the model file does not tell which metric it was fitted for".into()),
        };
        left_out.extend(why.map(|why| format!("The metric against α: {why}.")));
        let alpha = alpha.ok().flatten();
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
            resamples: 1000,
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
            live::data(self.model, self.looked_at(), self.metrics, self.first_metric(), letters, self.seed)
        };
        if self.model.classes().len() > MOST_MOVED {
            return Ok(shell::render("fit.html", &context, None));
        }
        // What the rest of the page leaves is for the rows.
        let rest = shell::render("fit.html", &context, Some(&live(0)?)).len();
        let letters = MOST_BYTES.saturating_sub(rest).max(MOST_BYTES / 8);
        Ok(shell::render("fit.html", &context, Some(&live(letters)?)))
    }

    fn title(&self) -> String {
        let metric = self.record().and_then(|record| record.metric.as_deref()).unwrap_or("weights");
        format!("{metric} on {}", self.words.data)
    }

    /// How the model came about, if its file tells.
    pub(crate) fn record(&self) -> Option<&FitReport> {
        self.model.report()
    }

    /// The rows that metrics and matrices are of.
    pub(crate) fn looked_at(&self) -> &Sample {
        self.test.unwrap_or(self.rows)
    }

    /// What these rows are called.
    pub(crate) fn looked_at_name(&self) -> &str {
        self.words.test.as_deref().unwrap_or(&self.words.data)
    }

    /// The metric that the model was fitted for, if it is among those shown.
    pub(crate) fn own_metric(&self) -> Option<&str> {
        let named = self.record().and_then(|record| record.metric.as_deref());
        named.filter(|name| self.evaluation.metrics.iter().any(|shown| shown == name))
    }

    /// The metric that is looked at first: the model's own, or else the first.
    pub(crate) fn first_metric(&self) -> Option<&str> {
        self.own_metric().or_else(|| self.evaluation.metrics.first().map(String::as_str))
    }

    /// What that metric is, before and after.
    pub(crate) fn first_score(&self) -> Option<&ScoreInterval> {
        let first = self.first_metric()?;
        let place = self.evaluation.metrics.iter().position(|name| name == first)?;
        self.evaluation.scores.get(place)
    }

    /// Whether rows differ in weight.
    pub(crate) fn is_weighted(&self) -> bool {
        self.looked_at().weights().is_some()
    }

    /// The name of a class; one that nobody could see, in quotes.
    pub(crate) fn class(&self, class: usize) -> Cow<'_, str> {
        let name = &self.model.classes()[class];
        if name.trim().is_empty() { format!("“{name}”").into() } else { name.into() }
    }

    /// The classes in the order in which they are shown.
    pub(crate) fn order(&self) -> Vec<usize> {
        order::by_change(&self.evaluation.outcomes, self.model.classes().len())
    }

    /// The same, of pictures and matrices, which do not have room for all of very many.
    pub(crate) fn drawn(&self) -> Vec<usize> {
        let mut order = self.order();
        order.truncate(order::MOST_DRAWN);
        order
    }

    /// A sentence about the order, if it is not that of the model.
    pub(crate) fn order_note(&self) -> Value {
        match self.model.classes().len() {
            m if m > order::MOST_DRAWN => {
                json!(format!("The {} classes with the most changed rows are drawn.", order::MOST_DRAWN))
            }
            m if m > order::SEEN_AT_ONCE => json!("Classes with the most changed rows come first."),
            _ => Value::Null,
        }
    }
}
