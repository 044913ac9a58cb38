//! What came out of a comparison, as a page.

use cwplugin_page::{ComparePage, MethodRow, MetricTable};

use super::pictures;
use super::results::Results;
use crate::commands::typed_command;

/// The page; `head` says how much was compared.
pub(super) fn page(results: &Results, head: &str) -> String {
    let about = [
        format!("{head}."),
        "Every sample is fitted by every method, and scored on the same test rows; the mean is over the samples of a size, and so is the standard deviation.".into(),
        "Which method suits other rows of the same kind is told by differences that are large beside the standard deviations.".into(),
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

/// How often each method is the best, the most often first.
fn lead(results: &Results) -> String {
    let cells = results.metrics.len() * results.sizes.len();
    let mut wins: Vec<(usize, &str)> =
        results.methods.iter().enumerate().map(|(k, &method)| (results.n_best(k), method)).collect();
    wins.sort_by_key(|&(wins, _)| std::cmp::Reverse(wins));
    let told =
        wins.iter().filter(|(wins, _)| *wins > 0).take(3).map(|(wins, method)| format!("{method} {wins}"));
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        return "No fit succeeded.".into();
    }
    format!("Most often best, of {cells} cells of a metric and a size: {}.", told.join(", "))
}

fn table(results: &Results, metric: usize) -> MetricTable {
    let row = |(k, method): (usize, &&str)| {
        let cells = (0..results.sizes.len()).map(|size| results.shown(metric, size, k));
        MethodRow { method: (*method).to_string(), cells: cells.collect() }
    };
    MetricTable {
        name: results.metrics[metric].clone(),
        picture: pictures::plot(results, metric),
        rows: results.methods.iter().enumerate().map(row).collect(),
    }
}
