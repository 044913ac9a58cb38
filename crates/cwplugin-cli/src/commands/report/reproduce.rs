//! The commands that reproduce a model and its page.

use cwplugin::{Calibration, Model};

use crate::args::Report;
use crate::commands::{shell_line, typed_command};
use crate::table::is_stream;

/// The fit, if its flags are known, and the report.
pub(super) fn commands(args: &Report, model: &Model, fit: Option<&[String]>) -> Vec<String> {
    let is_piped = is_stream(&args.path) || args.test.as_deref().is_some_and(is_stream);
    let note = is_piped.then(|| "# pipe the same standard input".to_string());
    let fit = fit.map(|flags| {
        let mut words = vec!["cwplugin".to_string(), "fit".into(), args.path.display().to_string()];
        words.extend(args.data.flags());
        let features = features(args, model);
        if !features.is_empty() {
            words.extend(["--features".into(), features.join(",")]);
        }
        words.extend(flags.iter().cloned());
        words.extend(["-o".into(), args.model.display().to_string()]);
        shell_line(words.iter().map(String::as_str))
    });
    note.into_iter().chain(fit).chain([typed_command()]).collect()
}

/// The features of the model: as given, else as named in the model.
fn features<'a>(args: &'a Report, model: &'a Model) -> &'a [String] {
    match model.rule().calibration() {
        Some(Calibration::Affine { features: Some(names), .. }) if args.measures.features.is_empty() => names,
        _ => &args.measures.features,
    }
}
