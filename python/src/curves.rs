//! The numbers of plots: the metric against α, and the weights of refits on bootstrap samples.

use std::sync::Arc;

use cwplugin::{Error, PairCurve, Reference, Rule, Ties};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::fit::FitRequest;
use crate::metric::{AnyMetric, MetricSpec};
use crate::run::{Monitor, RunOptions, run};
use crate::sample::Rows;

/// The class, the α at which predictions change, the scores between them, the best α, its plateau and its score.
type Curve<'py> = (usize, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, f64, (f64, f64), f64);

/// The index of the reference class, and the curve of every other class that has labelled rows.
#[pyfunction]
pub(crate) fn pair_curves<'py>(
    py: Python<'py>,
    rows: Rows<'py>,
    metric: MetricSpec<'py>,
    reference: &str,
    ties: &str,
) -> PyResult<(usize, Vec<Curve<'py>>)> {
    let columns = rows.columns();
    let wrong = |error: Error| columns.error(py, &error);
    let monitor = Arc::new(Monitor::default());
    let metric = AnyMetric::new(py, &metric, &columns, &monitor)?;
    let ties: Ties = ties.parse().map_err(wrong)?;
    let reference = Reference::by_name(reference, &rows.classes).map_err(wrong)?;
    let sample = rows.sample()?;
    let m = rows.classes.len();
    let reference = reference.class_in(&sample).map_err(wrong)?;
    let curves = run(py, RunOptions::default(), &monitor, || {
        let others = (0..m).filter(|&class| class != reference && sample.n_rows_of(class) > 0);
        others
            .map(|class| PairCurve::of(&sample, &metric, class, reference, ties))
            .collect::<Result<Vec<_>, _>>()
    })?
    .map_err(wrong)?;
    let curve = |curve: PairCurve| {
        let PairCurve { class, peak, .. } = curve;
        let [low, high] = peak.plateau;
        let (cuts, scores) = (PyArray1::from_vec(py, curve.cuts), PyArray1::from_vec(py, curve.scores));
        (class, cuts, scores, peak.alpha, (low, high), peak.score)
    };
    Ok((reference, curves.into_iter().map(curve).collect()))
}

/// The weights of refits on bootstrap samples, one row for each refit.
#[pyfunction]
pub(crate) fn bootstrap<'py>(
    py: Python<'py>,
    rows: Rows<'py>,
    request: FitRequest<'py>,
    n_bootstrap: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let sample = rows.sample()?;
    let rules = request.run(py, &rows.columns(), sample.n_rows(), |fit, monitor| {
        monitor.begin("refitting", n_bootstrap);
        let model = fit.fit(&sample)?;
        fit.bootstrap(&model, &sample, n_bootstrap, |done| monitor.done(done))
    })?;
    let weights: Vec<Vec<f64>> = rules.iter().map(|rule: &Rule| rule.weights().as_slice().to_vec()).collect();
    Ok(PyArray2::from_vec2(py, &weights)?)
}
