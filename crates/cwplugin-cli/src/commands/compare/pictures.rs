//! The results of a comparison as plots: the metric against the sample size.

use std::fs;
use std::path::{Path, PathBuf};

use cwplugin_page::draw::{Axis, LinePlot, PlotGrid, Point, Series};

use super::results::Results;
use crate::atomic::write_file;
use crate::user_error::UserError;

/// The first of these methods that was compared is emphasised.
const EMPHASISED: [&str; 2] = ["auto", "cwplugin"];

/// The folder of the plots.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Creates the folder if it is missing; a bad path fails before the work.
    pub(super) fn create(path: &Path) -> Result<Self, UserError> {
        fs::create_dir_all(path).map_err(|error| {
            UserError::new(format!("{}: the folder cannot be created ({error})", path.display()))
                .hint("--plot needs a folder")
        })?;
        Ok(Self(path.to_path_buf()))
    }

    /// Writes one plot per metric.
    pub(super) fn write(&self, results: &Results) -> anyhow::Result<()> {
        for (i, name) in file_names(&results.metrics).into_iter().enumerate() {
            let path = self.0.join(format!("{name}.svg"));
            write_file(&path, plot(results, i).to_svg().as_bytes())?;
        }
        Ok(())
    }
}

/// All metrics in one plot.
pub fn grid(results: &Results, title: &str) -> String {
    let plots = (0..results.metrics.len()).map(|metric| plot(results, metric));
    plots.fold(PlotGrid::new(title), PlotGrid::plot).to_svg()
}

/// One metric against the sample size: one line per method, with a band of one standard deviation.
pub(super) fn plot(results: &Results, metric: usize) -> LinePlot {
    let name = &results.metrics[metric];
    let emphasised = EMPHASISED.into_iter().find(|name| results.methods.contains(name));
    let mut plot = LinePlot::new(name)
        .x_axis(Axis::log("labelled rows"))
        .y_axis(Axis::linear(format!("{name} on the test rows")))
        .emphasise(emphasised.unwrap_or_default())
        .description(format!("{name} on the test rows of {} against the sample size", results.task));
    for (k, method) in results.methods.iter().enumerate() {
        let points = results.line(metric, k).filter_map(|cell| {
            let (mean, sd) = (cell.mean()?, cell.sd().unwrap_or(0.0));
            Some(Point { x: cell.size as f64, y: mean, low: mean - sd, high: mean + sd })
        });
        plot = plot.series(Series::new(*method, points.collect()));
    }
    plot
}

/// Unique file names for metrics, without special characters, as in `cost:a/b.csv`.
fn file_names<S: AsRef<str>>(metrics: &[S]) -> Vec<String> {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let mut names: Vec<String> = Vec::new();
    for metric in metrics {
        let name: String = metric.as_ref().chars().take(50).map(plain).collect();
        let numbered = (2..).map(|k| format!("{name}-{k}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name));
        names.extend(free);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::file_names;

    #[test]
    fn every_metric_has_a_file_of_its_own() {
        let found = file_names(&["cost:a/b.csv", "expr:n+m", "expr:n*m", "expr:n-m", "expr:n+m-2"]);
        assert_eq!(found, ["cost-a-b.csv", "expr-n-m", "expr-n-m-2", "expr-n-m-3", "expr-n-m-2-2"]);
        assert!(file_names(&["é".repeat(4000)])[0].len() <= 100);
    }
}
