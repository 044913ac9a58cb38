//! Suggestions for commands and flags that do not exist.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Words of other programs, and the command that does this here.
const COMMANDS: [(&str, &str); 18] = [
    ("predict", "apply"),
    ("transform", "apply"),
    ("train", "fit"),
    ("learn", "fit"),
    ("tune", "fit"),
    ("calibrate", "fit"),
    ("evaluate", "eval"),
    ("score", "eval"),
    ("test", "eval"),
    ("html", "report"),
    ("plot", "report"),
    ("explain", "report"),
    ("benchmark", "compare"),
    ("onnx", "export"),
    ("sql", "export"),
    ("example", "demo"),
    ("completion", "completions"),
    ("manual", "man"),
];

/// The same for flags.
const FLAGS: [(&str, &str); 10] = [
    ("--scoring", "--metric"),
    ("--average", "--metric"),
    ("--target", "--label"),
    ("--labels", "--label"),
    ("--random-state", "--seed"),
    ("--n-jobs", "--threads"),
    ("--jobs", "--threads"),
    ("--sample-weight", "--weight"),
    ("--colour", "--color"),
    ("--separator", "--delimiter"),
];

/// The error of clap; a word of another program gets the one that does this here, instead of one that is only spelled alike.
pub(super) fn with_suggestion(mut error: clap::Error) -> clap::Error {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.replace('_', "-")),
        _ => None,
    };
    let known = |words: &[(&str, &'static str)], written: String| {
        let written = written.split('=').next().unwrap_or_default().to_lowercase();
        words.iter().find(|(word, _)| *word == written).map(|(_, known)| (*known).to_string())
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let found = context(ContextKind::InvalidSubcommand).and_then(|written| known(&COMMANDS, written));
            if let Some(command) = found {
                error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![command]));
            }
        }
        ErrorKind::UnknownArgument => {
            let found = context(ContextKind::InvalidArg).and_then(|written| known(&FLAGS, written));
            if let Some(flag) = found {
                error.insert(ContextKind::SuggestedArg, ContextValue::String(flag));
                error.remove(ContextKind::Usage); // with the flag that is only spelled alike
            }
        }
        _ => {}
    }
    error
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::super::Args;
    use super::*;

    fn message(line: &str) -> String {
        let words: Vec<_> = line.split_whitespace().map(Into::into).collect();
        Args::of_words(&words).map_or_else(|error| error.render().to_string(), |_| String::new())
    }

    #[test]
    fn words_of_other_programs_and_misspelled_ones_are_answered() {
        for (line, suggested) in [
            ("cwplugin predict m.json d.csv", "'apply'"),
            ("cwplugin evaluate d.csv", "'eval'"),
            ("cwplugin ftt d.csv", "'fit'"),
            ("cwplugin fit d.csv --scoring f1_macro", "'--metric'"),
            ("cwplugin fit d.csv --random_state=3", "'--seed'"),
            ("cwplugin fit d.csv --metrc mcc", "'--metric'"),
            ("cwplugin fit d.csv --colour never", "'--color'"),
        ] {
            let message = message(line);
            assert!(message.contains(suggested) && !message.contains("--scores"), "{line}: {message}");
        }
    }

    #[test]
    fn the_suggested_commands_and_flags_exist() {
        let command = Args::command();
        for (_, known) in COMMANDS {
            assert!(command.find_subcommand(known).is_some(), "{known}");
        }
        let fit = command.find_subcommand("fit").unwrap();
        let flags: Vec<_> =
            fit.get_arguments().chain(command.get_arguments()).filter_map(|arg| arg.get_long()).collect();
        for (_, known) in FLAGS {
            assert!(flags.contains(&known.trim_start_matches('-')), "{known}");
        }
    }
}
