//! The command that fits a model again, by what its file says.

use cwplugin::{FitReport, Method};

/// The flags of `cwplugin fit` that reproduce a fit, but for those about the table; `None` if the report is not of
/// such a fit.
pub fn fit_flags(report: &FitReport) -> Option<Vec<String>> {
    let method = Method::by_name(&report.method).ok()?;
    let mut flags = vec!["--method".into(), report.method.clone()];
    let mut flag = |name: &str, value: &str| flags.extend([format!("--{name}"), value.to_string()]);
    report.metric.iter().for_each(|metric| flag("metric", metric));
    for (name, value) in report.options.iter().filter(|(name, _)| !is_switch(method, name)) {
        flag(name, value);
    }
    report.constraints.iter().for_each(|status| flag("subject-to", &status.constraint));
    report.seed.filter(|&seed| seed != 0).iter().for_each(|seed| flag("seed", &seed.to_string()));
    flags
        .extend(report.options.keys().filter(|name| is_switch(method, name)).map(|name| format!("--{name}")));
    let is_plugin = method.option("search").is_some();
    flags.extend((is_plugin && report.score.is_none()).then(|| "--unscored".to_string()));
    flags.extend(report.learning_curve.as_ref().map(|_| "--learning-curve".to_string()));
    Some(flags)
}

fn is_switch(method: &Method, name: &str) -> bool {
    method.option(name).is_some_and(cwplugin::methods::OptionSpec::is_switch)
}
