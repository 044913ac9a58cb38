//! Compares methods on samples of several sizes, as `cwplugin compare` does.

use std::collections::BTreeMap;
use std::sync::Arc;

use cwplugin::compare::{Noise, NoiseIn};
use cwplugin::{Comparison, Error, Method};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::choice;
use crate::metric::{AnyMetric, MetricSpec};
use crate::run::{Monitor, RunOptions, run};
use crate::sample::Rows;

/// The attributes of `cwplugin._compare.ComparisonRequest`.
#[derive(FromPyObject)]
pub(crate) struct ComparisonRequest<'py> {
    methods: Vec<String>,
    metrics: Vec<MetricSpec<'py>>,
    sizes: Vec<usize>,
    repeats: usize,
    test_share: f64,
    unlabelled: usize,
    /// Classes, and the share of their labels that is replaced.
    noise: Vec<(usize, f64)>,
    /// `sample` or `everywhere`.
    noise_in: String,
    options: BTreeMap<String, String>,
    seed: u64,
    jobs: Option<usize>,
    verbose: bool,
}

/// One object for each method, metric and size, as a JSON document. Without test rows a share of the rows is held out.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    rows: Rows<'_>,
    test: Option<Rows<'_>>,
    request: ComparisonRequest<'_>,
) -> PyResult<String> {
    let columns = rows.columns();
    let wrong = |error: Error| columns.error(py, &error);
    let monitor = Arc::new(Monitor::default());
    let methods = request.methods.iter().map(|name| Method::by_name(name));
    let methods: Vec<&'static Method> = methods.collect::<Result<_, _>>().map_err(wrong)?;
    let metrics = AnyMetric::all(py, &request.metrics, &columns, &monitor)?;
    let noise = request.noise.iter().map(|&(class, share)| Noise::new(class, share));
    let noise = noise.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    let places = NoiseIn::ALL.map(|place| (place.name(), place));
    let noise_in = choice(py, "noise_in", &request.noise_in, &places)?;
    let sample = rows.sample()?;
    let (pool, test) = match &test {
        Some(test) => (sample, test.sample()?),
        None => sample.split(request.test_share, request.seed).map_err(wrong)?,
    };
    let comparison = Comparison::new(methods, sizes(&request.sizes, pool.n_labelled()))
        .repeats(request.repeats)
        .noise(noise)
        .noise_in(noise_in)
        .unlabelled(request.unlabelled)
        .seed(request.seed);
    let comparison = request.options.iter().fold(comparison, |all, (name, value)| all.option(name, value));
    let options = RunOptions { jobs: request.jobs, is_verbose: request.verbose, is_short: false };
    let cells = run(py, options, &monitor, || {
        monitor.begin("comparing", comparison.n_samples());
        comparison.run(&pool, &test, &metrics, |done| monitor.done(done))
    })?
    .map_err(wrong)?;
    let cells: Vec<Value> = cells
        .iter()
        .map(|cell| {
            let failures: Vec<String> = cell.failures.iter().map(|failure| failure.error.to_string()).collect();
            json!({
                "method": cell.method, "metric": cell.metric, "size": cell.size, "mean": cell.mean(), "sd": cell.sd(),
                "test_error": cell.test_error(), "runs": cell.scores.len(), "failed": cell.failures.len(),
                "scores": cell.scores, "failures": failures,
            })
        })
        .collect();
    Ok(Value::from(cells).to_string())
}

/// The requested sizes, or those of the paper's figures as far as there are rows.
fn sizes(requested: &[usize], rows: u64) -> Vec<usize> {
    let mut sizes = requested.to_vec();
    if requested.is_empty() {
        sizes = [50, 100, 160, 250, 400].into_iter().filter(|&size| size as u64 <= rows).collect();
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}
