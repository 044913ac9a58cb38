//! Candidates as intervals of one line: the widest, the nearest to ½, or the middle.

use super::{Candidates, EQUAL, from_log_odds};

/// Candidates as intervals of log-odds.
pub(super) struct Line<'a, C> {
    pub(super) candidates: &'a C,
    pub(super) len: usize,
}

impl<C: Candidates> Line<'_, C> {
    fn span(&self, i: usize) -> (f64, f64) {
        self.candidates.span(i)
    }

    /// The run that is widest in log-odds; ties go to the one nearest to ½, then to the first.
    pub(super) fn widest(&self, runs: &[(usize, usize)]) -> (usize, usize) {
        let measure = |&(first, last): &(usize, usize)| {
            let [low, high] = self.edges(first, last);
            (high - low, low.max(-high).max(0.0)) // width, distance from log-odds 0
        };
        // Weight 0 excludes the class from all predictions: that run counts only if there is no other.
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

    /// Whether candidate `i` is α = 0 alone.
    fn is_zero_only(&self, i: usize) -> bool {
        i == 0 && self.span(0).1 == f64::NEG_INFINITY
    }

    /// The outermost finite ends of the candidates, if any.
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
    /// The run of all candidates is the whole line, with middle 0 (α = ½).
    pub(super) fn edges(&self, first: usize, last: usize) -> [f64; 2] {
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

    /// Candidate `i` in the literal reading of the paper: α = 0 if it contains that, else an α inside.
    pub(super) fn literal(&self, i: usize) -> (usize, f64) {
        let is_zero = i == 0 && self.span(0).0 == f64::NEG_INFINITY;
        if is_zero { (0, f64::NEG_INFINITY) } else { self.middle((i, i)) }
    }

    /// The candidate nearest to ½ in α, not in log-odds: grid points are evenly spaced in α.
    pub(super) fn nearest_half(&self, good: impl Fn(usize) -> bool) -> (usize, f64) {
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
        // On a cut the prediction would depend on the order of the classes, unless both sides are equally good.
        let is_inside = |high: f64| high > 0.0 || (high >= 0.0 && i + 1 < self.len && good(i + 1));
        let (low, high) = self.span(i);
        if !self.candidates.is_points() && low < 0.0 && is_inside(high) {
            (i, 0.0)
        } else {
            self.middle((i, i))
        }
    }

    /// The middle of a run: any value of an interval, or the nearest point that was tried.
    pub(super) fn middle(&self, (first, last): (usize, usize)) -> (usize, f64) {
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
        // Rounding must not cross an edge.
        let middle = target.max(self.span(first).0.next_up()).min(self.span(last).1);
        // Binary search for the interval that contains it: the first that does not end below it.
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

pub(super) fn is_everything(edges: [f64; 2]) -> bool {
    edges.iter().all(|edge| edge.is_infinite())
}
