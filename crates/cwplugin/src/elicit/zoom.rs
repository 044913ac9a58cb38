//! Grid refinement for a line that may have several peaks: a coarse grid first, then finer ones.

use super::line::{Bracket, Line};
use super::oracle::{CachedOracle, Halt};

/// Points of the coarse grid.
const COARSE: usize = 9;

/// Narrows the bracket to the width `tolerance`, around `centre` if given.
pub(super) fn zoom(
    line: &Line,
    cached: &mut CachedOracle<'_>,
    bracket: &mut Bracket,
    centre: Option<f64>,
    tolerance: f64,
) -> Result<(), Halt> {
    let mut centre = match centre {
        Some(centre) => centre,
        None => coarse(line, cached, bracket)?,
    };
    while line.scale.width(bracket.low, bracket.high) > tolerance {
        let places =
            [bracket.low, bracket.low.midpoint(centre), centre, centre.midpoint(bracket.high), bracket.high];
        let best = 1 + line.best_of(cached, bracket, &places[1..4])?;
        (bracket.low, centre, bracket.high) = (places[best - 1], places[best], places[best + 1]);
    }
    Ok(())
}

/// The best point of a coarse grid; the bracket reaches to its neighbours.
fn coarse(line: &Line, cached: &mut CachedOracle<'_>, bracket: &mut Bracket) -> Result<f64, Halt> {
    let width = bracket.high - bracket.low;
    let place = |i: usize| bracket.low + width * i as f64 / (COARSE + 1) as f64;
    let places: Vec<f64> = (0..=COARSE + 1).map(place).collect();
    let best = 1 + line.best_of(cached, bracket, &places[1..=COARSE])?;
    (bracket.low, bracket.high) = (places[best - 1], places[best + 1]);
    Ok(places[best])
}

#[cfg(test)]
mod tests {
    use super::super::tests::search;
    use super::*;

    fn find(value: impl Fn(f64) -> f64) -> (f64, usize) {
        search(|line, cached, bracket| zoom(line, cached, bracket, None, 0.001), value)
    }

    #[test]
    fn the_higher_of_two_peaks_is_found() {
        let value = |x: f64| (1.0 - 8.0 * (x - 0.2).abs()).max(0.0).max(1.1 - 6.0 * (x - 0.8).abs());
        let (place, asked) = find(value);
        assert!((place - 0.8).abs() < 0.001, "{place}");
        assert!(asked <= 9 + 2 * 8, "{asked}");
    }

    #[test]
    fn on_a_plateau_the_middle_is_taken() {
        let (place, _) = find(|x| f64::from(u8::from((0.35..0.65).contains(&x))));
        assert!((place - 0.5).abs() < 0.01, "{place}");
        assert!((find(|_| 1.0).0 - 0.5).abs() < 0.001, "nothing makes a difference");
    }
}
