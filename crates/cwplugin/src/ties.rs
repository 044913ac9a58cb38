//! Which of equally good α to take.

use std::fmt;
use std::str::FromStr;

use crate::sweep::LAST_ALPHA;

/// Scores closer than this (relative, or absolute below 1) are equal: rounding must not choose a weight.
const EQUAL: f64 = 1e-12;

/// Which α to take when several give the best score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// The smallest: the literal reading of the paper. It may be 0, which gives the class weight 0.
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

/// The candidates for α that a search looked at, in increasing order.
pub(crate) enum Candidates<'a> {
    /// Single values of α: a grid, or the probes of a binary search.
    Points(&'a [f64]),
    /// All α in [0, 1): candidate `i` reaches from cut `i − 1` (not in it) to cut `i` (in it).
    Intervals { cuts: &'a [f64] },
}

/// What was chosen, and from where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice {
    pub(crate) alpha: f64,
    /// The candidate that α belongs to.
    pub(crate) index: usize,
    /// From where to where α may go at the same score; an open end is closed one log unit past the last cut.
    pub(crate) plateau: [f64; 2],
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
    /// Chooses among the candidates with the best of `scores`.
    pub(crate) fn choose(self, candidates: &Candidates, scores: &[f64]) -> Choice {
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let good = |i: usize| scores[i] >= best - EQUAL * best.abs().max(1.0);
        let runs = runs(scores.len(), good);
        let run_of = |i: usize| runs.iter().copied().find(|run| run.1 >= i).unwrap_or((i, i));
        let (index, alpha) = match self {
            Self::First => candidates.literal(runs[0].0),
            Self::NearestHalf => candidates.nearest_half(scores.len(), good),
            Self::Middle => candidates.middle(widest(candidates, &runs)),
        };
        let (first, last) = run_of(index);
        let edges = candidates.edges(first, last);
        let shape = match (first == 0, last + 1 == scores.len()) {
            _ if edges.iter().all(|edge| edge.is_infinite()) => Shape::Flat,
            (false, false) => Shape::Interior,
            _ => Shape::Border,
        };
        let [low, high] = candidates.plateau(first, last);
        Choice { alpha, index, plateau: [low.min(alpha), high.max(alpha)], shape }
    }
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

/// The run that is widest in log-odds; of equally wide ones the one nearest to ½, then the first.
fn widest(candidates: &Candidates, runs: &[(usize, usize)]) -> (usize, usize) {
    let measure = |&(first, last): &(usize, usize)| {
        let [low, high] = candidates.edges(first, last);
        (high - low, low.max(-high).max(0.0)) // width, distance from log-odds 0
    };
    // A weight of 0 can never be undone: that run counts only if there is no other.
    let is_zero_only = |run: &(usize, usize)| run.1 == 0 && candidates.is_zero_only(0);
    let runs = if runs.len() > 1 && is_zero_only(&runs[0]) { &runs[1..] } else { runs };
    let mut best = runs[0];
    for run in &runs[1..] {
        let ((width, far), (best_width, best_far)) = (measure(run), measure(&best));
        if width > best_width + EQUAL || (width >= best_width - EQUAL && far < best_far - EQUAL) {
            best = *run;
        }
    }
    best
}

impl Candidates<'_> {
    /// The α from which candidate `i` holds (not in it, for an interval) up to which it holds.
    fn span(&self, i: usize) -> (f64, f64) {
        match self {
            Self::Points(alphas) => (alphas[i], alphas[i]),
            Self::Intervals { cuts } => {
                let low = if i == 0 { 0.0 } else { cuts[i - 1] };
                (low, cuts.get(i).copied().unwrap_or(1.0))
            }
        }
    }

    /// Whether candidate `i` is α = 0 and nothing else: a weight of 0 can never be undone.
    fn is_zero_only(&self, i: usize) -> bool {
        i == 0 && self.span(0).1 <= 0.0
    }

    /// The edges of a run in log-odds; an open end is closed one unit past the outermost finite value.
    ///
    /// A run of everything is the whole line, of which 0 (α = ½) is the middle.
    fn edges(&self, first: usize, last: usize) -> [f64; 2] {
        let (low, high) = (self.span(first).0, self.span(last).1);
        let positive = match self {
            Self::Points(values) | Self::Intervals { cuts: values } => {
                &values[usize::from(values.first().is_some_and(|v| *v <= 0.0))..]
            }
        };
        let open_low = positive.first().map_or(f64::NEG_INFINITY, |&v| log_odds(v) - 1.0);
        let open_high = positive.last().map_or(f64::INFINITY, |&v| log_odds(v) + 1.0);
        let is_all_points = matches!(self, Self::Points(all) if first == 0 && last + 1 == all.len());
        match (low > 0.0, high < 1.0 && !is_all_points) {
            (false, false) => [f64::NEG_INFINITY, f64::INFINITY],
            (false, true) if high <= 0.0 => [open_low, open_low],
            (false, true) => [open_low, log_odds(high)],
            (true, true) => [log_odds(low), log_odds(high)],
            (true, false) => [log_odds(low), open_high],
        }
    }

    fn plateau(&self, first: usize, last: usize) -> [f64; 2] {
        let (low, high) = (self.span(first).0, self.span(last).1);
        let closed = self.edges(first, last);
        match self {
            Self::Points(_) => [low, high],
            Self::Intervals { .. } if high <= 0.0 => [0.0, 0.0],
            Self::Intervals { .. } => [
                if low > 0.0 { low } else { from_log_odds(closed[0]) },
                if high < 1.0 { high } else { from_log_odds(closed[1]) },
            ],
        }
    }

    /// Candidate `i` as the paper would write it: its smallest α where that is 0, else one inside.
    fn literal(&self, i: usize) -> (usize, f64) {
        if i == 0 && self.span(0).0 <= 0.0 { (0, 0.0) } else { self.middle((i, i)) }
    }

    fn nearest_half(&self, len: usize, good: impl Fn(usize) -> bool) -> (usize, f64) {
        let distance = |i: usize| {
            let (low, high) = self.span(i);
            (low - 0.5).max(0.5 - high).max(0.0)
        };
        let mut best: Option<usize> = None;
        for i in (0..len).filter(|&i| good(i)) {
            if best.is_none_or(|best| self.is_zero_only(best) || distance(i) < distance(best) - EQUAL) {
                best = Some(i);
            }
        }
        let i = best.unwrap_or(0);
        // On a cut a row's prediction would hang on the order of the classes, unless both sides are as good.
        let is_inside = |high: f64| high > 0.5 || (high >= 0.5 && i + 1 < len && good(i + 1));
        match (self, self.span(i)) {
            (Self::Intervals { .. }, (low, high)) if low < 0.5 && is_inside(high) => (i, 0.5),
            _ if self.is_zero_only(i) => (i, 0.0),
            _ => self.middle((i, i)),
        }
    }

    /// The middle of a run in log-odds: any α of an interval, but for points only one that was tried.
    fn middle(&self, (first, last): (usize, usize)) -> (usize, f64) {
        if first == last && self.is_zero_only(first) {
            return (first, 0.0);
        }
        let [low, high] = self.edges(first, last);
        let target = if low.is_infinite() && high.is_infinite() { 0.0 } else { low.midpoint(high) };
        match self {
            Self::Points(alphas) => {
                let usable = first + usize::from(self.is_zero_only(first) && last > first);
                let far = |i: usize| (log_odds(alphas[i]) - target).abs();
                let nearest =
                    (usable..=last).fold(usable, |best, i| if far(i) < far(best) - EQUAL { i } else { best });
                (nearest, alphas[nearest])
            }
            Self::Intervals { cuts } => {
                // Rounding may not carry α over an edge, and α = 1 has no weight.
                let (low, high) = (self.span(first).0.next_up(), self.span(last).1.min(LAST_ALPHA));
                let alpha = from_log_odds(target).max(low).min(high);
                (cuts.partition_point(|&cut| cut < alpha), alpha)
            }
        }
    }
}

fn log_odds(alpha: f64) -> f64 {
    alpha.ln() - (-alpha).ln_1p()
}

fn from_log_odds(x: f64) -> f64 {
    if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { 1.0 / (1.0 + (-x).exp()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logit(alpha: f64) -> f64 {
        (alpha / (1.0 - alpha)).ln()
    }

    #[test]
    fn of_two_best_stretches_middle_takes_the_wider_in_log_odds() {
        let cuts = [0.1, 0.2, 0.6, 0.7];
        let scores = [0.0, 1.0, 0.5, 1.0, 0.0];
        let choice = Ties::Middle.choose(&Candidates::Intervals { cuts: &cuts }, &scores);
        let middle = logit(0.1).midpoint(logit(0.2));
        assert!((logit(choice.alpha) - middle).abs() < 1e-12);
        assert_eq!((choice.index, choice.plateau, choice.shape), (1, [0.1, 0.2], Shape::Interior));
        let nearest = Ties::NearestHalf.choose(&Candidates::Intervals { cuts: &cuts }, &scores);
        assert!((0.6..0.7).contains(&nearest.alpha));
        let first = Ties::First.choose(&Candidates::Intervals { cuts: &cuts }, &scores);
        assert!((0.1..0.2).contains(&first.alpha));
    }

    #[test]
    fn neighbouring_best_intervals_are_one_plateau() {
        let choice =
            Ties::Middle.choose(&Candidates::Intervals { cuts: &[0.1, 0.5, 0.9] }, &[0.0, 1.0, 1.0, 0.0]);
        assert!((choice.alpha - 0.5).abs() < 1e-12);
        assert_eq!(choice.plateau, [0.1, 0.9]);
    }

    #[test]
    fn an_open_end_is_closed_one_log_unit_past_the_last_cut() {
        let cuts = Candidates::Intervals { cuts: &[0.5] };
        let high = Ties::Middle.choose(&cuts, &[0.0, 1.0]);
        assert!((logit(high.alpha) - 0.5).abs() < 1e-12);
        assert_eq!(high.shape, Shape::Border);
        let low = Ties::Middle.choose(&cuts, &[1.0, 0.0]);
        assert!((logit(low.alpha) + 0.5).abs() < 1e-12);
        assert_eq!(Ties::First.choose(&cuts, &[1.0, 0.0]).alpha, 0.0);
    }

    #[test]
    fn a_flat_curve_keeps_the_black_boxs_opinion_except_in_the_literal_reading() {
        let cuts = Candidates::Intervals { cuts: &[0.0, 0.2, 0.3] };
        let flat = Ties::Middle.choose(&cuts, &[1.0; 4]);
        assert_eq!((flat.alpha, flat.shape), (0.5, Shape::Flat));
        assert_eq!(Ties::NearestHalf.choose(&cuts, &[1.0; 4]).alpha, 0.5);
        assert_eq!(Ties::First.choose(&cuts, &[1.0; 4]).alpha, 0.0);
        let points = Candidates::Points(&[0.0, 0.25, 0.5, 0.75]);
        assert_eq!(Ties::Middle.choose(&points, &[1.0; 4]).alpha, 0.5);
        assert_eq!(Ties::First.choose(&points, &[1.0; 4]).alpha, 0.0);
    }

    #[test]
    fn weight_zero_is_taken_only_when_nothing_else_is_as_good() {
        let points = Candidates::Points(&[0.0, 0.25, 0.5, 0.75]);
        assert_eq!(Ties::Middle.choose(&points, &[1.0, 1.0, 0.0, 0.0]).alpha, 0.25);
        assert_eq!(Ties::NearestHalf.choose(&points, &[1.0, 0.0, 0.0, 0.0]).alpha, 0.0);
        assert_eq!(Ties::Middle.choose(&points, &[1.0, 0.0, 0.0, 0.0]).alpha, 0.0);
        let lopsided = Candidates::Points(&[0.0, 0.3, 0.6, 0.9]);
        assert_eq!(Ties::Middle.choose(&lopsided, &[1.0, 0.0, 0.0, 1.0]).alpha, 0.9);
        let cuts = Candidates::Intervals { cuts: &[0.0] };
        assert_eq!(Ties::Middle.choose(&cuts, &[0.0, 1.0]).alpha, 0.5);
    }

    #[test]
    fn nearest_half_breaks_symmetric_ties_downwards() {
        let points = Candidates::Points(&[0.1, 0.3, 0.7, 0.9]);
        assert_eq!(Ties::NearestHalf.choose(&points, &[1.0; 4]).alpha, 0.3);
    }

    #[test]
    fn nearest_half_takes_a_half_between_cuts_but_not_on_one() {
        let cuts = Candidates::Intervals { cuts: &[0.4, 0.5, 0.7] };
        assert!(Ties::NearestHalf.choose(&cuts, &[0.0, 1.0, 0.0, 0.0]).alpha < 0.5);
        assert_eq!(Ties::NearestHalf.choose(&cuts, &[0.0, 1.0, 1.0, 0.0]).alpha, 0.5);
        let around = Candidates::Intervals { cuts: &[0.4, 0.6] };
        assert_eq!(Ties::NearestHalf.choose(&around, &[0.0, 1.0, 0.0]).alpha, 0.5);
    }

    #[test]
    fn rounding_neither_splits_a_plateau_nor_leaves_an_interval() {
        let noisy = [0.5, 0.1 + 0.2, 0.3 + 0.5, 0.8, 0.7];
        let cuts = [0.1, 0.2, 0.3, 0.4];
        let choice = Ties::Middle.choose(&Candidates::Intervals { cuts: &cuts }, &noisy);
        assert_eq!(choice.plateau, [0.2, 0.4]);
        let tiny = [0.5, 0.5_f64.next_up()];
        let choice = Ties::Middle.choose(&Candidates::Intervals { cuts: &tiny }, &[0.0, 1.0, 0.0]);
        assert_eq!((choice.alpha, choice.index), (0.5_f64.next_up(), 1));
        let last = [LAST_ALPHA.next_down()];
        assert_eq!(
            Ties::Middle.choose(&Candidates::Intervals { cuts: &last }, &[0.0, 1.0]).alpha,
            LAST_ALPHA
        );
    }
}
