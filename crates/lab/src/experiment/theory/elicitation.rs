//! Part (a): a hidden β is elicited by querying the metric of weights on a population with known η.

use std::collections::BTreeMap;

use cwplugin::{Answer, Elicitation, Error, Mode, Probabilities, Weights};
use cwplugin_cli::Screen;
use rand::RngExt as _;
use serde_json::{Value, json};

use super::law::{Law, Part, distance, rng};
use super::slope::{Drawn, Fit, Point, Scale};
use super::{Line, Run};

pub(super) const CLASSES: [usize; 4] = [2, 3, 5, 10];

/// Rows of the population.
pub(super) const ROWS: usize = 10_000;

/// Precisions of α: the paper's ε. These are the precisions after 4, 6, … 18 steps of golden-section search, so that no step is
/// wasted.
const PRECISIONS: [f64; 8] = [0.073, 0.027_9, 0.010_7, 0.004_07, 0.001_56, 0.000_594, 0.000_227, 0.000_086_7];

/// On a finite population the metric is a step function, and constant within a step. The fits use precisions of at least this
/// many rows.
pub(super) const ROWS_OF_A_STAIR: u32 = 10;

/// The factor by which golden-section search shortens the interval per query.
pub(super) const GOLDEN: f64 = 0.618_033_988_749_895;

/// More queries than any class needs.
const MOST_QUERIES: usize = 200;

/// One number of classes and one precision.
#[derive(Debug)]
pub(super) struct Cell {
    pub(super) m: usize,
    pub(super) epsilon: f64,
    pub(super) error: Drawn,
    /// For one class.
    pub(super) queries: Drawn,
}

impl Cell {
    fn takes_part(&self) -> bool {
        self.epsilon * ROWS as f64 >= f64::from(ROWS_OF_A_STAIR)
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "m": self.m, "epsilon": self.epsilon, "error": self.error.mean, "se": self.error.error,
            "largest": self.error.largest, "queries": self.queries.mean, "draws": self.error.draws,
        })
    }
}

pub(super) fn run(run: &Run, screen: &Screen) -> anyhow::Result<Vec<Cell>> {
    let jobs: Vec<(usize, usize)> =
        CLASSES.iter().flat_map(|&m| (0..run.draws).map(move |draw| (m, draw))).collect();
    let bar = screen.steps("eliciting", jobs.len());
    let found = super::each(&bar, jobs, |(m, draw)| one(run.seed, m, draw))?;
    let mut cells = Vec::new();
    for (i, &m) in CLASSES.iter().enumerate() {
        for (k, &epsilon) in PRECISIONS.iter().enumerate() {
            let draws = &found[i * run.draws..(i + 1) * run.draws];
            let [errors, queries] =
                [0, 1].map(|which| draws.iter().map(|draw| draw[k][which]).collect::<Vec<_>>());
            if let (Some(error), Some(queries)) = (Drawn::of(&errors), Drawn::of(&queries)) {
                cells.push(Cell { m, epsilon, error, queries });
            }
        }
    }
    Ok(cells)
}

/// One β and one population: for each precision, the error of the weights and the queries per class.
fn one(seed: u64, m: usize, draw: usize) -> anyhow::Result<Vec<[f64; 2]>> {
    let mut rng = rng(seed, Part::Elicitation, m, ROWS, draw);
    let beta: Vec<f64> = (0..m).map(|_| (3.0 * rng.random::<f64>() - 1.5).exp()).collect();
    let population = Law::balanced(m).sample(ROWS, 0, &mut rng)?.into_probabilities();
    // A finer search repeats the queries of a coarser one.
    let mut known: BTreeMap<Vec<u64>, f64> = BTreeMap::new();
    let mut oracle = |weights: &Weights, _repeat: usize| -> Result<Option<Answer>, Error> {
        let key: Vec<u64> = weights.as_slice().iter().map(|weight| weight.to_bits()).collect();
        let value = match known.get(&key) {
            Some(value) => *value,
            None => worth(&population, &beta, weights)?,
        };
        known.insert(key, value);
        Ok(Some(Answer::exact(value)))
    };
    let mut found = Vec::with_capacity(PRECISIONS.len());
    for epsilon in PRECISIONS {
        let recipe = Elicitation::new(m, Mode::Restricted, MOST_QUERIES * (m - 1))?.quasi_concave(true);
        let elicited = recipe.precision(epsilon)?.run(&mut oracle)?;
        let queries = elicited.queries as f64 / (m - 1) as f64;
        found.push([distance(&beta, elicited.weights.as_slice()), queries]);
    }
    Ok(found)
}

/// The expected linear-diagonal metric of the population, computed from η.
fn worth(population: &Probabilities, beta: &[f64], weights: &Weights) -> Result<f64, Error> {
    let predicted = weights.predict(population)?;
    let worth = |(row, &class): (usize, &usize)| beta[class] * population.get(row, class);
    Ok(predicted.iter().enumerate().map(worth).sum::<f64>() / population.n_rows() as f64)
}

/// The error against ε and against the queries; the queries against ε and against m.
pub(super) fn lines(cells: &[Cell]) -> Vec<Line> {
    let of = |m: usize| cells.iter().filter(move |cell| cell.m == m);
    let mut lines = Vec::new();
    for m in CLASSES {
        let used = || of(m).filter(|cell| cell.takes_part());
        let line =
            |of, against, law, fit| Line::new(Part::Elicitation, json!({"m": m}), of, against, law, fit);
        let points: Vec<_> = used().map(|cell| cell.error.at(cell.epsilon)).collect();
        lines.push(line("error", "ε", Some(1.0), Fit::of(&points, Scale::Power)));
        let points: Vec<_> = used().map(|cell| cell.error.at(cell.queries.mean)).collect();
        lines.push(line("error", "queries of a class", Some(GOLDEN.ln()), Fit::of(&points, Scale::Decay)));
        let points: Vec<_> = used().map(|cell| cell.queries.at(1.0 / cell.epsilon)).collect();
        lines.push(line(
            "queries of a class",
            "1/ε",
            Some(-1.0 / GOLDEN.ln()),
            Fit::of(&points, Scale::Growth),
        ));
    }
    let finest = cells.iter().filter(|cell| cell.takes_part()).map(|cell| cell.epsilon).fold(1.0, f64::min);
    let used = cells.iter().filter(|cell| cell.epsilon <= finest && cell.takes_part());
    let pairs = |cell: &Cell| (cell.m - 1) as f64;
    let points: Vec<_> =
        used.map(|cell| Point { x: pairs(cell), y: cell.queries.mean * pairs(cell), error: 0.0 }).collect();
    let labels = json!({"epsilon": finest});
    let fit = Fit::of(&points, Scale::Power);
    lines.push(Line::new(Part::Elicitation, labels, "queries", "pairs, m − 1", Some(1.0), fit));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of each α is at most ε, or one step; an α affects both weights of its pair.
    #[test]
    fn beta_is_recovered_as_well_as_was_asked_for() {
        for m in [2, 4] {
            for (epsilon, [error, queries]) in PRECISIONS.into_iter().zip(one(3, m, 0).unwrap()) {
                let limit = 8.0 * epsilon + 100.0 / ROWS as f64;
                assert!(error < limit, "m = {m}, ε = {epsilon}: {error}");
                assert!(queries < 4.0 + 3.0 * (1.0 / epsilon).ln(), "m = {m}, ε = {epsilon}: {queries}");
            }
        }
    }
}
