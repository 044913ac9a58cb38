//! Options of replies: from log-probabilities, scores and votes to class probabilities.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use cwplugin::data::nearest;
use cwplugin::model::InputOptions;
use cwplugin_replies::{FieldPath, Missing, Source};

use crate::user_error::UserError;
use crate::whole_file::{SMALL, read_text};

/// How to read replies of a black box.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Reply options")]
pub(crate) struct ReplyArgs {
    /// Read replies of NAME instead of a table: openai, completions, vllm, gemini, ollama, llama-cpp, huggingface,
    /// comprehend, azure, google-nl, vision, rekognition, clarifai, cohere, or votes
    #[arg(long, value_name = "NAME", value_parser = parse_from)]
    pub(crate) from: Option<From>,
    /// Match these texts to class NAME [default: the name in any case] (repeatable)
    #[arg(long = "class", value_name = "NAME=TEXT,…", value_parser = parse_spellings)]
    pub(crate) spellings: Vec<(String, Vec<String>)>,
    /// Read the texts of the classes from a TOML file: NAME = ["TEXT", …]
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) class_map: Option<PathBuf>,
    /// Find the reply in field FIELD of each line, e.g. response.body
    #[arg(long, value_name = "FIELD", value_parser = parse_path)]
    pub(crate) reply: Option<FieldPath>,
    /// Find the class in field FIELD of a JSON answer; for votes, the field with the answer [default: answer]
    #[arg(long, value_name = "FIELD", value_parser = parse_path)]
    pub(crate) answer_at: Option<FieldPath>,
    /// Give a class that a row does not list: spread (at most the smallest listed probability), floor:X, or refuse
    #[arg(long, value_name = "RULE", value_parser = parse_missing)]
    pub(crate) missing: Option<Missing>,
    /// Leave out replies without an answer: errors, refusals, answers that match no class
    #[arg(long)]
    pub(crate) skip_errors: bool,
}

/// Where replies come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    Source(Source),
    /// Several answers for each row, or their counts.
    Votes,
}

impl From {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Source(source) => source.name(),
            Self::Votes => "votes",
        }
    }
}

impl ReplyArgs {
    /// The spellings of the flags and of the file; a class of both is an error.
    pub(crate) fn all_spellings(&self) -> anyhow::Result<Vec<(String, Vec<String>)>> {
        let mut all = self.spellings.clone();
        if let Some(path) = &self.class_map {
            all.extend(read_class_map(path)?);
        }
        let mut seen = HashSet::new();
        for (name, _) in &all {
            if !seen.insert(name) {
                let what = format!("the spellings of class \"{name}\" are given twice");
                return Err(UserError::usage(what)
                    .hint("give each class once: --class NAME=TEXT,TEXT")
                    .into());
            }
        }
        Ok(all)
    }

    /// For the model.
    pub(crate) fn store(&self, options: &mut InputOptions) -> anyhow::Result<()> {
        options.from = self.from.map(|from| from.name().to_owned());
        options.spellings = self.all_spellings()?.into_iter().collect::<BTreeMap<_, _>>();
        options.reply = self.reply.as_ref().map(ToString::to_string);
        options.answer_at = self.answer_at.as_ref().map(ToString::to_string);
        options.missing = self.missing.map(|missing| missing.to_string());
        Ok(())
    }

    /// The flags that give these options.
    pub(crate) fn flags(&self) -> Vec<String> {
        let spelled =
            |(name, texts): &(String, Vec<String>)| ("--class", format!("{name}={}", texts.join(",")));
        let options = [
            ("--from", self.from.map(|from| from.name().to_owned())),
            ("--class-map", self.class_map.as_ref().map(|path| path.display().to_string())),
            ("--reply", self.reply.as_ref().map(ToString::to_string)),
            ("--answer-at", self.answer_at.as_ref().map(ToString::to_string)),
            ("--missing", self.missing.map(|missing| missing.to_string())),
        ];
        let given = options.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let given = given.chain(self.spellings.iter().map(spelled));
        let switch = self.skip_errors.then(|| "--skip-errors".to_owned());
        given.flat_map(|(name, value)| [name.to_owned(), value]).chain(switch).collect()
    }
}

fn read_class_map(path: &Path) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    const HINT: &str =
        "check --class-map, with one line per class: positive = [\"positive\", \"pos\", \"1\"]";
    let name = path.display();
    let wrong = |reason: String| UserError::new(format!("{name}: not a map of classes: {reason}")).hint(HINT);
    let text = read_text(path, "a map of classes", SMALL, HINT)?;
    let map = toml::from_str(&text).map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
    Ok(map)
}

pub(super) fn parse_from(text: &str) -> Result<From, String> {
    if text == "votes" {
        return Ok(From::Votes);
    }
    Source::from_name(text).map(From::Source).map_err(|error| {
        let names = Source::ALL.iter().map(|source| source.name()).chain(["votes"]);
        let all = || format!("{}, votes", error.cure().unwrap_or_default());
        nearest(text, names).map_or_else(all, |near| format!("did you mean {near}?"))
    })
}

fn parse_spellings(text: &str) -> Result<(String, Vec<String>), String> {
    let (name, texts) =
        text.split_once('=').ok_or("give the class and its texts, e.g. positive=positive,pos,1")?;
    let texts: Vec<String> = texts.split(',').map(|text| text.trim().to_owned()).collect();
    if name.trim().is_empty() || texts.iter().any(String::is_empty) {
        return Err("give a name, and a text between all commas".into());
    }
    Ok((name.trim().to_owned(), texts))
}

pub(super) fn parse_path(text: &str) -> Result<FieldPath, String> {
    text.parse::<FieldPath>().map_err(|error| error.cure().unwrap_or_else(|| error.to_string()))
}

pub(super) fn parse_missing(text: &str) -> Result<Missing, String> {
    text.parse::<Missing>().map_err(|error| error.cure().unwrap_or_else(|| error.to_string()))
}
