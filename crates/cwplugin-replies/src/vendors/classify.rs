//! vLLM's `/classify`: `data[]{index, label?, probs[], num_classes}`.

use serde::Deserialize;

use super::Reply;
use crate::error::ReplyError;
use crate::missing::{Listed, add};
use crate::output::Output;
use crate::scores::in_range;
use crate::source::Kind;
use crate::value::{Number, Text};

/// The probabilities of one text, in the order of the model's classes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Classified<'a> {
    #[serde(borrow)]
    label: Option<Text<'a>>,
    probs: Vec<Number>,
}

impl Reply<'_> {
    /// Adds a row per text.
    pub(super) fn classified(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let Some(data) = self.parse::<Vec<Classified<'_>>>("data", output)? else {
            return Err(self.excused(output.shape("", "there are no choices and no data")));
        };
        if data.is_empty() {
            return Err(ReplyError::NothingListed { field: "data".into() });
        }
        data.iter().enumerate().try_for_each(|(i, text)| text.row(i, output))
    }
}

impl Classified<'_> {
    fn row(&self, i: usize, output: &mut Output<'_>) -> Result<(), ReplyError> {
        self.check_order(i, output)?;
        let field = || format!("data[{i}].probs");
        output.row(None, &field, |q| {
            if self.probs.is_empty() {
                return Err(ReplyError::NothingListed { field: field() });
            }
            if self.probs.len() != q.len() {
                let (found, expected) = (self.probs.len(), q.len());
                return Err(ReplyError::WrongCount { field: field(), found, expected });
            }
            for (k, (q, p)) in q.iter_mut().zip(&self.probs).enumerate() {
                add(q, in_range(p, 1.0, || format!("data[{i}].probs[{k}]"))?);
            }
            let sum: f64 = q.iter().sum();
            if sum <= 0.0 {
                return Err(ReplyError::ZeroClasses { field: field() });
            }
            let smallest = q.iter().copied().fold(f64::INFINITY, f64::min);
            Ok(Listed { kind: Kind::Distribution, smallest, unlisted: (1.0 - sum).max(0.0) })
        })
    }

    /// The numbers have no names: if the reply names the most probable class, it must be ours too.
    fn check_order(&self, i: usize, output: &Output<'_>) -> Result<(), ReplyError> {
        let Some((classes, Text(label))) = output.classes().zip(self.label.as_ref()) else { return Ok(()) };
        let value = |k: usize| match self.probs.get(k) {
            Some(Number::Value(p)) => *p,
            _ => f64::NEG_INFINITY,
        };
        let Some(named) = classes.named(label).filter(|_| self.probs.len() == classes.len()) else {
            return Ok(());
        };
        match (0..classes.len()).find(|&k| value(k) > value(named)) {
            Some(k) => Err(ReplyError::OtherOrder {
                field: format!("data[{i}].label"),
                label: label.to_string(),
                class: classes.names()[k].clone(),
            }),
            None => Ok(()),
        }
    }
}
