//! Golden-section search for the maximum of a line with one peak: one new query per step.

use std::cmp::Ordering;

use super::line::LineSearch;
use super::oracle::Halt;

/// 1/φ, the factor of a bracket per step: one of its two points is used again in the next step.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Width below which a flat bracket is taken to contain the maximum.
const FLAT: f64 = 0.1;

impl LineSearch<'_, '_> {
    /// Narrows the bracket to the width `tolerance`; the line must rise to one peak and fall.
    pub(super) fn golden(&mut self, tolerance: f64) -> Result<(), Halt> {
        let mut places = self.inner();
        while self.width() > tolerance {
            match self.compare(places)? {
                Ordering::Greater => {
                    self.high = places[1];
                    places = [self.inner()[0], places[0]];
                }
                Ordering::Less => {
                    self.low = places[0];
                    places = [places[1], self.inner()[1]];
                }
                Ordering::Equal => {
                    let middle = places[0].midpoint(places[1]);
                    let is_between = self.compare([middle, places[0]])? == Ordering::Greater;
                    // Otherwise both are equal: at the maximum, or on a plateau elsewhere.
                    if !is_between && self.high - self.low > FLAT {
                        return self.zoom(None, tolerance);
                    }
                    [self.low, self.high] = places;
                    places = self.inner();
                }
            }
        }
        Ok(())
    }

    /// The two points that divide the bracket.
    fn inner(&self) -> [f64; 2] {
        let width = self.high - self.low;
        [self.high - GOLDEN * width, self.low + GOLDEN * width]
    }
}

/// The number of queries from a bracket of this width.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a few dozen
pub(super) fn evaluations(width: f64, tolerance: f64) -> usize {
    let steps = ((tolerance / width).ln() / GOLDEN.ln()).ceil().max(0.0) as usize;
    if steps == 0 { 0 } else { steps + 1 }
}

#[cfg(test)]
mod tests {
    use super::super::tests::search;
    use super::*;

    fn find(value: impl Fn(f64) -> f64) -> (f64, usize) {
        search(|line| line.golden(0.001), value)
    }

    #[test]
    fn the_peak_is_found_in_the_announced_number_of_queries() {
        for (peak, power) in [(0.5, 2.0), (0.031, 1.0), (0.97, 0.5), (0.7, 3.0)] {
            let (place, asked) = find(|x| -(x - peak).abs().powf(power));
            assert!((place - peak).abs() <= 0.0005, "{place}");
            assert!(asked <= evaluations(1.0, 0.001), "{asked}");
        }
    }

    #[test]
    fn steps_and_plateaus_do_not_mislead_the_search() {
        for steps in [20.0, 1e3, 1e4] {
            let (place, asked) = find(|x| -((x - 0.8) * steps).round().abs());
            assert!((place - 0.8).abs() <= 0.5 / steps + 0.001, "{place}");
            assert!(asked <= 34, "{asked}");
        }
        let (place, _) = find(|x| (1.0 - 5.0 * (x - 0.85).abs()).max(0.0)); // flat over more than half
        assert!((place - 0.85).abs() < 0.001, "{place}");
        assert!((find(|_| 1.0).0 - 0.5).abs() < 0.001);
    }
}
