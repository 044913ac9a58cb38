//! Run times of the fit of every method.

use cwplugin::{Error, Fit, METHODS, Method, Sample};
use cwplugin_cli::{Align, Common, NamedMetric, Screen, UserError, plain_table, settled};
use serde_json::{Value, json};

use super::{middle, seconds};
use crate::args::Bench;

/// Measures the fit of every method that needs only probabilities, including the scores on the rows.
pub(super) fn run(
    args: &Bench,
    sample: &Sample,
    metric: &NamedMetric,
    common: &Common,
    screen: &Screen,
) -> anyhow::Result<()> {
    let spinner = screen.spinner("measuring");
    let methods: Vec<&Method> = match &args.method {
        Some(name) => {
            let unknown =
                |error: Error| UserError::new(error.to_string()).hint("`cwplugin methods` lists them all");
            vec![Method::by_name(name).map_err(unknown)?]
        }
        None => METHODS.iter().filter(|method| !method.needs_features).collect(),
    };
    let fits: Vec<Fit> =
        methods.iter().map(|method| Fit::new(metric).method(method.name).seed(common.seed)).collect();
    let measure = || {
        for (method, fit) in methods.iter().zip(&fits) {
            fit.fit(sample).map_err(|error| {
                UserError::new(format!("{}: {error}", method.name)).hint("use more rows, or another --metric")
            })?;
        }
        // Alternating runs, so that other load on the machine affects all of them.
        let round = |_| fits.iter().map(|fit| seconds(|| fit.fit(sample))).collect();
        Ok((0..args.repeats).map(round).collect::<Vec<Vec<f64>>>())
    };
    let rounds = settled(std::slice::from_ref(metric), measure())?;
    let medians = (0..methods.len()).map(|i| middle(rounds.iter().map(|round| round[i]).collect()));
    let medians: Vec<(&str, f64)> = methods.iter().map(|method| method.name).zip(medians).collect();
    drop(spinner);
    let (n, m, threads) = (sample.n_rows(), sample.n_classes(), rayon::current_num_threads());
    if common.json {
        let seconds: serde_json::Map<String, Value> =
            medians.iter().map(|&(name, seconds)| (name.into(), json!(seconds))).collect();
        return screen.json(&json!({
            "rows": n, "classes": m, "threads": threads, "metric": args.metric, "repeats": args.repeats,
            "seconds": seconds,
        }));
    }
    let columns = [("method", Align::Left), ("milliseconds", Align::Right)];
    let rows =
        medians.iter().map(|(name, seconds)| vec![(*name).to_string(), format!("{:.2}", seconds * 1e3)]);
    let head =
        format!("{n} rows × {m} classes, {threads} threads, {}, median of {}\n\n", args.metric, args.repeats);
    screen.print(head + &plain_table(&columns, rows))
}
