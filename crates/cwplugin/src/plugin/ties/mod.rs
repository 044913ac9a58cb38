//! Which α to take among equally good ones.

mod line; // the candidates as intervals of one line

use std::fmt;
use std::str::FromStr;

use line::{Line, is_everything};

use crate::numeric::tolerance::{EQUAL, is_as_good};

/// Which α to take when several give the best score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ties {
    /// The smallest, comparing scores bit for bit: the literal reading of the paper. It may be 0, which gives the class
    /// weight 0.
    First,
    /// The one nearest to ½, which leaves the pair unadjusted.
    NearestHalf,
    /// The middle, in log-odds, of the widest interval of best α.
    #[default]
    Middle,
}

impl fmt::Display for Ties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::NearestHalf => "nearest-half",
            Self::Middle => "middle",
        })
    }
}

impl FromStr for Ties {
    type Err = crate::error::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "first" => Ok(Self::First),
            "nearest-half" => Ok(Self::NearestHalf),
            "middle" => Ok(Self::Middle),
            _ => Err(crate::error::Error::UnknownOption { option: "ties", value: text.into() }),
        }
    }
}

/// The candidates of a search, ordered by the log-odds of their α; minus infinity is α = 0.
///
/// Log-odds, because a weight is a factor and because doubles near α = 1 are too coarse. A candidate is a single value (a
/// grid point, an evaluation of the binary search) or the half-open interval `(cut, next cut]`.
pub(crate) trait Candidates {
    /// The number of candidates; at least one.
    fn len(&self) -> usize;

    fn score(&self, i: usize) -> f64;

    /// The log-odds at which candidate `i` starts and ends.
    fn span(&self, i: usize) -> (f64, f64);

    /// Whether candidates are single values.
    fn is_points(&self) -> bool {
        false
    }
}

/// Single values: their scores, and the log-odds of each.
pub(crate) struct Points<'a, F> {
    pub(crate) scores: &'a [f64],
    pub(crate) log_odds: F,
}

impl<F: Fn(usize) -> f64> Candidates for Points<'_, F> {
    fn len(&self) -> usize {
        self.scores.len()
    }

    fn score(&self, i: usize) -> f64 {
        self.scores[i]
    }

    fn span(&self, i: usize) -> (f64, f64) {
        let log_odds = (self.log_odds)(i);
        (log_odds, log_odds)
    }

    fn is_points(&self) -> bool {
        true
    }
}

/// An interval of log-odds and its score.
pub(crate) struct Interval {
    pub(crate) span: (f64, f64),
    pub(crate) score: f64,
}

impl Candidates for Vec<Interval> {
    fn len(&self) -> usize {
        self.len()
    }

    fn score(&self, i: usize) -> f64 {
        self[i].score
    }

    fn span(&self, i: usize) -> (f64, f64) {
        self[i].span
    }
}

/// The selected α and its plateau.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice {
    /// Log-odds of the α taken.
    pub(crate) log_odds: f64,
    /// The candidate it belongs to.
    pub(crate) index: usize,
    /// The first and last of the neighbouring candidates with the same score.
    pub(crate) run: (usize, usize),
    /// The range of log-odds of the run; an open end is closed one unit past the last cut.
    pub(crate) edges: [f64; 2],
    pub(crate) shape: Shape,
}

/// Where the best α lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Between two worse candidates.
    Interior,
    /// At the smallest or largest α: the class never, or always, wins against the reference.
    Border,
    /// Everywhere: α has no effect.
    Flat,
}

impl Ties {
    /// Whether α = 0 alone may be taken, where it differs from all others: rows with `b_r` = 0 move at any other α. Weight 0
    /// excludes the class from all predictions, so only the literal reading takes it.
    pub(crate) fn may_take_zero(self) -> bool {
        self == Self::First
    }

    /// Selects among the candidates with the best score.
    pub(crate) fn choose(self, candidates: &impl Candidates) -> Choice {
        let len = candidates.len();
        let best = best_score(candidates);
        // The literal reading takes the first maximum, as a plain loop or NumPy's argmax does.
        let good = |i: usize| {
            let score = candidates.score(i);
            if self == Self::First { score >= best } else { is_as_good(score, best) }
        };
        let line = Line { candidates, len };
        let runs = runs(len, good);
        let run_of = |i: usize| runs.iter().copied().find(|run| run.1 >= i).unwrap_or((i, i));
        let (index, log_odds) = match self {
            Self::First => line.literal(runs[0].0),
            Self::NearestHalf => line.nearest_half(good),
            Self::Middle => line.middle(line.widest(&runs)),
        };
        let run = run_of(index);
        let edges = line.edges(run.0, run.1);
        let shape = match (run.0 == 0, run.1 + 1 == len) {
            _ if is_everything(edges) => Shape::Flat,
            (false, false) => Shape::Interior,
            _ => Shape::Border,
        };
        Choice { log_odds, index, run, edges: [edges[0].min(log_odds), edges[1].max(log_odds)], shape }
    }
}

/// The range of the widest plateau of scores within `tolerance` of the best; ties go to the last.
///
/// For sampled curves, such as a mean over draws: their candidates are closed intervals with gaps between them, and a
/// plateau includes the gaps inside it.
pub(crate) fn widest_plateau(candidates: &impl Candidates, tolerance: f64) -> [f64; 2] {
    let best = best_score(candidates);
    let runs = runs(candidates.len(), |i| candidates.score(i) >= best - tolerance);
    let edges = runs.iter().map(|&(first, last)| [candidates.span(first).0, candidates.span(last).1]);
    edges.max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0]))).unwrap_or_default()
}

/// The largest score of the candidates.
pub(crate) fn best_score(candidates: &impl Candidates) -> f64 {
    (0..candidates.len()).map(|i| candidates.score(i)).fold(f64::NEG_INFINITY, f64::max)
}

/// Maximal runs `first..=last` of good candidates; not empty, because the best candidate is good.
fn runs(len: usize, good: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for i in (0..len).filter(|&i| good(i)) {
        match runs.last_mut() {
            Some(run) if run.1 + 1 == i => run.1 = i,
            _ => runs.push((i, i)),
        }
    }
    runs
}

/// `ln(α / (1 − α))`.
pub(crate) fn log_odds(alpha: f64) -> f64 {
    alpha.ln() - (-alpha).ln_1p()
}

/// The α of log-odds; 1 if the nearest double is 1.
pub(crate) fn from_log_odds(x: f64) -> f64 {
    if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { 1.0 / (1.0 + (-x).exp()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The α that a tie rule takes from a grid.
    fn of_points(alphas: &[f64], scores: &[f64], ties: Ties) -> f64 {
        alphas[ties.choose(&Points { scores, log_odds: |i: usize| log_odds(alphas[i]) }).index]
    }

    /// The choice of a tie rule among intervals between cuts.
    fn of_cuts(alphas: &[f64], scores: &[f64], ties: Ties) -> Choice {
        ties.choose(&intervals(alphas.iter().map(|&alpha| log_odds(alpha)), scores))
    }

    fn intervals(cuts: impl Iterator<Item = f64>, scores: &[f64]) -> Vec<Interval> {
        let ends: Vec<f64> = [f64::NEG_INFINITY].into_iter().chain(cuts).chain([f64::INFINITY]).collect();
        let spans = ends.windows(2).map(|ends| (ends[0], ends[1]));
        spans.zip(scores).map(|(span, &score)| Interval { span, score }).collect()
    }

    #[test]
    fn of_two_best_intervals_middle_takes_the_wider_in_log_odds() {
        let (cuts, scores) = ([0.1, 0.2, 0.6, 0.7], [0.0, 1.0, 0.5, 1.0, 0.0]);
        let choice = of_cuts(&cuts, &scores, Ties::Middle);
        assert_eq!(choice.log_odds, log_odds(0.1).midpoint(log_odds(0.2)));
        assert_eq!(choice.edges, [log_odds(0.1), log_odds(0.2)]);
        assert_eq!((choice.index, choice.run, choice.shape), (1, (1, 1), Shape::Interior));
        let nearest = from_log_odds(of_cuts(&cuts, &scores, Ties::NearestHalf).log_odds);
        assert!((0.6..0.7).contains(&nearest));
        let first = from_log_odds(of_cuts(&cuts, &scores, Ties::First).log_odds);
        assert!((0.1..0.2).contains(&first));
    }

    #[test]
    fn neighbouring_best_intervals_are_one_plateau() {
        let choice = of_cuts(&[0.1, 0.5, 0.9], &[0.0, 1.0, 1.0, 0.0], Ties::Middle);
        assert!(choice.log_odds.abs() < 1e-12);
        assert_eq!(choice.run, (1, 2));
    }

    #[test]
    fn an_open_end_is_closed_one_log_unit_past_the_last_cut() {
        let high = of_cuts(&[0.5], &[0.0, 1.0], Ties::Middle);
        assert_eq!((high.log_odds, high.shape), (0.5, Shape::Border));
        assert_eq!(of_cuts(&[0.5], &[1.0, 0.0], Ties::Middle).log_odds, -0.5);
        assert_eq!(of_cuts(&[0.5], &[1.0, 0.0], Ties::First).log_odds, f64::NEG_INFINITY);
    }

    #[test]
    fn a_flat_curve_takes_one_half_except_in_the_literal_reading() {
        let cuts = [0.0, 0.2, 0.3];
        let flat = of_cuts(&cuts, &[1.0; 4], Ties::Middle);
        assert_eq!((flat.log_odds, flat.shape), (0.0, Shape::Flat));
        assert_eq!(of_cuts(&cuts, &[1.0; 4], Ties::NearestHalf).log_odds, 0.0);
        assert_eq!(of_cuts(&cuts, &[1.0; 4], Ties::First).log_odds, f64::NEG_INFINITY);
        let points = [0.0, 0.25, 0.5, 0.75];
        assert_eq!(of_points(&points, &[1.0; 4], Ties::Middle), 0.5);
        assert_eq!(of_points(&points, &[1.0; 4], Ties::First), 0.0);
    }

    #[test]
    fn weight_zero_is_taken_only_when_nothing_else_is_as_good() {
        let points = [0.0, 0.25, 0.5, 0.75];
        assert_eq!(of_points(&points, &[1.0, 1.0, 0.0, 0.0], Ties::Middle), 0.25);
        assert_eq!(of_points(&points, &[1.0, 0.0, 0.0, 0.0], Ties::NearestHalf), 0.0);
        assert_eq!(of_points(&points, &[1.0, 0.0, 0.0, 0.0], Ties::Middle), 0.0);
        assert_eq!(of_points(&[0.0, 0.3, 0.6, 0.9], &[1.0, 0.0, 0.0, 1.0], Ties::Middle), 0.9);
        assert_eq!(of_cuts(&[0.0], &[0.0, 1.0], Ties::Middle).log_odds, 0.0);
    }

    #[test]
    fn nearest_half_breaks_symmetric_ties_downwards() {
        assert_eq!(of_points(&[0.1, 0.3, 0.7, 0.9], &[1.0; 4], Ties::NearestHalf), 0.3);
    }

    #[test]
    fn nearest_half_takes_a_half_between_cuts_but_not_on_one() {
        let cuts = [0.4, 0.5, 0.7];
        assert!(of_cuts(&cuts, &[0.0, 1.0, 0.0, 0.0], Ties::NearestHalf).log_odds < 0.0);
        assert_eq!(of_cuts(&cuts, &[0.0, 1.0, 1.0, 0.0], Ties::NearestHalf).log_odds, 0.0);
        assert_eq!(of_cuts(&[0.4, 0.6], &[0.0, 1.0, 0.0], Ties::NearestHalf).log_odds, 0.0);
    }

    #[test]
    fn rounding_neither_splits_a_plateau_nor_leaves_an_interval() {
        let noisy = [0.5, 0.1 + 0.2, 0.3 + 0.5, 0.8, 0.7];
        assert_eq!(of_cuts(&[0.1, 0.2, 0.3, 0.4], &noisy, Ties::Middle).run, (2, 3));
        let tiny = [1.0, 1.0_f64.next_up()];
        let choice = Ties::Middle.choose(&intervals(tiny.into_iter(), &[0.0, 1.0, 0.0]));
        assert_eq!((choice.log_odds, choice.index), (tiny[1], 1));
        assert_eq!([f64::NEG_INFINITY, 0.0, f64::INFINITY].map(from_log_odds), [0.0, 0.5, 1.0]);
    }
}
