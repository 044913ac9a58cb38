//! A whole evaluation, as every face shows it.

use serde_json::{Value, json};

use crate::evaluate::{ConstraintStatus, Outcomes, ScoreInterval, Side};
use crate::metric::Confusion;

/// Every metric before and after, on labelled rows.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The names of the metrics.
    pub metrics: Vec<String>,
    /// What each of them is, before and after.
    pub scores: Vec<ScoreInterval>,
    /// The model's own constraints.
    pub constraints: Vec<ConstraintStatus>,
    /// The predictions of both sides, counted.
    pub outcomes: Outcomes,
    /// Rows that had no label.
    pub unlabelled: u64,
    /// Whether there is an after.
    pub has_model: bool,
}

impl Evaluation {
    /// The document of `cwplugin eval --json`; without a model `fitted` is null and the interval is the black box's.
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
        if !self.constraints.is_empty() {
            document["constraints"] = json!(self.constraints);
        }
        document
    }

    /// Whose predictions there are.
    pub fn sides(&self) -> &'static [(&'static str, Side)] {
        if self.has_model {
            &[("clean", Side::Clean), ("fitted", Side::Fitted)]
        } else {
            &[("clean", Side::Clean)]
        }
    }
}
