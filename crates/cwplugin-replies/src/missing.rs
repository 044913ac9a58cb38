//! Classes that a reply does not list.

use std::fmt;
use std::str::FromStr;

use crate::error::ReplyError;
use crate::source::Kind;

/// What a class gets that the reply does not list.
///
/// ```
/// use cwplugin_replies::Missing;
///
/// assert_eq!("floor:1e-6".parse::<Missing>()?.to_string(), "floor:0.000001");
/// assert!("floor:2".parse::<Missing>().is_err());
/// # Ok::<(), cwplugin_replies::ReplyError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Missing {
    /// The largest probability it can have, shared fairly:
    ///
    /// ```text
    /// max(min(p_min, u / n), 1e-9)      p_min: the smallest probability listed; u: the probability not listed; n: missing classes
    /// ```
    ///
    /// Independent scores have u = `p_min`.
    #[default]
    Spread,
    /// A fixed probability.
    Floor(Floor),
    /// An error.
    Refuse,
}

/// A probability between 0 and 1, both excluded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Floor(f64);

impl Floor {
    /// The probability.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Floor {
    type Error = ReplyError;

    fn try_from(value: f64) -> Result<Self, ReplyError> {
        if value > 0.0 && value < 1.0 {
            Ok(Self(value))
        } else {
            Err(ReplyError::BadMissing { text: format!("floor:{value}") })
        }
    }
}

impl Missing {
    /// What each of `n_missing` classes gets that are not listed: they have at most the smallest listed probability each, and at
    /// most what is not listed together. `None` if such rows are refused.
    pub fn share(self, smallest: f64, unlisted: f64, n_missing: usize) -> Option<f64> {
        match self {
            Self::Refuse => None,
            Self::Floor(floor) => Some(floor.0),
            Self::Spread => Some(smallest.min(unlisted / n_missing as f64).max(TINY)),
        }
    }
}

impl FromStr for Missing {
    type Err = ReplyError;

    fn from_str(text: &str) -> Result<Self, ReplyError> {
        let bad = || ReplyError::BadMissing { text: text.to_owned() };
        match text {
            "spread" => Ok(Self::Spread),
            "refuse" => Ok(Self::Refuse),
            _ => {
                let number: f64 = text.strip_prefix("floor:").ok_or_else(bad)?.parse().map_err(|_| bad())?;
                Floor::try_from(number).map(Self::Floor).map_err(|_| bad())
            }
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spread => f.write_str("spread"),
            Self::Floor(floor) => write!(f, "floor:{}", floor.0),
            Self::Refuse => f.write_str("refuse"),
        }
    }
}

/// The smallest bound, so that no missing class has probability 0.
const TINY: f64 = 1e-9;

/// Sums of probabilities are off 1 by less: a row that is covered completely has no `other`.
const ROUNDING: f64 = 1e-12;

/// In the place of a probability: the reply does not list the class. A class that is listed with 0 has 0.
pub(crate) const NOT_LISTED: f64 = -1.0;

/// Adds to the probability of a class.
pub(crate) fn add(q: &mut f64, p: f64) {
    *q = q.max(0.0) + p;
}

/// What was listed beside the classes' own probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Listed {
    pub(crate) kind: Kind,
    /// The smallest probability listed.
    pub(crate) smallest: f64,
    /// The probability of all that is not listed.
    pub(crate) unlisted: f64,
}

/// The part of a row that is not a class.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rest {
    pub(crate) other: f64,
    /// Classes that are not listed.
    pub(crate) missing: Vec<u32>,
}

/// Fills in missing classes and normalises `q`; the error is the missing classes, if they are refused.
///
/// At least one class has a positive probability.
pub(crate) fn complete(q: &mut [f64], listed: Listed, missing: Missing) -> Result<Rest, Vec<u32>> {
    let absent = |q: &f64| *q < 0.0;
    let all: Vec<u32> = (0..).zip(q.iter()).filter(|(_, q)| absent(q)).map(|(k, _)| k).collect();
    let n_missing = all.len();
    let mut covered: f64 = q.iter().map(|q| q.max(0.0)).sum();
    if n_missing > 0 {
        let unlisted = if listed.kind == Kind::Independent { listed.smallest } else { listed.unlisted };
        let Some(share) = missing.share(listed.smallest, unlisted, n_missing) else {
            return Err(all);
        };
        if missing == Missing::Spread {
            covered += share * n_missing as f64;
        }
        q.iter_mut().filter(|q| absent(q)).for_each(|q| *q = share);
    }
    let sum: f64 = q.iter().sum();
    for q in q.iter_mut() {
        *q /= sum;
    }
    let other = if listed.kind == Kind::Independent { 0.0 } else { 1.0 - covered };
    Ok(Rest { other: if other < ROUNDING { 0.0 } else { other }, missing: all })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: Listed = Listed { kind: Kind::Tokens, smallest: 0.02, unlisted: 0.1 };

    fn close(found: &[f64], expected: &[f64]) {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
    }

    #[test]
    fn spread_gives_the_bound_that_missing_classes_share() {
        let mut q = [0.6, -1.0, 0.2, -1.0];
        let rest = complete(&mut q, LISTED, Missing::Spread).unwrap();
        close(&q, &[0.6 / 0.84, 0.02 / 0.84, 0.2 / 0.84, 0.02 / 0.84]); // 0.02 < 0.1 / 2
        close(&[rest.other], &[0.16]);
        assert_eq!(rest.missing, [1, 3]);
        let mut q = [0.6, -1.0, 0.2, -1.0];
        complete(&mut q, Listed { unlisted: 0.02, ..LISTED }, Missing::Spread).unwrap();
        close(&q, &[0.6 / 0.82, 0.01 / 0.82, 0.2 / 0.82, 0.01 / 0.82]); // 0.02 / 2
    }

    #[test]
    fn a_row_that_is_covered_has_no_other() {
        let mut q = [0.1; 10];
        let rest = complete(&mut q, LISTED, Missing::Spread).unwrap();
        assert_eq!(rest, Rest { other: 0.0, missing: Vec::new() }); // ten times 0.1 sum to 1 - 1.1e-16
    }

    #[test]
    fn a_floor_is_not_taken_from_other() {
        let mut q = [0.7, -1.0];
        let rest = complete(&mut q, LISTED, "floor:0.1".parse().unwrap()).unwrap();
        close(&q, &[0.7 / 0.8, 0.1 / 0.8]);
        close(&[rest.other], &[0.3]);
    }

    #[test]
    fn texts_are_read_back_and_others_are_refused() {
        for text in ["spread", "refuse", "floor:0.001"] {
            assert_eq!(text.parse::<Missing>().unwrap().to_string(), text);
        }
        for text in ["", "floor", "floor:", "floor:0", "floor:1", "floor:nan", "Spread"] {
            assert_eq!(text.parse::<Missing>(), Err(ReplyError::BadMissing { text: text.into() }));
        }
    }
}
