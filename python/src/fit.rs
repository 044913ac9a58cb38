//! A method learns from rows: what `cwplugin fit` does.

use std::sync::Arc;

use cwplugin::{
    Absent, Error, FitOptions, Fitter, LearningCurve, Method, Model, Recipe, Reference, Sample, Select,
    Settings, Ties,
};
use pyo3::prelude::*;

use crate::errors::{Columns, Refusal, refuse};
use crate::metric::{AnyMetric, ConstraintWish, MetricWish, constraints};
use crate::model::PyModel;
use crate::run::{Means, Watch, run};
use crate::sample::Rows;

/// The library wakes no thread for fewer rows.
pub(crate) const FEW_ROWS: usize = 2_000;

/// The attributes of `cwplugin._wish.Wish`.
#[derive(FromPyObject)]
pub(crate) struct Wish<'py> {
    pub(crate) metric: MetricWish<'py>,
    pub(crate) method: String,
    reference: Option<String>,
    search: Option<String>,
    ties: Option<String>,
    absent: Option<String>,
    force: bool,
    select: String,
    mixing: f64,
    source_priors: Option<Vec<f64>>,
    bags: Option<usize>,
    subject_to: Vec<ConstraintWish<'py>>,
    learning_curve: bool,
    pub(crate) seed: u64,
    jobs: Option<usize>,
    verbose: bool,
}

impl Wish<'_> {
    pub(crate) fn method(&self, py: Python<'_>, columns: &Columns) -> PyResult<&'static Method> {
        Method::by_name(&self.method).map_err(|error| refuse(py, &error, columns))
    }

    pub(crate) fn options(&self, py: Python<'_>) -> PyResult<FitOptions> {
        let Self { seed, mixing, bags, .. } = *self;
        let select = select(py, &self.select)?;
        Ok(FitOptions { seed, select, mixing, source_priors: self.source_priors.clone(), bags })
    }

    /// The method's own settings, changed where the user says so.
    pub(crate) fn settings(
        &self,
        py: Python<'_>,
        own: Settings,
        columns: &Columns,
        classes: &[String],
    ) -> PyResult<Settings> {
        let wrong = |error| refuse(py, &error, columns);
        let reference = self.reference.as_ref().map(|name| {
            Reference::by_name(name, classes).map_err(|error| {
                let cure = "write \"last\", \"largest\", \"best\" or a class (\"class:NAME\" for one called last, largest or best)";
                Refusal::new(error.to_string()).hint(cure).raise(py)
            })
        });
        let search = self.search.as_ref().map(|text| {
            text.parse().map_err(|error: cwplugin::Error| {
                Refusal::new(error.to_string())
                    .hint("write \"exact\", \"grid:STEP\" or \"binary:STEP\", e.g. \"grid:0.01\"")
                    .raise(py)
            })
        });
        let ties = self.ties.as_ref().map(|text| text.parse::<Ties>().map_err(wrong));
        let absent = self.absent.as_ref().map(|text| text.parse::<Absent>().map_err(wrong));
        Ok(Settings {
            reference: reference.transpose()?.unwrap_or(own.reference),
            search: search.transpose()?.unwrap_or(own.search),
            ties: ties.transpose()?.unwrap_or(own.ties),
            absent: absent.transpose()?.unwrap_or(own.absent),
        })
    }

    pub(crate) fn is_forced(&self) -> bool {
        self.force
    }

    pub(crate) fn means(&self) -> Means {
        Means { jobs: self.jobs, is_verbose: self.verbose }
    }
}

pub(crate) fn select(py: Python<'_>, name: &str) -> PyResult<Select> {
    match name {
        "in-sample" => Ok(Select::InSample),
        "cv" => Ok(Select::CrossValidation),
        other => Err(Refusal::new(format!("\"{other}\" is no value of select"))
            .hint("write \"in-sample\" or \"cv\"")
            .raise(py)),
    }
}

/// Does something with the method that is wished for and the rows, on threads of its own.
pub(crate) fn with_fitter<T: Send>(
    rows: &Rows<'_>,
    wish: &Wish<'_>,
    work: impl FnOnce(&Fitter<'_, AnyMetric>, &Sample, &Watch) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let py = rows.py();
    let (columns, classes) = (rows.columns(), &rows.classes);
    let watch = Arc::new(Watch::default());
    let method = wish.method(py, &columns)?;
    let metric = AnyMetric::new(py, &wish.metric, &columns, classes, &watch)?;
    let constraints = constraints(py, &wish.subject_to, &columns, classes, &watch)?;
    let mut fitter = Fitter::new(method, &metric, wish.options(py)?).subject_to(&constraints);
    if let Recipe::Plugin(own) = method.recipe {
        let settings = wish.settings(py, own, &columns, classes)?;
        fitter = fitter.settings(settings).allow_any_metric(wish.force);
    }
    let sample = rows.sample()?;
    let work = || work(&fitter, &sample, &watch);
    // Algorithm 1 on a few hundred rows is done sooner than another thread is awake.
    let is_brief = matches!(method.recipe, Recipe::Plugin(_) | Recipe::Clean)
        && sample.n_rows() < FEW_ROWS
        && constraints.is_empty()
        && !wish.learning_curve
        && !matches!(wish.metric, MetricWish::Function { .. });
    let done = if is_brief { py.detach(work) } else { run(py, wish.means(), &watch, work)? };
    done.map_err(|error| refuse(py, &error, &columns))
}

/// Learns a model.
#[pyfunction]
pub(crate) fn fit(py: Python<'_>, rows: Rows<'_>, wish: Wish<'_>) -> PyResult<PyModel> {
    let with_curve = wish.learning_curve;
    let fitted = with_fitter(&rows, &wish, |fitter, sample, watch| {
        watch.begin("fitting", 0);
        let fitted = fitter.fit(sample)?;
        if !with_curve {
            return Ok(fitted);
        }
        watch.begin("learning curve", LearningCurve::n_fits(sample));
        let curve = fitter.learning_curve(&fitted, sample, |done| watch.done(done))?;
        Ok(fitted.with_learning_curve(curve))
    })?;
    let model = Model::from_fit(rows.classes.clone(), &fitted, &wish.method, wish.seed);
    model.map(PyModel).map_err(|error| refuse(py, &error, &rows.columns()))
}
