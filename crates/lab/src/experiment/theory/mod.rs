//! `lab experiment theory`: the paper's theorems compared with measurements on data with known probabilities.
//!
//! Three parts, in the order of the paper: (a) elicitation recovers β; (b) the error of a finite sample falls with its size;
//! (c) the number of metric evaluations of the searches follows the table of run times.

mod law; // rows with known η
mod slope; // a straight line, and the standard error of its slope
mod elicitation; // part (a)
mod imitation; // weights that imitate a rule
mod finite_sample; // part (b)
mod evaluations; // part (c)
mod figures; // plots of all parts

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use cwplugin::Method;
use cwplugin_cli::{Align, Common, Screen, Steps, UserError, method_by_name, plain_table};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::{document_text, write};
use crate::args::Experiment;
use law::Part;
use slope::Fit;

pub(super) const NAME: &str = "theory";

/// Draws of each cell by default.
const DRAWS: u32 = 30;

/// Labelled rows of part (b) by default.
const SIZES: [u32; 8] = [100, 200, 500, 1_000, 3_000, 10_000, 30_000, 100_000];

/// The methods of part (b) by default.
const METHODS: [&str; 2] = ["cwplugin", "expected"];

/// What is run.
struct Run {
    seed: u64,
    draws: usize,
    sizes: Vec<usize>,
    unlabelled: usize,
    methods: Vec<&'static Method>,
}

/// A fitted line with its labels.
struct Line {
    part: Part,
    labels: Value,
    of: &'static str,
    against: &'static str,
    /// The theoretical slope, if there is one.
    law: Option<f64>,
    /// `None` with fewer than two points.
    fit: Option<Fit>,
}

impl Line {
    fn new(
        part: Part,
        labels: Value,
        of: &'static str,
        against: &'static str,
        law: Option<f64>,
        fit: Option<Fit>,
    ) -> Self {
        Self { part, labels, of, against, law, fit }
    }

    fn json(&self) -> Value {
        let mut all = json!({
            "part": part_name(self.part), "of": self.of, "against": self.against, "law": self.law, "slope": null,
        });
        let fit = self.fit.map(|fit| fit.json());
        for (key, value) in
            [Some(&self.labels), fit.as_ref()].into_iter().flatten().filter_map(Value::as_object).flatten()
        {
            all[key] = value.clone();
        }
        all
    }

    fn is(&self, of: &str, against: &str, labels: &Value) -> bool {
        let has = |(key, value): (&String, &Value)| self.labels.get(key) == Some(value);
        self.of == of && self.against == against && labels.as_object().into_iter().flatten().all(has)
    }
}

fn part_name(part: Part) -> &'static str {
    match part {
        Part::Elicitation => "elicitation",
        Part::FiniteSample => "finite-sample",
        Part::Evaluations => "evaluations",
        Part::Imitation => "imitation",
    }
}

/// The results.
pub(super) struct Theory {
    /// As in the result file, without the run time.
    pub(super) document: Value,
    pub(super) text: String,
}

/// The requested methods that part (b) supports.
pub(super) fn suits(method: &Method) -> bool {
    method.uses_metric
}

/// Rejects flags that are not supported here, unless other tasks are run too.
pub(super) fn refuse_idle_flags(args: &Experiment, asked: &[&'static Method]) -> Result<(), UserError> {
    if args.data.is_some() {
        return Err(
            UserError::usage("--data is not supported by theory, which generates its rows").hint("omit it")
        );
    }
    match asked.iter().find(|method| !suits(method)) {
        None => Ok(()),
        Some(method) => {
            let what = format!("--methods {} does not use the metric, so it cannot find its β", method.name);
            let names: Vec<&str> =
                cwplugin::METHODS.iter().filter(|method| suits(method)).map(|m| m.name).collect();
            Err(UserError::usage(what).hint(format!("choose among {}", names.join(", "))))
        }
    }
}

/// Runs the three parts, then writes the results.
pub(super) fn run(
    asked: &[&'static Method],
    args: &Experiment,
    common: &Common,
    screen: &Screen,
) -> anyhow::Result<Theory> {
    let started = Instant::now();
    let mut chosen: Vec<&Method> = asked.iter().copied().filter(|method| suits(method)).collect();
    if asked.is_empty() {
        chosen = METHODS.iter().map(|name| method_by_name(name)).collect::<Result<_, _>>()?;
    }
    let mut sizes: Vec<usize> =
        if args.sizes.is_empty() { &SIZES[..] } else { &args.sizes }.iter().map(|&n| n as usize).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let run = Run {
        seed: common.seed,
        draws: args.repeats.unwrap_or(DRAWS) as usize,
        sizes,
        unlabelled: args.unlabelled.unwrap_or(0) as usize,
        methods: chosen,
    };

    let elicited = elicitation::run(&run, screen)?;
    let samples = finite_sample::run(&run, screen)?;
    let counted = evaluations::run(&run, screen)?;
    let mut lines = elicitation::lines(&elicited);
    lines.extend(finite_sample::lines(&samples, &run.methods));
    lines.extend(evaluations::lines(&counted));

    let document = json!({
        "task": NAME,
        "title": "The theory",
        "distance": law::DISTANCE,
        "share_of_reference": law::LOPSIDED,
        "population": elicitation::ROWS,
        "rules": {
            "stair": elicitation::ROWS_OF_A_STAIR, "rows_of_a_class": finite_sample::ROWS_OF_A_CLASS,
            "counted": finite_sample::COUNTED, "imitated_on": imitation::ROWS, "classes": evaluations::MANY_CLASSES,
            "more_draws": finite_sample::MORE_DRAWS,
        },
        "sizes": run.sizes,
        "repeats": run.draws,
        "unlabelled": run.unlabelled,
        "methods": run.methods.iter().map(|method| method.name).collect::<Vec<_>>(),
        "seed": run.seed,
        "cwplugin": env!("CARGO_PKG_VERSION"),
        "fits": lines.iter().map(Line::json).collect::<Vec<_>>(),
        "elicitation": elicited.iter().map(elicitation::Cell::json).collect::<Vec<_>>(),
        "finite_sample": samples.iter().map(finite_sample::Cell::json).collect::<Vec<_>>(),
        "evaluations": counted.iter().map(evaluations::Cell::json).collect::<Vec<_>>(),
    });
    let mut timed = document.clone();
    timed["seconds"] = json!((started.elapsed().as_secs_f64() * 10.0).round() / 10.0);
    write(args, "theory.json", &document_text(&timed))?;
    write(args, "theory-elicitation.svg", &figures::elicitation(&elicited, &lines))?;
    write(args, "theory-finite-sample.svg", &figures::finite_sample(&samples, &lines, &run.methods))?;
    write(args, "theory-constants.svg", &figures::constants(&samples, &lines, &run.methods))?;
    write(args, "theory-evaluations.svg", &figures::evaluations(&counted, &lines))?;
    Ok(Theory { document, text: text(&lines) })
}

/// Runs the jobs on all threads; results are in the order of the jobs.
fn each<J: Send, T: Send>(
    bar: &Steps,
    jobs: Vec<J>,
    work: impl Fn(J) -> anyhow::Result<T> + Send + Sync,
) -> anyhow::Result<Vec<T>> {
    let done = AtomicUsize::new(0);
    let job = |job: J| {
        let result = work(job);
        bar.done(done.fetch_add(1, Ordering::Relaxed) + 1);
        result
    };
    jobs.into_par_iter().with_max_len(1).map(job).collect()
}

/// Every slope, with its theoretical value.
fn text(lines: &[Line]) -> String {
    let columns = [
        ("part", Align::Left),
        ("of", Align::Left),
        ("slope of", Align::Left),
        ("against", Align::Left),
        ("measured", Align::Right),
        ("theory", Align::Right),
    ];
    let rows = lines.iter().map(|line| {
        let labels = line.labels.as_object().into_iter().flatten();
        let labels = labels.filter(|(_, value)| **value != "all").map(|(key, value)| match value {
            Value::String(text) => text.clone(),
            value => format!("{key} = {value}"),
        });
        let measured = line.fit.map_or_else(|| "–".into(), |fit| fit.words());
        let law = line.law.map_or_else(|| "–".into(), |law| format!("{law:.3}").replace('-', "−"));
        let labels = labels.collect::<Vec<_>>().join(", ");
        vec![part_name(line.part).into(), labels, line.of.into(), line.against.into(), measured, law]
    });
    plain_table(&columns, rows)
}
