//! `lab bench`: how fast this machine fits and predicts, as ratios to one pass over the matrix.

mod rows; // random rows, and the floor
mod fits; // every method

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use cwplugin::{Error, Fit, Probabilities, Sample, Search, Weights};
use cwplugin_cli::{
    Align, Common, Screen, UserError, count_of, decode_labelled, metric_by_name, plain_table, read_labelled,
    settled,
};
use serde_json::{Value, json};

use crate::args::{Bench, Dtype};

pub(crate) fn run(args: &Bench, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if let (true, Some(data)) = (args.decode, &args.data) {
        return decode(args, data, common, screen);
    }
    let (values, labels, classes) = if let Some(data) = &args.data {
        let (sample, classes) = read_labelled(data, screen)?;
        let rows = sample.probabilities();
        let values = (0..rows.n_rows()).flat_map(|row| rows.row(row)).collect();
        (values, sample.codes().collect(), classes)
    } else {
        let _spinner = screen.spinner("making rows");
        let classes: Vec<String> = (0..args.classes).map(|class| class.to_string()).collect();
        let (values, labels) = rows::random(args.rows, classes.len(), common.seed)?;
        (values, labels, classes)
    };
    let m = classes.len();
    let metric = metric_by_name(&args.metric, &classes, args.metric_timeout)?;
    let probabilities = match args.dtype {
        Dtype::F32 => Probabilities::from_f32(values.into_iter().map(|value| value as f32).collect(), m)?,
        Dtype::F64 => Probabilities::new(values, m)?,
    };
    let sample = Sample::from_codes(probabilities, labels)?;
    if args.fits {
        return fits::run(args, &sample, &metric, common, screen);
    }
    let weights = Weights::new((0..m).map(|class| 1.0 + class as f64 / m as f64).collect())?;
    let [on_grid, exactly] = [Search::Grid(args.step), Search::Exact].map(|search| {
        let fit = Fit::new(&metric).method("cwplugin").option("reference", "last");
        fit.option("search", search).unscored()
    });
    let repeats = usize::from(args.repeats);
    let spinner = screen.spinner("measuring");
    let measure = || {
        for fit in [&on_grid, &exactly] {
            fit.fit(&sample).map_err(|error| refuse(&error, &classes))?;
        }
        // Alternating runs, so that other load on the machine affects all of them.
        let round = |_| {
            [
                seconds(|| rows::sum(sample.probabilities())),
                seconds(|| on_grid.fit(&sample)),
                seconds(|| exactly.fit(&sample)),
                seconds(|| sample.confusion(&weights)),
            ]
        };
        Ok((0..repeats).map(round).collect::<Vec<_>>())
    };
    let rounds = settled(std::slice::from_ref(&metric), measure())?;
    let [floor, grid, exact, apply] =
        [0, 1, 2, 3].map(|i| middle(rounds.iter().map(|round| round[i]).collect()));
    drop(spinner);

    let (n, dtype) = (sample.n_rows(), if args.dtype == Dtype::F32 { "f32" } else { "f64" });
    let named = [("floor", floor), ("grid", grid), ("exact", exact), ("apply", apply)];
    if common.json {
        let seconds: serde_json::Map<String, Value> =
            named.iter().map(|&(name, seconds)| (name.into(), json!(seconds))).collect();
        let ratios: serde_json::Map<String, Value> =
            named[1..].iter().map(|&(name, seconds)| (name.into(), json!(seconds / floor))).collect();
        return screen.json(&json!({
            "rows": n, "classes": m, "dtype": dtype, "threads": rayon::current_num_threads(),
            "step": args.step.epsilon(), "metric": args.metric, "repeats": repeats,
            "seconds": seconds, "ratios": ratios,
        }));
    }
    let what = [
        "one pass: the sum of the matrix",
        "fit on a grid",
        "fit over every cut",
        "predict and count the confusion matrix",
    ];
    let columns =
        [("", Align::Left), ("milliseconds", Align::Right), ("ratio", Align::Right), ("", Align::Left)];
    let rows = named.iter().zip(what).map(|(&(name, seconds), what)| {
        vec![name.into(), format!("{:.2}", seconds * 1e3), format!("{:.2}", seconds / floor), what.into()]
    });
    let head = format!(
        "{n} rows × {m} classes, {dtype}, {} threads, {}, step {}, median of {repeats}\n\n",
        rayon::current_num_threads(),
        args.metric,
        args.step.epsilon()
    );
    screen.print(head + &plain_table(&columns, rows))
}

fn refuse(error: &Error, classes: &[String]) -> UserError {
    match error {
        Error::EmptyReference { class } => {
            UserError::new(format!("the fixed class, \"{}\", has no labelled rows", classes[*class]))
                .hint("use more rows: --rows N, or a table with rows of its last class")
        }
        _ => UserError::new(error.to_string()).hint("use more rows, or another --metric"),
    }
}

/// The time to read probabilities and labels from a table.
fn decode(args: &Bench, path: &Path, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let mut rows = 0;
    let mut seconds = Vec::new();
    for _ in 0..args.repeats {
        let start = Instant::now();
        rows = decode_labelled(path, screen)?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    let seconds = middle(seconds);
    if common.json {
        return screen.json(&json!({"rows": rows, "seconds": {"decode": seconds}}));
    }
    screen.print(format!("{} decoded in {seconds:.2} seconds\n", count_of(rows, "row")))
}

/// The run time of a function.
fn seconds<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(run());
    start.elapsed().as_secs_f64()
}

/// The median.
fn middle(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
