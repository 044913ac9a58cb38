//! The distinct alternatives of a position, with their probabilities.

use crate::error::ReplyError;
use crate::tokens::position::{Alternative, Fields, Position};
use crate::value::Number;

/// Log-probabilities from here down mean "not known".
const NOT_LISTED: f64 = -9999.0;

/// Log-probabilities may exceed 0 by rounding, and probabilities 1.
const ROUNDING: f64 = 1e-6;

/// Alternatives shown if no class is among the answers.
const SEEN: usize = 5;

/// An alternative that is listed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice<'c> {
    pub(crate) text: &'c [u8],
    pub(crate) p: f64,
    /// Whether the answer continues with it.
    pub(crate) chosen: bool,
    /// Whether it is in the list of alternatives.
    pub(crate) listed: bool,
}

/// The alternatives at position `i`, each once, and the chosen token if it is not among them.
pub(crate) fn choices<'c>(
    position: &'c Position<'_>,
    alternatives: &'c [Alternative<'_>],
    i: usize,
    fields: &Fields,
) -> Result<Vec<Choice<'c>>, ReplyError> {
    let chosen = position.chosen.text.as_ref();
    let mut found: Vec<Choice<'c>> = Vec::with_capacity(alternatives.len() + 1);
    let mut has_chosen = false;
    for (j, alternative) in alternatives.iter().enumerate() {
        let name = || {
            let is_map = fields.alternative.ends_with(".#");
            let part = if is_map { String::from_utf8_lossy(&alternative.text) } else { j.to_string().into() };
            fields.alternative(i, &part)
        };
        let Some(p) = probability(alternative, name)? else { continue };
        let text = alternative.text.as_ref();
        // Two tokens may have the same text and both count; but the same token listed twice counts once.
        if found.iter().any(|other| other.p.to_bits() == p.to_bits() && other.text == text) {
            continue;
        }
        let is_chosen = text == chosen;
        has_chosen |= is_chosen;
        found.push(Choice { text, p, chosen: is_chosen, listed: true });
    }
    // Servers that do not give the chosen token's probability list it among the alternatives.
    if !has_chosen
        && position.chosen.value != Number::Absent
        && let Some(p) = probability(&position.chosen, || fields.chosen(i))?
    {
        found.push(Choice { text: chosen, p, chosen: true, listed: false });
    }
    Ok(found)
}

/// The probability of an alternative; none if it is not known, or 0: the sampler has removed the token.
fn probability(alternative: &Alternative<'_>, field: impl Fn() -> String) -> Result<Option<f64>, ReplyError> {
    let expected = if alternative.linear { "a probability" } else { "a log-probability of at most 0" };
    match alternative.value {
        Number::Value(p) if alternative.linear && (0.0..=1.0 + ROUNDING).contains(&p) => {
            Ok(Some(p).filter(|p| *p > 0.0))
        }
        Number::Value(log) if !alternative.linear && log <= NOT_LISTED => Ok(None),
        Number::Value(log) if !alternative.linear && log <= ROUNDING => {
            Ok(Some(log.exp()).filter(|p| *p > 0.0))
        }
        _ => Err(ReplyError::BadNumber { field: field(), value: alternative.value.shown(), expected }),
    }
}

/// The texts of the most probable alternatives.
pub(crate) fn most_probable(choices: &[Choice<'_>]) -> Vec<String> {
    let mut sorted: Vec<&Choice<'_>> = choices.iter().collect();
    sorted.sort_by(|a, b| b.p.total_cmp(&a.p));
    sorted.iter().take(SEEN).map(|choice| String::from_utf8_lossy(choice.text).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::position::Positions;

    fn first(json: &str) -> Result<Vec<(String, f64, bool)>, ReplyError> {
        let Positions(positions) = serde_json::from_str(json).unwrap();
        let fields = Fields { origin: "x", path: "a".into(), alternative: "[#].top[#].p", chosen: "[#].p" };
        let alternatives = positions[0].top.read().unwrap();
        let choices = choices(&positions[0], &alternatives, 0, &fields)?;
        let owned = |c: &Choice<'_>| (String::from_utf8_lossy(c.text).into_owned(), c.p, c.chosen);
        Ok(choices.iter().map(owned).collect())
    }

    #[test]
    fn unknown_and_repeated_alternatives_are_left_out() {
        let json = r#"[{"token": "a", "logprob": null, "top_logprobs": [{"token": "a", "logprob": 0.0},
            {"token": "b", "logprob": -9999.0}, {"token": "a", "logprob": 0.0}]}]"#;
        assert_eq!(first(json).unwrap(), [("a".to_owned(), 1.0, true)]);
        let json = r#"[{"token": "b", "logprob": -9999.0, "top_logprobs": [{"token": "", "logprob": 0.0}, {"token": "", "logprob": -800}]}]"#;
        assert_eq!(first(json).unwrap(), [(String::new(), 1.0, false)]);
    }
}
