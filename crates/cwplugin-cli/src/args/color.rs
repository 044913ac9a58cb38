//! `--color`.

use std::ffi::OsString;

use clap::ValueEnum;

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal
    #[default]
    Auto,
    /// Also in files and pipes
    Always,
    /// Nowhere
    Never,
}

impl ColorChoice {
    /// The choice on a command line that is not parsed yet: messages about a wrong one have colours too.
    pub(crate) fn of_words(words: &[OsString]) -> Self {
        let words = words.iter().filter_map(|word| word.to_str());
        let mut chosen = Self::default();
        let mut is_value = false;
        for word in words.take_while(|word| *word != "--") {
            let value = if is_value { Some(word) } else { word.strip_prefix("--color=") };
            is_value = word == "--color";
            chosen = value.and_then(|value| Self::from_str(value, false).ok()).unwrap_or(chosen);
        }
        chosen
    }

    /// The same for the messages of clap, which looks at the environment and the stream itself.
    pub(crate) fn of_clap(self) -> clap::ColorChoice {
        match self {
            Self::Auto => clap::ColorChoice::Auto,
            Self::Always => clap::ColorChoice::Always,
            Self::Never => clap::ColorChoice::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_is_found_before_the_command_line_is_parsed() {
        let choice = |line: &str| {
            ColorChoice::of_words(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
        };
        assert_eq!(choice("cwplugin ftt --color never"), ColorChoice::Never);
        assert_eq!(choice("cwplugin --color=always fit --color"), ColorChoice::Always);
        assert_eq!(choice("cwplugin fit --color purple"), ColorChoice::Auto);
        assert_eq!(choice("cwplugin fit -- --color=always"), ColorChoice::Auto);
    }
}
