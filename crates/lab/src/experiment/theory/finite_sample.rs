//! Part (b): the error of the weights of a finite sample against its size, the number of classes, and ρ.

use cwplugin::methods::LABELS_COUNT_FROM;
use cwplugin::metric::LinearDiagonal;
use cwplugin::{Method, Model, Probabilities, Sample};
use cwplugin_cli::Screen;
use serde_json::{Value, json};

use super::imitation::{self, imitated};
use super::law::{Law, Part, distance, rng};
use super::slope::{Drawn, Fit, Scale};
use super::{Line, Run};

pub(super) const CLASSES: [usize; 4] = [2, 3, 5, 10];

/// `ρ = min_k β_r / (β_r + β_k)` of the first series: no β is more than twice that of the reference.
const RHO: f64 = 1.0 / 3.0;

/// ρ of the second series, which has three classes. At ½ all β would be equal: methods that start from equal weights would
/// start at the solution.
const RHOS: [f64; 6] = [0.1, 0.2, 0.35, 0.65, 0.8, 0.9];
const CLASSES_OF_RHOS: usize = 3;

/// With fewer rows of a class, an asymptotic law does not apply.
pub(super) const ROWS_OF_A_CLASS: usize = 20;

/// From this many labelled rows on, `expected` also counts labels, which changes the law.
pub(super) const COUNTED: usize = LABELS_COUNT_FROM as usize;

/// Factor on the draws of smaller samples, whose fits are fast and whose errors vary more.
pub(super) const MORE_DRAWS: usize = 3;

/// The varied parameter, the population and the metric.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Series {
    pub(super) varies: Varies,
    pub(super) rho: f64,
    pub(super) beta: Vec<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Varies {
    Classes,
    Rho,
}

impl Series {
    fn all() -> Vec<Self> {
        let classes = CLASSES.map(|m| Self { varies: Varies::Classes, rho: RHO, beta: uneven(m) });
        let rhos = RHOS.map(|rho| {
            let mut beta = vec![(1.0 - rho) / rho; CLASSES_OF_RHOS];
            beta[CLASSES_OF_RHOS - 1] = 1.0;
            Self { varies: Varies::Rho, rho, beta }
        });
        classes.into_iter().chain(rhos).collect()
    }

    pub(super) fn m(&self) -> usize {
        self.beta.len()
    }

    /// The second series uses only the largest size of each range, because all sizes would take as long as the first series.
    fn sizes(&self, sizes: &[usize]) -> Vec<usize> {
        match self.varies {
            Varies::Classes => sizes.to_vec(),
            Varies::Rho => {
                let [below, above] = [true, false]
                    .map(|is_below| sizes.iter().copied().filter(|n| (*n < COUNTED) == is_below).max());
                below.into_iter().chain(above).collect()
            }
        }
    }
}

/// 1 for the last class, the reference; alternately 2 and ½ for the others.
pub(super) fn uneven(m: usize) -> Vec<f64> {
    (0..m).map(|k| if k + 1 == m { 1.0 } else { [2.0, 0.5][k % 2] }).collect()
}

/// A range of sizes with one law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Regime {
    All,
    Below,
    From,
}

impl Regime {
    fn of(method: &Method) -> &'static [Self] {
        if ["expected", "auto"].contains(&method.name) { &[Self::Below, Self::From] } else { &[Self::All] }
    }

    fn holds(self, n: usize) -> bool {
        match self {
            Self::All => true,
            Self::Below => n < COUNTED,
            Self::From => n >= COUNTED,
        }
    }

    pub(super) fn words(self) -> String {
        match self {
            Self::All => "all".into(),
            Self::Below => format!("n < {COUNTED}"),
            Self::From => format!("n ≥ {COUNTED}"),
        }
    }
}

/// One method, population and size.
#[derive(Debug)]
pub(super) struct Cell {
    pub(super) method: &'static str,
    pub(super) series: Series,
    pub(super) n: usize,
    pub(super) error: Drawn,
    /// Draws whose rule had a map before the weights.
    mapped: usize,
    /// Draws without weights, e.g. because the reference had no row.
    failed: usize,
}

impl Cell {
    pub(super) fn takes_part(&self) -> bool {
        self.n >= ROWS_OF_A_CLASS * self.series.m()
    }

    pub(super) fn json(&self) -> Value {
        let varies = if self.series.varies == Varies::Classes { "m" } else { "rho" };
        json!({
            "varies": varies, "method": self.method, "m": self.series.m(), "rho": self.series.rho, "n": self.n,
            "error": self.error.mean, "se": self.error.error, "largest": self.error.largest,
            "draws": self.error.draws, "mapped": self.mapped, "failed": self.failed,
            "takes_part": self.takes_part(),
        })
    }
}

pub(super) fn run(run: &Run, screen: &Screen) -> anyhow::Result<Vec<Cell>> {
    let series = Series::all();
    let populations = CLASSES.map(|m| imitation::population(run.seed, m));
    let populations = populations.into_iter().collect::<Result<Vec<_>, _>>()?;
    let population = |m: usize| CLASSES.iter().position(|classes| *classes == m).map(|i| &populations[i]);
    let mut groups = Vec::new();
    for (i, series) in series.iter().enumerate() {
        groups.extend(series.sizes(&run.sizes).into_iter().map(|n| (i, n)));
    }
    let draws = |n: usize| run.draws * if n < COUNTED { MORE_DRAWS } else { 1 };
    let jobs: Vec<(usize, usize, usize)> =
        groups.iter().flat_map(|&(i, n)| (0..draws(n)).map(move |draw| (i, n, draw))).collect();
    let bar = screen.steps("fitting", jobs.len());
    let found = super::each(&bar, jobs, |(i, n, draw)| {
        let m = series[i].m();
        let mut rng = rng(run.seed, Part::FiniteSample, i, n, draw);
        let sample = Law::balanced(m).sample(n, run.unlabelled, &mut rng)?;
        let metric = LinearDiagonal::new(series[i].beta.clone())?;
        let off = |method: &&Method| -> anyhow::Result<Option<(f64, bool)>> {
            let seed = run.seed + draw as u64;
            let Some(model) = fit(method, &sample, &metric, seed) else { return Ok(None) };
            off(&model, &series[i].beta, population(m)).map(Some)
        };
        run.methods.iter().map(off).collect::<anyhow::Result<Vec<_>>>()
    })?;
    let (mut cells, mut rest) = (Vec::new(), found.as_slice());
    for (i, n) in groups {
        let own;
        (own, rest) = rest.split_at(draws(n));
        for (k, method) in run.methods.iter().enumerate() {
            let found: Vec<(f64, bool)> = own.iter().filter_map(|draw| draw[k]).collect();
            let errors: Vec<f64> = found.iter().map(|(error, _)| *error).collect();
            let mapped = found.iter().filter(|(_, is_mapped)| *is_mapped).count();
            if let Some(error) = Drawn::of(&errors) {
                let (series, failed) = (series[i].clone(), own.len() - found.len());
                cells.push(Cell { method: method.name, series, n, error, mapped, failed });
            }
        }
    }
    Ok(cells)
}

/// Algorithm 1 keeps the last class fixed, because ρ is defined by it; nothing if a class that it needs has no row.
fn fit(method: &Method, sample: &Sample, metric: &LinearDiagonal, seed: u64) -> Option<Model> {
    let fit = cwplugin::Fit::new(metric).method(method.name).seed(seed).unscored();
    let fit = if method.option("reference").is_some() { fit.option("reference", "last") } else { fit };
    fit.fit(sample).ok()
}

/// The error of the weights, and whether they imitate the predictions of a map.
fn off(model: &Model, beta: &[f64], population: Option<&Probabilities>) -> anyhow::Result<(f64, bool)> {
    match population.filter(|_| model.rule().calibration().is_some()) {
        None => Ok((distance(beta, model.weights().as_slice()), false)),
        Some(population) => Ok((distance(beta, imitated(model.rule(), population)?.as_slice()), true)),
    }
}

/// The error against n for each m, against m, and against ρ; in every range of sizes.
pub(super) fn lines(cells: &[Cell], methods: &[&'static Method]) -> Vec<Line> {
    let mut lines = Vec::new();
    for method in methods {
        for &regime in Regime::of(method) {
            let used = |varies: Varies| {
                let is_used = move |cell: &&Cell| {
                    cell.method == method.name && cell.series.varies == varies && cell.takes_part()
                };
                cells.iter().filter(is_used).filter(move |cell| regime.holds(cell.n))
            };
            let line = |labels: Value, against, law, fit| {
                let mut all = json!({"method": method.name, "regime": regime.words()});
                for (key, value) in labels.as_object().into_iter().flatten() {
                    all[key] = value.clone();
                }
                Line::new(Part::FiniteSample, all, "error", against, law, fit)
            };
            for m in CLASSES {
                let of = used(Varies::Classes).filter(|cell| cell.series.m() == m);
                let points: Vec<_> = of.map(|cell| cell.error.at(cell.n as f64)).collect();
                lines.push(line(json!({"m": m}), "n", Some(-0.5), Fit::of(&points, Scale::Power)));
            }
            let largest = |varies: Varies| used(varies).map(|cell| cell.n).max();
            let at = |varies: Varies| used(varies).filter(move |cell| Some(cell.n) == largest(varies));
            let points: Vec<_> =
                at(Varies::Classes).map(|cell| cell.error.at(cell.series.m() as f64)).collect();
            let labels = json!({"n": largest(Varies::Classes)});
            lines.push(line(labels, "m", Some(1.0), Fit::of(&points, Scale::Power)));
            let labels = || json!({"n": largest(Varies::Rho)});
            let points: Vec<_> = at(Varies::Rho).map(|cell| cell.error.at(1.0 - cell.series.rho)).collect();
            lines.push(line(labels(), "1 − ρ", Some(-2.0), Fit::of(&points, Scale::Power)));
            let points: Vec<_> = at(Varies::Rho).map(|cell| cell.error.at(cell.series.rho)).collect();
            lines.push(line(labels(), "ρ", None, Fit::of(&points, Scale::Power)));
        }
    }
    lines
}
