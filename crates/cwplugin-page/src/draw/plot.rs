//! Line plots: lines with bands, a title, two axes, names at the line ends.

use crate::draw::axis::Axis;
use crate::draw::captions::{Captions, shared_methods};
use crate::draw::highlight::{Highlight, Shape};
use crate::draw::series::Series;

/// Lines with bands over one x axis: for example a metric against the size of the sample, one line per method.
///
/// Names stand at the line ends, or in a legend above the lines if there is no space. The plot is one self-contained SVG file
/// without scripts, for light and dark pages.
///
/// ```
/// use cwplugin_page::draw::{Axis, LinePlot, Point, Series};
///
/// let svg = LinePlot::new("macro-F1")
///     .x_axis(Axis::log("labelled rows"))
///     .y_axis(Axis::linear("macro-F1 on the test rows"))
///     .series(Series::new(
///         "cwplugin",
///         vec![
///             Point { x: 50.0, y: 0.51, low: 0.50, high: 0.52 },
///             Point { x: 800.0, y: 0.63, low: 0.62, high: 0.64 },
///         ],
///     ))
///     .series(Series::new("largest probability", vec![Point::new(50.0, 0.48), Point::new(800.0, 0.48)]))
///     .emphasise("cwplugin")
///     .note("Means of 20 samples; band: 95% CI.")
///     .to_svg();
/// assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LinePlot {
    pub(crate) captions: Captions,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
    pub(crate) highlights: Vec<Highlight>,
    strong: Option<String>,
    unnamed: bool,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl LinePlot {
    /// An empty plot, 760 × 440 pixels, on linear axes without labels.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            captions: Captions::new(title),
            x: Axis::linear(""),
            y: Axis::linear(""),
            series: Vec::new(),
            highlights: Vec::new(),
            strong: None,
            unnamed: false,
            width: 760.0,
            height: 440.0,
        }
    }

    /// The x axis.
    pub fn x_axis(mut self, axis: Axis) -> Self {
        self.x = axis;
        self
    }

    /// The y axis; its label stands above it.
    pub fn y_axis(mut self, axis: Axis) -> Self {
        self.y = axis;
        self
    }

    /// Adds a line.
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Draws the line of this name bolder and on top; an unknown name changes nothing.
    pub fn emphasise(mut self, name: impl Into<String>) -> Self {
        self.strong = Some(name.into());
        self
    }

    /// Shades a range of x; the label stands above the lines. Infinity, or 0 on a log axis, is the end of the axis.
    pub fn shade(mut self, low: f64, high: f64, label: impl Into<String>) -> Self {
        self.highlights.push(Highlight { label: label.into(), shape: Shape::Range(low, high) });
        self
    }

    /// Marks one point with a ring around a dot; the label stands above the lines.
    pub fn marker(mut self, x: f64, y: f64, label: impl Into<String>) -> Self {
        self.highlights.push(Highlight { label: label.into(), shape: Shape::Point(x, y) });
        self
    }

    /// Leaves out the name of the line, if there is only one. Such a plot, if less than 400 pixels wide, also has a smaller
    /// title and margin.
    pub fn unnamed(mut self) -> Self {
        self.unnamed = true;
        self
    }

    /// Width and height in pixels, within 240 to 4000 and 160 to 4000.
    ///
    /// The plot becomes higher if a legend would leave too little space for the lines.
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.width = f64::from(width.clamp(240, 4000));
        self.height = f64::from(height.clamp(160, 4000));
        self
    }

    shared_methods!();

    pub(crate) fn is_strong(&self, name: &str) -> bool {
        self.strong.as_deref() == Some(name)
    }

    pub(crate) fn is_unnamed(&self) -> bool {
        self.unnamed && self.series.len() <= 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Point;

    #[test]
    fn sizes_are_limited() {
        assert!(LinePlot::new("").size(0, 0).to_svg().contains(r#"width="240""#));
        assert!(LinePlot::new("").size(u32::MAX, 300).to_svg().contains(r#"width="4000" height="300""#));
    }

    #[test]
    fn a_series_can_choose_its_look() {
        let line = || Series::new("a", vec![Point::new(1.0, 1.0)]);
        assert!(LinePlot::new("").series(line().look(5)).to_svg().contains(r#"class="cwd-c5""#));
        assert!(!LinePlot::new("").series(line()).to_svg().contains(r#"class="cwd-c5""#));
    }

    #[test]
    fn only_a_single_line_can_be_unnamed() {
        let line = |name: &str| Series::new(name, vec![Point::new(1.0, 1.0), Point::new(2.0, 1.0)]);
        let alone = LinePlot::new("").series(line("a")).unnamed();
        assert!(!alone.to_svg().contains(">a</text>"));
        let both = alone.series(line("b")).to_svg();
        assert!(both.contains(">a</text>") && both.contains(">b</text>"));
    }

    #[test]
    fn a_small_plot_keeps_its_size() {
        let axes = LinePlot::new("class 3").x_axis(Axis::linear("α")).y_axis(Axis::linear("macro-F1"));
        let line = Series::new("a", vec![Point::new(0.0, 0.5), Point::new(1.0, 0.6)]).steps();
        let plot = axes.series(line).size(260, 170);
        assert!(plot.clone().unnamed().to_svg().contains(r#"width="260" height="170""#));
        assert!(!plot.to_svg().contains(r#"height="170""#), "a legend needs room");
    }
}
