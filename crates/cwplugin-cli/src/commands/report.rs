//! `cwplugin report`: an HTML page about a model.

use std::io::{self, IsTerminal as _};
use std::path::Path;

use cwplugin::{Calibration, Evaluation, Metric as _, Model, Outcomes, Sample};
use cwplugin_page::{FitPage, Refits};
use serde_json::json;

use super::eval::evaluate;
use super::{not_applicable, read_model_before, shell_line, typed_command};
use crate::args::{Common, Report};
use crate::atomic::AtomicFile;
use crate::input::{Input, NamedMetric, Needs, is_feature_file, metric_file, metrics_by_names, settled};
use crate::output::{Screen, refuse_replacing};
use crate::table::{Format, is_stream};
use crate::user_error::UserError;

pub(crate) fn run(args: &Report, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    refuse_streams(args, common)?;
    refuse_shared_files(args)?;
    let mut inputs = vec![(args.model.as_path(), "the model"), (args.path.as_path(), "the table")];
    inputs.extend(args.test.as_deref().map(|path| (path, "the test rows")));
    inputs.extend(args.measures.features.iter().map(|file| (Path::new(file), "the features")));
    inputs.push((Path::new(&args.data.label), "the labels"));
    inputs.extend(args.measures.metric.iter().filter_map(|name| metric_file(name)));
    refuse_replacing("-o", args.output.as_deref(), &inputs)?;
    let model = read_model_before(&args.model, &args.path, "report")?;
    let output = args.output.as_deref().filter(|path| !is_stream(path));
    let file_output = output.map(AtomicFile::create).transpose()?; // a bad path fails before the work

    let rows = read(&args.path, &model, args, screen)?;
    let test = args.test.as_ref().map(|path| read(path, &model, args, screen)).transpose()?;
    let metrics = metrics(args, &model)?;
    let page = page(args, common, &model, &rows, test.as_ref(), &metrics, screen);
    let (page, evaluation) = settled(&metrics, page)?;

    match file_output {
        Some(file) => file.write_whole(page.as_bytes())?,
        None => screen.print_bytes(page.as_bytes())?,
    }
    if common.json {
        let mut document = evaluation;
        document["report"] = json!(args.output.as_ref().map(|path| path.display().to_string()));
        screen.json(&document)?;
    }
    if let Some(path) = output {
        let megabytes = page.len() as f64 / 1e6;
        screen.note(format_args!("wrote {} ({megabytes:.1} MB)", path.display()));
    }
    Ok(())
}

/// The page, and its evaluation as JSON.
fn page(
    args: &Report,
    common: &Common,
    model: &Model,
    rows: &Sample,
    test: Option<&Sample>,
    metrics: &[NamedMetric],
    screen: &Screen,
) -> anyhow::Result<(String, serde_json::Value)> {
    let evaluated = test.unwrap_or(rows);
    let mut outcomes = Outcomes::new(model.classes().len());
    outcomes
        .add_sample(evaluated, model.rule())
        .map_err(|error| not_applicable(&error, &args.model, model.classes()))?;
    let (counts, resampling) = ((outcomes, evaluated.n_unlabelled()), (args.measures.resamples, common.seed));
    let classes = model.classes().to_vec();
    let evaluation = evaluate(classes, counts, Some(model), metrics, resampling, screen)?;

    let mut page = fit_page(model, (rows, test), metrics, &evaluation, args.refits, screen);
    page.provenance.data = name(&args.path);
    page.provenance.test = args.test.as_deref().map(name);
    page.provenance.commands = commands(args, model, page.flags.as_deref());
    (page.resamples, page.seed) = (args.measures.resamples, common.seed);
    Ok((page.to_html()?, evaluation.to_json()))
}

/// The page of a model and its rows, without names and commands.
pub(super) fn fit_page<'a>(
    model: &'a Model,
    (rows, test): (&'a Sample, Option<&'a Sample>),
    metrics: &'a [NamedMetric],
    evaluation: &'a Evaluation,
    refits: Option<u16>,
    screen: &Screen,
) -> FitPage<'a, NamedMetric> {
    let refits = refits.map_or_else(|| Refits::default_count(model, rows), usize::from);
    let stages = screen.spinner("refitting");
    FitPage::of(model, rows, test, metrics, evaluation, refits, &stages)
}

/// The rows of a table, in the order of the model's classes.
fn read(path: &Path, model: &Model, args: &Report, screen: &Screen) -> anyhow::Result<Sample> {
    let needs =
        Needs { model: Some((model, &args.model)), features: &args.measures.features, ..Needs::LABELLED };
    let input = Input::open(path, &args.data, needs, screen)?;
    let mut progress = screen.progress("reading");
    Ok(input.read_sample(&mut progress)?.0)
}

/// The requested metrics and the model's own, unless that names a file or a program: a model may come from anybody, so no file
/// that it names is opened and no program is run.
fn metrics(args: &Report, model: &Model) -> anyhow::Result<Vec<NamedMetric>> {
    let mut metrics = metrics_by_names(&args.measures.metric, model.classes(), args.measures.metric_timeout)?;
    let own = model.report().and_then(|report| report.metric.as_deref());
    if let Some(own) = own.filter(|own| metrics.iter().all(|metric| metric.name() != *own))
        && let Ok(metric) = cwplugin::metric::by_name(own, model.classes())
    {
        metrics.insert(0, NamedMetric::by_formula(metric));
    }
    Ok(metrics)
}

/// The name of a table on the page.
fn name(path: &Path) -> String {
    if is_stream(path) { "standard input".into() } else { path.display().to_string() }
}

/// Refuses a file of labels or features with two tables: it belongs to one of them.
fn refuse_shared_files(args: &Report) -> Result<(), UserError> {
    let label_file =
        Some(&args.data.label).filter(|label| Format::of_name(Path::new(label)) == Some(Format::Npy));
    let file = label_file.or_else(|| args.measures.features.iter().find(|item| is_feature_file(item)));
    match file.filter(|_| args.test.is_some()) {
        Some(file) => Err(UserError::usage(format!("{file}: cannot be used for both DATA and --test"))
            .hint("put labels and features into columns of both tables")),
        None => Ok(()),
    }
}

/// Refuses two uses of standard input or standard output.
fn refuse_streams(args: &Report, common: &Common) -> Result<(), UserError> {
    if is_stream(&args.path) && args.test.as_deref().is_some_and(is_stream) {
        return Err(
            UserError::usage("DATA and --test both read standard input").hint("write one of them to a file")
        );
    }
    let to_stream = args.output.as_deref().is_none_or(is_stream);
    if to_stream && common.json {
        return Err(UserError::usage("--json and the page both write to standard output")
            .hint("write the page to a file: -o report.html"));
    }
    if args.output.is_none() && io::stdout().is_terminal() {
        return Err(UserError::usage("an HTML page cannot be shown in a terminal")
            .hint("write it to a file and open that in a browser: -o report.html"));
    }
    Ok(())
}

/// The commands that reproduce the model and its page: the fit, if its flags are known, and the report.
fn commands(args: &Report, model: &Model, fit: Option<&[String]>) -> Vec<String> {
    let is_piped = is_stream(&args.path) || args.test.as_deref().is_some_and(is_stream);
    let note = is_piped.then(|| "# pipe the same standard input".to_string());
    let fit = fit.map(|flags| {
        let mut words = vec!["cwplugin".to_string(), "fit".into(), args.path.display().to_string()];
        words.extend(args.data.flags());
        let features = features(args, model);
        if !features.is_empty() {
            words.extend(["--features".into(), features.join(",")]);
        }
        words.extend(flags.iter().cloned());
        words.extend(["-o".into(), args.model.display().to_string()]);
        shell_line(words.iter().map(String::as_str))
    });
    note.into_iter().chain(fit).chain([typed_command()]).collect()
}

/// The features of the model: as given, else as named in the model.
fn features<'a>(args: &'a Report, model: &'a Model) -> &'a [String] {
    match model.rule().calibration() {
        Some(Calibration::Affine { features: Some(names), .. }) if args.measures.features.is_empty() => names,
        _ => &args.measures.features,
    }
}
