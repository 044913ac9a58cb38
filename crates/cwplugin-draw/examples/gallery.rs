//! Draws a few pictures into a folder: `cargo run -p cwplugin-draw --example gallery -- FOLDER`.
//!
//! The numbers are made up; they only look like learning curves.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use cwplugin_draw::{Axis, LinePlot, PlotGrid, Point, Series};

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
    let folder = PathBuf::from(env::args().nth(1).ok_or("which folder? gallery FOLDER")?);
    fs::create_dir_all(&folder)?;
    for (name, svg) in pictures() {
        fs::write(folder.join(format!("{name}.svg")), svg)?;
    }
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
    ]
}

/// A learning curve: rises towards its own level, the more surely the more rows there are.
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
        .note("Means of 20 samples; band: 95 % interval. Made-up numbers.")
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
