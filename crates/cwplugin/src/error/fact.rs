//! Location and description of an error, separately: callers name rows and columns in their own way.

use super::Error;

impl Error {
    /// The invalid row, counted from 0, if the error is about one row.
    pub fn row(&self) -> Option<usize> {
        match *self {
            Self::NotFinite { row, .. }
            | Self::Negative { row, .. }
            | Self::AboveZero { row, .. }
            | Self::RowSum { row, .. }
            | Self::AboveOne { row, .. }
            | Self::PercentSum { row, .. }
            | Self::ZeroRow { row }
            | Self::LabelOutOfRange { row, .. }
            | Self::UnknownLabel { row, .. }
            | Self::BadRowWeight { row, .. }
            | Self::BadFeature { row, .. } => Some(row),
            _ => None,
        }
    }

    /// The class whose probability in that row is invalid, counted from 0, if there is one.
    pub fn class(&self) -> Option<usize> {
        match *self {
            Self::NotFinite { class, .. } | Self::Negative { class, .. } | Self::AboveZero { class, .. } => {
                Some(class)
            }
            _ => None,
        }
    }

    /// The message without row and class.
    pub fn fact(&self) -> String {
        match self {
            Self::NotFinite { value, .. } => format!("{value} is not finite"),
            Self::Negative { value, .. } => format!("{value} is negative"),
            Self::AboveZero { value, .. } => format!("log-probability {value} is above 0"),
            Self::RowSum { sum, .. } => format!("the values sum to {}, not to 1", rounded(*sum)),
            Self::AboveOne { value, .. } => format!("probability {value} is above 1"),
            Self::PercentSum { sum, .. } => format!("the percentages sum to {}, not to 100", rounded(*sum)),
            Self::ZeroRow { .. } => "every value is 0".into(),
            Self::BadRowWeight { value, .. } => {
                format!("weight {value} must be 0 or between 1e-100 and 1e100")
            }
            Self::NotQuasiConcave { metric } => {
                format!(
                    "metric {metric} may have several peaks on a pair, so binary search may miss the best"
                )
            }
            other => other.to_string(),
        }
    }
}

/// A sum without the noise of its last digits; it stays off 1 and 100 by more than that.
pub(super) fn rounded(sum: f64) -> f64 {
    let rounded = (sum * 1e6).round() / 1e6;
    if rounded.is_finite() { rounded } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_no_noise() {
        let fact = |sum| Error::RowSum { row: 0, sum }.fact();
        assert_eq!(fact(0.9 + 0.8), "the values sum to 1.7, not to 1");
        assert_eq!(fact(0.995_555_371), "the values sum to 0.995555, not to 1");
        assert_eq!(fact(1e300), format!("the values sum to {}, not to 1", 1e300));
        assert_eq!(
            Error::PercentSum { row: 0, sum: 33.1 * 2.0 + 33.0 }.to_string(),
            "row 0: the percentages sum to 99.2, not to 100"
        );
    }

    #[test]
    fn location_and_fact_form_the_message() {
        let error = Error::Negative { row: 3, class: 1, value: -0.5 };
        assert_eq!((error.row(), error.class()), (Some(3), Some(1)));
        assert_eq!(error.to_string(), format!("row 3, class 1: {}", error.fact()));
        assert_eq!((Error::NoRows.row(), Error::NoRows.fact()), (None, Error::NoRows.to_string()));
    }
}
