//! The commands that give a model and its page again.

use crate::args::Report;
use crate::commands::{shell_line, typed_command};

/// The fit, if its flags are known, and the page as it was asked for.
pub(super) fn commands(args: &Report, fit: Option<&[String]>) -> Vec<String> {
    let fit = fit.map(|flags| {
        let mut words = vec!["cwplugin".to_string(), "fit".into(), args.path.display().to_string()];
        words.extend(args.data.flags());
        if !args.measures.features.is_empty() {
            words.extend(["--features".into(), args.measures.features.join(",")]);
        }
        words.extend(flags.iter().cloned());
        words.extend(["-o".into(), args.model.display().to_string()]);
        shell_line(words.iter().map(String::as_str))
    });
    fit.into_iter().chain([typed_command()]).collect()
}
