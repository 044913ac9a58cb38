//! The page about a fit: what `cwplugin report` writes.

use std::sync::Arc;

use cwplugin::{Error, Evaluation, Kept, Metric, Outcomes, Sample};
use cwplugin_page::{FitPage, Observe, Refits, Words};
use pyo3::prelude::*;

use crate::errors::refuse;
use crate::metric::{AnyMetric, MetricWish};
use crate::model::PyModel;
use crate::run::{Means, Watch, run};
use crate::sample::Rows;

/// The attributes of `cwplugin._page.PageWish`.
#[derive(FromPyObject)]
pub(crate) struct PageWish<'py> {
    metrics: Vec<MetricWish<'py>>,
    /// The metric that the model was fitted for, if it can be had.
    metric: Option<MetricWish<'py>>,
    resamples: usize,
    refits: Option<usize>,
    seed: u64,
    jobs: Option<usize>,
    verbose: bool,
    data: String,
    test: Option<String>,
    commands: Vec<String>,
}

/// What the thread that waits is told.
struct Told<'a>(&'a Watch);

impl Observe for Told<'_> {
    fn begin(&self, work: &'static str, steps: usize) {
        self.0.begin(work, steps);
    }
    fn done(&self, steps: usize) {
        self.0.done(steps);
    }
}

/// The page about a model, as a text.
#[pyfunction]
pub(crate) fn report_page(
    py: Python<'_>,
    model: &PyModel,
    rows: Rows<'_>,
    test: Option<Rows<'_>>,
    wish: PageWish<'_>,
) -> PyResult<String> {
    let (columns, classes) = (rows.columns(), &rows.classes);
    let wrong = |error| refuse(py, &error, &columns);
    let watch = Arc::new(Watch::default());
    let by_wish = |metric: &MetricWish<'_>| AnyMetric::new(py, metric, &columns, classes, &watch);
    let mut metrics: Vec<AnyMetric> = wish.metrics.iter().map(by_wish).collect::<PyResult<_>>()?;
    if let Some(own) = wish.metric.as_ref().map(by_wish).transpose()?
        && metrics.iter().all(|metric| metric.name() != own.name())
    {
        metrics.insert(0, own);
    }
    let sample = rows.sample()?;
    let test_sample = test.as_ref().map(Rows::sample).transpose()?;
    if [Some(&sample), test_sample.as_ref()].into_iter().flatten().any(|sample| sample.n_labelled() == 0) {
        return Err(wrong(Error::NoLabelledRows));
    }
    let PageWish { resamples, refits, seed, jobs, verbose, data, test: test_name, commands, .. } = wish;
    let words = Words { data, test: test_name, commands, left_out: Vec::new() };
    let means = Means { jobs, is_verbose: verbose };
    let asked = Asked { resamples, refits: refits.unwrap_or_else(|| Refits::usual(&sample)), seed };
    run(py, means, &watch, || page(&model.0, &sample, test_sample.as_ref(), &metrics, words, asked, &watch))?
        .map_err(wrong)
}

struct Asked {
    resamples: usize,
    refits: usize,
    seed: u64,
}

fn page(
    model: &cwplugin::Model,
    rows: &Sample,
    test: Option<&Sample>,
    metrics: &[AnyMetric],
    mut words: Words,
    Asked { resamples, refits, seed }: Asked,
    watch: &Watch,
) -> Result<String, Error> {
    watch.begin("evaluating", 0);
    let looked_at = test.unwrap_or(rows);
    let mut outcomes = Outcomes::new(model.classes().len());
    outcomes.add_sample(looked_at, model.rule())?;
    let scores = outcomes.intervals(metrics, resamples, seed)?;
    let kept = Kept::of(&Evaluation::limits_of(model, model.classes()), &outcomes, seed)?;
    let evaluation = Evaluation {
        classes: model.classes().to_vec(),
        metrics: metrics.iter().map(|metric| metric.name().to_string()).collect(),
        scores,
        kept,
        outcomes,
        unlabelled: looked_at.n_unlabelled(),
        has_model: true,
    };
    let mut page = FitPage::of(model, rows, test, metrics, &evaluation, refits, &Told(watch));
    words.left_out = std::mem::take(&mut page.words.left_out);
    (page.resamples, page.seed) = (resamples, seed);
    page.words = words;
    page.to_html()
}
