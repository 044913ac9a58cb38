//! What a reading of a table has found, to compare it with another one.

use cwplugin::Sample;

/// Rows that were read: their number, those of each class, and a checksum of all values in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Pass {
    rows: u64,
    of_class: Vec<u64>,
    labels: Checksum,
    weights: Checksum,
    probabilities: Checksum,
}

impl Pass {
    pub(super) fn add(&mut self, sample: &Sample) {
        self.rows += sample.n_rows() as u64;
        self.of_class.resize(sample.n_classes(), 0);
        for (class, rows) in self.of_class.iter_mut().enumerate() {
            *rows += sample.n_rows_of(class);
        }
        self.labels.add(sample.codes().map(u64::from));
        self.weights.add(sample.weights().into_iter().flatten().map(|weight| weight.to_bits()));
        let probabilities = sample.probabilities();
        match (probabilities.as_f64(), probabilities.as_f32()) {
            (Some(values), _) => self.probabilities.add(values.iter().map(|value| value.to_bits())),
            (_, Some(values)) => {
                self.probabilities.add(values.iter().map(|&value| f64::from(value).to_bits()));
            }
            _ => {}
        }
    }
}

/// A checksum of numbers in their order. Every step is a bijection, so one changed number always changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, numbers: impl Iterator<Item = u64>) {
        self.0 = numbers
            .fold(self.0, |sum, number| (sum.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(parts: &[&[([f64; 2], &str)]]) -> Pass {
        let mut pass = Pass::default();
        for part in parts {
            let sample = Sample::from_rows(part.iter().map(|(row, _)| *row), &["a", "b"]).unwrap();
            pass.add(&sample.labels(part.iter().map(|(_, label)| *label)).unwrap());
        }
        pass
    }

    #[test]
    fn the_parts_do_not_matter_and_every_value_does() {
        let rows = [([0.7, 0.3], "a"), ([0.2, 0.8], "b"), ([0.4, 0.6], "a")];
        let whole = pass(&[&rows]);
        assert_eq!(whole, pass(&[&rows[..1], &rows[1..]]));
        for row in 0..3 {
            let mut other = rows;
            other[row].0 = [0.5, 0.5];
            assert_ne!(whole, pass(&[&other]), "probabilities of row {row}");
            other = rows;
            other[row].1 = if rows[row].1 == "a" { "b" } else { "a" };
            assert_ne!(whole, pass(&[&other]), "label of row {row}");
        }
        assert_ne!(whole, pass(&[&[rows[1], rows[0], rows[2]]]), "order");
        assert_ne!(whole, pass(&[&rows[..2]]), "truncated");
        assert_ne!(whole, pass(&[&rows, &rows[..1]]), "appended");
    }
}
