//! The results of a comparison as text, JSON and CSV.

use std::fmt::Write as _;

use cwplugin::Cell;
use serde_json::{Value, json};

use crate::output::{Align, Screen, Style, count_of, plain_table};

/// Every cell of a comparison: by size, then metric, then method.
#[derive(Debug)]
pub struct Results {
    /// Name of the task.
    pub task: String,
    /// Names of the methods, in the order of the cells.
    pub methods: Vec<String>,
    /// Names of the metrics, in the order of the cells.
    pub metrics: Vec<String>,
    /// Labelled rows of a sample, ascending.
    pub sizes: Vec<usize>,
    /// Scores of every size, metric and method.
    pub cells: Vec<Cell>,
}

/// The rank of a cell among the methods of the same metric and size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rank {
    Best,
    /// Within one standard error of the best.
    AsGood,
    Below,
}

impl Results {
    /// The cells of one metric and one size, in the order of the methods.
    fn group(&self, metric: usize, size: usize) -> &[Cell] {
        let n = self.methods.len();
        let first = (size * self.metrics.len() + metric) * n;
        &self.cells[first..first + n]
    }

    /// The cells of one metric and one method, in the order of the sizes.
    pub(crate) fn line(&self, metric: usize, method: usize) -> impl Iterator<Item = &Cell> {
        (0..self.sizes.len()).map(move |size| &self.group(metric, size)[method])
    }

    /// One object per cell.
    pub fn json_cells(&self) -> Vec<Value> {
        let failure = |failure: &cwplugin::compare::Failure| json!({"repeat": failure.repeat, "error": failure.error.to_string()});
        let cell = |cell: &Cell| {
            let mut object = json!({
                "task": self.task, "method": cell.method, "metric": cell.metric, "size": cell.size,
                "mean": cell.mean(), "sd": cell.sd(), "test_error": cell.test_error(), "runs": cell.scores.len(), "scores": cell.scores,
            });
            if !cell.failures.is_empty() {
                object["failures"] = cell.failures.iter().map(failure).collect();
            }
            object
        };
        self.cells.iter().map(cell).collect()
    }

    /// One line per cell.
    pub(crate) fn csv(&self) -> anyhow::Result<Vec<u8>> {
        let number = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(["task", "method", "metric", "size", "mean", "sd", "test_error", "runs", "failed"])?;
        for cell in &self.cells {
            let numbers = [cell.mean(), cell.sd(), cell.test_error()].map(number);
            let counts = [cell.scores.len(), cell.failures.len()].map(|count| count.to_string());
            let names = [self.task.clone(), cell.method.clone(), cell.metric.clone(), cell.size.to_string()];
            csv.write_record(names.into_iter().chain(numbers).chain(counts))?;
        }
        Ok(csv.into_inner()?)
    }

    /// One table per metric: methods down, sizes across, mean ± standard deviation.
    pub fn text(&self) -> String {
        let titles: Vec<String> = self.sizes.iter().map(|size| format!("{size} rows")).collect();
        let mut columns = vec![("method", Align::Left)];
        columns.extend(titles.iter().map(|title| (title.as_str(), Align::Left)));
        let mut text = String::new();
        for (i, metric) in self.metrics.iter().enumerate() {
            let rows = self.methods.iter().enumerate().map(|(k, method)| {
                let cells = (0..self.sizes.len()).map(|size| self.painted(i, size, k));
                std::iter::once(method.clone()).chain(cells).collect()
            });
            let _ = write!(text, "\n  {metric}\n{}", plain_table(&columns, rows));
        }
        text + "\n  mean ± standard deviation; * best, ≈ within one standard error of the best\n"
    }

    /// Failed fits, one line per method.
    pub(crate) fn failures(&self) -> Vec<String> {
        let of_method = |method: &String| {
            let cells = self.cells.iter().filter(|cell| cell.method == *method);
            let failures: Vec<_> =
                cells.flat_map(|cell| cell.failures.iter().map(move |failure| (cell, failure))).collect();
            let (cell, failure) = failures.first()?;
            let (fits, Cell { size, metric, .. }) = (count_of(failures.len(), "fit"), cell);
            let error = &failure.error;
            Some(format!("{fits} of {method} failed, the first with {size} rows for {metric}: {error}"))
        };
        self.methods.iter().filter_map(of_method).collect()
    }

    /// Warns about failed fits.
    pub fn warn(&self, screen: &Screen) {
        for failure in self.failures() {
            screen.warn(failure);
        }
    }

    /// The text of a cell; the best is bold.
    fn painted(&self, metric: usize, size: usize, method: usize) -> String {
        let (_, text) = self.shown(metric, size, method);
        if text.ends_with('*') { Style::Best.paint(&text) } else { text }
    }

    /// The mean of a cell, and its text.
    pub(crate) fn shown(&self, metric: usize, size: usize, method: usize) -> (Option<f64>, String) {
        let group = self.group(metric, size);
        let cell = &group[method];
        let Some(mean) = cell.mean() else { return (None, "failed".into()) };
        let spread = cell.sd().map_or_else(String::new, |sd| format!(" ± {sd:.4}"));
        let mark = match rank(group, method) {
            Rank::Best => " *",
            Rank::AsGood => " ≈",
            Rank::Below => "",
        };
        (Some(mean), format!("{mean:.4}{spread}{mark}"))
    }

    /// For how many combinations of metric and size the method is best.
    pub(crate) fn n_best(&self, method: usize) -> usize {
        let cells =
            (0..self.metrics.len()).flat_map(|metric| (0..self.sizes.len()).map(move |size| (metric, size)));
        cells.filter(|&(metric, size)| rank(self.group(metric, size), method) == Rank::Best).count()
    }
}

fn rank(group: &[Cell], method: usize) -> Rank {
    let means = || group.iter().enumerate().filter_map(|(k, cell)| cell.mean().map(|mean| (k, mean)));
    let best = means().max_by(|(_, a), (_, b)| a.total_cmp(b));
    let (Some((best, top)), Some(mean)) = (best, group[method].mean()) else { return Rank::Below };
    if mean >= top {
        return Rank::Best;
    }
    if top - mean <= group[best].standard_error().unwrap_or(0.0) { Rank::AsGood } else { Rank::Below }
}
