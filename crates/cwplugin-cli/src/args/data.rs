//! Options of the input table.

use std::path::PathBuf;

use cwplugin::Scores;

use super::{Remembered, ReplyArgs, one_of, parse_name, scales};
use crate::table::Format;

/// How to read the rows, and what the columns mean.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Input options")]
pub(crate) struct Data {
    /// Read the table as csv, tsv, jsonl, parquet, arrow, npy or npz [default: by extension or content]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) format: Option<Format>,
    /// Read labels from column NAME, or from another table joined by --id, or from a second array FILE.npy; rows with an
    /// empty label are unlabelled
    #[arg(long, value_name = "NAME|FILE", default_value = "label")]
    pub(crate) label: String,
    /// Replace labels: a table with the label in the first column and its class in the second
    #[arg(long, value_name = "FILE")]
    pub(crate) label_map: Option<PathBuf>,
    /// Match labels to classes in any case
    #[arg(long)]
    pub(crate) ignore_case: bool,
    /// Read integer labels as positions of the classes, counted from 0 or 1
    #[arg(long, value_name = "0|1", hide_possible_values = true, value_parser = one_of([("0", 0_usize), ("1", 1)]))]
    pub(crate) label_index: Option<usize>,
    /// Use these classes, in this order: columns A, B, C or prefix + A, …
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', value_parser = parse_name)]
    pub(crate) classes: Option<Vec<String>>,
    /// Use every column that starts with TEXT as a class [default: p_, prob_ or proba_, else all numeric columns]
    #[arg(long, value_name = "TEXT")]
    pub(crate) prefix: Option<String>,
    /// For two classes and one column of probabilities: the column is the probability of class NAME
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    pub(crate) positive: Option<String>,
    /// Weight the rows by column NAME
    #[arg(long, value_name = "NAME")]
    pub(crate) weight: Option<String>,
    /// Do not use these columns as classes; the first one joins --label FILE [default: id]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) id: Vec<String>,
    /// Interpret the numbers as probabilities, logits, logprobs or percentages [default: probabilities, or percentages if
    /// the rows sum to 100]
    #[arg(long, value_name = "KIND", hide_possible_values = true, value_parser = scales())]
    pub(crate) scores: Option<Scores>,
    /// Divide every row by its sum
    #[arg(long)]
    pub(crate) normalize: bool,
    /// Split CSV fields at CHAR [default: , or ; or tab, by the header]
    #[arg(long, value_name = "CHAR", value_parser = parse_delimiter)]
    pub(crate) delimiter: Option<u8>,
    /// Read numbers with a decimal comma or point [default: by content]
    #[arg(long, value_name = "CHAR", hide_possible_values = true, value_parser = one_of([(".", '.'), (",", ',')]))]
    pub(crate) decimal: Option<char>,
    #[command(flatten)]
    pub(crate) replies: ReplyArgs,
    #[arg(skip)]
    pub(crate) remembered: Remembered,
}

impl Data {
    /// The defaults.
    pub(crate) fn plain() -> Self {
        Self {
            format: None,
            label: "label".into(),
            label_map: None,
            ignore_case: false,
            label_index: None,
            classes: None,
            prefix: None,
            positive: None,
            weight: None,
            id: Vec::new(),
            scores: None,
            normalize: false,
            delimiter: None,
            decimal: None,
            replies: ReplyArgs::default(),
            remembered: Remembered::default(),
        }
    }

    /// The flags that give these options.
    pub(crate) fn flags(&self) -> Vec<String> {
        let list = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
        let options = [
            ("--format", self.format.map(Format::flag)),
            ("--label", (self.label != "label").then(|| self.label.clone())),
            ("--label-map", self.label_map.as_ref().map(|path| path.display().to_string())),
            ("--label-index", self.label_index.map(|first| first.to_string())),
            ("--classes", self.classes.as_deref().and_then(list)),
            ("--prefix", self.prefix.clone()),
            ("--positive", self.positive.clone()),
            ("--weight", self.weight.clone()),
            ("--id", list(&self.id)),
            ("--scores", self.scores.map(|kind| kind.name().into())),
            ("--delimiter", self.delimiter.map(|byte| char::from(byte).to_string())),
            ("--decimal", self.decimal.map(String::from)),
        ];
        let given = options.into_iter().filter_map(|(name, value)| Some([name.to_string(), value?]));
        let switches = [("--ignore-case", self.ignore_case), ("--normalize", self.normalize)];
        let switches = switches.into_iter().filter(|(_, is_on)| *is_on).map(|(name, _)| name.to_string());
        given.flatten().chain(switches).chain(self.replies.flags()).collect()
    }
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" | b"tab" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("give one ASCII character, or tab".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delimiter_is_one_character_or_tab() {
        assert_eq!(parse_delimiter(";"), Ok(b';'));
        assert_eq!(parse_delimiter("tab"), Ok(b'\t'));
        assert!(parse_delimiter("::").is_err());
        assert!(parse_delimiter("\"").is_err());
    }
}
