//! Methods side by side, on samples of several sizes: what `cwplugin compare` does.

use std::sync::Arc;

use cwplugin::{Comparison, Error, FitOptions, Method, Noise};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::errors::refuse;
use crate::fit::select;
use crate::metric::{AnyMetric, MetricWish};
use crate::run::{Means, Watch, run};
use crate::sample::Rows;

/// The attributes of `cwplugin._compare.Protocol`.
#[derive(FromPyObject)]
pub(crate) struct Protocol<'py> {
    methods: Vec<String>,
    metrics: Vec<MetricWish<'py>>,
    sizes: Vec<usize>,
    repeats: usize,
    test_share: f64,
    unlabelled: usize,
    /// Classes, and the share of their labels that is spoiled.
    noise: Vec<(usize, f64)>,
    select: String,
    source_priors: Option<Vec<f64>>,
    seed: u64,
    jobs: Option<usize>,
    verbose: bool,
}

/// One object per method, metric and size, as a JSON document. Without test rows a share of the rows is kept for them.
#[pyfunction]
pub(crate) fn compare(
    py: Python<'_>,
    rows: Rows<'_>,
    test: Option<Rows<'_>>,
    protocol: Protocol<'_>,
) -> PyResult<String> {
    let (columns, classes) = (rows.columns(), &rows.classes);
    let wrong = |error: Error| refuse(py, &error, &columns);
    let watch = Arc::new(Watch::default());
    let methods = protocol.methods.iter().map(|name| Method::by_name(name));
    let methods: Vec<&'static Method> = methods.collect::<Result<_, _>>().map_err(wrong)?;
    let metrics: Vec<AnyMetric> = protocol
        .metrics
        .iter()
        .map(|metric| AnyMetric::new(py, metric, &columns, classes, &watch))
        .collect::<PyResult<_>>()?;
    let noise = protocol.noise.iter().map(|&(class, share)| Noise::new(class, share));
    let noise = noise.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    let options = FitOptions {
        seed: protocol.seed,
        select: select(py, &protocol.select)?,
        source_priors: protocol.source_priors.clone(),
        ..FitOptions::default()
    };
    let sample = rows.sample()?;
    let (pool, test) = match &test {
        Some(test) => (sample, test.sample()?),
        None => sample.split(protocol.test_share, protocol.seed).map_err(wrong)?,
    };
    let comparison = Comparison::new(methods, sizes(&protocol.sizes, pool.n_labelled()))
        .repeats(protocol.repeats)
        .noise(noise)
        .unlabelled(protocol.unlabelled)
        .options(options);
    let cells = run(py, Means { jobs: protocol.jobs, is_verbose: protocol.verbose }, &watch, || {
        watch.begin("comparing", comparison.n_samples());
        comparison.run(&pool, &test, &metrics, |done| watch.done(done))
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

/// The sizes of the paper's figures as far as there are rows, unless others are asked for.
fn sizes(asked: &[usize], rows: u64) -> Vec<usize> {
    let mut sizes = asked.to_vec();
    if asked.is_empty() {
        sizes = [50, 100, 160, 250, 400].into_iter().filter(|&size| size as u64 <= rows).collect();
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}
