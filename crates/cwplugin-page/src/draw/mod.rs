//! Line plots and dot plots as SVG text: values in, a picture out; no scripts, no fonts.
// The modules stand in the order in which the data passes through them.

mod axis; // what is measured, and on which scale
mod series; // what is drawn
mod dot; // … in rows of dots
mod range; // from where to where
mod ticks; // which numbers stand at an axis
pub(crate) mod number; // … and how they are written
mod text; // words, measured and escaped
mod words; // … about the picture
mod view; // values to pixels
mod colour; // by day and by night
mod look; // colour, marker, dashes
mod svg; // the file, or a part of a page
mod scale; // numbers along an axis
mod mark; // one line
mod highlight; // what is picked out beside the lines
mod keys; // … and what it is called
mod panel; // all lines in their frame
mod spread; // names pushed apart
mod legend; // names with a sample of each line
mod plot; // one picture: the file to read first
mod compose; // … put together
mod cells; // places for several
mod grid; // several in one
mod rows; // rows of dots in their frame
mod dot_plot; // … as a picture

pub use axis::Axis;
pub use colour::style;
pub use dot::Dot;
pub use dot_plot::DotPlot;
pub use grid::PlotGrid;
pub use plot::LinePlot;
pub use series::{Point, Series};
