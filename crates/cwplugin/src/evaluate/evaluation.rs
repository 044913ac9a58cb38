//! Every metric before and after, as JSON and as a table.

use std::fmt;

use serde_json::{Value, json};

use crate::data::Overlap;
use crate::error::Error;
use crate::evaluate::{ConstraintStatus, Interval, Outcomes, ScoreInterval, Side};
use crate::metric::{Confusion, Constraint, Metric};
use crate::progress::{Observer, Progress};

/// Every metric before and after, on labelled rows.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// Class names.
    pub classes: Vec<String>,
    /// Metric names.
    pub metrics: Vec<String>,
    /// One entry per metric.
    pub scores: Vec<ScoreInterval>,
    /// The status of the constraints of the model.
    pub constraints: Vec<ConstraintStatus>,
    /// The predictions before and after, counted.
    pub outcomes: Outcomes,
    /// Number of unlabelled rows.
    pub unlabelled: u64,
    /// Whether there is a model, or only the unadjusted black box.
    pub has_model: bool,
    /// The share of the rows that the model was fitted on, if that is known and not negligible.
    pub overlap: Option<f64>,
}

impl Evaluation {
    /// Every metric with 95% bootstrap intervals, and the status of the constraints of the model. `constraints` is `None` if
    /// there is no model, only the unadjusted black box.
    ///
    /// # Errors
    ///
    /// If no row is labelled, or a metric is for another number of classes or not finite.
    pub fn new<M: Metric>(
        classes: Vec<String>,
        outcomes: Outcomes,
        unlabelled: u64,
        metrics: &[M],
        constraints: Option<&[Constraint]>,
        resampling: (usize, u64),
    ) -> Result<Self, Error> {
        Self::with_progress(classes, outcomes, unlabelled, metrics, constraints, resampling, &())
    }

    /// [`Evaluation::new`], with the progress of the resamples.
    ///
    /// # Errors
    ///
    /// As [`Evaluation::new`].
    pub fn with_progress<M: Metric>(
        classes: Vec<String>,
        outcomes: Outcomes,
        unlabelled: u64,
        metrics: &[M],
        constraints: Option<&[Constraint]>,
        (resamples, seed): (usize, u64),
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        if outcomes.n_rows() == 0 {
            return Err(Error::NoLabelledRows);
        }
        Ok(Self {
            classes,
            metrics: metrics.iter().map(|metric| metric.name().to_string()).collect(),
            scores: outcomes.intervals_with_progress(metrics, (resamples, seed), Observer::new(progress))?,
            constraints: ConstraintStatus::of(constraints.unwrap_or_default(), &outcomes, seed)?,
            outcomes,
            unlabelled,
            has_model: constraints.is_some(),
            overlap: None,
        })
    }

    /// Adds the share of the rows that the model was fitted on.
    pub fn with_overlap(self, overlap: Option<&Overlap>) -> Self {
        Self { overlap: overlap.and_then(Overlap::share), ..self }
    }

    /// A warning if the model was fitted on some of the rows.
    pub fn overlap_warning(&self) -> Option<String> {
        let share = match self.overlap? {
            share if share > 0.995 => "all".into(),
            share => format!("about {:.0}%", 100.0 * share),
        };
        Some(format!(
            "the model was fitted on {share} of these rows, so the scores are too optimistic: evaluate on other rows"
        ))
    }

    /// The JSON of `cwplugin eval --json`. Without a model `fitted` is null, and the interval is that of the black box.
    pub fn to_json(&self) -> Value {
        let metrics: serde_json::Map<String, Value> = self
            .metrics
            .iter()
            .zip(&self.scores)
            .map(|(metric, score)| {
                let clean = json!([score.clean.low, score.clean.high]);
                let entry = if self.has_model {
                    json!({
                        "clean": score.clean.value, "fitted": score.fitted.value,
                        "low": score.fitted.low, "high": score.fitted.high,
                        "clean_interval": clean,
                        "gain": score.gain.value, "gain_interval": [score.gain.low, score.gain.high],
                    })
                } else {
                    json!({
                        "clean": score.clean.value, "fitted": null,
                        "low": score.clean.low, "high": score.clean.high, "clean_interval": clean,
                    })
                };
                (metric.clone(), entry)
            })
            .collect();
        let sides: Vec<(&str, Confusion)> =
            self.sides().iter().map(|&(name, side)| (name, self.outcomes.confusion(side))).collect();
        let per_class: Vec<Value> = (0..self.classes.len())
            .map(|class| {
                let mut entry =
                    json!({"class": self.classes[class], "support": sides[0].1.class(class).truth});
                for (name, confusion) in &sides {
                    let [precision, recall, f1] = confusion.class(class).rates();
                    entry[*name] = json!({"precision": precision, "recall": recall, "f1": f1});
                }
                entry
            })
            .collect();
        let confusion: serde_json::Map<String, Value> = sides
            .iter()
            .map(|(name, confusion)| (name.to_string(), json!(confusion.rows().collect::<Vec<_>>())))
            .collect();
        let mut document = json!({
            "rows": self.outcomes.n_rows(),
            "unlabelled": self.unlabelled,
            "changed": self.outcomes.n_changed(),
            "metrics": metrics,
            "classes": self.classes,
            "per_class": per_class,
            "confusion": confusion,
        });
        if let Some(overlap) = self.overlap {
            document["overlap"] = json!(overlap);
            document["warnings"] = json!(self.overlap_warning().into_iter().collect::<Vec<_>>());
        }
        if !self.constraints.is_empty() {
            document["constraints"] = json!(self.constraints);
        }
        document
    }

    /// The sides with predictions, by name.
    pub fn sides(&self) -> &'static [(&'static str, Side)] {
        if self.has_model {
            &[("clean", Side::Clean), ("fitted", Side::Fitted)]
        } else {
            &[("clean", Side::Clean)]
        }
    }
}

/// A table with one metric per line, before and after, with 95% confidence intervals.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let to = |low: f64| if low < 0.0 { " to " } else { "–" };
        let width = self.metrics.iter().map(|name| name.chars().count()).max().unwrap_or_default();
        writeln!(
            f,
            "{} labelled rows, {} predictions changed",
            self.outcomes.n_rows(),
            self.outcomes.n_changed()
        )?;
        for (name, score) in self.metrics.iter().zip(&self.scores) {
            let Interval { value, low, high } = score.clean;
            write!(f, "{name:width$}  {value:.4} (95% CI {low:.4}{}{high:.4})", to(low))?;
            if self.has_model {
                let (Interval { value, low, high }, gain) = (score.fitted, score.gain.value);
                write!(f, " → {value:.4} ({low:.4}{}{high:.4}), gain {gain:+.4}", to(low))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
