//! To the one peak of a line: golden section, one new question for each step.

use std::cmp::Ordering;

use super::line::{Bracket, Line};
use super::oracle::{Asker, Halt};
use super::zoom::zoom;

/// What a step leaves of a bracket: 1/φ, so that one of its two places serves the next step too.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A bracket that is no wider is taken to hold the summit, if nothing changes in it.
const FLAT: f64 = 0.1;

/// Narrows the bracket until it is no wider than `tolerance`; the line must rise to one peak and fall.
pub(super) fn golden(
    line: &Line,
    asker: &mut Asker<'_>,
    bracket: &mut Bracket,
    tolerance: f64,
) -> Result<(), Halt> {
    let inner = |bracket: &Bracket| {
        let width = bracket.high - bracket.low;
        [bracket.high - GOLDEN * width, bracket.low + GOLDEN * width]
    };
    let mut places = inner(bracket);
    while line.scale.width(bracket.low, bracket.high) > tolerance {
        match line.compare(asker, bracket, places)? {
            Ordering::Greater => {
                bracket.high = places[1];
                places = [inner(bracket)[0], places[0]];
            }
            Ordering::Less => {
                bracket.low = places[0];
                places = [places[1], inner(bracket)[1]];
            }
            Ordering::Equal => {
                let middle = places[0].midpoint(places[1]);
                let is_between = line.compare(asker, bracket, [middle, places[0]])? == Ordering::Greater;
                // Else nothing changes from the one to the other: on the summit, or somewhere far from it.
                if !is_between && bracket.high - bracket.low > FLAT {
                    return zoom(line, asker, bracket, None, tolerance);
                }
                [bracket.low, bracket.high] = places;
                places = inner(bracket);
            }
        }
    }
    Ok(())
}

/// How many questions that takes from a bracket of this width.
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
        search(|line, asker, bracket| golden(line, asker, bracket, 0.001), value)
    }

    #[test]
    fn the_peak_is_found_in_as_many_questions_as_were_said() {
        for (peak, power) in [(0.5, 2.0), (0.031, 1.0), (0.97, 0.5), (0.7, 3.0)] {
            let (place, asked) = find(|x| -(x - peak).abs().powf(power));
            assert!((place - peak).abs() <= 0.0005, "{place}");
            assert!(asked <= evaluations(1.0, 0.001), "{asked}");
        }
    }

    #[test]
    fn steps_and_stretches_where_nothing_changes_do_not_lead_astray() {
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
