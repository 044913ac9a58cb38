//! Part (c): metric evaluations of the searches, and evaluations times rows, compared with the paper's table of run times.

use anyhow::Context as _;
use cwplugin::metric::LinearDiagonal;
use cwplugin::{FitReport, PluginReport, Sample, Search, Step};
use cwplugin_cli::Screen;
use serde_json::{Value, json};

use super::finite_sample::uneven;
use super::law::{Law, Part, rng};
use super::slope::{Drawn, Fit, Scale};
use super::{Line, Run};

/// The varied parameter; the others have the middle value of their lists.
const STEPS: [usize; 7] = [10, 30, 100, 300, 1_000, 3_000, 10_000];
const CLASSES: [usize; 6] = [2, 5, 10, 20, 35, 50];
const SIZES: [usize; 4] = [300, 1_000, 3_000, 10_000];

/// 1/ε, m and n if they are not varied.
pub(super) const USUAL: Place = Place { steps: 100, m: 10, n: 3_000 };

/// Fewer classes are too few for a law in m: the paper counts m pairs of 2n/m rows, and there are m − 1.
pub(super) const MANY_CLASSES: usize = 20;

/// The parameters of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) steps: usize,
    pub(super) m: usize,
    pub(super) n: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Grid,
    Binary,
    Exact,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Grid, Self::Binary, Self::Exact];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Grid => "line",
            Self::Binary => "binary",
            Self::Exact => "exact",
        }
    }

    fn search(self, steps: usize) -> anyhow::Result<Search> {
        Ok(match self {
            Self::Grid => Search::Grid(Step::bins(steps)?),
            Self::Binary => Search::Binary(Step::bins(steps)?),
            Self::Exact => Search::Exact,
        })
    }
}

/// The shares of the classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Balance {
    Balanced,
    /// The worst case: most rows are of the reference.
    Lopsided,
}

impl Balance {
    pub(super) const ALL: [Self; 2] = [Self::Balanced, Self::Lopsided];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::Lopsided => "worst case",
        }
    }

    fn law(self, m: usize) -> Law {
        match self {
            Self::Balanced => Law::balanced(m),
            Self::Lopsided => Law::lopsided(m),
        }
    }
}

#[derive(Debug)]
pub(super) struct Cell {
    pub(super) kind: Kind,
    pub(super) balance: Balance,
    pub(super) place: Place,
    /// Evaluations of the metric for one pair.
    pub(super) evaluations: Drawn,
    /// Evaluations of each pair times its rows, all pairs.
    pub(super) work: Drawn,
}

impl Cell {
    pub(super) fn json(&self) -> Value {
        json!({
            "search": self.kind.name(), "balance": self.balance.name(), "steps": self.place.steps,
            "m": self.place.m, "n": self.place.n, "evaluations": self.evaluations.mean,
            "evaluations_se": self.evaluations.error, "work": self.work.mean, "work_se": self.work.error,
            "draws": self.work.draws,
        })
    }
}

pub(super) fn run(run: &Run, screen: &Screen) -> anyhow::Result<Vec<Cell>> {
    let mut samples: Vec<(usize, usize)> = CLASSES.map(|m| (m, USUAL.n)).to_vec();
    samples.extend(SIZES.map(|n| (USUAL.m, n)));
    samples.sort_unstable();
    samples.dedup();
    let groups: Vec<(Balance, usize, usize)> = Balance::ALL
        .into_iter()
        .flat_map(|balance| samples.iter().map(move |&(m, n)| (balance, m, n)))
        .collect();
    let jobs: Vec<_> =
        groups.iter().flat_map(|&group| (0..run.draws).map(move |draw| (group, draw))).collect();
    let bar = screen.steps("counting", jobs.len());
    let found = super::each(&bar, jobs, |((balance, m, n), draw)| {
        let series = m + if balance == Balance::Lopsided { 128 } else { 0 };
        let mut rng = rng(run.seed, Part::Evaluations, series, n, draw);
        let sample = balance.law(m).sample(n, 0, &mut rng)?;
        searches(m, n)
            .into_iter()
            .map(|(kind, steps)| count(kind, steps, &sample))
            .collect::<Result<Vec<_>, _>>()
    })?;
    let mut cells = Vec::new();
    for (i, (balance, m, n)) in groups.into_iter().enumerate() {
        let draws = &found[i * run.draws..(i + 1) * run.draws];
        for (k, (kind, steps)) in searches(m, n).into_iter().enumerate() {
            let [evaluations, work] =
                [0, 1].map(|which| Drawn::of(&draws.iter().map(|draw| draw[k][which]).collect::<Vec<_>>()));
            if let (Some(evaluations), Some(work)) = (evaluations, work) {
                cells.push(Cell { kind, balance, place: Place { steps, m, n }, evaluations, work });
            }
        }
    }
    Ok(cells)
}

/// The searches to run on a sample: all steps if nothing else is varied.
fn searches(m: usize, n: usize) -> Vec<(Kind, usize)> {
    let steps: &[usize] = if (m, n) == (USUAL.m, USUAL.n) { &STEPS } else { &[USUAL.steps] };
    let with_steps =
        [Kind::Grid, Kind::Binary].into_iter().flat_map(|kind| steps.iter().map(move |&s| (kind, s)));
    with_steps.chain([(Kind::Exact, USUAL.steps)]).collect()
}

/// Evaluations of a pair, and evaluations times rows of all pairs.
fn count(kind: Kind, steps: usize, sample: &Sample) -> anyhow::Result<[f64; 2]> {
    let m = sample.n_classes();
    let fit = cwplugin::Fit::new(LinearDiagonal::new(uneven(m))?).method("cwplugin").unscored();
    let model = fit.option("reference", "last").option("search", kind.search(steps)?).fit(sample)?;
    let report: PluginReport =
        model.report().and_then(FitReport::details).context("Algorithm 1 reports its pairs")?;
    let mut counted = [0.0; 2];
    for pair in &report.pairs {
        let evaluations = pair.evaluations as f64;
        let class = sample.classes().iter().position(|class| *class == pair.class);
        let rows = class.map_or(0, |class| sample.n_rows_of(class)) + sample.n_rows_of(m - 1);
        counted[0] += evaluations;
        counted[1] += evaluations * rows as f64;
    }
    counted[0] /= report.pairs.len() as f64;
    Ok(counted)
}

/// The evaluations of a pair against 1/ε; evaluations × rows against 1/ε, m and n, with the paper's exponents if it has them.
pub(super) fn lines(cells: &[Cell]) -> Vec<Line> {
    let mut lines = Vec::new();
    for balance in Balance::ALL {
        for kind in Kind::ALL {
            let of = |is_used: fn(&Place) -> bool| {
                let mine = move |cell: &&Cell| cell.kind == kind && cell.balance == balance;
                cells.iter().filter(mine).filter(move |cell| is_used(&cell.place))
            };
            let labels = json!({"search": kind.name(), "balance": balance.name()});
            let line = |what, against, law, points: &[_], scale| {
                Line::new(Part::Evaluations, labels.clone(), what, against, law, Fit::of(points, scale))
            };
            if kind != Kind::Exact {
                let by_steps = || of(|place| (place.m, place.n) == (USUAL.m, USUAL.n));
                let (x, scale, against): (fn(f64) -> f64, _, _) = match kind {
                    Kind::Grid => (|steps| steps, Scale::Power, "1/ε"),
                    _ => (f64::ln, Scale::Power, "log 1/ε"),
                };
                let points: Vec<_> =
                    by_steps().map(|cell| cell.evaluations.at(x(cell.place.steps as f64))).collect();
                lines.push(line("evaluations of a pair", against, Some(1.0), &points, scale));
            }
            let law = |law: f64| (kind != Kind::Exact).then_some(law);
            let by_classes =
                of(|place| (place.steps, place.n) == (USUAL.steps, USUAL.n) && place.m >= MANY_CLASSES);
            let points: Vec<_> = by_classes.map(|cell| cell.work.at((cell.place.m - 1) as f64)).collect();
            let grows = if balance == Balance::Lopsided { 1.0 } else { 0.0 };
            lines.push(line("evaluations × rows", "pairs, m − 1", law(grows), &points, Scale::Power));
            let by_rows = of(|place| (place.steps, place.m) == (USUAL.steps, USUAL.m));
            let points: Vec<_> = by_rows.map(|cell| cell.work.at(cell.place.n as f64)).collect();
            lines.push(line("evaluations × rows", "n", law(1.0), &points, Scale::Power));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_search_evaluates_every_point_and_a_binary_one_few() {
        let sample = Law::balanced(3).sample(600, 0, &mut rng(0, Part::Evaluations, 0, 0, 0)).unwrap();
        let [grid, binary, exact] = Kind::ALL.map(|kind| count(kind, 1000, &sample).unwrap());
        assert!((grid[0] - 1000.0).abs() < 1e-9 && grid[1] > 1000.0 * 700.0, "{grid:?}");
        assert!(binary[0] < 40.0 && binary[0] > 10.0, "{binary:?}");
        assert!(exact[0] > 10.0 && exact[0] < 600.0, "{exact:?}");
    }
}
