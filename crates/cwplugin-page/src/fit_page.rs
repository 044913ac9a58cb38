//! One page per fit: expected gain, metrics before and after, weights, and the data.

use std::borrow::Cow;

use cwplugin::evaluate::ScoreInterval;
use cwplugin::{Error, Evaluation, FitReport, LearningCurve, Metric, Model, Sample};
use serde_json::{Value, json};

use crate::alpha::AlphaCurves;
use crate::order;
use crate::refits::{Progress, Refits};
use crate::sections::{
    alpha, changes, choice, classes, confusion, data, learning, metrics, reproduce, verdict, weights,
};
use crate::spread::Spread;
use crate::{live, shell};

/// Rows are rounded or sampled to keep a page below this size.
const MOST_BYTES: usize = 1_980_000;

/// With more classes there are no sliders.
const MOST_SLIDERS: usize = 1_000;

/// The contents of a page about a fit.
///
/// Metrics, confusion matrices, changes and the interactive section use the evaluated rows: the test rows if there are any,
/// else `rows`. The evaluation must be of these. What is missing is left out, and `omitted` says why.
#[derive(Debug)]
pub struct FitPage<'a, M> {
    /// The model.
    pub model: &'a Model,
    /// Labelled rows, usually those of the fit.
    pub rows: &'a Sample,
    /// Labelled rows that the fit has not seen.
    pub test: Option<&'a Sample>,
    /// The metrics, in the order of the evaluation.
    pub metrics: &'a [M],
    /// Every metric before and after.
    pub evaluation: &'a Evaluation,
    /// Whether a refit of the rows gives exactly this model, so that it was fitted on them; `None` if not checked.
    pub reproduces_model: Option<bool>,
    /// The metric against α.
    pub alpha: Option<AlphaCurves>,
    /// Bootstrap spread of the weights.
    pub spread: Option<Spread>,
    /// The gain against the number of labelled rows.
    pub learning: Option<LearningCurve>,
    /// The flags of `cwplugin fit` that repeat the fit, if the report has all of them.
    pub flags: Option<Vec<String>>,
    /// Names of the tables, and commands.
    pub provenance: Provenance,
    /// What is missing on the page, and why: a sentence each.
    pub omitted: Vec<String>,
    /// Bootstrap resamples of the evaluation.
    pub resamples: usize,
    /// Seed of the random sample of rows, if there are too many for a page.
    pub seed: u64,
}

/// Where the rows came from, and how to reproduce the page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Provenance {
    /// The name of the rows: their file.
    pub data: String,
    /// The name of the test rows.
    pub test: Option<String>,
    /// Commands, or lines of code, that reproduce the model and the page.
    pub commands: Vec<String>,
}

impl<'a, M: Metric> FitPage<'a, M> {
    /// Computes what the page shows besides the evaluation, with `refits` refits, see [`Refits::of`]. The provenance is left
    /// empty.
    pub fn of(
        model: &'a Model,
        rows: &'a Sample,
        test: Option<&'a Sample>,
        metrics: &'a [M],
        evaluation: &'a Evaluation,
        refits: usize,
        progress: &dyn Progress,
    ) -> Self {
        let named = model.report().and_then(|report| report.metric.as_deref());
        let own = named.and_then(|name| metrics.iter().find(|metric| metric.name() == name));
        let own = own.map(|metric| metric as &dyn Metric);
        let found = Refits::of(model, rows, own, refits, progress);
        let mut omitted = found.omitted;
        let alpha = own.map(|metric| AlphaCurves::of(model, rows, metric)).transpose();
        let alpha = alpha.map(|alpha| alpha.filter(|alpha| !alpha.curves.is_empty()));
        let why = match (&alpha, named) {
            (Ok(Some(_)), _) => None,
            (Err(error), _) => Some(error.to_string()),
            (Ok(None), _) if own.is_some() => Some("only one class has labelled rows".into()),
            (Ok(None), Some(name)) => {
                Some(format!("the metric of the fit, {name}, is not among the metrics of this page"))
            }
            (Ok(None), None) => Some("the model file does not name the metric of the fit".into()),
        };
        omitted.extend(why.map(|why| format!("Metric against α: {why}.")));
        Self {
            model,
            rows,
            test,
            metrics,
            evaluation,
            reproduces_model: found.reproduces_model,
            alpha: alpha.ok().flatten(),
            spread: found.spread,
            learning: found.learning,
            flags: found.flags,
            provenance: Provenance::default(),
            omitted,
            resamples: 1000,
            seed: 0,
        }
    }

    /// The page as one self-contained file; the same contents give the same bytes.
    ///
    /// # Errors
    ///
    /// If the rows do not match the model.
    pub fn to_html(&self) -> Result<String, Error> {
        let context = json!({
            "title": self.title(),
            "verdict": verdict::section(self),
            "choice": choice::section(self),
            "metrics": metrics::section(self),
            "confusion": confusion::section(self),
            "classes": classes::section(self),
            "weights": weights::section(self),
            "alpha": alpha::section(self),
            "learning": learning::section(self),
            "changes": changes::section(self)?,
            "data": data::section(self)?,
            "reproduce": reproduce::section(self),
            "omitted": self.omitted,
        });
        let rows = self.evaluated_rows();
        let live = |letters: usize| {
            live::data(self.model, rows, self.metrics, self.first_metric(), letters, self.seed)
        };
        if self.model.classes().len() > MOST_SLIDERS {
            return Ok(shell::render("fit.html", &context, None));
        }
        // The rows get the space that the rest of the page leaves.
        let rest = shell::render("fit.html", &context, Some(&live(0)?)).len();
        let letters = MOST_BYTES.saturating_sub(rest).max(MOST_BYTES / 8);
        Ok(shell::render("fit.html", &context, Some(&live(letters)?)))
    }

    fn title(&self) -> String {
        let metric = self.report().and_then(|report| report.metric.as_deref()).unwrap_or("weights");
        format!("{metric} on {}", self.provenance.data)
    }

    /// The report of the fit, if the model file has one.
    pub(crate) fn report(&self) -> Option<&FitReport> {
        self.model.report()
    }

    /// The rows of metrics and confusion matrices.
    pub(crate) fn evaluated_rows(&self) -> &Sample {
        self.test.unwrap_or(self.rows)
    }

    /// The name of these rows.
    pub(crate) fn evaluated_name(&self) -> &str {
        self.provenance.test.as_deref().unwrap_or(&self.provenance.data)
    }

    /// The metric of the fit, if it is among those shown.
    pub(crate) fn own_metric(&self) -> Option<&str> {
        let named = self.report().and_then(|report| report.metric.as_deref());
        named.filter(|name| self.evaluation.metrics.iter().any(|shown| shown == name))
    }

    /// The metric of the fit, or else the first one.
    pub(crate) fn first_metric(&self) -> Option<&str> {
        self.own_metric().or_else(|| self.evaluation.metrics.first().map(String::as_str))
    }

    /// Its values before and after.
    pub(crate) fn first_score(&self) -> Option<&ScoreInterval> {
        let first = self.first_metric()?;
        let index = self.evaluation.metrics.iter().position(|name| name == first)?;
        self.evaluation.scores.get(index)
    }

    /// Whether rows have weights.
    pub(crate) fn is_weighted(&self) -> bool {
        self.evaluated_rows().weights().is_some()
    }

    /// The name of a class, in quotes if it is blank.
    pub(crate) fn class(&self, class: usize) -> Cow<'_, str> {
        let name = &self.model.classes()[class];
        if name.trim().is_empty() { format!("“{name}”").into() } else { name.into() }
    }

    /// All classes in the order of the page.
    pub(crate) fn order(&self) -> Vec<usize> {
        order::by_change(&self.evaluation.outcomes, self.model.classes().len())
    }

    /// The classes of plots and matrices, which have no space for very many.
    pub(crate) fn drawn(&self) -> Vec<usize> {
        let mut order = self.order();
        order.truncate(order::MOST_DRAWN);
        order
    }

    /// A sentence about the order, unless it is that of the model.
    pub(crate) fn order_note(&self) -> Value {
        match self.model.classes().len() {
            m if m > order::MOST_DRAWN => {
                json!(format!("Only the {} classes with the most changes are drawn.", order::MOST_DRAWN))
            }
            m if m > order::SEEN_AT_ONCE => json!("Classes with the most changes come first."),
            _ => Value::Null,
        }
    }
}
