//! `cwplugin eval`: every metric before and after.

use std::ops::Deref;

use cwplugin::{Constraint, ConstraintStatus, Evaluation, Model, Outcomes, Rule, Side};

use super::fit::constraint_table;
use super::{read_model, what_changes};
use crate::args::{Common, Eval};
use crate::command;
use crate::input::{Input, NamedMetric, Want, metric_file, metrics_by_names, settled};
use crate::output::{Align, Screen, count_of, plain_table, shown};
use crate::refusal::Refusal;

/// A larger confusion matrix does not fit a screen; `--json` has it all.
const SHOWN_CLASSES: usize = 20;

pub(crate) fn run(args: &Eval, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if args.model.is_none() && !args.measures.features.is_empty() {
        return Err(Refusal::usage("--features is not supported without --model")
            .hint("leave it out, or name a model that looks at features with --model FILE")
            .into());
    }
    let model = args.model.as_deref().map(read_model).transpose()?;
    let model_file = model.as_ref().zip(args.model.as_deref());
    let input = Input::open(
        &args.path,
        &args.data,
        Want { model: model_file, features: &args.measures.features, ..Want::LABELLED },
    )?;
    let classes = input.classes().to_vec();
    let metrics = metrics_by_names(&args.measures.metric, &classes, args.measures.metric_timeout)?;
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
    let counted = Counted { classes, outcomes, unlabelled };
    let evaluation =
        counted.evaluate(model.as_ref(), &metrics, args.measures.resamples, common.seed, screen)?;
    let evaluation = Shown { evaluation, changed_by: model.as_ref().map(what_changes) };
    if common.json {
        screen.json(&evaluation.to_json())?;
    } else {
        screen.print(evaluation.text())?;
    }
    Ok(())
}

/// Labelled rows, counted.
pub(super) struct Counted {
    pub(super) classes: Vec<String>,
    pub(super) outcomes: Outcomes,
    pub(super) unlabelled: u64,
}

impl Counted {
    /// Every metric with its intervals, and the model's own constraints.
    pub(super) fn evaluate(
        self,
        model: Option<&Model>,
        metrics: &[NamedMetric],
        resamples: usize,
        seed: u64,
        screen: &Screen,
    ) -> anyhow::Result<Evaluation> {
        let Self { classes, outcomes, unlabelled } = self;
        let spinner = screen.spinner("resampling");
        let constraints = model.map(|model| constraints(model, &classes, screen));
        let evaluation = Evaluation::new(
            classes,
            outcomes,
            unlabelled,
            metrics,
            constraints.as_deref(),
            (resamples, seed),
        );
        drop(spinner);
        settled(metrics, evaluation.map_err(anyhow::Error::from))
    }
}

/// The constraints that the model was fitted under, as far as they can be looked at here: a file may be anybody's, so
/// nothing that it names is opened, and no program is run.
fn constraints(model: &Model, classes: &[String], screen: &Screen) -> Vec<Constraint> {
    let written = model.report().into_iter().flat_map(|report| &report.constraints);
    let limit = |record: &ConstraintStatus| {
        let found = Constraint::by_name(&record.constraint, classes);
        if let Err(error) = &found {
            let name = Constraint::split(&record.constraint).map_or(&*record.constraint, |(name, ..)| name);
            let why = if command::is_named(name) || metric_file(name).is_some() {
                "it names a file or a program; --metric shows it".to_string()
            } else {
                error.to_string()
            };
            screen.note(format_args!(
                "note: the model's constraint {} is not checked: {why}",
                shown(&record.constraint)
            ));
        }
        found.ok()
    };
    written.filter_map(limit).collect()
}

/// What is printed.
pub(crate) struct Shown {
    pub(crate) evaluation: Evaluation,
    /// What the black box is compared with, in a word.
    pub(crate) changed_by: Option<&'static str>,
}

impl Deref for Shown {
    type Target = Evaluation;

    fn deref(&self) -> &Evaluation {
        &self.evaluation
    }
}

impl Shown {
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
        if !self.constraints.is_empty() {
            text += &constraint_table(&self.constraints);
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
            let before = clean.class(class).rates();
            let after = fitted.class(class).rates();
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

/// A count of rows; of weighted rows with as many digits as help.
fn count(n: f64) -> String {
    if n.fract().abs() < 1e-9 { format!("{n:.0}") } else { format!("{n:.3}") }
}
