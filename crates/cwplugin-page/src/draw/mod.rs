//! Line plots and dot plots as SVG text, without scripts and fonts.
// The modules stand in the order in which the data passes through them.

mod axis; // label, scale and extent
mod series; // data of line plots
mod dot; // data of dot plots
mod range; // ranges of axes
mod ticks; // positions of ticks
pub(crate) mod number; // number formatting
mod text; // text, measured and escaped
mod view; // units of axes to pixels
mod colour; // light and dark
mod look; // colour, marker, dashes
mod svg; // elements, files, parts of a page
mod captions; // title, note, description
mod scale; // ticks, drawn
mod mark; // one line
mod highlight; // shaded ranges and marked points
mod keys; // the legend of the highlights
mod panel; // all lines in their frame
mod outside; // what the axes leave out
mod describe; // descriptions and notes
mod apart; // labels without overlap
mod legend; // the legend of the lines
mod plot; // line plots: read this first
mod compose; // their layout
mod grid; // several with one legend
mod cells; // their layout
mod arrow; // from dot to dot
mod rows; // rows of dots in their frame
mod dot_plot; // dot plots

pub use axis::Axis;
pub use colour::style;
pub use dot::Dot;
pub use dot_plot::DotPlot;
pub use grid::PlotGrid;
pub use plot::LinePlot;
pub use series::{Point, Series};
