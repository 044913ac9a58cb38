//! Before and after: what `cwplugin eval --json` says.

use std::sync::Arc;

use cwplugin::{Error, Evaluation, Kept, Outcomes, Rule};
use pyo3::prelude::*;

use crate::errors::{Columns, Refusal, refuse};
use crate::metric::{AnyMetric, MetricWish};
use crate::model::PyModel;
use crate::run::{Means, Watch, run};
use crate::sample::Rows;

/// The attributes of `cwplugin._evaluate.Asked`.
#[derive(FromPyObject)]
pub(crate) struct Asked<'py> {
    metrics: Vec<MetricWish<'py>>,
    resamples: usize,
    seed: u64,
    jobs: Option<usize>,
    verbose: bool,
}

/// Every metric on the labelled rows, with intervals, as a JSON document.
#[pyfunction]
pub(crate) fn evaluate(
    py: Python<'_>,
    rows: Rows<'_>,
    model: Option<&PyModel>,
    asked: Asked<'_>,
) -> PyResult<String> {
    let (columns, classes) = (rows.columns(), &rows.classes);
    let rule = match model {
        Some(model) => model.0.rule().clone(),
        None => Rule::clean(classes.len()).map_err(|error| refuse(py, &error, &columns))?,
    };
    let sample = rows.sample()?;
    if sample.n_labelled() == 0 {
        return Err(refuse(py, &Error::NoLabelledRows, &columns));
    }
    evaluation(py, &columns, classes, model, asked, || {
        let mut outcomes = Outcomes::new(classes.len());
        outcomes.add_sample(&sample, &rule)?;
        Ok((outcomes, sample.n_unlabelled()))
    })
}

/// The same of what `count` counts: outcomes, and rows without a label.
pub(crate) fn evaluation(
    py: Python<'_>,
    columns: &Columns,
    classes: &[String],
    model: Option<&PyModel>,
    asked: Asked<'_>,
    count: impl FnOnce() -> Result<(Outcomes, u64), Error> + Send,
) -> PyResult<String> {
    let Asked { metrics, resamples, seed, jobs, verbose } = asked;
    let wrong = |error| refuse(py, &error, columns);
    let watch = Arc::new(Watch::default());
    let metrics: Vec<AnyMetric> = metrics
        .iter()
        .map(|metric| AnyMetric::new(py, metric, columns, classes, &watch))
        .collect::<PyResult<_>>()?;
    let limits = model.map_or_else(Vec::new, |model| Evaluation::limits_of(&model.0, classes));
    let evaluation = run(py, Means { jobs, is_verbose: verbose }, &watch, || {
        watch.begin("evaluating", 0);
        let (outcomes, unlabelled) = count()?;
        if outcomes.n_rows() == 0 {
            return Err(Error::NoLabelledRows);
        }
        let scores = outcomes.intervals(&metrics, resamples, seed)?;
        let kept = Kept::of(&limits, &outcomes, seed)?;
        Ok(Evaluation {
            classes: classes.to_vec(),
            metrics: metrics.iter().map(|metric| cwplugin::Metric::name(metric).to_string()).collect(),
            scores,
            kept,
            outcomes,
            unlabelled,
            has_model: model.is_some(),
        })
    })?
    .map_err(wrong)?;
    serde_json::to_string(&evaluation.to_json()).map_err(|error| Refusal::new(error.to_string()).raise(py))
}
