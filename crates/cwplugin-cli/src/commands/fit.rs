//! `cwplugin fit`: learn one weight per class.

use std::path::Path;

use cwplugin::{Error, FittedPlugin, Method, Metric, Model, PairReport, Plugin, Reference, Sample, Warning};

use super::methods;
use crate::args::{Common, Fit};
use crate::atomic::AtomicFile;
use crate::input::{Columns, Input, Labels, metric_by_name, quoted};
use crate::output::{Align, Screen, count_of, plain_table, refuse_replacing};
use crate::refusal::Refusal;
use crate::table::is_stream;

/// Of one kind of warning so many are spelled out.
const SHOWN_WARNINGS: usize = 3;

pub(crate) fn run(args: &Fit, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let method = methods::by_name(&args.method)?;
    let (table, labels) = (args.path.as_path(), Path::new(&args.data.label));
    let costs = Path::new(args.metric.strip_prefix("cost:").unwrap_or_default());
    let inputs = [(table, "the table"), (labels, "the labels"), (costs, "the cost matrix")];
    refuse_replacing(args.output.as_deref(), &inputs)?;
    let input = Input::open(table, &args.data, Labels::Needed, Columns::Meaningful, None)?;
    let metric = metric_by_name(&args.metric, input.classes())?;
    let recipe = recipe(args, method, &*metric, input.classes())?;
    let as_json = common.json || args.output.as_deref().is_some_and(is_stream);
    let output = args.output.as_deref().filter(|path| !is_stream(path));
    let file_output = output.map(AtomicFile::create).transpose()?; // a bad path fails before the work
    let file = input.name().to_string();

    let (sample, classes) = input.read_sample(&mut screen.progress("reading"))?;
    let spinner = screen.spinner("fitting");
    let fitted = recipe.fit(&sample).map_err(|error| refuse(&error, &file, &classes))?;
    drop(spinner);
    let model = Model::from_fit(classes, &fitted, method.name, common.seed)?;

    if let Some(file) = file_output {
        file.write_whole(model.to_json().as_bytes())?;
    }
    if as_json {
        screen.print(model.to_json())?;
    } else {
        screen.print(summary(&model, &fitted, &sample))?;
    }
    warn(screen, &fitted, model.classes(), args.reference.as_deref() == Some("best"));
    if as_json {
        return Ok(());
    }
    match output {
        Some(path) => screen.note(format_args!("wrote {}", path.display())),
        None => screen.note("hint: -o model.json keeps the weights for `cwplugin apply`"),
    }
    screen.note("hint: these scores are on the rows that were fitted; `cwplugin eval` on other rows is the honest test");
    Ok(())
}

/// The method's own settings, changed where the user says so.
fn recipe<'a>(
    args: &Fit,
    method: &Method,
    metric: &'a dyn Metric,
    classes: &[String],
) -> Result<Plugin<&'a dyn Metric>, Refusal> {
    let mut plugin = Plugin::new(metric).method(method);
    if let Some(name) = &args.reference {
        plugin = plugin.reference(parse_reference(name, classes)?);
    }
    if let Some(search) = args.search {
        plugin = plugin.search(search);
    }
    if let Some(ties) = args.ties {
        plugin = plugin.ties(ties);
    }
    if let Some(absent) = args.absent {
        plugin = plugin.absent(absent);
    }
    Ok(if args.force { plugin.allow_any_metric() } else { plugin })
}

fn parse_reference(name: &str, classes: &[String]) -> Result<Reference, Refusal> {
    Reference::by_name(name, classes).map_err(|_| {
        let names = quoted(classes.iter().map(String::as_str));
        Refusal::usage(format!("--reference {name}: there is no such class")).hint(format!(
            "write last, largest, best or one of {names} (class:NAME for a class called last, largest or best)"
        ))
    })
}

fn refuse(error: &Error, file: &str, classes: &[String]) -> Refusal {
    match error {
        Error::NotQuasiConcave { metric } => Refusal::usage(format!(
            "metric {metric} may have several peaks on a pair, so binary search may miss the best"
        ))
        .hint("use --search exact (it is fast), or --force to search all the same"),
        Error::EmptyReference { class } => {
            Refusal::new(format!("{file}: reference class \"{}\" has no labelled rows", classes[*class]))
                .hint("use --reference largest, or label some rows of it; --absent drop goes on without")
        }
        Error::MetricNotFinite { .. } => Refusal::new(format!("{file}: {error}")).hint(
            "on these rows the metric means nothing: label rows of other classes, or choose another --metric",
        ),
        _ => Refusal::new(format!("{file}: {error}")).hint("look at the labels and the row weights"),
    }
}

fn summary(model: &Model, fitted: &FittedPlugin, sample: &Sample) -> String {
    let report = fitted.report();
    let unlabelled = match report.unlabelled {
        0 => String::new(),
        n => format!(" ({} not used)", count_of(n, "unlabelled row")),
    };
    let head = format!(
        "{} on {}{unlabelled}: {:.4} → {:.4} ({:+.4})\n\n",
        report.metric,
        count_of(report.rows, "labelled row"),
        report.clean,
        report.fitted,
        report.fitted - report.clean
    );
    let columns = [
        ("class", Align::Left),
        ("rows", Align::Right),
        ("weight", Align::Right),
        ("alpha", Align::Right),
        ("plateau", Align::Left),
        ("pair score", Align::Right),
        ("evaluations", Align::Right),
    ];
    let rows = model.classes().iter().enumerate().map(|(class, name)| {
        let pair = report.pairs.iter().find(|pair| pair.class == class);
        let mut row = vec![
            name.clone(),
            sample.rows_of(class).len().to_string(),
            format!("{:.6}", model.weights().as_slice()[class]),
        ];
        row.extend(match pair {
            Some(PairReport { peak, .. }) => [
                format!("{:.6}", peak.alpha),
                format!("{:.4} … {:.4}", peak.plateau[0], peak.plateau[1]),
                format!("{:.4}", peak.score),
                peak.evaluations.to_string(),
            ],
            None if class == report.reference => ["", "fixed", "", ""].map(String::from),
            None => ["", "not searched", "", ""].map(String::from),
        });
        row
    });
    let settings = format!(
        "\n  reference \"{}\", search {}, ties {}, absent {}\n",
        model.classes()[report.reference],
        report.search,
        report.ties,
        report.absent
    );
    head + &plain_table(&columns, rows) + &settings
}

/// Prints the warnings, kind by kind; many of one kind are cut short, the model file has them all.
fn warn(screen: &Screen, fitted: &FittedPlugin, classes: &[String], tried_all: bool) {
    let report = fitted.report();
    for of_kind in report.warnings.chunk_by(|a, b| a.kind() == b.kind()) {
        let shown = if of_kind.len() > SHOWN_WARNINGS + 1 { SHOWN_WARNINGS } else { of_kind.len() };
        for warning in &of_kind[..shown] {
            screen.warn(format_args!(
                "{}{}",
                warning.message(classes),
                advice(warning, report.reference, tried_all)
            ));
        }
        if let Some(more) = of_kind.get(shown..).filter(|more| !more.is_empty()) {
            screen.warn(format_args!("… and {} more classes likewise ({})", more.len(), more[0].kind()));
        }
    }
}

/// What to do about it here.
fn advice(warning: &Warning, reference: usize, tried_all: bool) -> &'static str {
    match *warning {
        Warning::AbsentClass { kept: true, .. } => "; label some rows of it",
        Warning::AbsentClass { kept: false, .. } => "; --absent keep leaves it in play",
        Warning::NeverProbable { class } if class == reference => {
            "; as the fixed class it says nothing: try another --reference"
        }
        Warning::NeverProbable { .. } => "; is it the right column?",
        Warning::FewRows { .. } => "; label more rows of it",
        Warning::FlatCurve { .. } => "; for a metric about one class use --reference CLASS",
        Warning::AtBorder { .. } => "; try another --reference, or more rows",
        Warning::BelowClean { .. } if tried_all => {
            "; try --ties nearest-half, or keep the black box as it is"
        }
        Warning::BelowClean { .. } => "; try --reference best or --ties nearest-half",
        _ => "",
    }
}
