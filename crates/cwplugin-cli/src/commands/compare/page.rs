//! The results of a comparison as an HTML page.

use cwplugin_page::{ComparePage, MethodRow, MetricTable};

use super::pictures;
use super::results::Results;
use crate::commands::typed_command;

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
        results.methods.iter().enumerate().map(|(k, &method)| (results.n_best(k), method)).collect();
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
