//! Which α to try.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::sweep::LAST_ALPHA;
use crate::ties::{Candidates, Shape, from_log_odds, is_as_good, log_odds};
use crate::{Error, Metric, PairSweep, Ties};

/// ε of a line search: α runs over 0, ε, 2ε, … below 1.
///
/// If 1/ε is a whole number, the points are `i / (1/ε)`, each the double nearest to its decimal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    epsilon: f64,
}

impl Step {
    /// The paper's ε.
    pub const HUNDREDTH: Self = Self { epsilon: 0.01 };

    /// How many points the grid has.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 2 to 1,000,000 points
    pub fn points(self) -> usize {
        let inverse = 1.0 / self.epsilon;
        let points = if self.is_reciprocal() { inverse.round() } else { inverse.ceil() };
        points as usize
    }

    /// Point `i` of the grid.
    pub fn alpha(self, i: usize) -> f64 {
        if self.is_reciprocal() { i as f64 / self.points() as f64 } else { i as f64 * self.epsilon }
    }

    fn is_reciprocal(self) -> bool {
        let inverse = 1.0 / self.epsilon;
        (inverse - inverse.round()).abs() < 1e-9 * inverse
    }
}

impl TryFrom<f64> for Step {
    type Error = Error;

    fn try_from(epsilon: f64) -> Result<Self, Error> {
        // Below a millionth a grid costs more than the exact search and can find nothing better.
        if (1e-6..=0.5).contains(&epsilon) {
            Ok(Self { epsilon })
        } else {
            Err(Error::BadStep { value: epsilon })
        }
    }
}

/// How to look for the best α of a pair. Same input, same answer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Search {
    /// Every distinct cut: no α above 0 is better on the pair, and there is no ε. Cuts that differ by rounding are one.
    #[default]
    Exact,
    /// The paper's line search over 0, ε, 2ε, … below 1.
    Grid(Step),
    /// The paper's search in O(log 1/ε) evaluations, for a metric that rises to one peak and falls.
    Binary(Step),
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Grid(step) => write!(f, "grid:{}", step.epsilon),
            Self::Binary(step) => write!(f, "binary:{}", step.epsilon),
        }
    }
}

impl FromStr for Search {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownOption { option: "search", value: text.into() };
        if text == "exact" {
            return Ok(Self::Exact);
        }
        let (kind, epsilon) = text.split_once(':').ok_or_else(unknown)?;
        let step = || epsilon.trim().parse::<f64>().map_err(|_| unknown()).and_then(Step::try_from);
        match kind {
            "grid" => Ok(Self::Grid(step()?)),
            "binary" => Ok(Self::Binary(step()?)),
            _ => Err(unknown()),
        }
    }
}

/// The best α of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Peak {
    /// The α that was taken, in [0, 1).
    pub alpha: f64,
    /// `α / (1 − α)`, the weight relative to the reference; exact also where α is rounded next to 1.
    pub odds: f64,
    /// The metric on the pair at that α.
    pub score: f64,
    /// From where to where α may go at the same score; a grid knows only its own points.
    pub plateau: [f64; 2],
    /// How often the metric was evaluated.
    pub evaluations: usize,
    /// The best α are the smallest or the largest ones.
    pub at_border: bool,
    /// Every α above 0 that was tried scores the same.
    pub is_flat: bool,
}

impl Search {
    /// Finds the best α of a pair; `ties` decides among equals.
    ///
    /// # Errors
    ///
    /// If the metric gives something other than a finite number.
    pub fn maximise<M: Metric + ?Sized>(self, sweep: &mut PairSweep<M>, ties: Ties) -> Result<Peak, Error> {
        match self {
            Self::Exact => maximise_cuts(sweep, ties),
            Self::Grid(step) => {
                let alphas: Vec<f64> = (0..step.points()).map(|i| step.alpha(i)).collect();
                let scores: Vec<f64> = alphas.iter().map(|&alpha| sweep.score(alpha)).collect();
                choose_point(sweep, ties, &alphas, &scores)
            }
            Self::Binary(step) => {
                let probed = quarter(step.points(), |i| sweep.score(step.alpha(i)));
                let alphas: Vec<f64> = probed.keys().map(|&i| step.alpha(i)).collect();
                let scores: Vec<f64> = probed.into_values().collect();
                choose_point(sweep, ties, &alphas, &scores)
            }
        }
    }
}

/// Every stretch between two cuts that a weight can tell apart.
fn maximise_cuts<M: Metric + ?Sized>(sweep: &mut PairSweep<M>, ties: Ties) -> Result<Peak, Error> {
    let (mut cuts, mut passed) = sweep.distinguishable();
    passed.insert(0, 0);
    if ties != Ties::First && cuts.first() == Some(&f64::NEG_INFINITY) {
        // α = 0 alone: a weight of 0 can never be undone, so only the literal reading may take it.
        cuts.remove(0);
        passed.remove(0);
    }
    let scores: Vec<f64> = passed.into_iter().map(|passed| sweep.score_after(passed)).collect();
    check_finite(sweep, &scores)?;
    let choice = ties.choose(&Candidates::Intervals { cuts: &cuts }, &scores);
    Ok(Peak {
        alpha: from_log_odds(choice.log_odds).min(LAST_ALPHA),
        odds: choice.log_odds.exp(),
        score: scores[choice.index],
        plateau: choice.edges.map(from_log_odds),
        evaluations: sweep.evaluations(),
        at_border: choice.shape == Shape::Border,
        is_flat: choice.shape == Shape::Flat,
    })
}

/// The best of the α that were tried.
fn choose_point<M: Metric + ?Sized>(
    sweep: &PairSweep<M>,
    ties: Ties,
    alphas: &[f64],
    scores: &[f64],
) -> Result<Peak, Error> {
    check_finite(sweep, scores)?;
    let points: Vec<f64> = alphas.iter().map(|&alpha| log_odds(alpha)).collect();
    let choice = ties.choose(&Candidates::Points(&points), scores);
    let alpha = alphas[choice.index];
    Ok(Peak {
        alpha,
        odds: alpha / (1.0 - alpha),
        score: scores[choice.index],
        plateau: [alphas[choice.run.0], alphas[choice.run.1]],
        evaluations: sweep.evaluations(),
        at_border: choice.shape == Shape::Border,
        is_flat: choice.shape == Shape::Flat,
    })
}

fn check_finite<M: Metric + ?Sized>(sweep: &PairSweep<M>, scores: &[f64]) -> Result<(), Error> {
    match scores.iter().find(|score| !score.is_finite()) {
        Some(&value) => Err(Error::MetricNotFinite { metric: sweep.metric_name().into(), value }),
        None => Ok(()),
    }
}

/// Probes `0..points` for the peak of a function that rises and then falls; returns every probe.
///
/// Five probes quarter the bracket; the two quarters around the best one are the next bracket, so two new probes halve
/// it. The ends are probed too: on a small sample the function is a staircase, and probes nearer to each other than a
/// stair's width see no slope.
fn quarter(points: usize, mut score: impl FnMut(usize) -> f64) -> BTreeMap<usize, f64> {
    let mut seen = BTreeMap::new();
    let (mut low, mut high) = (0, points - 1);
    while high - low > 2 {
        let middle = low.midpoint(high);
        let mut probes = vec![low, low.midpoint(middle), middle, middle.midpoint(high), high];
        probes.dedup();
        let scores: Vec<f64> = probes.iter().map(|&i| *seen.entry(i).or_insert_with(|| score(i))).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let tied: Vec<usize> = (0..probes.len()).filter(|&i| is_as_good(scores[i], best)).collect();
        let peak = tied[(tied.len() - 1) / 2];
        (low, high) = (probes[peak.saturating_sub(1)], probes[(peak + 1).min(probes.len() - 1)]);
    }
    for i in low..=high {
        seen.entry(i).or_insert_with(|| score(i));
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Accuracy;
    use crate::{Pair, Probabilities, Sample};

    #[test]
    fn a_grid_of_a_hundredth_has_the_nearest_doubles() {
        let step = Step::try_from(0.01).unwrap();
        assert_eq!(step.points(), 100);
        assert_eq!(step.alpha(57), 0.57);
        assert_eq!(step.alpha(99), 0.99);
    }

    #[test]
    fn a_step_that_does_not_divide_one_stops_below_one() {
        let step = Step::try_from(0.3).unwrap();
        let alphas: Vec<_> = (0..step.points()).map(|i| step.alpha(i)).collect();
        assert_eq!(alphas, [0.0, 0.3, 0.6, 0.3 * 3.0]);
    }

    #[test]
    fn impossible_steps_are_refused() {
        for value in [0.0, -0.1, 0.6, 1e-7, f64::INFINITY] {
            assert_eq!(Step::try_from(value), Err(Error::BadStep { value }));
        }
        assert!(Step::try_from(f64::NAN).is_err());
    }

    #[test]
    fn searches_are_written_as_they_are_read() {
        for text in ["exact", "grid:0.01", "binary:0.001"] {
            assert_eq!(text.parse::<Search>().unwrap().to_string(), text);
        }
        for text in ["", "grid", "grid:", "grid:x", "line:0.1", "exact:0.1"] {
            assert!(text.parse::<Search>().is_err(), "{text}");
        }
    }

    #[test]
    fn cuts_that_differ_by_rounding_are_one() {
        // 1 − 0.7 is not 0.3: between the two cuts lies one double, and no weight tells the rows apart.
        let p = Probabilities::new(vec![0.7, 1.0 - 0.7, 0.7, 0.3, 0.4, 0.6], 2).unwrap();
        let sample = Sample::new(p, vec![Some(1), Some(0), Some(1)]).unwrap();
        let mut sweep = PairSweep::new(&sample, Pair { class: 0, reference: 1 }, &Accuracy);
        assert_eq!(sweep.cuts().len(), 3);
        let peak = Search::Exact.maximise(&mut sweep, Ties::Middle).unwrap();
        assert_eq!((peak.score, peak.evaluations), (2.0 / 3.0, 3));
    }

    #[test]
    fn quartering_finds_every_peak_in_logarithmically_many_probes() {
        for points in [2, 3, 4, 5, 7, 100, 1000, 1_000_000] {
            for peak in [0, 1, points / 3, points / 2, points - 2, points - 1] {
                let probed = quarter(points, |i| -((i as f64) - (peak as f64)).abs());
                let best = probed.iter().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
                assert_eq!(*best.0, peak, "{points} points");
                assert!(
                    probed.len() as f64 <= 2.0 * (points as f64).log2() + 5.0,
                    "{points}: {}",
                    probed.len()
                );
            }
        }
    }
}
