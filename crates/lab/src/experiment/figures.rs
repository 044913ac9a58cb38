//! Figures of a task, one per metric: all methods against the number of labelled rows, with mean and standard deviation.
//!
//! They are drawn from the result file, so that results added to it later, such as those of methods outside the library, appear.

use std::path::Path;

use cwplugin::METHODS;
use cwplugin_cli::{Screen, UserError, write_file};
use cwplugin_page::draw::{Axis, LinePlot, PlotGrid, Point, Series};
use serde_json::Value;

use super::theory;
use crate::args::Figures;

/// The unadjusted black box is a line of both plots.
const CLEAN: &str = "clean";

/// The methods of the paper: they have their own plot, because all lines in one cannot be told apart. The order sets their
/// colours: that of the unadjusted black box differs from those of the first methods of the other plot.
const OF_PAPER: [&str; 8] = [
    "cwplugin:published",
    "logistic",
    "probing",
    "vector",
    "dirichlet-diag",
    "dirichlet-full",
    CLEAN,
    "finetune",
];

/// `lab figures`: the figures of all result files in a folder.
pub(crate) fn run(args: &Figures, screen: &Screen) -> anyhow::Result<()> {
    let folder = args.results.display();
    let hint = "name a folder with the results of `lab experiment`";
    let unreadable =
        |error: std::io::Error| UserError::new(format!("{folder}: cannot be read ({error})")).hint(hint);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(&args.results).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.retain(|path| path.file_stem().is_some_and(|name| name != theory::NAME));
    paths.sort();
    for path in &paths {
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let document: Value = serde_json::from_str(&text).map_err(|error| {
            UserError::new(format!("{}: not a result file ({error})", path.display())).hint(hint)
        })?;
        write(&args.results, &document)?;
    }
    screen.note(format_args!("wrote the figures of {} result files to {folder}", paths.len()));
    Ok(())
}

/// Writes `TASK-METRIC.svg` for every metric of a result.
pub(super) fn write(folder: &Path, document: &Value) -> anyhow::Result<()> {
    let task = document["task"].as_str().unwrap_or_default();
    for metric in names(&document["metrics"]) {
        let figure = figure(document, metric);
        write_file(&folder.join(format!("{task}-{metric}.svg")), figure.as_bytes())?;
    }
    Ok(())
}

/// One figure: the methods of the paper in one plot, the others beside it, on the same axes.
fn figure(document: &Value, metric: &str) -> String {
    let lines = lines(document, metric);
    let ends = lines.iter().flat_map(|(_, points)| points.iter().flat_map(|point| [point.low, point.high]));
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), end| (low.min(end), high.max(end)));
    let margin = 0.04 * (high - low);
    let title = document["title"].as_str().unwrap_or_default();
    let mut grid = PlotGrid::new(format!("{title}: {metric}"))
        .columns(2)
        .size(1000, 330)
        .note("Lines: mean over the draws of S; bands: one standard deviation.");
    for (heading, emphasised, is_of_paper) in
        [("methods of the paper", OF_PAPER[0], true), ("other methods", "auto", false)]
    {
        let mut y = Axis::linear(format!("{metric} on the test rows"));
        if low < high {
            y = y.range(low - margin, high + margin);
        }
        let mut plot =
            LinePlot::new(heading).x_axis(Axis::log("labelled rows")).y_axis(y).emphasise(emphasised);
        for (name, points) in &lines {
            if *name == CLEAN || OF_PAPER.contains(name) == is_of_paper {
                plot = plot.series(Series::new(*name, points.clone()).look(look(name)));
            }
        }
        grid = grid.plot(plot);
    }
    grid.to_svg()
}

/// A method looks the same in the figures of all tasks, whichever other methods they have.
fn look(name: &str) -> usize {
    let others = METHODS.iter().map(|method| method.name).filter(|name| !OF_PAPER.contains(name));
    let of_paper = OF_PAPER.iter().position(|of_paper| *of_paper == name);
    of_paper.unwrap_or_else(|| OF_PAPER.len() + others.take_while(|other| *other != name).count())
}

/// A line for each method that has a score, in the order of the file.
fn lines<'a>(document: &'a Value, metric: &str) -> Vec<(&'a str, Vec<Point>)> {
    let cells = || document["cells"].as_array().into_iter().flatten().filter(|cell| cell["metric"] == metric);
    let mut methods: Vec<&str> = names(&document["methods"]).collect();
    for name in cells().filter_map(|cell| cell["method"].as_str()) {
        if !methods.contains(&name) {
            methods.push(name);
        }
    }
    let line = |method: &'a str| {
        let points = cells().filter(|cell| cell["method"] == method).filter_map(|cell| {
            let (x, y) = (cell["size"].as_f64()?, cell["mean"].as_f64()?);
            let sd = cell["sd"].as_f64().unwrap_or(0.0);
            Some(Point { x, y, low: y - sd, high: y + sd })
        });
        (method, points.collect::<Vec<_>>())
    };
    methods.into_iter().map(line).filter(|(_, points)| !points.is_empty()).collect()
}

fn names(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_figure_has_every_method_also_one_that_has_few_sizes_or_was_added_later() {
        let cell = |method: &str, size: u32, mean: f64| json!({"method": method, "metric": "mcc", "size": size, "mean": mean, "sd": 0.1});
        let cells = vec![
            cell("clean", 50, 0.5),
            cell("clean", 100, 0.5),
            cell("auto", 50, 0.6),
            cell("auto", 100, 0.7),
            cell("finetune", 100, 0.65),
            json!({"method": "vector", "metric": "mcc", "size": 50, "mean": null, "sd": null}),
        ];
        let document = json!({"title": "Tweets", "methods": ["auto", "clean", "vector"], "cells": cells});
        let found = lines(&document, "mcc");
        let sizes = |points: &Vec<Point>| points.iter().map(|point| point.x).collect::<Vec<_>>();
        let found: Vec<_> = found.iter().map(|(name, points)| (*name, sizes(points))).collect();
        assert_eq!(
            found,
            [("auto", vec![50.0, 100.0]), ("clean", vec![50.0, 100.0]), ("finetune", vec![100.0])]
        );
        let looks: std::collections::BTreeSet<usize> =
            OF_PAPER.into_iter().chain(METHODS.iter().map(|method| method.name)).map(look).collect();
        assert_eq!(looks.len(), METHODS.len() + 1, "finetune is not among the methods of the library");
        let svg = figure(&document, "mcc");
        for text in ["Tweets: mcc", "methods of the paper", "other methods", "finetune", "auto", "clean"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(figure(&json!({"metrics": ["mcc"]}), "mcc").contains("no data"));
    }
}
