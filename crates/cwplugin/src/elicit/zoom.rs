//! Grid refinement for a line that may have several peaks: a coarse grid first, then finer ones.

use super::line::LineSearch;
use super::oracle::Halt;

/// Points of the coarse grid.
const COARSE: usize = 9;

impl LineSearch<'_, '_> {
    /// Narrows the bracket to the width `tolerance`, around `centre` if given.
    pub(super) fn zoom(&mut self, centre: Option<f64>, tolerance: f64) -> Result<(), Halt> {
        let mut centre = match centre {
            Some(centre) => centre,
            None => self.coarse()?,
        };
        while self.width() > tolerance {
            let (low, high) = (self.low, self.high);
            let places = [low, low.midpoint(centre), centre, centre.midpoint(high), high];
            let best = 1 + self.best_of(&places[1..4])?;
            (self.low, centre, self.high) = (places[best - 1], places[best], places[best + 1]);
        }
        Ok(())
    }

    /// The best point of a coarse grid; the bracket reaches to its neighbours.
    fn coarse(&mut self) -> Result<f64, Halt> {
        let width = self.high - self.low;
        let place = |i: usize| self.low + width * i as f64 / (COARSE + 1) as f64;
        let places: Vec<f64> = (0..=COARSE + 1).map(place).collect();
        let best = 1 + self.best_of(&places[1..=COARSE])?;
        (self.low, self.high) = (places[best - 1], places[best + 1]);
        Ok(places[best])
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::search;

    fn find(value: impl Fn(f64) -> f64) -> (f64, usize) {
        search(|line| line.zoom(None, 0.001), value)
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
