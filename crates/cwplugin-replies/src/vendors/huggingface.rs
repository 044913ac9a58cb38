//! Hugging Face: `[{label, score}]`, a list of such lists, or zero-shot `{sequence, labels[], scores[]}`.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::error::ReplyError;
use crate::output::Output;
use crate::scores::{Relation, Score, Scores};
use crate::value::{Number, Text};
use crate::wrap::{Known, Reply};

#[derive(Debug, Default)]
pub(crate) struct Huggingface<'a> {
    list: Option<Vec<Element<'a>>>,
    zero_shot: ZeroShot<'a>,
}

/// An element of the reply's list: a score of the only text, or all scores of one text.
#[derive(Debug)]
enum Element<'a> {
    Score(Score<'a>),
    Scores(Vec<Score<'a>>),
    ZeroShot(ZeroShot<'a>),
    /// Neither.
    Other,
}

#[derive(Debug, Default)]
struct ZeroShot<'a> {
    labels: Option<Vec<Text<'a>>>,
    scores: Option<Vec<Number>>,
}

impl<'de> ZeroShot<'de> {
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "labels" => self.labels = map.next_value()?,
            "scores" => self.scores = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn row(self, path: &str, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let (Some(labels), Some(scores)) = (self.labels, self.scores) else {
            return Err(output.shape(path, "there is no list of labels and scores"));
        };
        let dot = if path.is_empty() { "" } else { "." };
        let field = format!("{path}{dot}scores");
        if labels.len() != scores.len() {
            return Err(output.shape(&field, &format!("{} scores for {} labels", scores.len(), labels.len())));
        }
        let score = |(Text(name), value)| Score { name, value };
        let list = labels.into_iter().zip(scores).map(score).collect();
        let scores = Scores::distribution(list, field, "[#]");
        output.scores(None, &Scores { relation: Relation::BySum, ..scores })
    }
}

impl<'de> Reply<'de> for Huggingface<'de> {
    const EXPECTED: &'static str = "a list of labels and scores";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        self.zero_shot.field(key, map)
    }

    fn list<A: SeqAccess<'de>>(&mut self, mut list: A) -> Result<(), A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = list.next_element()? {
            elements.push(element);
        }
        self.list = Some(elements);
        Ok(())
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let Some(elements) = self.list else { return self.zero_shot.row("", output) };
        let row = |output: &mut Output<'_>, list, field: String| {
            let scores = Scores::distribution(list, field, "[#].score");
            output.scores(None, &Scores { relation: Relation::BySum, ..scores })
        };
        if matches!(elements.first(), None | Some(Element::Score(_))) {
            let mut list = Vec::with_capacity(elements.len());
            for (i, element) in elements.into_iter().enumerate() {
                match element {
                    Element::Score(score) => list.push(score),
                    _ => return Err(output.shape(&format!("[{i}]"), "expected a label and its score")),
                }
            }
            return row(output, list, String::new());
        }
        for (i, element) in elements.into_iter().enumerate() {
            let field = format!("[{i}]");
            match element {
                Element::Scores(list) => row(output, list, field)?,
                Element::ZeroShot(text) => text.row(&field, output)?,
                _ => return Err(output.shape(&field, "expected a list of labels and scores")),
            }
        }
        Ok(())
    }
}

struct ElementVisitor;

impl<'de> Visitor<'de> for ElementVisitor {
    type Value = Element<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a label and its score, or a list of them")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut name = None;
        let mut value = Number::Absent;
        let mut zero_shot = ZeroShot::default();
        while let Some(Text(key)) = map.next_key()? {
            match key.as_ref() {
                "label" => name = Some(map.next_value::<Text<'_>>()?),
                "score" => value = map.next_value()?,
                key => {
                    if zero_shot.field(key, &mut map)? == Known::No {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
            }
        }
        Ok(match name {
            _ if zero_shot.labels.is_some() => Element::ZeroShot(zero_shot),
            Some(Text(name)) => Element::Score(Score { name, value }),
            None => Element::Other,
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element::<Element<'_>>()? {
            match element {
                Element::Score(score) => list.push(score),
                _ => return Err(serde::de::Error::custom("expected a label and its score")),
            }
        }
        Ok(Element::Scores(list))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Element<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ElementVisitor)
    }
}

#[cfg(test)]
mod tests {
    use crate::Source::Huggingface as HF;
    use crate::vendors::testing::{close, error, row, rows};

    const SPAM: &str = r#"[{"label": "SPAM", "score": 0.75}, {"label": "HAM", "score": 0.25}]"#;

    #[test]
    fn a_list_is_a_row_and_a_list_of_lists_is_several() {
        close(&row(HF, &["ham", "spam"], SPAM), &[0.25, 0.75]);
        close(&row(HF, &["ham", "spam"], &format!("[{SPAM}]")), &[0.25, 0.75]);
        let two =
            format!(r#"[{SPAM}, [{{"label": "HAM", "score": 0.5}}, {{"label": "SPAM", "score": 0.125}}]]"#);
        let two = rows(HF, &["ham", "spam"], &two).unwrap();
        close(&two[1].1, &[0.8, 0.2]);
        assert_eq!(two.len(), 2);
    }

    #[test]
    fn zero_shot_has_two_lists() {
        let json = r#"{"sequence": "…", "labels": ["spam", "ham"], "scores": [0.875, 0.125]}"#;
        close(&row(HF, &["ham", "spam"], json), &[0.125, 0.875]);
        close(&rows(HF, &["ham", "spam"], &format!("[{json}, {json}]")).unwrap()[1].1, &[0.125, 0.875]);
        assert_eq!(error(HF, r#"{"labels": ["spam", "ham"], "scores": [0.9]}"#).kind(), "shape");
    }

    #[test]
    fn bad_lists_are_named() {
        assert_eq!(error(HF, "[]").kind(), "empty");
        assert_eq!(error(HF, "[[]]").to_string(), "nothing is listed in [0]");
        assert_eq!(
            error(HF, r#"[{"label": "ham", "score": 0.5}, {"label": "ham", "score": 0.5}]"#).kind(),
            "shape"
        );
        assert_eq!(
            error(HF, r#"[[{"label": "ham", "score": null}]]"#).to_string(),
            "[0][0].score is null, not a number from 0 to 1"
        );
        assert_eq!(error(HF, r#"{"error": "Model is loading", "estimated_time": 20.0}"#).kind(), "vendor");
        for json in ["{}", "[1]", "[{}]", "[[[]]]", "7", r#"{"label": "ham", "score": 0.5}"#] {
            assert_eq!(error(HF, json).kind(), "shape", "{json}");
        }
    }
}
