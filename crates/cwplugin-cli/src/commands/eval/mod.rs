//! `cwplugin eval`: every metric before and after.

mod tables; // metrics and classes
mod confusion; // confusion matrices, or the largest confusions

use cwplugin::{Constraint, Evaluation, Model, Outcomes, Rule, Side};

use super::fit::constraint_table;
use super::{not_applicable, read_model_before};
use crate::args::{Common, Eval};
use crate::command;
use crate::input::{Input, NamedMetric, Needs, metric_file, metrics_by_names, settled};
use crate::output::{Screen, count_of, shown, width, wrapped};
use crate::user_error::UserError;
use confusion::Shown;
pub(super) use tables::{class_table, metric_table};

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
        screen,
    )?;
    let classes = input.classes().to_vec();
    let metrics = metrics_by_names(&args.measures.metric, &classes, args.measures.metric_timeout)?;
    let rule = match &model {
        Some(model) => model.rule().clone(),
        None => Rule::clean(classes.len())?,
    };

    let mut outcomes = Outcomes::new(classes.len());
    let mut unlabelled = 0;
    let mut overlap = model.as_ref().and_then(Model::overlap);
    let mut progress = screen.progress("reading");
    let conversion = input.conversion.clone();
    let mut samples = input.map(|chunk| Ok(chunk.sample))?;
    while let Some(sample) = samples.next(&mut progress)? {
        outcomes
            .add_sample(&sample, &rule)
            .map_err(|error| not_applicable(&error, args.model.as_deref().unwrap_or(&args.path), &classes))?;
        unlabelled += sample.n_unlabelled();
        if let Some(overlap) = &mut overlap {
            overlap.add(&sample);
        }
    }
    drop(progress);
    if outcomes.confusion(Side::Clean).has_no_rows() {
        return Err(conversion.no_labelled_rows().into());
    }
    let resampling = (args.measures.resamples, common.seed);
    let rows = (outcomes, unlabelled);
    let evaluation = evaluate(classes, rows, model.as_ref(), &metrics, resampling, screen)?;
    let evaluation = evaluation.with_overlap(overlap.as_ref());
    if common.json {
        screen.json(&evaluation.to_json())?;
    } else {
        let shown = if args.full { Shown::Full } else { Shown::Largest };
        screen.print(text(&evaluation, shown, width()))?;
    }
    if let Some(warning) = evaluation.overlap_warning() {
        screen.warn(warning);
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
    let stages = screen.spinner("resampling");
    let constraints = model.map(|model| constraints(model, &classes, screen));
    let constraints = constraints.as_deref();
    let resampling = (resamples, seed);
    let evaluation =
        Evaluation::with_progress(classes, outcomes, unlabelled, metrics, constraints, resampling, &stages);
    drop(stages);
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

/// The whole output, at most `width` columns wide where possible.
fn text(evaluation: &Evaluation, shown: Shown, width: usize) -> String {
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
    let head = format!("{}{unlabelled}{changed}", count_of(outcomes.n_rows(), "labelled row"));
    let mut text = wrapped(&head, width).join("\n") + "\n\n";
    text += &metric_table(evaluation, width);
    text += "\n";
    if !constraints.is_empty() {
        text += &constraint_table(constraints);
        text += "\n";
    }
    text += &class_table(evaluation, width);
    text += "\n";
    text += &confusion::text(evaluation, shown, width);
    text
}

#[cfg(test)]
mod tests; // the output at several widths
