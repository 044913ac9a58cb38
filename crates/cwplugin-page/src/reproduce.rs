//! The command that repeats a fit, from the report in the model file.

use cwplugin::methods::OptionSpec;
use cwplugin::{FitReport, Method};

/// The flags of `cwplugin fit` that repeat a fit, without those about the table; `None` if the method is unknown.
pub fn fit_flags(report: &FitReport) -> Option<Vec<String>> {
    let method = Method::by_name(&report.method).ok()?;
    let is_switch = |name: &str| method.option(name).is_some_and(OptionSpec::is_switch);
    let (switches, options): (Vec<_>, Vec<_>) = report.options.iter().partition(|(name, _)| is_switch(name));
    let mut flags = vec!["--method".into(), report.method.clone()];
    let mut flag = |name: &str, value: &str| flags.extend([format!("--{name}"), value.to_string()]);
    report.metric.iter().for_each(|metric| flag("metric", metric));
    for (name, value) in options {
        flag(name, value);
    }
    report.constraints.iter().for_each(|status| flag("subject-to", &status.constraint));
    report.seed.filter(|&seed| seed != 0).iter().for_each(|seed| flag("seed", &seed.to_string()));
    flags.extend(switches.iter().map(|(name, _)| format!("--{name}")));
    let is_plugin = method.option("search").is_some();
    flags.extend((is_plugin && report.score.is_none()).then(|| "--unscored".to_string()));
    flags.extend(report.learning_curve.as_ref().map(|_| "--learning-curve".to_string()));
    Some(flags)
}
