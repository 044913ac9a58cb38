//! Laws for any input.

use cwplugin_page::draw::{Axis, Dot, DotPlot, LinePlot, PlotGrid, Point, Series};
use proptest::prelude::*;
use roxmltree::{Document, Node};

use crate::{attribute, texts};

/// Numbers of all kinds.
fn odd() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -10.0..1000.0f64,
        1 => any::<f64>(),
        1 => prop::sample::select(vec![0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, f64::MIN, f64::MAX, 5e-324, 1e300]),
    ]
}

fn odd_axis() -> impl Strategy<Value = Axis> {
    (any::<bool>(), ".{0,30}", 0..3, odd(), odd()).prop_map(|(log, label, kind, low, high)| {
        let axis = if log { Axis::log(label) } else { Axis::linear(label) };
        match kind {
            0 => axis,
            1 => axis.central(),
            _ => axis.range(low, high),
        }
    })
}

fn odd_plot() -> impl Strategy<Value = LinePlot> {
    let point = (odd(), odd(), odd(), odd()).prop_map(|(x, y, low, high)| Point { x, y, low, high });
    let series =
        (".{0,40}", prop::collection::vec(point, 0..12), any::<bool>()).prop_map(|(name, points, steps)| {
            let series = Series::new(name, points);
            if steps { series.steps() } else { series }
        });
    let parts = (".{0,60}", odd_axis(), odd_axis(), prop::collection::vec(series, 0..16));
    let marks = (odd(), odd(), ".{0,40}", any::<bool>());
    (parts, marks, 0..2000u32, 0..1500u32).prop_map(
        |((title, x, y, series), (a, b, label, unnamed), width, height)| {
            let axes = LinePlot::new(title).x_axis(x).y_axis(y).size(width, height);
            let axes = axes.shade(a, b, &label).marker(a, b, label);
            series.into_iter().fold(if unnamed { axes.unnamed() } else { axes }, LinePlot::series)
        },
    )
}

fn odd_dots() -> impl Strategy<Value = DotPlot> {
    let dot = (odd(), odd(), odd()).prop_map(|(value, low, high)| Dot { value, low, high });
    let row = (".{0,40}", prop::collection::vec(dot, 0..4));
    let parts = (odd_axis(), prop::collection::vec(".{0,20}", 0..4), prop::collection::vec(row, 0..40));
    (".{0,60}", parts, odd(), 0..2000u32).prop_map(|(title, (x, series, rows), rule, width)| {
        let plot = DotPlot::new(&title).x_axis(x).rule(rule, title).width(width);
        let plot = series.into_iter().fold(plot, DotPlot::series);
        rows.into_iter().fold(plot, |plot, (name, dots)| plot.row(name, dots))
    })
}

proptest! {
    // A case is three plots of up to 16 lines each.
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_input_gives_a_well_formed_and_deterministic_file(plot in odd_plot(), other in odd_plot()) {
        let svg = plot.to_svg();
        let document = Document::parse(&svg);
        prop_assert!(document.is_ok(), "{svg}");
        let drawn = document.unwrap();
        for path in drawn.descendants().filter_map(|node| node.attribute("d")) {
            prop_assert!(path.chars().all(|c| "MLHVlhvaz -.0123456789".contains(c)), "{path}");
        }
        prop_assert_eq!(&svg, &plot.clone().to_svg());
        let grid = PlotGrid::new("grid").plot(plot).plot(other);
        prop_assert!(Document::parse(&grid.to_svg()).is_ok());
        prop_assert_eq!(grid.to_svg(), grid.clone().to_svg());
    }

    #[test]
    fn any_rows_give_a_well_formed_file_with_every_dot_in_the_frame(plot in odd_dots()) {
        let svg = plot.to_svg();
        let document = Document::parse(&svg);
        prop_assert!(document.is_ok(), "{svg}");
        let drawn = document.unwrap();
        let paths = || drawn.descendants().filter(|node| node.has_tag_name("path"));
        let numbers = |node: Node| -> Vec<f64> {
            let path = node.attribute("d").unwrap();
            path.split(|c: char| c == ' ' || c.is_alphabetic()).filter_map(|n| n.parse().ok()).collect()
        };
        // The axis is at the bottom of the frame; without dots there is none.
        let axis = paths().find(|node| node.attribute("class") == Some("cwd-axis") && node.attribute("d").unwrap().contains('H'));
        for dot in drawn.descendants().filter(|node| node.has_tag_name("g")).flat_map(|row| row.children()) {
            if dot.attribute("class").is_some_and(|class| class.ends_with("-dot") || class.ends_with("-hole")) {
                let (axis, dot) = (numbers(axis.unwrap()), numbers(dot));
                // A path begins at a corner of its marker, at most five pixels from the centre.
                prop_assert!(dot[0] >= axis[0] - 5.0 && dot[0] <= axis[2] + 5.0 && dot[1] <= axis[1], "{svg}");
            }
        }
        prop_assert!(paths().all(|path| path.attribute("d").unwrap().chars().all(|c| "MLHVlhvaz -.0123456789".contains(c))));
        prop_assert_eq!(&svg, &plot.clone().to_svg());
        prop_assert!(Document::parse(&plot.to_inline_svg()).is_ok());
    }

    #[test]
    fn tick_labels_do_not_overlap(sizes in prop::collection::vec(1.0..5000.0f64, 1..30), log: bool) {
        let points = sizes.iter().map(|&x| Point::new(x.round(), x.sin())).collect();
        let axis = if log { Axis::log("rows") } else { Axis::linear("rows") };
        let svg = LinePlot::new("").x_axis(axis).series(Series::new("a", points)).size(400, 300).to_svg();
        let document = Document::parse(&svg).unwrap();
        let ticks = texts(&document, "cwd-tick").into_iter().filter(|n| n.attribute("text-anchor") == Some("middle"));
        // A digit in Arial is 5.5 pixels wide at this size.
        let edges: Vec<(f64, f64)> =
            ticks.map(|n| (attribute(n, "x"), n.text().unwrap().len() as f64 * 5.5 / 2.0)).collect();
        prop_assert!(edges.windows(2).all(|p| p[0].0 + p[0].1 < p[1].0 - p[1].1), "{edges:?}");
    }
}
