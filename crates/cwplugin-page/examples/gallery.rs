//! Draws examples into a folder: `cargo run -p cwplugin-page --example gallery -- FOLDER`.
//!
//! The numbers are made up.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use cwplugin_page::draw::{Axis, Dot, DotPlot, LinePlot, PlotGrid, Point, Series};

const SIZES: [f64; 6] = [50.0, 100.0, 160.0, 250.0, 400.0, 800.0];
const METHODS: [&str; 14] = [
    "cwplugin",
    "largest probability",
    "temperature",
    "vector scaling",
    "Dirichlet",
    "logistic regression",
    "probing",
    "prior correction",
    "isotonic",
    "BCTS",
    "thresholds, one by one",
    "bagged",
    "random search",
    "majority class",
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args().nth(1).ok_or("usage: gallery FOLDER")?);
    fs::create_dir_all(&folder)?;
    for (name, svg) in pictures() {
        fs::write(folder.join(format!("{name}.svg")), svg)?;
    }
    fs::write(folder.join("page.html"), page())?;
    Ok(())
}

fn pictures() -> Vec<(&'static str, String)> {
    let far_off = Series::new("always class 1", SIZES.map(|x| Point::new(x, 0.12)).to_vec());
    let alone = |i: usize| Series::new(METHODS[i], vec![curve(i, 0, 250.0)]);
    vec![
        ("three", plot("macro-F1", 3, 0).to_svg()),
        ("eight", plot("macro-F1", 8, 1).to_svg()),
        ("fourteen", plot("macro-F1", 14, 2).to_svg()),
        ("legend", plot("macro-F1", 14, 2).size(560, 330).to_svg()),
        ("grid-three", grid(3).to_svg()),
        ("grid-fourteen", grid(14).to_svg()),
        ("grid-row", grid(5).columns(5).size(1200, 150).to_svg()),
        ("far-off", plot("macro-F1", 4, 0).series(far_off.clone()).to_svg()),
        ("central", axes("macro-F1", Axis::linear("macro-F1").central(), 4, 0).series(far_off).to_svg()),
        ("one-size", (0..8).fold(bare("One sample size"), |plot, i| plot.series(alone(i))).to_svg()),
        ("one-point", bare("One point").series(alone(0)).to_svg()),
        ("empty", bare("Nothing to show").to_svg()),
        ("timing", timing().to_svg()),
        ("sweep", sweep(2).to_svg()),
        ("sweep-small", sweep(2).unnamed().size(260, 170).to_svg()),
        ("sweep-grid", (0..4).fold(PlotGrid::new("Four classes"), |g, k| g.plot(sweep(k))).to_svg()),
        ("dots", before_and_after().to_svg()),
        ("dots-narrow", before_and_after().width(330).to_svg()),
        ("dots-plain", plain().to_svg()),
        ("dots-many", weights(60).to_svg()),
        ("dots-empty", DotPlot::new("Nothing to show").series("unadjusted").to_svg()),
    ]
}

/// Plots in a page: one style sheet, and scrolling boxes for narrow screens.
fn page() -> String {
    let mut pictures =
        vec![before_and_after().to_inline_svg(), before_and_after().width(330).to_inline_svg()];
    pictures.extend((0..4).map(|k| sweep(k).unnamed().size(260, 170).to_inline_svg()));
    pictures.extend([sweep(0).to_inline_svg(), weights(8).to_inline_svg(), grid(3).to_inline_svg()]);
    let figures = pictures.join("</figure>\n<figure>");
    format!(
        r#"<!doctype html><html lang="en"><meta charset="utf-8"><title>Plots in a page</title>
<meta name="viewport" content="width=device-width"><style>{}
:root{{color-scheme:light dark}}body{{margin:16px;background:#fff}}figure{{display:inline-block;margin:0;max-width:100%;overflow-x:auto}}
@media screen and (prefers-color-scheme:dark){{body{{background:#0d1117}}}}
</style>
<figure>{figures}</figure></html>
"#,
        cwplugin_page::draw::style()
    )
}

/// A learning curve with a band that shrinks with the number of rows.
fn curve(method: usize, seed: usize, x: f64) -> Point {
    let wobble = ((method * 7 + seed * 5) as f64 + x.ln() * 2.3).sin();
    let level = 0.64 - 0.012 * method as f64 + 0.01 * ((method * 3 + seed) as f64).sin();
    let y = level - (0.9 + 0.25 * method as f64) / x.powf(0.75) + 0.25 * wobble / x.powf(0.8);
    let half = 0.22 / x.sqrt();
    Point { x, y, low: y - half, high: y + half }
}

fn bare(title: &str) -> LinePlot {
    LinePlot::new(title).x_axis(Axis::log("labelled rows")).y_axis(Axis::linear("macro-F1 on the test rows"))
}

fn axes(title: &str, y: Axis, methods: usize, seed: usize) -> LinePlot {
    let lines = METHODS[..methods].iter().enumerate();
    lines
        .map(|(i, name)| Series::new(*name, SIZES.map(|x| curve(i, seed, x)).to_vec()))
        .fold(bare(title).y_axis(y), LinePlot::series)
        .emphasise("cwplugin")
        .note("Means of 20 samples; band: 95% CI. Made-up numbers.")
}

fn plot(title: &str, methods: usize, seed: usize) -> LinePlot {
    axes(title, Axis::linear("macro-F1 on the test rows"), methods, seed)
}

fn grid(methods: usize) -> PlotGrid {
    ["accuracy", "macro-F1", "balanced accuracy", "MCC", "geometric mean"]
        .iter()
        .enumerate()
        .fold(PlotGrid::new("AG News, 4 classes"), |grid, (seed, metric)| {
            grid.plot(axes(metric, Axis::linear("score on the test rows"), methods, seed))
        })
}

/// Both axes logarithmic, many x values.
fn timing() -> LinePlot {
    let line = |name: &str, per_row: f64, fixed: f64| {
        let points = (0..40).map(|i| 10f64.powf(2.0 + f64::from(i) * 0.1));
        Series::new(name, points.map(|x| Point::new(x, fixed + per_row * x)).collect())
    };
    LinePlot::new("Time to fit")
        .x_axis(Axis::log("rows"))
        .y_axis(Axis::log("seconds"))
        .series(line("cwplugin", 2e-8, 2e-5))
        .series(line("a search over a grid", 3e-6, 4e-3))
}

/// A metric against α: a step function with a plateau.
fn sweep(class: usize) -> LinePlot {
    let height = |i: u32| {
        let alpha = f64::from(i) / 40.0;
        let best = 0.3 + 0.1 * class as f64;
        let step = ((alpha - best).abs() * 40.0 - 3.0).max(0.0);
        Point::new(alpha, 0.62 - 0.0004 * step.powi(2) - 0.004 * (step * 1.7).sin().abs())
    };
    let best = 0.3 + 0.1 * class as f64;
    LinePlot::new(format!("class {class} against class 4"))
        .x_axis(Axis::linear("α"))
        .y_axis(Axis::linear("macro-F1"))
        .series(Series::new("macro-F1", (0..=40).map(height).collect()).steps())
        .shade(best - 0.075, best + 0.1, "equally good")
        .marker(best + 0.0125, 0.62, "chosen")
}

fn before_and_after() -> DotPlot {
    let dot = |value: f64, half: f64| Dot { value, low: value - half, high: value + half };
    [
        ("accuracy", 0.71, 0.705),
        ("macro-F1", 0.48, 0.61),
        ("balanced accuracy", 0.52, 0.66),
        ("MCC", 0.44, 0.57),
    ]
    .iter()
    .fold(DotPlot::new("Before and after"), |plot, &(name, a, b)| {
        plot.row(name, vec![dot(a, 0.02), dot(b, 0.025)])
    })
    .row(
        "recall of the class with a very, very long name that nobody can read",
        vec![dot(0.2, 0.05), dot(0.55, 0.06)],
    )
    .row("only before", vec![dot(0.3, 0.03)])
    .row("only after", vec![Dot::missing(), dot(0.35, 0.03)])
    .x_axis(Axis::linear("on 800 rows held out"))
    .series("unadjusted")
    .series("fitted")
    .note("Bars: 95% CI. Made-up numbers.")
}

/// Without intervals, without a legend, a cost below 0.
fn plain() -> DotPlot {
    DotPlot::new("Cost per 1000 rows")
        .x_axis(Axis::linear("cost"))
        .row("unadjusted", vec![Dot::new(-120.0)])
        .row("fitted", vec![Dot::new(-64.0)])
        .row("another method", vec![Dot::new(-66.0)])
        .rule(-100.0, "target")
}

fn weights(classes: usize) -> DotPlot {
    let weight = |k: usize| 10f64.powf(-1.5 + 0.9 * (k as f64 * 1.3).sin());
    (0..classes)
        .fold(DotPlot::new("Weights"), |plot, k| {
            let moved = if k == 3 { 0.0 } else { weight(k) * (1.0 + 0.4 * (k as f64).cos()) };
            plot.row(format!("class {k}"), vec![Dot::new(weight(k)), Dot::new(moved)])
        })
        .x_axis(Axis::log("weight"))
        .series("pairs")
        .series("ascent")
        .rule(1.0 / classes as f64, "unadjusted")
}
