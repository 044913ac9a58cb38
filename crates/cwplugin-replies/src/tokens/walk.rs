//! The walk over the positions of an answer: the probability of every alternative goes to a class or to none.
//!
//! Only the chosen token has a next position in the reply. So where alternatives need more tokens to be told apart, the
//! walk continues with the chosen one, and the others belong to no class.

use std::borrow::Cow;

use crate::classes::Classes;
use crate::error::ReplyError;
use crate::missing::{Listed, add};
use crate::source::Kind;
use crate::tokens::ahead::Answer;
use crate::tokens::choices::{Choice, choices, most_probable};
use crate::tokens::outcome::Outcome;
use crate::tokens::position::{Alternative, Fields, Position, cleaned};

/// Listed probabilities may exceed 1 by rounding.
const LARGEST_SUM: f64 = 1.001;

/// Where the answer starts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Start {
    pub(crate) position: usize,
    /// The part of the chosen token before the answer, such as an opening quote.
    pub(crate) structure: Vec<u8>,
}

/// Adds the probabilities of the classes to `q`.
pub(crate) fn walk(
    answer: Answer<'_, '_>,
    start: &Start,
    classes: &Classes,
    fields: &Fields,
    q: &mut [f64],
) -> Result<Listed, ReplyError> {
    let positions = answer.positions;
    let mut listed = None;
    let mut walk = Walk { classes, q, text: Vec::new(), mass: 1.0, class_so_far: None };
    let mut structure = start.structure.as_slice();
    for (i, position) in positions.iter().enumerate().skip(start.position) {
        let alternatives = read(answer, i, fields)?;
        let choices = choices(position, &alternatives, i, fields)?;
        let sum: f64 = choices.iter().map(|choice| choice.p).sum();
        if sum > LARGEST_SUM {
            return Err(ReplyError::SumAboveOne { field: fields.list(i), sum });
        }
        let unlisted = (1.0 - sum).max(0.0);
        if listed.is_none() && !choices.is_empty() {
            listed = Some(Listed { kind: Kind::Tokens, smallest: smallest(&choices), unlisted });
        }
        if !walk.step(&choices, unlisted, structure, &positions[i + 1..]) {
            break;
        }
        structure = b"";
    }
    let Some(listed) = listed else {
        return Err(ReplyError::NothingListed { field: fields.list(start.position) });
    };
    if walk.q.iter().all(|q| *q <= 0.0) {
        return Err(no_class(answer, start, classes, fields));
    }
    Ok(listed)
}

/// The smallest probability of the list; a chosen token beside it only counts if there is no list.
fn smallest(choices: &[Choice<'_>]) -> f64 {
    let any_listed = choices.iter().any(|choice| choice.listed);
    let counted = choices.iter().filter(|choice| choice.listed || !any_listed);
    counted.map(|choice| choice.p).fold(f64::INFINITY, f64::min)
}

/// The state between two positions.
struct Walk<'w> {
    classes: &'w Classes,
    q: &'w mut [f64],
    /// The chosen tokens so far.
    text: Vec<u8>,
    /// Their probability.
    mass: f64,
    /// The class that the text spells if longer spellings of other classes start with it: it gets all that does not continue
    /// one of them.
    class_so_far: Option<usize>,
}

impl Walk<'_> {
    /// What the text so far with `piece` after it is to the classes; the text grows by it.
    fn outcome(&mut self, piece: &[u8]) -> Outcome {
        self.text.extend_from_slice(piece);
        Outcome::of(&self.text, self.classes.table())
    }

    /// Gives the probabilities of one position to the classes; returns whether the next position is needed.
    fn step(
        &mut self,
        choices: &[Choice<'_>],
        unlisted: f64,
        structure: &[u8],
        later: &[Position<'_>],
    ) -> bool {
        let before = self.text.len();
        let mut next = None;
        for choice in choices {
            self.text.truncate(before);
            let outcome = if structure.is_empty() {
                self.outcome(&cleaned(choice.text))
            } else {
                cleaned(choice.text).strip_prefix(structure).map_or(Outcome::Other, |rest| self.outcome(rest))
            };
            let share = self.mass * choice.p;
            let later = if choice.chosen { later } else { &[] };
            let continues = !later.is_empty();
            let class = match outcome {
                Outcome::Blank | Outcome::Start if continues => {
                    next.get_or_insert_with(|| (self.text.clone(), 0.0, None)).1 += share;
                    None
                }
                Outcome::ClassSoFar(class) if continues => {
                    next.get_or_insert_with(|| (self.text.clone(), 0.0, Some(class))).1 += share;
                    None
                }
                Outcome::Blank | Outcome::Start => None,
                Outcome::Class(class) | Outcome::ClassSoFar(class) => Some(class),
                Outcome::Prefix { class, short } if self.leads_to(class, short, later) => Some(class),
                Outcome::Prefix { .. } | Outcome::Other => self.class_so_far,
            };
            if let Some(class) = class {
                add(&mut self.q[class], share);
            }
        }
        if let Some(class) = self.class_so_far
            && unlisted > 0.0
        {
            add(&mut self.q[class], self.mass * unlisted);
        }
        let Some((text, mass, class)) = next else { return false };
        (self.text, self.mass, self.class_so_far) = (text, mass, class);
        true
    }

    /// Whether the text, with which only spellings of one class start, counts for this class: the later tokens of the answer
    /// tell. Where they do not, a single ASCII character is too little: `I` is not `ironic`.
    fn leads_to(&mut self, class: usize, short: bool, later: &[Position<'_>]) -> bool {
        for position in later {
            match self.outcome(&cleaned(&position.chosen.text)) {
                Outcome::Class(found) | Outcome::ClassSoFar(found) => return found == class,
                Outcome::Prefix { class: found, .. } if found == class => {}
                _ => return false,
            }
        }
        !short
    }
}

fn read<'p, 'a>(
    answer: Answer<'p, 'a>,
    i: usize,
    fields: &Fields,
) -> Result<Cow<'p, [Alternative<'a>]>, ReplyError> {
    answer.alternatives(i).map_err(|error| ReplyError::Shape {
        origin: fields.origin,
        field: fields.list(i),
        problem: error.to_string(),
    })
}

/// The error that no alternative is a class, with the most probable ones of the first position that has any.
fn no_class(answer: Answer<'_, '_>, start: &Start, classes: &Classes, fields: &Fields) -> ReplyError {
    for (i, position) in answer.positions.iter().enumerate().skip(start.position) {
        let Ok(alternatives) = read(answer, i, fields) else { break };
        let Ok(choices) = choices(position, &alternatives, i, fields) else { break };
        if !choices.is_empty() {
            let (field, seen) = (fields.list(i), most_probable(&choices));
            return ReplyError::NoClass { field, seen, classes: classes.spelled() };
        }
    }
    ReplyError::NothingListed { field: fields.list(start.position) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::missing::NOT_LISTED;
    use crate::tokens::position::Positions;

    fn walked(json: &str, classes: &[&str]) -> Result<(Vec<f64>, Listed), ReplyError> {
        let classes = Classes::new(classes.iter().copied()).unwrap();
        let Positions(positions) = serde_json::from_str(json).unwrap();
        let fields = Fields { origin: "x", path: "a".into(), alternative: "[#].top[#].p", chosen: "[#].p" };
        let mut q = vec![NOT_LISTED; classes.len()];
        let answer = Answer { positions: &positions, ahead: None };
        let listed = walk(answer, &Start::default(), &classes, &fields, &mut q)?;
        Ok((q, listed))
    }

    /// A position: the chosen token and the alternatives, as probabilities.
    fn position(chosen: &str, top: &[(&str, f64)]) -> String {
        let top: Vec<String> =
            top.iter().map(|(token, p)| format!(r#"{{"token": {token:?}, "prob": {p}}}"#)).collect();
        format!(r#"{{"token": {chosen:?}, "prob": 0.125, "top_logprobs": [{}]}}"#, top.join(", "))
    }

    #[test]
    fn nothing_but_other_answers_is_an_error_with_the_most_probable_ones() {
        let json = format!("[{}]", position("a", &[("b", 0.1), ("a", 0.5)]));
        let error = walked(&json, &["ham", "spam"]).unwrap_err();
        assert_eq!(error.to_string(), r#"no class among the answers in a[0].top: "a", "b""#);
        let sum = walked(&format!("[{}]", position("a", &[("a", 0.9), ("ham", 0.2)])), &["ham", "spam"]);
        assert!(matches!(sum, Err(ReplyError::SumAboveOne { field, .. }) if field == "a[0].top"));
        let none = walked(r#"[{"token": "a", "logprob": -9999.0}]"#, &["ham", "spam"]);
        assert_eq!(none.unwrap_err(), ReplyError::NothingListed { field: "a[0].top".into() });
    }
}
