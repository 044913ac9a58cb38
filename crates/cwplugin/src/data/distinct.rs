//! Whether probabilities say more than the name of a class.

use crate::data::Probabilities;

/// Numbers that differ by less are the same.
const TOLERANCE: f64 = 1e-9;

/// The values that occur among the probabilities of all rows, up to two.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DistinctValues {
    values: [Option<f64>; 2],
    /// There are more.
    is_many: bool,
}

impl DistinctValues {
    /// Adds the values of rows; it stops at the third value, which is usually in the first rows.
    pub fn add(&mut self, probabilities: &Probabilities) {
        for value in (0..probabilities.n_rows()).flat_map(|row| probabilities.row(row)) {
            if self.is_many {
                return;
            }
            let place = self.values.iter_mut().find(|known| known.is_none_or(|known| is_same(known, value)));
            match place {
                Some(place) => *place = place.or(Some(value)),
                None => self.is_many = true,
            }
        }
    }

    /// Kind and message of a warning, if the probabilities only name a class: `one-hot` if all are 0 or 1, `two-valued` if
    /// they have at most two other values.
    pub(crate) fn warning(&self) -> Option<(&'static str, &'static str)> {
        let mut values = self.values.into_iter().flatten();
        if self.is_many || self.values[0].is_none() {
            None
        } else if values.all(|value| is_same(value, 0.0) || is_same(value, 1.0)) {
            Some((
                "one-hot",
                "every probability is 0 or 1, so the order of the other classes is unknown: ask for probabilities, or \
                 for several answers per row",
            ))
        } else {
            Some((
                "two-valued",
                "the probabilities have at most two different values, so they name a class but not how certain it is: \
                 ask for probabilities, or for several answers per row",
            ))
        }
    }
}

fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(rows: &[&[f64]], n_classes: usize) -> Option<&'static str> {
        let mut values = DistinctValues::default();
        for row in rows {
            values.add(&Probabilities::new(row.to_vec(), n_classes).unwrap());
        }
        values.warning().map(|(kind, _)| kind)
    }

    #[test]
    fn certain_and_two_valued_rows_are_told_apart() {
        assert_eq!(kind(&[&[0.0, 1.0], &[1.0, 0.0]], 2), Some("one-hot"));
        assert_eq!(kind(&[&[0.9, 0.05, 0.05, 0.05, 0.9, 0.05]], 3), Some("two-valued"));
        assert_eq!(kind(&[&[0.8, 0.2], &[0.2, 0.8]], 2), Some("two-valued"));
        assert_eq!(kind(&[&[0.5, 0.5]], 2), Some("two-valued"));
        assert_eq!(kind(&[&[0.8, 0.2], &[0.2, 0.8], &[0.7, 0.3]], 2), None);
        assert_eq!(kind(&[&[0.0, 1.0, 0.4, 0.6]], 2), None);
        assert_eq!(kind(&[], 2), None, "nothing is known without rows");
    }
}
