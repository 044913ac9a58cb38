//! Plots of the three parts: points with their errors, the fitted lines, and the lines of the theory.

use cwplugin::Method;
use cwplugin_page::draw::{Axis, LinePlot, PlotGrid, Point, Series};
use serde_json::json;

use super::evaluations::{Balance, Kind, MANY_CLASSES, USUAL};
use super::finite_sample::{Regime, Varies};
use super::slope::{Drawn, Fit};
use super::{Line, elicitation, evaluations, finite_sample};

/// Line styles: dashes and dots.
const DASHES: usize = 13;
const DOTS: usize = 20;

const ELICITED: &str = "theory: slope 1, and 0.618 a query";
const BOUND: &str = "the bound's shape";
const BARS: &str =
    "Means over the draws, with one standard error. Solid: the line fitted to the points that take part.";

/// Points, and the line fitted to them.
fn measured(name: &str, look: usize, points: &[(f64, Drawn)], fit: Option<Fit>) -> Vec<Series> {
    let bar = |(x, mean): &(f64, Drawn)| {
        let (low, high) = (mean.mean - mean.error, mean.mean + mean.error);
        Point { x: *x, y: mean.mean, low, high }
    };
    let mut series = vec![Series::new(name, points.iter().map(bar).collect()).markers_only().look(look)];
    if let Some(fit) = fit {
        let covered = points.iter().filter(|(x, _)| fit.covers(*x));
        let line = covered.map(|&(x, _)| Point::new(x, fit.at(x))).collect();
        series.push(Series::new(name, line).line_only().look(look));
    }
    series
}

/// A law through a point: `y` at the first x, and from there with a power.
fn power(name: &str, look: usize, xs: &[f64], y: f64, power: f64) -> Series {
    let first = xs.first().copied().unwrap_or(1.0);
    let points = xs.iter().map(|&x| Point::new(x, y * (x / first).powf(power))).collect();
    Series::new(name, points).line_only().look(look)
}

fn with(plot: LinePlot, series: Vec<Series>) -> LinePlot {
    series.into_iter().fold(plot, LinePlot::series)
}

/// The slopes of fitted lines as text: `Slopes against n: −0.32 ± 0.02 (m = 2), …`.
fn slopes(against: &str, fits: &[(String, Fit)]) -> String {
    let slope = |(name, fit): &(String, Fit)| format!("{} ({name})", fit.words());
    let all: Vec<String> = fits.iter().map(slope).collect();
    if all.is_empty() { String::new() } else { format!("Slopes {against}: {}.", all.join(", ")) }
}

/// Sorted, each once.
fn distinct(xs: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut xs: Vec<f64> = xs.collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup_by(|a, b| a.total_cmp(b).is_eq());
    xs
}

fn fit_of(lines: &[Line], of: &str, against: &str, labels: &serde_json::Value) -> Option<Fit> {
    lines.iter().find(|line| line.is(of, against, labels)).and_then(|line| line.fit)
}

pub(super) fn elicitation(cells: &[elicitation::Cell], lines: &[Line]) -> String {
    let error = || Axis::log("‖β − w‖₁");
    let mut by_precision =
        LinePlot::new("Error against the precision").x_axis(Axis::log("ε")).y_axis(error());
    let mut by_queries =
        LinePlot::new("Error against the queries").x_axis(Axis::linear("queries of a class")).y_axis(error());
    let mut fits = [Vec::new(), Vec::new()];
    for (look, m) in elicitation::CLASSES.into_iter().enumerate() {
        let name = format!("m = {m}");
        for (fits, against) in fits.iter_mut().zip(["ε", "queries of a class"]) {
            fits.extend(fit_of(lines, "error", against, &json!({"m": m})).map(|fit| (name.clone(), fit)));
        }
        let points = |x: fn(&elicitation::Cell) -> f64| -> Vec<_> {
            cells.iter().filter(|cell| cell.m == m).map(|cell| (x(cell), cell.error)).collect()
        };
        let fit = |against| fit_of(lines, "error", against, &json!({"m": m}));
        by_precision = with(by_precision, measured(&name, look, &points(|cell| cell.epsilon), fit("ε")));
        let fit = fit("queries of a class");
        by_queries = with(by_queries, measured(&name, look, &points(|cell| cell.queries.mean), fit));
    }
    let xs = distinct(cells.iter().map(|cell| cell.epsilon));
    let highest = |x: f64| {
        cells.iter().filter(|cell| cell.epsilon <= x).map(|cell| cell.error.mean).fold(0.0, f64::max)
    };
    let from = xs.first().copied().unwrap_or(1.0);
    by_precision = by_precision.series(power(ELICITED, DASHES, &xs, 2.0 * highest(from), 1.0));
    let queries = distinct(cells.iter().map(|cell| cell.queries.mean));
    let top = 2.0 * cells.iter().map(|cell| cell.error.mean).fold(0.0, f64::max);
    let first = queries.first().copied().unwrap_or(0.0);
    let decay = |&x: &f64| Point::new(x, top * elicitation::GOLDEN.powf(x - first));
    let law = Series::new(ELICITED, queries.iter().map(decay).collect()).line_only().look(DASHES);
    by_queries = by_queries.series(law).note(slopes("of the logarithm against the queries", &fits[1]));
    by_precision = by_precision.note(slopes("against ε", &fits[0]));
    PlotGrid::new("Elicitation recovers β")
        .plot(by_precision)
        .plot(by_queries)
        .size(900, 300)
        .note(BARS)
        .to_svg()
}

pub(super) fn finite_sample(cells: &[finite_sample::Cell], lines: &[Line], methods: &[&Method]) -> String {
    let cells: Vec<_> = cells.iter().filter(|cell| cell.series.varies == Varies::Classes).collect();
    let xs = distinct(cells.iter().map(|cell| cell.n as f64));
    let top = cells.iter().map(|cell| cell.error.mean).fold(0.0, f64::max);
    let mut grid = PlotGrid::new("The error of a finite sample").size(900, 340).columns(2).note(BARS);
    for method in methods {
        let mut plot =
            LinePlot::new(method.name).x_axis(Axis::log("labelled rows, n")).y_axis(Axis::log("‖β − w‖₁"));
        let mut fits = Vec::new();
        for (look, m) in finite_sample::CLASSES.into_iter().enumerate() {
            let name = format!("m = {m}");
            let of = |cell: &&&finite_sample::Cell| cell.method == method.name && cell.series.m() == m;
            let points: Vec<_> = cells.iter().filter(of).map(|cell| (cell.n as f64, cell.error)).collect();
            for (i, regime) in [Regime::All, Regime::Below, Regime::From].into_iter().enumerate() {
                let labels = json!({"method": method.name, "regime": regime.words(), "m": m});
                let fit = fit_of(lines, "error", "n", &labels);
                let regime =
                    if regime == Regime::All { String::new() } else { format!(", {}", regime.words()) };
                fits.extend(fit.map(|fit| (format!("{name}{regime}"), fit)));
                let series = measured(&name, look, &points, fit);
                // The points once, and the lines of all ranges.
                plot = with(plot, series.into_iter().skip(usize::from(i > 0)).collect());
            }
        }
        plot = plot.series(power("slope −1/2, the bound", DASHES, &xs, 1.3 * top, -0.5));
        plot = plot.series(power("slope −1/3", DOTS, &xs, 1.3 * top, -1.0 / 3.0));
        grid = grid.plot(plot.note(slopes(&format!("of {}", method.name), &fits)));
    }
    grid.to_svg()
}

pub(super) fn constants(cells: &[finite_sample::Cell], lines: &[Line], methods: &[&Method]) -> String {
    let axis = || Axis::log("‖β − w‖₁");
    let mut by_classes =
        LinePlot::new("Error against the number of classes").x_axis(Axis::log("m")).y_axis(axis());
    let mut by_rho = LinePlot::new("Error against ρ").x_axis(Axis::log("1 − ρ")).y_axis(axis());
    let (mut look, mut shown, mut fits) = (0, [Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for method in methods {
        for regime in [Regime::All, Regime::Below, Regime::From] {
            let labels = json!({"method": method.name, "regime": regime.words()});
            let of = |against: &str| lines.iter().find(|line| line.is("error", against, &labels));
            let Some(n) = of("m").and_then(|line| line.labels["n"].as_u64()) else { continue };
            let name = format!("{}, n = {n}", method.name);
            let points = |varies: Varies, n: u64, x: fn(&finite_sample::Cell) -> f64| -> Vec<_> {
                let used = |cell: &&finite_sample::Cell| {
                    cell.method == method.name && cell.series.varies == varies && cell.n as u64 == n
                };
                cells.iter().filter(used).map(|cell| (x(cell), cell.error)).collect()
            };
            let found = points(Varies::Classes, n, |cell| cell.series.m() as f64);
            shown[0].extend(&found);
            for (fits, against) in fits.iter_mut().zip(["m", "1 − ρ"]) {
                fits.extend(of(against).and_then(|line| line.fit).map(|fit| (name.clone(), fit)));
            }
            by_classes = with(by_classes, measured(&name, look, &found, of("m").and_then(|line| line.fit)));
            let n = of("1 − ρ").and_then(|line| line.labels["n"].as_u64()).unwrap_or(n);
            let found = points(Varies::Rho, n, |cell| 1.0 - cell.series.rho);
            shown[1].extend(&found);
            // No line: the error is not a power of 1 − ρ, so a line would mislead.
            by_rho = with(by_rho, measured(&name, look, &found, None));
            look += 1;
        }
    }
    // The constant of the bound is unknown: its shape is drawn a little above the points.
    let xs = distinct(shown[0].iter().map(|(x, _)| *x));
    let top = |points: &[(f64, Drawn)]| points.iter().map(|(_, error)| 1.5 * error.mean).fold(0.0, f64::max);
    by_classes = by_classes.series(power(BOUND, DASHES, &xs, top(&shown[0]), 1.0));
    let xs = distinct(shown[1].iter().map(|(x, _)| *x));
    let rise = xs.first().zip(xs.last()).map_or(1.0, |(first, last)| (last / first).powi(2));
    by_rho = by_rho.series(power(BOUND, DASHES, &xs, top(&shown[1]) * rise, -2.0));
    PlotGrid::new("The error, the number of classes, and ρ")
        .plot(by_classes.note(slopes("against m", &fits[0])))
        .plot(by_rho.note(slopes("against 1 − ρ", &fits[1])))
        .size(900, 300)
        .note(BARS)
        .to_svg()
}

pub(super) fn evaluations(cells: &[evaluations::Cell], lines: &[Line]) -> String {
    let mut by_steps = LinePlot::new("Evaluations of a pair, balanced")
        .x_axis(Axis::log("1/ε"))
        .y_axis(Axis::log("evaluations"));
    let mut fits = Vec::new();
    // The exact search has no ε.
    for (look, kind) in [Kind::Grid, Kind::Binary].into_iter().enumerate() {
        let used = cells.iter().filter(|cell| cell.kind == kind && cell.balance == Balance::Balanced);
        let used = used.filter(|cell| (cell.place.m, cell.place.n) == (USUAL.m, USUAL.n));
        let points: Vec<_> = used.map(|cell| (cell.place.steps as f64, cell.evaluations)).collect();
        let labels = json!({"search": kind.name(), "balance": Balance::Balanced.name()});
        let fit = fit_of(lines, "evaluations of a pair", "1/ε", &labels);
        fits.extend(fit.map(|fit| (kind.name().to_string(), fit)));
        by_steps = with(by_steps, measured(kind.name(), look, &points, fit));
    }
    by_steps = by_steps.note(slopes("of evaluations against 1/ε", &fits));
    let mut grid =
        PlotGrid::new("Evaluations of the metric").plot(by_steps).size(900, 280).columns(3).note(BARS);
    for balance in Balance::ALL {
        let title = format!("Evaluations × rows, {}", balance.name());
        let mut plot = LinePlot::new(title)
            .x_axis(Axis::log("pairs, m − 1"))
            .y_axis(Axis::log("evaluations × rows / n"));
        let (mut laws, mut fits) = (Vec::new(), Vec::new());
        for (look, kind) in Kind::ALL.into_iter().enumerate() {
            let used = cells.iter().filter(|cell| cell.kind == kind && cell.balance == balance);
            let used = used.filter(|cell| (cell.place.steps, cell.place.n) == (USUAL.steps, USUAL.n));
            let points: Vec<_> = used
                .map(|cell| {
                    let n = cell.place.n as f64;
                    let Drawn { mean, error, largest, draws } = cell.work;
                    let scaled = Drawn { mean: mean / n, error: error / n, largest: largest / n, draws };
                    ((cell.place.m - 1) as f64, scaled)
                })
                .collect();
            plot = with(plot, measured(kind.name(), look, &points, None));
            let labels = json!({"search": kind.name(), "balance": balance.name()});
            let fit = fit_of(lines, "evaluations × rows", "pairs, m − 1", &labels);
            fits.extend(fit.map(|fit| (kind.name().to_string(), fit)));
            let many: Vec<_> = points.iter().filter(|(x, _)| *x + 1.0 >= MANY_CLASSES as f64).collect();
            let xs = distinct(many.iter().map(|(x, _)| *x));
            let first = many.first().map_or(1.0, |(_, mean)| mean.mean);
            let law = if balance == Balance::Lopsided { 1.0 } else { 0.0 };
            if kind != Kind::Exact {
                laws.push(power("the paper's exponent", DASHES, &xs, first, law));
            }
        }
        let about = format!("against m − 1, {}, from {MANY_CLASSES} classes", balance.name());
        grid = grid.plot(with(plot, laws).note(slopes(&about, &fits)));
    }
    grid.to_svg()
}
