//! Fits of Algorithm 1 with typed settings, and what reports say.

use cwplugin::methods::Method;
use cwplugin::plugin::Settings;
use cwplugin::report::PairReport;
use cwplugin::{Fit, Metric, Model, PluginReport, Reference, ScorePair};
use serde::de::DeserializeOwned;

use super::metrics::class_names;

/// Algorithm 1 with its default settings.
pub(crate) fn plugin<'a>(metric: impl Metric + 'a) -> Fit<'a> {
    Fit::new(metric).method("cwplugin")
}

/// Algorithm 1 with these settings, for samples whose classes are called `c0`, `c1`, ….
pub(crate) fn plugin_with<'a>(metric: impl Metric + 'a, settings: Settings) -> Fit<'a> {
    let reference = match settings.reference {
        Reference::Largest => "largest".into(),
        Reference::Last => "last".into(),
        Reference::Best => "best".into(),
        Reference::Class(k) => format!("class:{}", class_names(k + 1)[k]),
        reference => unreachable!("{reference:?}"),
    };
    plugin(metric)
        .option("reference", reference)
        .option("search", settings.search)
        .option("ties", settings.ties)
        .option("absent", settings.absent)
}

/// Every method that learns from probabilities alone.
pub(crate) fn methods() -> impl Iterator<Item = &'static Method> {
    cwplugin::METHODS.iter().filter(|method| !method.needs_features)
}

/// What only the method of the fit has to say.
pub(crate) fn details<T: DeserializeOwned>(model: &Model) -> T {
    let report = model.report().unwrap();
    let details = report.details();
    assert!(details.is_some(), "{report:?}");
    details.unwrap()
}

/// The pairs of Algorithm 1.
pub(crate) fn pairs(model: &Model) -> Vec<PairReport> {
    details::<PluginReport>(model).pairs
}

/// The metric on the labelled rows.
pub(crate) fn score(model: &Model) -> ScorePair {
    model.report().unwrap().score.unwrap()
}

/// The kind of every warning, with the class that it is about.
pub(crate) fn warnings(model: &Model) -> Vec<(&str, Option<&str>)> {
    let warnings = &model.report().unwrap().warnings;
    warnings.iter().map(|warning| (warning.kind.as_str(), warning.class.as_deref())).collect()
}

/// Runs on a pool of so many threads.
pub(crate) fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}
