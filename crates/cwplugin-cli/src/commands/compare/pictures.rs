//! The results of a comparison as plots, the metric against the sample size, and as an HTML page.

use std::path::Path;

use cwplugin_page::draw::{Axis, LinePlot, Point, Series};
use cwplugin_page::{ComparePage, MethodRow, MetricTable};

use super::results::Results;
use crate::atomic::write_file;
use crate::commands::typed_command;

/// The first of these methods that was compared is emphasised.
const EMPHASISED: [&str; 2] = ["auto", "cwplugin"];

/// Writes one plot per metric.
pub(super) fn write_plots(folder: &Path, results: &Results) -> anyhow::Result<()> {
    for (i, name) in file_names(&results.metrics).into_iter().enumerate() {
        write_file(&folder.join(format!("{name}.svg")), plot(results, i).to_svg().as_bytes())?;
    }
    Ok(())
}

/// One metric against the sample size: one line per method, with a band of one standard deviation.
fn plot(results: &Results, metric: usize) -> LinePlot {
    let name = &results.metrics[metric];
    let emphasised = EMPHASISED.into_iter().find(|name| results.methods.iter().any(|method| method == name));
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
        plot = plot.series(Series::new(method.as_str(), points.collect()));
    }
    plot
}

/// The page; `head` describes the samples.
pub(super) fn page(results: &Results, head: &str) -> String {
    let about = [
        format!("{head}."),
        "Every method is fitted on every sample and scored on the same test rows. Mean and standard deviation are over the samples of a size.".into(),
        "Only differences that are large compared with the standard deviations carry over to other rows.".into(),
    ];
    ComparePage {
        title: format!("methods on {}", results.task),
        lead: lead(results),
        about: about.to_vec(),
        failures: results.failures(),
        sizes: results.sizes.clone(),
        metrics: (0..results.metrics.len()).map(|metric| table(results, metric)).collect(),
        command: typed_command(),
    }
    .to_html()
}

/// How often each method is best, in descending order.
fn lead(results: &Results) -> String {
    let cells = results.metrics.len() * results.sizes.len();
    let mut wins: Vec<(usize, &str)> =
        results.methods.iter().enumerate().map(|(k, method)| (results.n_best(k), method.as_str())).collect();
    wins.sort_by_key(|&(wins, _)| std::cmp::Reverse(wins));
    let leaders =
        wins.iter().filter(|(wins, _)| *wins > 0).take(3).map(|(wins, method)| format!("{method} {wins}"));
    let leaders: Vec<String> = leaders.collect();
    if leaders.is_empty() {
        return "No fit succeeded.".into();
    }
    format!("Most often best, of {cells} combinations of metric and size: {}.", leaders.join(", "))
}

fn table(results: &Results, metric: usize) -> MetricTable {
    let row = |(k, method): (usize, &String)| {
        let cells = (0..results.sizes.len()).map(|size| results.shown(metric, size, k));
        MethodRow { method: method.clone(), cells: cells.collect() }
    };
    MetricTable {
        name: results.metrics[metric].clone(),
        picture: plot(results, metric),
        rows: results.methods.iter().enumerate().map(row).collect(),
    }
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
