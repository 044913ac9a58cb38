//! Guarantees of all plots; the files are read by an XML parser.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

mod laws; // for any input

use cwplugin_page::draw::{Axis, Dot, DotPlot, LinePlot, PlotGrid, Point, Series, style};
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
fn names_are_escaped() {
    let evil = r#"<script>alert("1")</script>&"#;
    let svg = LinePlot::new(evil)
        .x_axis(Axis::log(evil))
        .y_axis(Axis::linear(evil))
        .series(line(evil, 0.5))
        .emphasise(evil)
        .note(evil)
        .shade(50.0, 100.0, evil)
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
fn a_file_is_small_without_links_and_scripts() {
    let svg = plot(14).to_svg();
    assert!(svg.len() < 40_000);
    assert_eq!(svg.matches("http").count(), 1, "only the name of the format");
    for word in ["href", "url(", "@import", "<script", "onload"] {
        assert!(!svg.contains(word), "{word}");
    }
}

#[test]
fn few_x_values_become_ticks() {
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
fn names_that_do_not_fit_go_to_a_legend() {
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
fn values_outside_of_an_axis_are_noted() {
    let whole = plot(2).series(line("far", 0.1));
    assert!(!whole.to_svg().contains("Outside"));
    let cut = whole.y_axis(Axis::linear("score").central()).to_svg();
    let document = Document::parse(&cut).unwrap();
    assert!(words(&document, "cwd-note")[0].starts_with("Outside the axes: far (down to 0.08)"));
}

#[test]
fn an_empty_plot_says_no_data() {
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
fn public_types_are_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<(LinePlot, PlotGrid, DotPlot, Axis, Series, Point, Dot)>();
}

fn dots(rows: usize) -> DotPlot {
    let dot = |value: f64| Dot { value, low: value - 0.05, high: value + 0.05 };
    let axes =
        DotPlot::new("Before and after").x_axis(Axis::linear("score")).series("before").series("after");
    (0..rows).fold(axes, |plot, i| plot.row(format!("row {i}"), vec![dot(0.3), dot(0.3 + 0.002 * i as f64)]))
}

#[test]
fn inline_plots_share_one_style_sheet() {
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
        // The drawing is the same.
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
fn a_dot_plot_grows_with_its_rows_and_shortens_long_names() {
    let height =
        |rows: usize| attribute(Document::parse(&dots(rows).to_svg()).unwrap().root_element(), "height");
    assert!(height(200) > height(100) + 2000.0 && height(100) > height(3) + 2000.0);
    assert_eq!(height(250), height(200) + 14.0, "one line for the note");
    let long = "a class that was named by somebody with much time";
    let svg = dots(1).row(long, vec![Dot::new(0.5)]).width(300).to_svg();
    let document = Document::parse(&svg).unwrap();
    assert!(
        words(&document, "cwd-name").iter().any(|name| name.starts_with("a class") && name.ends_with('…'))
    );
    assert!(svg.contains(&format!("<title>{long}: before 0.5</title>")));
}

#[test]
fn values_that_cannot_be_drawn_are_noted_and_described() {
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
fn a_shaded_range_is_below_the_lines_and_a_marker_above() {
    let svg = plot(2).shade(100.0, 400.0, "equally good").marker(250.0, 0.696, "chosen").to_inline_svg();
    let frame = svg.rfind("fill-opacity=\"0.16\"").unwrap();
    let (line, ring) = (svg.find("<g class=").unwrap(), svg.rfind("cwd-c6 cwd-hole").unwrap());
    assert!(frame < line && line < ring);
    let document = Document::parse(&svg).unwrap();
    assert_eq!(words(&document, "cwd-name")[..2], ["equally good", "chosen"]);
    assert!(svg.contains("equally good: from 100 to 400. chosen: 0.696 at 250.</desc>"));
}
