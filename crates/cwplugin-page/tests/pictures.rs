//! What every picture keeps, seen from outside: the file is read by an XML parser that is not ours.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use cwplugin_page::draw::{Axis, Dot, DotPlot, LinePlot, PlotGrid, Point, Series, style};
use proptest::prelude::*;
use roxmltree::{Document, Node};

const SIZES: [f64; 8] = [50.0, 100.0, 160.0, 250.0, 400.0, 800.0, 1600.0, 3200.0];

fn line(name: &str, level: f64) -> Series {
    let point = |x: f64| {
        let y = level - 1.0 / x;
        Point { x, y, low: y - 0.01, high: y + 0.01 }
    };
    Series::new(name, SIZES.map(point).to_vec())
}

fn plot(lines: usize) -> LinePlot {
    let axes = LinePlot::new("macro-F1").x_axis(Axis::log("labelled rows")).y_axis(Axis::linear("score"));
    (0..lines).map(|i| line(&format!("method {i}"), 0.7 - 0.003 * i as f64)).fold(axes, LinePlot::series)
}

fn attribute(node: Node, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

fn texts<'a>(document: &'a Document, class: &str) -> Vec<Node<'a, 'a>> {
    let of_class = |node: &Node| node.tag_name().name() == "text" && node.attribute("class") == Some(class);
    document.descendants().filter(of_class).collect()
}

fn words<'a>(document: &'a Document, class: &str) -> Vec<&'a str> {
    texts(document, class).iter().filter_map(Node::text).collect()
}

#[test]
fn the_file_has_a_role_a_title_and_a_description() {
    let svg = plot(2).description("Both rise & stay.").to_svg();
    let document = Document::parse(&svg).unwrap();
    let root = document.root_element();
    assert_eq!((root.tag_name().name(), root.attribute("role")), ("svg", Some("img")));
    let mut children = root.children().filter(Node::is_element);
    let (title, desc) = (children.next().unwrap(), children.next().unwrap());
    assert_eq!((title.tag_name().name(), title.text()), ("title", Some("macro-F1")));
    assert_eq!((desc.tag_name().name(), desc.text()), ("desc", Some("Both rise & stay.")));
    let ids = format!("{} {}", title.attribute("id").unwrap(), desc.attribute("id").unwrap());
    assert_eq!(root.attribute("aria-labelledby"), Some(ids.as_str()));
}

#[test]
fn a_name_is_text_and_never_markup() {
    let evil = r#"<script>alert("1")</script>&"#;
    let svg = LinePlot::new(evil)
        .x_axis(Axis::log(evil))
        .y_axis(Axis::linear(evil))
        .series(line(evil, 0.5))
        .emphasise(evil)
        .note(evil)
        .stretch(50.0, 100.0, evil)
        .marker(50.0, 0.5, evil)
        .description(evil);
    let dots = DotPlot::new(evil)
        .x_axis(Axis::linear(evil))
        .series(evil)
        .row(evil, vec![Dot::new(1.0)])
        .rule(1.0, evil)
        .note(evil)
        .description(evil);
    let grid = PlotGrid::new(evil).plot(svg.clone()).plot(svg.clone()).note(evil).description(evil);
    for file in [svg.to_svg(), svg.to_inline_svg(), grid.to_svg(), dots.to_svg(), dots.to_inline_svg()] {
        let document = Document::parse(&file).unwrap();
        assert!(!document.descendants().any(|node| node.tag_name().name() == "script"));
        assert_eq!(
            document.descendants().find(|n| n.tag_name().name() == "desc").unwrap().text(),
            Some(evil)
        );
    }
}

#[test]
fn nothing_is_fetched_or_run() {
    let svg = plot(14).to_svg();
    assert_eq!(svg.matches("http").count(), 1, "only the name of the format");
    for word in ["href", "url(", "@import", "<script", "onload"] {
        assert!(!svg.contains(word), "{word}");
    }
}

#[test]
fn fourteen_lines_of_eight_points_are_a_small_file() {
    assert!(plot(14).to_svg().len() < 40_000);
}

#[test]
fn the_x_axis_carries_the_sizes_of_the_data() {
    let svg = plot(3).to_svg();
    let document = Document::parse(&svg).unwrap();
    let all = words(&document, "cwd-tick");
    for size in ["50", "100", "160", "250", "400", "800", "1,600", "3,200"] {
        assert!(all.contains(&size), "{size} in {all:?}");
    }
}

#[test]
fn names_stand_at_the_line_ends_and_never_overlap() {
    for lines in 1..=14 {
        let svg = plot(lines).to_svg();
        let document = Document::parse(&svg).unwrap();
        let mut heights: Vec<f64> = texts(&document, "cwd-name").iter().map(|n| attribute(*n, "y")).collect();
        assert_eq!(heights.len(), lines);
        heights.sort_by(f64::total_cmp);
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= 14.9), "{heights:?}");
    }
}

#[test]
fn names_without_room_go_to_a_legend() {
    let svg = plot(14).size(500, 250).to_svg();
    let document = Document::parse(&svg).unwrap();
    let lefts: Vec<f64> = texts(&document, "cwd-name").iter().map(|n| attribute(*n, "x")).collect();
    assert_eq!(lefts.len(), 14);
    assert!(lefts[0] < 100.0);
    assert!(attribute(document.root_element(), "height") > 250.0, "the lines keep their room");
}

#[test]
fn the_emphasised_line_is_painted_last() {
    let svg = plot(5).emphasise("method 3").to_svg();
    let last = svg.rfind("<title>").unwrap();
    assert!(svg[last..].starts_with("<title>method 3</title>"));
    assert_eq!(svg.matches("class=\"cwd-bold\"").count(), 1);
    assert_eq!(plot(5).emphasise("nobody").to_svg(), plot(5).to_svg());
}

#[test]
fn a_range_cuts_only_with_a_note() {
    let whole = plot(2).series(line("far", 0.1));
    assert!(!whole.to_svg().contains("Outside"));
    let cut = whole.y_axis(Axis::linear("score").central()).to_svg();
    let document = Document::parse(&cut).unwrap();
    assert!(words(&document, "cwd-note")[0].starts_with("Outside the axes: far (down to 0.08)"));
}

#[test]
fn nothing_to_draw_says_so() {
    let empty = Series::new("a", vec![]);
    let missing = Series::new("b", vec![Point::new(f64::NAN, 1.0), Point::new(1.0, f64::INFINITY)]);
    for plot in [LinePlot::new(""), LinePlot::new("t").series(empty).series(missing)] {
        let svg = plot.to_svg();
        assert_eq!(words(&Document::parse(&svg).unwrap(), "cwd-label"), ["no data"]);
    }
    assert!(PlotGrid::new("").to_svg().contains("no data"));
}

#[test]
fn a_grid_has_one_legend_and_one_look_per_name() {
    // The second plot has the same names in another order.
    let swapped = LinePlot::new("b").series(line("method 1", 0.5)).series(line("method 0", 0.4));
    let svg = PlotGrid::new("g").plot(plot(2)).plot(swapped).to_svg();
    let document = Document::parse(&svg).unwrap();
    assert_eq!(words(&document, "cwd-name"), ["method 0", "method 1"]);
    for (name, class) in [("method 0", "cwd-c0"), ("method 1", "cwd-c1")] {
        let groups =
            document.descendants().filter(|n| n.tag_name().name() == "title" && n.text() == Some(name));
        let classes: Vec<_> = groups.map(|n| n.parent().unwrap().attribute("class").unwrap()).collect();
        assert_eq!(classes, [class, class]);
    }
}

#[test]
fn public_types_go_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<LinePlot>();
    check::<PlotGrid>();
    check::<DotPlot>();
    check::<(Axis, Series, Point, Dot)>();
}

fn dots(rows: usize) -> DotPlot {
    let dot = |value: f64| Dot { value, low: value - 0.05, high: value + 0.05 };
    let axes =
        DotPlot::new("Before and after").x_axis(Axis::linear("score")).series("before").series("after");
    (0..rows).fold(axes, |plot, i| plot.row(format!("row {i}"), vec![dot(0.3), dot(0.3 + 0.002 * i as f64)]))
}

#[test]
fn pictures_in_a_page_share_one_style_sheet() {
    let grid = PlotGrid::new("g").plot(plot(2)).plot(plot(3));
    let all = [
        (plot(2).to_svg(), plot(2).to_inline_svg()),
        (grid.to_svg(), grid.to_inline_svg()),
        (dots(3).to_svg(), dots(3).to_inline_svg()),
    ];
    let mut ids = Vec::new();
    for (file, part) in &all {
        let document = Document::parse(part).unwrap();
        let root = document.root_element();
        assert!(!part.contains("<style") && !part.contains("cwd-card"));
        assert!(root.attribute("height").is_none() && root.attribute("viewBox").is_some());
        // What is drawn is the same: all after the card.
        let body = file.split_once("rx=\"8\"/>\n").unwrap().1;
        assert!(part.ends_with(body));
        ids.push(root.attribute("aria-labelledby").unwrap().to_owned());
        for node in document.descendants() {
            for class in
                node.attribute("class").unwrap_or_default().split(' ').filter(|class| !class.is_empty())
            {
                assert!(style().contains(&format!(".{class}")), "{class} has no style");
            }
        }
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all.len());
    assert!(style().contains("@media screen and (prefers-color-scheme:dark)"), "paper is white");
}

#[test]
fn a_dot_plot_grows_with_its_rows_and_cuts_long_names() {
    let height =
        |rows: usize| attribute(Document::parse(&dots(rows).to_svg()).unwrap().root_element(), "height");
    assert!(height(200) > height(100) + 2000.0 && height(100) > height(3) + 2000.0);
    assert_eq!(height(250), height(200) + 14.0, "one line says what is left out");
    let long = "a class that was named by somebody with much time";
    let svg = dots(1).row(long, vec![Dot::new(0.5)]).width(300).to_svg();
    let document = Document::parse(&svg).unwrap();
    assert!(
        words(&document, "cwd-name").iter().any(|name| name.starts_with("a class") && name.ends_with('…'))
    );
    assert!(svg.contains(&format!("<title>{long}: before 0.5</title>")));
}

#[test]
fn a_value_without_a_place_is_noted_and_told() {
    let svg = dots(1).x_axis(Axis::log("weight")).row("zero", vec![Dot::new(0.0)]).to_svg();
    let document = Document::parse(&svg).unwrap();
    assert_eq!(
        words(&document, "cwd-note"),
        ["1 value not drawn: not finite, or not above 0 on a log axis."]
    );
    assert!(svg.contains("zero: before 0."));
    let empty = DotPlot::new("").row("a", vec![]).row("b", vec![Dot::missing()]).to_svg();
    assert_eq!(words(&Document::parse(&empty).unwrap(), "cwd-label"), ["no data"]);
}

#[test]
fn a_stretch_lies_under_the_lines_and_a_marker_over_them() {
    let svg = plot(2).stretch(100.0, 400.0, "equally good").marker(250.0, 0.696, "chosen").to_inline_svg();
    let frame = svg.rfind("fill-opacity=\"0.16\"").unwrap();
    let (line, ring) = (svg.find("<g class=").unwrap(), svg.rfind("cwd-c6 cwd-hole").unwrap());
    assert!(frame < line && line < ring);
    let document = Document::parse(&svg).unwrap();
    assert_eq!(words(&document, "cwd-name")[..2], ["equally good", "chosen"]);
    assert!(svg.contains("equally good: from 100 to 400. chosen: 0.696 at 250.</desc>"));
}

/// Numbers as they come from broken files.
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
            let axes = axes.stretch(a, b, &label).marker(a, b, label);
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
    // A case is three pictures of up to 16 lines each.
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn any_input_gives_a_well_formed_file_and_the_same_each_time(plot in odd_plot(), other in odd_plot()) {
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
        // The axis lies along the bottom of the frame; without dots there is none.
        let axis = paths().find(|node| node.attribute("class") == Some("cwd-axis") && node.attribute("d").unwrap().contains('H'));
        for dot in drawn.descendants().filter(|node| node.has_tag_name("g")).flat_map(|row| row.children()) {
            if dot.attribute("class").is_some_and(|class| class.ends_with("-dot") || class.ends_with("-hole")) {
                let (axis, dot) = (numbers(axis.unwrap()), numbers(dot));
                // A path begins at a corner of its marker, at most five pixels from the middle.
                prop_assert!(dot[0] >= axis[0] - 5.0 && dot[0] <= axis[2] + 5.0 && dot[1] <= axis[1], "{svg}");
            }
        }
        prop_assert!(paths().all(|path| path.attribute("d").unwrap().chars().all(|c| "MLHVlhvaz -.0123456789".contains(c))));
        prop_assert_eq!(&svg, &plot.clone().to_svg());
        prop_assert!(Document::parse(&plot.to_inline_svg()).is_ok());
    }

    #[test]
    fn tick_numbers_never_touch(sizes in prop::collection::vec(1.0..5000.0f64, 1..30), log: bool) {
        let points = sizes.iter().map(|&x| Point::new(x.round(), x.sin())).collect();
        let axis = if log { Axis::log("rows") } else { Axis::linear("rows") };
        let svg = LinePlot::new("").x_axis(axis).series(Series::new("a", points)).size(400, 300).to_svg();
        let document = Document::parse(&svg).unwrap();
        let ticks = texts(&document, "cwd-tick").into_iter().filter(|n| n.attribute("text-anchor") == Some("middle"));
        // 5.5 pixels per character is the width of a digit in Arial at this size, less for commas.
        let edges: Vec<(f64, f64)> =
            ticks.map(|n| (attribute(n, "x"), n.text().unwrap().len() as f64 * 5.5 / 2.0)).collect();
        prop_assert!(edges.windows(2).all(|p| p[0].0 + p[0].1 < p[1].0 - p[1].1), "{edges:?}");
    }
}
