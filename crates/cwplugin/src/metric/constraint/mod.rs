//! Constraints on metrics, e.g. `precision:fraud>=0.9`.

mod constrained; // a metric subject to constraints
pub(crate) use constrained::Constrained;

use std::fmt;
use std::sync::Arc;

use crate::error::Error;
use crate::metric;
use crate::metric::{Confusion, Metric};
use crate::numeric::tolerance::is_as_good;

/// The direction of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
}

/// A lower or upper limit on a metric.
///
/// ```
/// use cwplugin::{Bound, Constraint};
///
/// let classes = ["fraud".to_string(), "fine".to_string()];
/// let constraint = Constraint::by_name("precision:fraud>=0.9", &classes)?;
/// assert_eq!((constraint.bound(), constraint.limit()), (Bound::AtLeast, 0.9));
/// assert_eq!(constraint.to_string(), "precision:fraud>=0.9");
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Clone)]
pub struct Constraint {
    metric: Arc<dyn Metric>,
    bound: Bound,
    limit: f64,
}

impl Constraint {
    /// Parses `METRIC>=NUMBER` or `METRIC<=NUMBER`, with a metric that [`metric::by_name`] finds.
    ///
    /// # Errors
    ///
    /// If the text has another form, or the metric is unknown.
    pub fn by_name(text: &str, classes: &[String]) -> Result<Self, Error> {
        let (name, bound, limit) = Self::split(text)?;
        Self::new(metric::by_name(name, classes)?, bound, limit)
    }

    /// Splits a constraint into metric name, bound and limit. It splits at the last comparison, because a formula may
    /// contain others.
    ///
    /// # Errors
    ///
    /// If the text is not `METRIC>=NUMBER` or `METRIC<=NUMBER`.
    pub fn split(text: &str) -> Result<(&str, Bound, f64), Error> {
        let wrong = || Error::BadConstraint { text: text.into() };
        let signs =
            [(">=", Bound::AtLeast), ("<=", Bound::AtMost), ("≥", Bound::AtLeast), ("≤", Bound::AtMost)];
        let found = signs.iter().filter_map(|&(sign, bound)| Some((text.rfind(sign)?, sign, bound)));
        let (at, sign, bound) = found.max_by_key(|(at, ..)| *at).ok_or_else(wrong)?;
        let limit = text[at + sign.len()..].trim().parse::<f64>().ok().filter(|limit| limit.is_finite());
        let name = text[..at].trim();
        match limit {
            Some(limit) if !name.is_empty() => Ok((name, bound, limit)),
            _ => Err(wrong()),
        }
    }

    /// A limit on this metric.
    ///
    /// # Errors
    ///
    /// If the limit is not a finite number.
    pub fn new(metric: impl Metric + 'static, bound: Bound, limit: f64) -> Result<Self, Error> {
        if limit.is_finite() {
            Ok(Self { metric: Arc::new(metric), bound, limit })
        } else {
            Err(Error::BadConstraint { text: format!("{}{bound}{limit}", metric.name()) })
        }
    }

    /// The constrained metric.
    pub fn metric(&self) -> &dyn Metric {
        &*self.metric
    }

    /// Whether the limit is a lower or an upper one.
    pub fn bound(&self) -> Bound {
        self.bound
    }

    /// The limit.
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// The value of the metric and its margin: the distance to the limit, below 0 if the constraint is violated.
    pub fn margin(&self, confusion: &Confusion) -> (f64, f64) {
        let value = self.metric.score(confusion);
        let margin = match self.bound {
            Bound::AtLeast => value - self.limit,
            Bound::AtMost => self.limit - value,
        };
        (value, if self.is_met_by(value) { margin.max(0.0) } else { margin })
    }

    /// Whether a value meets the constraint, up to rounding.
    fn is_met_by(&self, value: f64) -> bool {
        match self.bound {
            Bound::AtLeast => is_as_good(value, self.limit),
            Bound::AtMost => is_as_good(self.limit, value),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AtLeast => ">=",
            Self::AtMost => "<=",
        })
    }
}

impl fmt::Debug for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Constraint({self})")
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.metric.name(), self.bound, self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constraint_is_split_at_its_last_comparison() {
        for (text, read) in [
            ("recall:a>=0.5", ("recall:a", Bound::AtLeast, 0.5)),
            ("cost:c.csv <= -3e1", ("cost:c.csv", Bound::AtMost, -30.0)),
            ("expr:if(tp[a]>=3,1,0)>=1", ("expr:if(tp[a]>=3,1,0)", Bound::AtLeast, 1.0)),
            ("recall:a<=b≥0.25", ("recall:a<=b", Bound::AtLeast, 0.25)),
        ] {
            assert_eq!(Constraint::split(text), Ok(read), "{text}");
        }
        for text in ["recall:a", "recall:a>0.5", ">=0.5", "recall:a>=", "recall:a>=x", "recall:a>=inf", ""] {
            assert_eq!(Constraint::split(text), Err(Error::BadConstraint { text: text.into() }), "{text}");
        }
    }

    #[test]
    fn rounding_violates_no_constraint() {
        let classes = ["a".to_string(), "b".to_string()];
        let confusion = Confusion::from_rows(&[[1.0, 2.0], [1.0, 2.0]]);
        let margin = |text: &str| Constraint::by_name(text, &classes).unwrap().margin(&confusion);
        assert_eq!(margin("recall:a>=0.33333333333334"), (1.0 / 3.0, 0.0));
        assert_eq!(margin("recall:a<=0.33333333333333"), (1.0 / 3.0, 0.0));
        assert!(margin("recall:a>=0.34").1 < 0.0 && margin("recall:a<=0.34").1 > 0.0);
    }
}
