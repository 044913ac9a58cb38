//! Which of equally good α to take.

use std::fmt;
use std::str::FromStr;

/// Scores closer than this (relative, or absolute below 1) are equal, except in the literal reading: rounding must not
/// choose a weight.
const EQUAL: f64 = 1e-12;

/// Which α to take when several give the best score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ties {
    /// The smallest, to the last bit of the score: the literal reading of the paper. It may be 0, which gives the class
    /// weight 0.
    First,
    /// The one nearest to ½, that is to leaving the black box as it is.
    NearestHalf,
    /// The middle, in log-odds, of the widest stretch of best α.
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
    type Err = crate::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "first" => Ok(Self::First),
            "nearest-half" => Ok(Self::NearestHalf),
            "middle" => Ok(Self::Middle),
            _ => Err(crate::Error::UnknownOption { option: "ties", value: text.into() }),
        }
    }
}

/// The candidates that a search looked at, by the log-odds of their α, increasing; minus infinity is α = 0.
///
/// In log-odds because a weight is a factor, and because doubles near α = 1 are too coarse. A candidate is a single
/// value (a grid, the probes of a binary search), or reaches from one cut (not in it) to the next (in it).
pub(crate) trait Candidates {
    /// How many there are; at least one.
    fn len(&self) -> usize;

    fn score(&self, i: usize) -> f64;

    /// The log-odds from which candidate `i` holds up to which it holds.
    fn span(&self, i: usize) -> (f64, f64);

    /// Whether candidates are single values.
    fn is_points(&self) -> bool;
}

/// Single values: α and their scores.
pub(crate) struct Points<'a> {
    pub(crate) alphas: &'a [f64],
    pub(crate) scores: &'a [f64],
}

impl Candidates for Points<'_> {
    fn len(&self) -> usize {
        self.scores.len()
    }

    fn score(&self, i: usize) -> f64 {
        self.scores[i]
    }

    fn span(&self, i: usize) -> (f64, f64) {
        let log_odds = log_odds(self.alphas[i]);
        (log_odds, log_odds)
    }

    fn is_points(&self) -> bool {
        true
    }
}

/// What was chosen, and from where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice {
    /// Log-odds of the α taken.
    pub(crate) log_odds: f64,
    /// The candidate that it belongs to.
    pub(crate) index: usize,
    /// The candidates around it that score the same, first and last.
    pub(crate) run: (usize, usize),
    /// Their log-odds from where to where; an open end is closed one unit past the last cut.
    pub(crate) edges: [f64; 2],
    pub(crate) shape: Shape,
}

/// Where the best α lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Between two worse ones.
    Interior,
    /// At the smallest or largest α: the class never, or always, wins against the reference.
    Border,
    /// Everywhere: α makes no difference.
    Flat,
}

impl Ties {
    /// Chooses among the candidates with the best score.
    pub(crate) fn choose(self, candidates: &impl Candidates) -> Choice {
        let len = candidates.len();
        let best = (0..len).map(|i| candidates.score(i)).fold(f64::NEG_INFINITY, f64::max);
        // The literal reading takes the first of the largest numbers, as a plain loop or NumPy's argmax does.
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

/// Whether a score is the best one up to rounding.
pub(crate) fn is_as_good(score: f64, best: f64) -> bool {
    score >= best - EQUAL * best.abs().max(1.0)
}

/// Whether no score below a bound can be as good, even if the bound is off by some rounding.
pub(crate) fn is_hopeless(bound: f64, best: f64) -> bool {
    bound < best - 2.0 * EQUAL * best.abs().max(1.0)
}

fn is_everything(edges: [f64; 2]) -> bool {
    edges.iter().all(|edge| edge.is_infinite())
}

/// Maximal runs `first..=last` of good candidates; never empty, since the best candidate is good.
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

/// Candidates as stretches of one line.
struct Line<'a, C> {
    candidates: &'a C,
    len: usize,
}

impl<C: Candidates> Line<'_, C> {
    fn span(&self, i: usize) -> (f64, f64) {
        self.candidates.span(i)
    }

    /// The run that is widest in log-odds; of equally wide ones the one nearest to ½, then the first.
    fn widest(&self, runs: &[(usize, usize)]) -> (usize, usize) {
        let measure = |&(first, last): &(usize, usize)| {
            let [low, high] = self.edges(first, last);
            (high - low, low.max(-high).max(0.0)) // width, distance from log-odds 0
        };
        // A weight of 0 can never be undone: that run counts only if there is no other.
        let is_zero_only = |run: &(usize, usize)| run.1 == 0 && self.is_zero_only(0);
        let runs = if runs.len() > 1 && is_zero_only(&runs[0]) { &runs[1..] } else { runs };
        let mut best = runs[0];
        let mut best_measure = measure(&best);
        for run in &runs[1..] {
            let ((width, far), (best_width, best_far)) = (measure(run), best_measure);
            if width > best_width + EQUAL || (width >= best_width - EQUAL && far < best_far - EQUAL) {
                (best, best_measure) = (*run, (width, far));
            }
        }
        best
    }

    /// Whether candidate `i` is α = 0 and nothing else: a weight of 0 can never be undone.
    fn is_zero_only(&self, i: usize) -> bool {
        i == 0 && self.span(0).1 == f64::NEG_INFINITY
    }

    /// The outermost finite ends of candidates, if there are any.
    fn outermost(&self) -> Option<(f64, f64)> {
        let first = (0..self.len).map(|i| self.span(i).1).find(|high| high.is_finite())?;
        let last = (0..self.len).rev().map(|i| self.span(i)).find_map(|(low, high)| {
            let end = if self.candidates.is_points() { high } else { low };
            end.is_finite().then_some(end)
        })?;
        Some((first, last))
    }

    /// The edges of a run; an open end is closed one unit past the outermost finite value.
    ///
    /// A run of everything is the whole line, of which 0 (α = ½) is the middle.
    fn edges(&self, first: usize, last: usize) -> [f64; 2] {
        let (low, high) = (self.span(first).0, self.span(last).1);
        let is_all_points = self.candidates.is_points() && first == 0 && last + 1 == self.len;
        let (is_closed_low, is_closed_high) = (low.is_finite(), high < f64::INFINITY && !is_all_points);
        if is_closed_low && is_closed_high {
            return [low, high];
        }
        let outermost = self.outermost();
        let open_low = outermost.map_or(f64::NEG_INFINITY, |(first, _)| first - 1.0);
        let open_high = outermost.map_or(f64::INFINITY, |(_, last)| last + 1.0);
        match (is_closed_low, is_closed_high) {
            (false, false) => [f64::NEG_INFINITY, f64::INFINITY],
            (false, true) => [open_low, high.max(open_low)], // α = 0 alone has no width
            _ => [low, open_high],
        }
    }

    /// Candidate `i` as the paper would write it: its smallest α where that is 0, else one inside.
    fn literal(&self, i: usize) -> (usize, f64) {
        let is_zero = i == 0 && self.span(0).0 == f64::NEG_INFINITY;
        if is_zero { (0, f64::NEG_INFINITY) } else { self.middle((i, i)) }
    }

    /// Nearest in α, not in log-odds: the grid's points are even in α.
    fn nearest_half(&self, good: impl Fn(usize) -> bool) -> (usize, f64) {
        let distance = |i: usize| {
            let (low, high) = self.span(i);
            (from_log_odds(low) - 0.5).max(0.5 - from_log_odds(high)).max(0.0)
        };
        let mut best: Option<(usize, f64)> = None;
        for i in (0..self.len).filter(|&i| good(i)) {
            let far = distance(i);
            if best.is_none_or(|(best, best_far)| self.is_zero_only(best) || far < best_far - EQUAL) {
                best = Some((i, far));
            }
        }
        let i = best.map_or(0, |(i, _)| i);
        // On a cut a row's prediction would hang on the order of the classes, unless both sides are as good.
        let is_inside = |high: f64| high > 0.0 || (high >= 0.0 && i + 1 < self.len && good(i + 1));
        let (low, high) = self.span(i);
        if !self.candidates.is_points() && low < 0.0 && is_inside(high) {
            (i, 0.0)
        } else {
            self.middle((i, i))
        }
    }

    /// The middle of a run: any value of a stretch, but of points only one that was tried.
    fn middle(&self, (first, last): (usize, usize)) -> (usize, f64) {
        if first == last && self.is_zero_only(first) {
            return (first, f64::NEG_INFINITY);
        }
        let edges = self.edges(first, last);
        let target = if is_everything(edges) { 0.0 } else { edges[0].midpoint(edges[1]) };
        if self.candidates.is_points() {
            let usable = first + usize::from(self.is_zero_only(first));
            let far = |i: usize| (self.span(i).0 - target).abs();
            let nearest =
                (usable..=last).fold(usable, |best, i| if far(i) < far(best) - EQUAL { i } else { best });
            return (nearest, self.span(nearest).0);
        }
        // Rounding may not carry it over an edge.
        let middle = target.max(self.span(first).0.next_up()).min(self.span(last).1);
        // The stretch that it is in: the first that does not end below it.
        let (mut low, mut high) = (first, last);
        while low < high {
            let i = low.midpoint(high);
            if self.span(i).1 < middle {
                low = i + 1;
            } else {
                high = i;
            }
        }
        (low, middle)
    }
}

/// `ln(α / (1 − α))`.
fn log_odds(alpha: f64) -> f64 {
    alpha.ln() - (-alpha).ln_1p()
}

/// The α of log-odds; 1 if they are too large for a double to be below it.
pub(crate) fn from_log_odds(x: f64) -> f64 {
    if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { 1.0 / (1.0 + (-x).exp()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The α that a rule takes from a grid.
    fn of_points(alphas: &[f64], scores: &[f64], ties: Ties) -> f64 {
        alphas[ties.choose(&Points { alphas, scores }).index]
    }

    /// What a rule takes from the stretches between cuts.
    fn of_cuts(alphas: &[f64], scores: &[f64], ties: Ties) -> Choice {
        let cuts: Vec<f64> = alphas.iter().map(|&alpha| log_odds(alpha)).collect();
        ties.choose(&Stretches { cuts: &cuts, scores })
    }

    struct Stretches<'a> {
        cuts: &'a [f64],
        scores: &'a [f64],
    }

    impl Candidates for Stretches<'_> {
        fn len(&self) -> usize {
            self.scores.len()
        }
        fn score(&self, i: usize) -> f64 {
            self.scores[i]
        }
        fn span(&self, i: usize) -> (f64, f64) {
            let low = if i == 0 { f64::NEG_INFINITY } else { self.cuts[i - 1] };
            (low, self.cuts.get(i).copied().unwrap_or(f64::INFINITY))
        }
        fn is_points(&self) -> bool {
            false
        }
    }

    #[test]
    fn of_two_best_stretches_middle_takes_the_wider_in_log_odds() {
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
    fn a_flat_curve_keeps_the_black_boxs_opinion_except_in_the_literal_reading() {
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
        let choice = Ties::Middle.choose(&Stretches { cuts: &tiny, scores: &[0.0, 1.0, 0.0] });
        assert_eq!((choice.log_odds, choice.index), (tiny[1], 1));
        assert_eq!([f64::NEG_INFINITY, 0.0, f64::INFINITY].map(from_log_odds), [0.0, 0.5, 1.0]);
    }
}
