//! The report page: what `cwplugin report` writes.

use std::sync::Arc;

use cwplugin::{Error, Evaluation, Metric, Model, Outcomes, Sample, metric};
use cwplugin_page::{FitPage, Provenance, Refits};
use pyo3::prelude::*;

use crate::metric::{AnyMetric, MetricSpec};
use crate::model::PyModel;
use crate::run::{Monitor, RunOptions, run};
use crate::sample::Rows;

/// The attributes of `cwplugin._page.PageRequest`.
#[derive(FromPyObject)]
pub(crate) struct PageRequest<'py> {
    metrics: Vec<MetricSpec<'py>>,
    /// The metric of the fit; `None` for the one that the model names.
    metric: Option<MetricSpec<'py>>,
    resamples: usize,
    refits: Option<usize>,
    seed: u64,
    jobs: Option<usize>,
    verbose: bool,
    data: String,
    test: Option<String>,
    commands: Vec<String>,
}

/// The report page of a model, as text.
#[pyfunction]
pub(crate) fn report_page(
    py: Python<'_>,
    model: &PyModel,
    rows: Rows<'_>,
    test: Option<Rows<'_>>,
    request: PageRequest<'_>,
) -> PyResult<String> {
    let columns = rows.columns();
    let monitor = Arc::new(Monitor::default());
    let mut metrics = AnyMetric::all(py, &request.metrics, &columns, &monitor)?;
    let own = match &request.metric {
        Some(spec) => Some(AnyMetric::new(py, spec, &columns, &monitor)?),
        None => named_metric(&model.0).map(|named| AnyMetric::interruptible(named, &monitor)),
    };
    if let Some(own) = own
        && metrics.iter().all(|metric| metric.name() != own.name())
    {
        metrics.insert(0, own);
    }
    let sample = rows.sample()?;
    if sample.n_labelled() == 0 {
        return Err(columns.error(py, &Error::NoLabelledRows));
    }
    let test = test.as_ref().map(Rows::sample).transpose()?;
    let PageRequest { resamples, refits, seed, jobs, verbose, data, test: test_name, commands, .. } = request;
    let provenance = Provenance { data, test: test_name, commands };
    let refits = refits.unwrap_or_else(|| Refits::default_count(&model.0, &sample));
    let effort = Effort { resamples, refits, seed };
    let options = RunOptions { jobs, is_verbose: verbose, is_short: false };
    run(py, options, &monitor, || {
        page(&model.0, &sample, test.as_ref(), &metrics, provenance, effort, &monitor)
    })?
    .map_err(|error| columns.error(py, &error))
}

/// The metric that the model was fitted for, if its name says all about it.
fn named_metric(model: &Model) -> Option<Box<dyn Metric>> {
    metric::by_name(model.report()?.metric.as_ref()?, model.classes()).ok()
}

struct Effort {
    resamples: usize,
    refits: usize,
    seed: u64,
}

fn page(
    model: &Model,
    rows: &Sample,
    test: Option<&Sample>,
    metrics: &[AnyMetric],
    provenance: Provenance,
    Effort { resamples, refits, seed }: Effort,
    monitor: &Monitor,
) -> Result<String, Error> {
    monitor.begin("evaluating", 0);
    let evaluated = test.unwrap_or(rows);
    let mut outcomes = Outcomes::new(model.classes().len());
    outcomes.add_sample(evaluated, model.rule())?;
    let evaluation = Evaluation::new(
        model.classes().to_vec(),
        outcomes,
        evaluated.n_unlabelled(),
        metrics,
        Some(&model.constraints()),
        (resamples, seed),
    )?;
    let mut page = FitPage::of(model, rows, test, metrics, &evaluation, refits, monitor);
    (page.resamples, page.seed) = (resamples, seed);
    page.provenance = provenance;
    page.to_html()
}
