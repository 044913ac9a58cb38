//! Maps positions from 0 to 1 to the parameter of a line.

use crate::data::Probabilities;

/// Largest share of rows whose prediction a safe query changes, if rows are known.
const MOVED: f64 = 0.1;

/// The parameter at every position, by linear interpolation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    /// Values at evenly spaced positions, increasing.
    knots: Vec<f64>,
}

impl Scale {
    /// Linear between two ends.
    pub(super) fn even(low: f64, high: f64) -> Self {
        Self { knots: vec![low, high] }
    }

    /// α of a class against the reference. If rows are known, equal steps move equally many of them, because the cuts of a
    /// confident black box are close to 0 and 1.
    pub(super) fn pair(population: Option<&Probabilities>, class: usize, reference: usize) -> Self {
        let Some(population) = population else {
            return Self::even(0.0, 1.0);
        };
        let cut = |row: usize| {
            let (b, fixed) = (population.get(row, class), population.get(row, reference));
            Some(fixed / (b + fixed)).filter(|cut| *cut > 0.0 && *cut < 1.0)
        };
        let mut knots: Vec<f64> = (0..population.n_rows()).filter_map(cut).collect();
        knots.extend([0.0, 1.0]);
        knots.sort_unstable_by(f64::total_cmp);
        Self { knots }
    }

    /// The logarithm of the factor on one weight, up to `reach`; if rows are known, bounded so that few of them move.
    pub(super) fn factor(
        population: Option<&Probabilities>,
        weights: &[f64],
        class: usize,
        reach: f64,
    ) -> Self {
        let Some(population) = population else {
            return Self::even(-reach, reach);
        };
        let cut = |row: usize| {
            let product = |k: usize| weights[k] * population.get(row, k);
            let best_other = (0..weights.len()).filter(|&k| k != class).map(product).fold(0.0, f64::max);
            Some((best_other / product(class)).ln()).filter(|cut| cut.is_finite())
        };
        let mut cuts: Vec<f64> = (0..population.n_rows()).filter_map(cut).collect();
        cuts.sort_unstable_by(f64::total_cmp);
        let here = cuts.partition_point(|&cut| cut <= 0.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a number of rows
        let most = ((population.n_rows() as f64 * MOVED) as usize).max(1);
        let low = here.checked_sub(most).map_or(-reach, |first| cuts[first].max(-reach));
        let high = cuts.get(here + most - 1).map_or(reach, |&last| last.min(reach));
        let is_between = |cut: &&f64| **cut > low && **cut < high;
        let mut knots = vec![low];
        knots.extend(cuts.iter().filter(is_between));
        knots.push(high);
        Self { knots }
    }

    /// The value at a position from 0 to 1.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a place among the knots
    pub(super) fn at(&self, place: f64) -> f64 {
        let last = self.knots.len() - 1;
        let exact = place.clamp(0.0, 1.0) * last as f64;
        let before = (exact.floor() as usize).min(last - 1);
        let rest = exact - before as f64;
        (1.0 - rest) * self.knots[before] + rest * self.knots[before + 1]
    }

    /// The position of a value.
    pub(super) fn place_of(&self, value: f64) -> f64 {
        let last = self.knots.len() - 1;
        let upper = self.knots.partition_point(|&knot| knot < value).clamp(1, last);
        let (low, high) = (self.knots[upper - 1], self.knots[upper]);
        let rest = if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 };
        ((upper - 1) as f64 + rest) / last as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn population() -> Probabilities {
        Probabilities::new(vec![0.9, 0.1, 0.8, 0.2, 0.6, 0.4, 0.3, 0.7], 2).unwrap()
    }

    #[test]
    fn even_steps_move_equally_many_rows() {
        let scale = Scale::pair(Some(&population()), 0, 1);
        let places = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0].map(|place| scale.at(place));
        for (place, cut) in places.into_iter().zip([0.0, 0.1, 0.2, 0.4, 0.7, 1.0]) {
            assert!((place - cut).abs() < 1e-12, "{place} {cut}");
        }
        assert!((scale.at(0.3) - 0.15).abs() < 1e-12);
        assert_eq!(Scale::pair(None, 0, 1).at(0.25), 0.25);
        for value in [0.0, 0.05, 0.1, 0.33, 0.7, 1.0] {
            assert!((scale.at(scale.place_of(value)) - value).abs() < 1e-12, "{value}");
        }
    }

    #[test]
    fn a_safe_step_moves_few_rows() {
        let scale = Scale::factor(Some(&population()), &[1.0, 1.0], 0, 3.0);
        // At most one row of four: from the weakest prediction of class 0 to its closest miss.
        assert!((scale.at(0.0) - (0.4_f64 / 0.6).ln()).abs() < 1e-12, "{scale:?}");
        assert!((scale.at(1.0) - (0.7_f64 / 0.3).ln()).abs() < 1e-12, "{scale:?}");
        assert_eq!([0.0, 1.0].map(|place| Scale::factor(None, &[1.0, 1.0], 0, 2.0).at(place)), [-2.0, 2.0]);
    }
}
