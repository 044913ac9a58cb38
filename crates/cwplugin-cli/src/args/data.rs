//! Options of the input table.

use cwplugin::{RowSums, Scores};

use super::{parse_name, scales};
use crate::table::Format;

/// How to read the rows, and what the columns mean.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Input options")]
pub(crate) struct Data {
    /// Read the table as csv, tsv, jsonl, parquet, arrow, npy or npz [default: by extension or content]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) format: Option<Format>,
    /// Read labels from column NAME, or from a second array FILE.npy; rows with an empty label are unlabelled
    #[arg(long, value_name = "NAME", default_value = "label")]
    pub(crate) label: String,
    /// Use these classes, in this order: columns A, B, C or prefix + A, …
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', value_parser = parse_name)]
    pub(crate) classes: Option<Vec<String>>,
    /// Use every column that starts with TEXT as a class [default: p_, prob_ or proba_, else all numeric columns]
    #[arg(long, value_name = "TEXT")]
    pub(crate) prefix: Option<String>,
    /// Weight the rows by column NAME
    #[arg(long, value_name = "NAME")]
    pub(crate) weight: Option<String>,
    /// Do not use these columns as classes
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) id: Vec<String>,
    /// Interpret the numbers as probabilities, logits or logprobs
    #[arg(long, value_name = "KIND", hide_possible_values = true, default_value = "probabilities", value_parser = scales())]
    pub(crate) scores: Scores,
    /// Divide every row by its sum
    #[arg(long)]
    pub(crate) normalize: bool,
    /// Split CSV fields at CHAR [default: , or ; or tab, by the header]
    #[arg(long, value_name = "CHAR", value_parser = parse_delimiter)]
    pub(crate) delimiter: Option<u8>,
}

impl Data {
    /// The defaults.
    pub(crate) fn plain() -> Self {
        Self {
            format: None,
            label: "label".into(),
            classes: None,
            prefix: None,
            weight: None,
            id: Vec::new(),
            scores: Scores::Probabilities,
            normalize: false,
            delimiter: None,
        }
    }

    /// The flags that give these options.
    pub(crate) fn flags(&self) -> Vec<String> {
        let list = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
        let options = [
            ("--format", self.format.map(Format::flag)),
            ("--label", (self.label != "label").then(|| self.label.clone())),
            ("--classes", self.classes.as_deref().and_then(list)),
            ("--prefix", self.prefix.clone()),
            ("--weight", self.weight.clone()),
            ("--id", list(&self.id)),
            (
                "--scores",
                Some(self.scores)
                    .filter(|kind| *kind != Scores::Probabilities)
                    .map(|kind| kind.name().into()),
            ),
            ("--delimiter", self.delimiter.map(|byte| char::from(byte).to_string())),
        ];
        let given = options.into_iter().filter_map(|(name, value)| Some([name.to_string(), value?]));
        given.flatten().chain(self.normalize.then(|| "--normalize".to_string())).collect()
    }

    pub(crate) fn row_sums(&self) -> RowSums {
        if self.normalize { RowSums::Normalize } else { RowSums::MustBeOne }
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
