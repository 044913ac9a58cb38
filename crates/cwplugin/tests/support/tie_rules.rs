//! Which of equally good α to take, written from the documented rules.
//!
//! * Scores within 1e-12 of the best (relative above 1) are equal, except for `first`.
//! * Weight 0 only for `first`, or on a grid if nothing else is as good.
//! * If α makes no difference: ½, or 0 for `first`.
//! * α is taken between two cuts; an open end is closed one log unit past the outermost positive cut.

use cwplugin::Ties;

fn logit(alpha: f64) -> f64 {
    (alpha / (1.0 - alpha)).ln()
}

fn from_logit(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn is_less(a: f64, b: f64) -> bool {
    a < b - 1e-12
}

/// Runs of neighbours that are all good, as (first, last).
fn runs(good: &[usize]) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut i = 0;
    while i < good.len() {
        let mut j = i;
        while j + 1 < good.len() && good[j + 1] == good[j] + 1 {
            j += 1;
        }
        runs.push((good[i], good[j]));
        i = j + 1;
    }
    runs
}

fn best(scores: &[f64], ties: Ties) -> Vec<usize> {
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let tolerance = if ties == Ties::First { 0.0 } else { 1e-12 * top.abs().max(1.0) };
    (0..scores.len()).filter(|&i| top - scores[i] <= tolerance).collect()
}

/// The widest run, then the nearest to log-odds 0, then the first; `edges` in log-odds.
fn widest(runs: &[(usize, usize)], edges: impl Fn((usize, usize)) -> (f64, f64)) -> (usize, usize) {
    let width = |run| edges(run).1 - edges(run).0;
    let distance = |run| {
        let (low, high) = edges(run);
        if low > 0.0 {
            low
        } else if high < 0.0 {
            -high
        } else {
            0.0
        }
    };
    let top = runs.iter().map(|&run| width(run)).fold(0.0, f64::max);
    let wide: Vec<_> = runs.iter().copied().filter(|&run| !is_less(width(run), top)).collect();
    let near = wide.iter().map(|&run| distance(run)).fold(f64::INFINITY, f64::min);
    wide.into_iter().find(|&run| !is_less(near, distance(run))).unwrap()
}

/// The α of a grid that a rule takes.
pub(crate) fn among_points(points: &[f64], scores: &[f64], ties: Ties) -> f64 {
    let mut good = best(scores, ties);
    if ties == Ties::First {
        return points[good[0]];
    }
    let is_flat = good.len() == points.len();
    // Without the point 0, unless there is nothing else; but it still lengthens the run that begins with it.
    let with_zero = good[0] == 0;
    if with_zero && good.len() > 1 {
        good.remove(0);
    } else if with_zero {
        return 0.0;
    }
    let nearest = |candidates: &[usize], distance: &dyn Fn(f64) -> f64| {
        let near = candidates.iter().map(|&i| distance(points[i])).fold(f64::INFINITY, f64::min);
        candidates.iter().map(|&i| points[i]).find(|&alpha| !is_less(near, distance(alpha))).unwrap()
    };
    if ties == Ties::NearestHalf {
        return nearest(&good, &|alpha| (alpha - 0.5).abs());
    }
    let edges = |(first, last): (usize, usize)| {
        let low = if first == 1 && with_zero { logit(points[1]) - 1.0 } else { logit(points[first]) };
        (low, logit(points[last]))
    };
    let run = widest(&runs(&good), edges);
    let target = if is_flat { 0.0 } else { f64::midpoint(edges(run).0, edges(run).1) };
    nearest(&(run.0..=run.1).collect::<Vec<_>>(), &|alpha| (logit(alpha) - target).abs())
}

/// The α that a rule takes when stretch `i` reaches from cut `i − 1` (not in it) to cut `i` (in it).
pub(crate) fn among_stretches(cuts: &[f64], scores: &[f64], ties: Ties) -> f64 {
    // The interval that contains only α = 0 is for `first` only.
    let skipped = usize::from(ties != Ties::First && cuts.first() == Some(&0.0));
    let (cuts, scores) = (&cuts[skipped..], &scores[skipped..]);
    let good = best(scores, ties);
    let low = |i: usize| if i == 0 { 0.0 } else { cuts[i - 1] };
    let high = |i: usize| if i == cuts.len() { 1.0 } else { cuts[i] };
    let positive: Vec<f64> = cuts.iter().copied().filter(|&cut| cut > 0.0).collect();
    let edges = |(first, last): (usize, usize)| {
        let (low, high) = (low(first), high(last));
        let below = positive.first().map_or(f64::NEG_INFINITY, |&cut| logit(cut) - 1.0);
        let above = positive.last().map_or(f64::INFINITY, |&cut| logit(cut) + 1.0);
        (if low > 0.0 { logit(low) } else { below }, if high < 1.0 { logit(high) } else { above })
    };
    let middle = |run: (usize, usize)| {
        let (low, high) = edges(run);
        let is_everything = self::is_everything(run, cuts);
        if is_everything { 0.5 } else { from_logit(f64::midpoint(low, high)) }
    };
    match ties {
        Ties::First if good[0] == 0 => 0.0,
        Ties::First => middle((good[0], good[0])),
        Ties::NearestHalf => {
            let inside = |run: &(usize, usize)| low(run.0) < 0.5 && 0.5 < high(run.1);
            if runs(&good).iter().any(inside) {
                return 0.5;
            }
            let distance = |i: usize| if low(i) >= 0.5 { low(i) - 0.5 } else { 0.5 - high(i) };
            let near = good.iter().map(|&i| distance(i)).fold(f64::INFINITY, f64::min);
            let nearest = good.iter().copied().find(|&i| !is_less(near, distance(i))).unwrap();
            middle((nearest, nearest))
        }
        _ => middle(widest(&runs(&good), edges)),
    }
}

/// Whether a run reaches over every positive α.
fn is_everything((first, last): (usize, usize), cuts: &[f64]) -> bool {
    (first == 0 || cuts[first - 1] == 0.0) && last == cuts.len()
}
