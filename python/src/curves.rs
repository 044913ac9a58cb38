//! What pictures are drawn of: the metric against α, and how far the weights go with other labels.

use std::sync::Arc;

use cwplugin::{Error, PairCurve, Reference, Rule, Ties};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::errors::refuse;
use crate::fit::{Wish, with_fitter};
use crate::metric::{AnyMetric, MetricWish};
use crate::run::{Means, Watch, run};
use crate::sample::Rows;

/// The class, the α at which predictions change, the scores between them, the best α, its stretch and its score.
type Curve<'py> = (usize, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, f64, (f64, f64), f64);

/// The number of the reference class, and the curve of every other class that has labelled rows.
#[pyfunction]
pub(crate) fn pair_curves<'py>(
    py: Python<'py>,
    rows: Rows<'py>,
    metric: MetricWish<'py>,
    reference: &str,
    ties: &str,
) -> PyResult<(usize, Vec<Curve<'py>>)> {
    let columns = rows.columns();
    let wrong = |error: Error| refuse(py, &error, &columns);
    let watch = Arc::new(Watch::default());
    let metric = AnyMetric::new(py, &metric, &columns, &rows.classes, &watch)?;
    let ties: Ties = ties.parse().map_err(wrong)?;
    let asked = Reference::by_name(reference, &rows.classes).map_err(wrong)?;
    let sample = rows.sample()?;
    let m = rows.classes.len();
    let reference = asked.class_in(&sample).map_err(wrong)?;
    let curves = run(py, Means::default(), &watch, || {
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

/// The weights of refits on bootstrap samples, one list per refit.
#[pyfunction]
pub(crate) fn bootstrap<'py>(
    py: Python<'py>,
    rows: Rows<'py>,
    wish: Wish<'py>,
    bags: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rules = with_fitter(&rows, &wish, |fitter, sample, watch| {
        watch.begin("refitting", bags);
        fitter.bootstrap(sample, bags, |done| watch.done(done))
    })?;
    let weights: Vec<Vec<f64>> = rules.iter().map(|rule: &Rule| rule.weights().as_slice().to_vec()).collect();
    Ok(PyArray2::from_vec2(py, &weights)?)
}
