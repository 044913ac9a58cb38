//! From a list of names and scores to probabilities of classes.

use std::borrow::Cow;

use crate::classes::Classes;
use crate::error::ReplyError;
use crate::missing::{Listed, add};
use crate::source::Kind;
use crate::value::Number;

/// Scores of one distribution may exceed a sum of 1 by rounding; above, they are independent.
const LARGEST_SUM: f64 = 1.02;

/// Scores may exceed 1 by rounding.
const ROUNDING: f64 = 1e-6;

/// Names shown if no class is among them.
const SEEN: usize = 5;

/// Names up to which repeats are found by comparing all pairs.
const FEW: usize = 16;

/// A name and its score.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Score<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) value: Number,
}

/// How names and numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entries {
    /// An object from names to numbers.
    Numbers,
    /// An object from names to objects with the number in a field.
    Objects(&'static str),
    /// A list of objects with a name and a number.
    List(&'static str, &'static str),
    /// A list of numbers beside a list of names in another field.
    Beside(&'static str),
}

/// What the scores of a list are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    Distribution,
    Independent,
    /// A distribution, unless the scores sum to more than 1.
    BySum,
}

/// What a name means that occurs more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeats {
    Refuse,
    /// One score per page: their mean counts.
    Mean,
}

/// A list of scores.
#[derive(Debug, Clone)]
pub(crate) struct Scores<'a> {
    pub(crate) list: Vec<Score<'a>>,
    /// Path of the list.
    pub(crate) field: String,
    pub(crate) entries: Entries,
    pub(crate) relation: Relation,
    pub(crate) repeats: Repeats,
    /// The score of certainty.
    pub(crate) one: f64,
}

impl<'a> Scores<'a> {
    /// Adds the probabilities of the classes to `q`.
    pub(crate) fn read(&self, classes: &Classes, q: &mut [f64]) -> Result<Listed, ReplyError> {
        if self.list.is_empty() {
            return Err(ReplyError::NothingListed { field: self.field.clone() });
        }
        let scores = self.distinct(self.numbers()?)?;
        for (name, p) in &scores {
            if let Some(class) = classes.named(name) {
                add(&mut q[class], *p);
            }
        }
        if q.iter().all(|q| *q < 0.0) {
            return Err(self.no_class(scores, classes));
        }
        if q.iter().all(|q| *q <= 0.0) {
            return Err(ReplyError::ZeroClasses { field: self.field.clone() });
        }
        let sum: f64 = scores.iter().map(|(_, p)| p).sum();
        let smallest = scores.iter().map(|(_, p)| *p).fold(f64::INFINITY, f64::min);
        let kind = match self.relation {
            Relation::Distribution => Kind::Distribution,
            Relation::BySum if sum <= LARGEST_SUM => Kind::Distribution,
            Relation::BySum | Relation::Independent => Kind::Independent,
        };
        Ok(Listed { kind, smallest, unlisted: (1.0 - sum).max(0.0) })
    }

    /// The names with their scores as probabilities.
    fn numbers(&self) -> Result<Vec<(&str, f64)>, ReplyError> {
        let mut found = Vec::with_capacity(self.list.len());
        for (j, score) in self.list.iter().enumerate() {
            found.push((score.name.trim(), self.number(j, score)?));
        }
        Ok(found)
    }

    fn number(&self, j: usize, score: &Score<'a>) -> Result<f64, ReplyError> {
        in_range(&score.value, self.one, || match self.entries {
            Entries::Numbers => format!("{}.{}", self.field, score.name),
            Entries::Objects(value) => format!("{}.{}.{value}", self.field, score.name),
            Entries::List(_, value) => format!("{}[{j}].{value}", self.field),
            Entries::Beside(_) => format!("{}[{j}]", self.field),
        })
    }

    /// Every name once, in the order in which they occur first.
    fn distinct<'s>(&self, scores: Vec<(&'s str, f64)>) -> Result<Vec<(&'s str, f64)>, ReplyError> {
        let Some(name) = repeated(&scores) else { return Ok(scores) };
        if self.repeats == Repeats::Refuse {
            return Err(ReplyError::RepeatedName { field: self.field.clone(), name: name.to_owned() });
        }
        let mut sums: Vec<(&str, f64, usize)> = Vec::new();
        for (name, p) in scores {
            match sums.iter_mut().find(|(other, ..)| *other == name) {
                Some((_, sum, n)) => (*sum, *n) = (*sum + p, *n + 1),
                None => sums.push((name, p, 1)),
            }
        }
        Ok(sums.into_iter().map(|(name, sum, n)| (name, sum / n as f64)).collect())
    }

    fn no_class(&self, mut scores: Vec<(&str, f64)>, classes: &Classes) -> ReplyError {
        scores.sort_by(|a, b| b.1.total_cmp(&a.1));
        let seen = scores.iter().take(SEEN).map(|(name, _)| (*name).to_owned()).collect();
        ReplyError::NoClass { field: self.field.clone(), seen, classes: classes.spelled() }
    }
}

/// The score as a probability, if it is a number from 0 to `one`.
pub(crate) fn in_range(score: &Number, one: f64, field: impl Fn() -> String) -> Result<f64, ReplyError> {
    match score {
        Number::Value(value) if (0.0..=1.0 + ROUNDING).contains(&(value / one)) => Ok(value / one),
        other => {
            let expected = if one > 1.0 { "a number from 0 to 100" } else { "a number from 0 to 1" };
            Err(ReplyError::BadNumber { field: field(), value: other.shown(), expected })
        }
    }
}

/// A name that occurs more than once.
fn repeated<'s>(scores: &[(&'s str, f64)]) -> Option<&'s str> {
    if scores.len() <= FEW {
        let pair = scores
            .iter()
            .enumerate()
            .find(|(j, (name, _))| scores[..*j].iter().any(|(other, _)| other == name));
        return pair.map(|(_, (name, _))| *name);
    }
    let mut names: Vec<&str> = scores.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(list: &[(&'static str, f64)]) -> Scores<'static> {
        let entry = |(name, value): &(&'static str, f64)| Score {
            name: (*name).into(),
            value: Number::Value(*value),
        };
        Scores {
            list: list.iter().map(entry).collect(),
            field: "x".into(),
            entries: Entries::List("label", "score"),
            relation: Relation::Distribution,
            repeats: Repeats::Refuse,
            one: 1.0,
        }
    }

    fn read(scores: &Scores<'_>) -> Result<(Vec<f64>, Listed), ReplyError> {
        let classes = Classes::new(["ham", "spam", "eggs"]).unwrap();
        let mut q = vec![-1.0; 3];
        let listed = scores.read(&classes, &mut q)?;
        Ok((q, listed))
    }

    fn close(found: &[f64], expected: &[f64]) {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
    }

    #[test]
    fn repeats_are_refused_or_averaged() {
        let list = scores(&[("spam", 0.5), ("ham", 0.25), ("spam", 0.75)]);
        let error = ReplyError::RepeatedName { field: "x".into(), name: "spam".into() };
        assert_eq!(read(&list).unwrap_err(), error);
        let (q, listed) = read(&Scores { repeats: Repeats::Mean, ..list }).unwrap();
        close(&q, &[0.25, 0.625, -1.0]);
        close(&[listed.smallest, listed.unlisted], &[0.25, 0.125]);
        let many: Vec<(&str, f64)> = (0..40).map(|_| ("spam", 0.01)).collect();
        assert_eq!(repeated(&many), Some("spam"));
    }

    #[test]
    fn bad_numbers_and_unknown_names_are_named() {
        let error = read(&scores(&[("spam", 0.5), ("ham", 1.5)])).unwrap_err();
        assert_eq!(error.to_string(), "x[1].score is 1.5, not a number from 0 to 1");
        let error = read(&scores(&[("a", 0.1), ("b", 0.5)])).unwrap_err();
        assert_eq!(error.to_string(), r#"no class among the answers in x: "b", "a""#);
        let error = read(&scores(&[("spam", 0.0), ("b", 0.5)])).unwrap_err();
        assert_eq!(error.to_string(), "every class has probability 0 in x");
        assert_eq!(read(&scores(&[])).unwrap_err(), ReplyError::NothingListed { field: "x".into() });
    }
}
