//! `cwplugin eval`: every metric before and after.

use cwplugin::{Constraint, Evaluation, Model, Outcomes, Rule, Side};

use super::fit::constraint_table;
use super::read_model_before;
use crate::args::{Common, Eval};
use crate::command;
use crate::input::{Input, NamedMetric, Needs, metric_file, metrics_by_names, settled};
use crate::output::{Align, Screen, count_of, plain_table, shown};
use crate::user_error::UserError;

/// A larger confusion matrix is only in `--json`.
const SHOWN_CLASSES: usize = 20;

pub(crate) fn run(args: &Eval, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if args.model.is_none() && !args.measures.features.is_empty() {
        return Err(UserError::usage("--features is not supported without a model")
            .hint("omit it, or name a model that uses features: cwplugin eval MODEL DATA")
            .into());
    }
    let model = args.model.as_deref().map(|path| read_model_before(path, &args.path, "eval")).transpose()?;
    let model_file = model.as_ref().zip(args.model.as_deref());
    let input = Input::open(
        &args.path,
        &args.data,
        Needs { model: model_file, features: &args.measures.features, ..Needs::LABELLED },
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
    let conversion = input.conversion.clone();
    let mut samples = input.map(|chunk| Ok(chunk.sample))?;
    while let Some(sample) = samples.next(&mut progress)? {
        outcomes.add_sample(&sample, &rule)?;
        unlabelled += sample.n_unlabelled();
    }
    drop(progress);
    if outcomes.confusion(Side::Clean).has_no_rows() {
        return Err(conversion.no_labelled_rows().into());
    }
    let resampling = (args.measures.resamples, common.seed);
    let rows = (outcomes, unlabelled);
    let evaluation = evaluate(classes, rows, model.as_ref(), &metrics, resampling, screen)?;
    if common.json {
        screen.json(&evaluation.to_json())?;
    } else {
        screen.print(text(&evaluation))?;
    }
    Ok(())
}

/// Every metric with confidence intervals, and the status of the model's constraints.
pub(super) fn evaluate(
    classes: Vec<String>,
    (outcomes, unlabelled): (Outcomes, u64),
    model: Option<&Model>,
    metrics: &[NamedMetric],
    (resamples, seed): (usize, u64),
    screen: &Screen,
) -> anyhow::Result<Evaluation> {
    let spinner = screen.spinner("resampling");
    let constraints = model.map(|model| constraints(model, &classes, screen));
    let evaluation =
        Evaluation::new(classes, outcomes, unlabelled, metrics, constraints.as_deref(), (resamples, seed));
    drop(spinner);
    settled(metrics, evaluation.map_err(anyhow::Error::from))
}

/// The model's constraints, except those that name files or programs: a model may come from anybody, so no file that it names
/// is opened and no program is run.
fn constraints(model: &Model, classes: &[String], screen: &Screen) -> Vec<Constraint> {
    let statuses = model.report().into_iter().flat_map(|report| &report.constraints);
    let mut constraints = Vec::new();
    for name in statuses.map(|status| &status.constraint) {
        match Constraint::by_name(name, classes) {
            Ok(constraint) => constraints.push(constraint),
            Err(error) => {
                let metric = Constraint::split(name).map_or(&**name, |(metric, ..)| metric);
                let why = if command::is_named(metric) || metric_file(metric).is_some() {
                    "it names a file or a program; use --metric".to_string()
                } else {
                    error.to_string()
                };
                screen.note(format_args!("note: constraint {} is not checked: {why}", shown(name)));
            }
        }
    }
    constraints
}

fn text(evaluation: &Evaluation) -> String {
    let Evaluation { outcomes, constraints, .. } = evaluation;
    let unlabelled = match evaluation.unlabelled {
        0 => String::new(),
        n => format!(" ({} ignored)", count_of(n, "unlabelled row")),
    };
    let changed = if evaluation.has_model {
        format!(", {} changed by the model", count_of(outcomes.n_changed(), "prediction"))
    } else {
        String::new()
    };
    let mut text = format!("{}{unlabelled}{changed}\n\n", count_of(outcomes.n_rows(), "labelled row"));
    text += &metric_table(evaluation);
    text += "\n";
    if !constraints.is_empty() {
        text += &constraint_table(constraints);
        text += "\n";
    }
    text += &class_table(evaluation);
    for (name, side) in [("unadjusted", Side::Clean), ("fitted", Side::Fitted)] {
        if side == Side::Clean || evaluation.has_model {
            text += "\n";
            text += &confusion_table(evaluation, name, side);
        }
    }
    text
}

/// Every metric with confidence intervals.
pub(super) fn metric_table(evaluation: &Evaluation) -> String {
    let has_model = evaluation.has_model;
    let mut columns = vec![("metric", Align::Left), ("unadjusted", Align::Right), ("95% CI", Align::Left)];
    if has_model {
        columns.extend([("fitted", Align::Right), ("95% CI", Align::Left)]);
        columns.extend([("gain", Align::Right), ("95% CI", Align::Left)]);
    }
    let rows = evaluation.metrics.iter().zip(&evaluation.scores).map(|(metric, score)| {
        let mut row = vec![metric.clone()];
        let sides = if has_model { &[score.clean, score.fitted][..] } else { &[score.clean] };
        for side in sides {
            let to = if side.low < 0.0 { " to " } else { "–" };
            row.extend([format!("{:.4}", side.value), format!("{:.4}{to}{:.4}", side.low, side.high)]);
        }
        if has_model {
            let gain = score.gain;
            row.extend([format!("{:+.4}", gain.value), format!("{:+.4} to {:+.4}", gain.low, gain.high)]);
        }
        row
    });
    plain_table(&columns, rows)
}

/// Precision, recall and F1 of each class.
pub(super) fn class_table(evaluation: &Evaluation) -> String {
    let mut columns = vec![("class", Align::Left), ("rows", Align::Right)];
    columns.extend(["precision", "recall", "F1"].map(|title| (title, Align::Right)));
    let [clean, fitted] = [Side::Clean, Side::Fitted].map(|side| evaluation.outcomes.confusion(side));
    let rows = evaluation.classes.iter().enumerate().map(|(class, name)| {
        let mut row = vec![name.clone(), count(clean.class(class).truth)];
        let [before, after] = [&clean, &fitted].map(|confusion| confusion.class(class).rates());
        row.extend(before.iter().zip(after).map(|(before, after)| {
            if evaluation.has_model { format!("{before:.3} → {after:.3}") } else { format!("{before:.3}") }
        }));
        row
    });
    plain_table(&columns, rows)
}

fn confusion_table(evaluation: &Evaluation, name: &str, side: Side) -> String {
    let m = evaluation.classes.len();
    if m > SHOWN_CLASSES {
        return format!("  confusion matrix, {name}: {m} × {m}, see --json\n");
    }
    let confusion = evaluation.outcomes.confusion(side);
    let mut columns = vec![("truth ╲ predicted", Align::Left)];
    columns.extend(evaluation.classes.iter().map(|class| (class.as_str(), Align::Right)));
    let rows = evaluation.classes.iter().zip(confusion.rows()).map(|(class, counts)| {
        std::iter::once(class.clone()).chain(counts.iter().map(|&n| count(n))).collect()
    });
    format!("  confusion matrix, {name}\n{}", plain_table(&columns, rows))
}

/// A number of rows, or their weight.
fn count(n: f64) -> String {
    if n.fract().abs() < 1e-9 { format!("{n:.0}") } else { format!("{n:.3}") }
}
