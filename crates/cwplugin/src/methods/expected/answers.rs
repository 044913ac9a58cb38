//! Rows that name a class and nothing else, and the maps that they determine.

use super::laplace::Learned;
use super::prior::SlopeStructure;
use crate::data::Probabilities;

/// Probabilities that differ by less are equal, also if they are stored in single precision.
const SAME: f64 = 1e-6;

/// The maps that a posterior may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Maps {
    Any,
    /// Every answer speaks for its own class more than for any other; only the class shares may speak against it. Of rows
    /// that name a class and nothing else there are as many as classes, so that another map is a free choice of a class
    /// for each answer: it exchanges classes that a few dozen rows happen to confuse.
    Increasing,
}

impl Maps {
    pub(super) fn of(probabilities: &Probabilities) -> Self {
        if are_answers(probabilities) { Self::Increasing } else { Self::Any }
    }

    pub(super) fn allow(self, learned: &Learned, n_classes: usize) -> bool {
        let (own, extra) = learned.parameters.as_slice().split_at(1 + n_classes);
        let extra = |class: usize, input: usize| match learned.prior.structure {
            SlopeStructure::PerClass if class == input => extra[class],
            SlopeStructure::Matrix => extra[class * n_classes + input],
            SlopeStructure::Shared | SlopeStructure::PerClass => 0.0,
        };
        let speaks_for = |class: usize, other: usize| {
            class == other || 1.0 + own[0] + extra(class, class) > extra(other, class)
        };
        let all = || 0..n_classes;
        self == Self::Any || all().all(|class| all().all(|other| speaks_for(class, other)))
    }
}

/// Whether one class has the same probability in all rows and the others share the rest equally, as in a table of 0 and 1
/// or with one vote per row.
fn are_answers(probabilities: &Probabilities) -> bool {
    let first = (0..probabilities.n_rows().min(1)).flat_map(|row| probabilities.row(row));
    let Some(high) = first.reduce(f64::max) else { return false };
    let low = (1.0 - high) / (probabilities.n_classes() - 1) as f64;
    let near = |p: f64, level: f64| (p - level).abs() < SAME;
    let is_answer = |row| {
        let n_high = probabilities.row(row).filter(|&p| near(p, high)).count();
        n_high == 1 && probabilities.row(row).all(|p| near(p, high) || near(p, low))
    };
    high - low > SAME && (0..probabilities.n_rows()).all(is_answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_recognised() {
        let of = |rows: &[[f64; 3]]| are_answers(&Probabilities::new(rows.concat(), 3).unwrap());
        assert!(of(&[[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]));
        assert!(of(&[[0.2, 0.6, 0.2], [0.6, 0.2, 0.2]]));
        assert!(!of(&[[0.2, 0.6, 0.2], [0.7, 0.15, 0.15]]));
        assert!(!of(&[[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]));
        assert!(!of(&[[0.5, 0.3, 0.2], [0.3, 0.5, 0.2]]));
        assert!(!of(&[[1.0 / 3.0; 3]]));
        assert!(!of(&[]));
        let single: Vec<f64> = [0.6_f32, 0.2, 0.2].map(f64::from).to_vec();
        assert!(are_answers(&Probabilities::new(single, 3).unwrap()));
    }
}
