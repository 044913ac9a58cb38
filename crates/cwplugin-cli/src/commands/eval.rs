//! `cwplugin eval`: every metric before and after.

use cwplugin::{
    Confusion, Constraint, ConstraintRecord, Kept, Metric as _, Model, Outcomes, Rule, ScoreInterval, Side,
};
use serde_json::{Value, json};

use super::fit::constraint_table;
use super::{read_model, what_changes};
use crate::args::{Common, Eval};
use crate::command;
use crate::input::{Input, Want, metric_file, metrics_by_names, settled};
use crate::output::{Align, Screen, count_of, plain_table, shown};
use crate::refusal::Refusal;

/// A larger confusion matrix does not fit a screen; `--json` has it all.
const SHOWN_CLASSES: usize = 20;

pub(crate) fn run(args: &Eval, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if args.model.is_none() && !args.features.is_empty() {
        return Err(Refusal::usage("--features means nothing without --model")
            .hint("leave it out, or name a model that looks at features with --model FILE")
            .into());
    }
    let model = args.model.as_deref().map(read_model).transpose()?;
    let model_file = model.as_ref().zip(args.model.as_deref());
    let input = Input::open(
        &args.path,
        &args.data,
        Want { model: model_file, features: &args.features, ..Want::LABELLED },
    )?;
    let classes = input.classes().to_vec();
    let metrics = metrics_by_names(&args.metric, &classes, args.metric_timeout)?;
    let rule = match &model {
        Some(model) => model.rule().clone(),
        None => Rule::clean(classes.len())?,
    };

    let mut outcomes = Outcomes::new(classes.len());
    let mut unlabelled = 0;
    let mut progress = screen.progress("reading");
    let conversion = input.conversion();
    let mut samples = input.map(|chunk| Ok(chunk.sample))?;
    while let Some(sample) = samples.next(&mut progress)? {
        outcomes.add_sample(&sample, &rule)?;
        unlabelled += sample.n_unlabelled();
    }
    drop(progress);
    if outcomes.confusion(Side::Clean).has_no_rows() {
        return Err(conversion.no_labelled_rows().into());
    }
    let spinner = screen.spinner("resampling");
    let scores = outcomes.intervals(&metrics, args.resamples, common.seed);
    let scores = settled(&metrics, scores.map_err(anyhow::Error::from))?;
    let limits = model.as_ref().map_or_else(Vec::new, |model| limits(model, &classes, screen));
    let kept = Kept::of(&limits, &outcomes, common.seed)?;
    drop(spinner);
    let evaluation = Evaluation {
        classes,
        metrics: metrics.iter().map(|metric| metric.name().to_string()).collect(),
        scores,
        kept,
        outcomes,
        unlabelled,
        changed_by: model.as_ref().map(what_changes),
    };
    if common.json {
        screen.json(&evaluation.json())?;
    } else {
        screen.print(evaluation.text())?;
    }
    Ok(())
}

/// The constraints that the model was fitted under, as far as they can be looked at here: a file may be anybody's, so
/// nothing that it names is opened, and no program is run.
fn limits(model: &Model, classes: &[String], screen: &Screen) -> Vec<Constraint> {
    let records = model.fit().into_iter().flat_map(|fit| &fit.constraints);
    let limit = |record: &ConstraintRecord| {
        let found = Constraint::by_name(&record.constraint, classes);
        if let Err(error) = &found {
            let name = Constraint::split(&record.constraint).map_or(&*record.constraint, |(name, ..)| name);
            let why = if command::is_named(name) || metric_file(name).is_some() {
                "it names a file or a program; --metric shows it".to_string()
            } else {
                error.to_string()
            };
            screen.note(format_args!(
                "note: the model's constraint {} is not looked at: {why}",
                shown(&record.constraint)
            ));
        }
        found.ok()
    };
    records.filter_map(limit).collect()
}

/// What is printed, as numbers.
pub(crate) struct Evaluation {
    pub(crate) classes: Vec<String>,
    /// Their names.
    pub(crate) metrics: Vec<String>,
    pub(crate) scores: Vec<ScoreInterval>,
    /// The model's own constraints.
    pub(crate) kept: Vec<Kept>,
    pub(crate) outcomes: Outcomes,
    pub(crate) unlabelled: u64,
    /// What the black box is compared with, in a word.
    pub(crate) changed_by: Option<&'static str>,
}

impl Evaluation {
    /// The document of `--json`; without a model `fitted` is null and the interval is the black box's.
    pub(crate) fn json(&self) -> Value {
        let metrics: serde_json::Map<String, Value> = self
            .metrics
            .iter()
            .zip(&self.scores)
            .map(|(metric, score)| {
                let clean = json!([score.clean.low, score.clean.high]);
                let entry = if self.changed_by.is_some() {
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
                    let [precision, recall, f1] = rates(confusion, class);
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
        if !self.kept.is_empty() {
            let kept: Vec<ConstraintRecord> = self.kept.iter().map(ConstraintRecord::from).collect();
            document["constraints"] = json!(kept);
        }
        document
    }

    fn sides(&self) -> &'static [(&'static str, Side)] {
        if self.changed_by.is_some() {
            &[("clean", Side::Clean), ("fitted", Side::Fitted)]
        } else {
            &[("clean", Side::Clean)]
        }
    }

    fn text(&self) -> String {
        let unlabelled = match self.unlabelled {
            0 => String::new(),
            n => format!(" ({} not counted)", count_of(n, "unlabelled row")),
        };
        let changed = self.changed_by.map_or_else(String::new, |by| {
            format!(", {} changed by the {by}", count_of(self.outcomes.n_changed(), "prediction"))
        });
        let mut text =
            format!("{}{unlabelled}{changed}\n\n", count_of(self.outcomes.n_rows(), "labelled row"));
        text += &self.metric_table();
        text += "\n";
        if !self.kept.is_empty() {
            text += &constraint_table(&self.kept);
            text += "\n";
        }
        text += &self.class_table();
        for (name, side) in self.sides() {
            text += "\n";
            text += &self.confusion_table(name, *side);
        }
        text
    }

    /// Every metric with its intervals.
    pub(crate) fn metric_table(&self) -> String {
        let interval = |low: f64, high: f64| format!("{low:.4} … {high:.4}");
        let mut columns =
            vec![("metric", Align::Left), ("clean", Align::Right), ("95 % interval", Align::Left)];
        if self.changed_by.is_some() {
            columns.extend([("fitted", Align::Right), ("95 % interval", Align::Left)]);
            columns.extend([("gain", Align::Right), ("95 % interval", Align::Left)]);
        }
        let rows = self.metrics.iter().zip(&self.scores).map(|(metric, score)| {
            let mut row = vec![metric.clone(), format!("{:.4}", score.clean.value)];
            row.push(interval(score.clean.low, score.clean.high));
            if self.changed_by.is_some() {
                row.push(format!("{:.4}", score.fitted.value));
                row.push(interval(score.fitted.low, score.fitted.high));
                row.push(format!("{:+.4}", score.gain.value));
                row.push(format!("{:+.4} … {:+.4}", score.gain.low, score.gain.high));
            }
            row
        });
        plain_table(&columns, rows)
    }

    /// Precision, recall and F1 class by class.
    pub(crate) fn class_table(&self) -> String {
        let mut columns = vec![("class", Align::Left), ("rows", Align::Right)];
        columns.extend(["precision", "recall", "F1"].map(|title| (title, Align::Right)));
        let (clean, fitted) = (self.outcomes.confusion(Side::Clean), self.outcomes.confusion(Side::Fitted));
        let rows = self.classes.iter().enumerate().map(|(class, name)| {
            let mut row = vec![name.clone(), count(clean.class(class).truth)];
            let before = rates(&clean, class);
            let after = rates(&fitted, class);
            row.extend(before.iter().zip(after).map(|(before, after)| {
                if self.changed_by.is_some() {
                    format!("{before:.3} → {after:.3}")
                } else {
                    format!("{before:.3}")
                }
            }));
            row
        });
        plain_table(&columns, rows)
    }

    fn confusion_table(&self, name: &str, side: Side) -> String {
        let m = self.classes.len();
        if m > SHOWN_CLASSES {
            return format!("  confusion matrix, {name}: {m} × {m}, see --json\n");
        }
        let confusion = self.outcomes.confusion(side);
        let mut columns = vec![("truth ╲ predicted", Align::Left)];
        columns.extend(self.classes.iter().map(|class| (class.as_str(), Align::Right)));
        let rows = self.classes.iter().zip(confusion.rows()).map(|(class, counts)| {
            std::iter::once(class.clone()).chain(counts.iter().map(|&n| count(n))).collect()
        });
        format!("  confusion matrix, {name}\n{}", plain_table(&columns, rows))
    }
}

/// Precision, recall and F1 of a class; 0 without a denominator.
fn rates(confusion: &Confusion, class: usize) -> [f64; 3] {
    let c = confusion.class(class);
    let share = |whole: f64, times: f64| if whole > 0.0 { times * c.correct / whole } else { 0.0 };
    [share(c.predicted, 1.0), share(c.truth, 1.0), share(c.truth + c.predicted, 2.0)]
}

/// A count of rows; of weighted rows with as many digits as help.
fn count(n: f64) -> String {
    if n.fract().abs() < 1e-9 { format!("{n:.0}") } else { format!("{n:.3}") }
}
