//! The picture of the README: what a fit changes on the tables of `cwplugin demo`.
//!
//! Fits macro-F1 on `sample.csv`, counts `test.csv` before and after, and prints one SVG that needs nothing else:
//!
//! ```sh
//! cargo run --example before_after_svg > docs/images/before-after.svg
//! ```

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};

use cwplugin::metric::{MacroF1, OneClass, Rate};
use cwplugin::{Confusion, Fit, Metric, Sample, Side};

fn main() -> Result<(), Box<dyn Error>> {
    io::stdout().write_all(picture()?.as_bytes())?;
    Ok(())
}

/// Fits, evaluates and draws; the same text every time.
pub(crate) fn picture() -> Result<String, Box<dyn Error>> {
    let (sample, test) = (read("sample.csv")?, read("test.csv")?);
    let evaluation = Fit::new(MacroF1).fit(&sample)?.evaluate(&test)?;
    let [before, after] = [Side::Clean, Side::Fitted].map(|side| evaluation.outcomes.confusion(side));
    let rows = [sample.n_labelled(), test.n_labelled()];
    Ok(Drawing { classes: evaluation.classes, rows, before, after }.svg())
}

/// Reads a table of the demo: `label,p_A,p_B,…`, no quotes.
fn read(name: &str) -> Result<Sample, Box<dyn Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../cwplugin-cli/src/demo/");
    let text = fs::read_to_string(format!("{folder}{name}"))?;
    let mut lines = text.lines();
    let header = lines.next().ok_or("no header")?;
    let classes: Vec<&str> = header.split(',').skip(1).map(|name| name.trim_start_matches("p_")).collect();
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    for line in lines {
        let (label, row) = line.split_once(',').ok_or("no label")?;
        labels.push(Some(label).filter(|label| !label.is_empty()));
        rows.push(row.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>()?);
    }
    Ok(Sample::from_rows(rows, &classes)?.labels(labels)?)
}

// The page: a card of its own, so that it reads on white and on black alike.
const WIDTH: f64 = 820.0;
const HEIGHT: f64 = 622.0;
const MARGIN: f64 = 28.0;
const CELL: f64 = 48.0;
/// From the edge of a panel to its matrix: room for the names of the true classes.
const NAMES: f64 = 72.0;
/// The top of both matrices.
const TOP: f64 = 150.0;

const INK: &str = "#1f2328";
const MUTED: &str = "#59636e";
const LINE: &str = "#d1d9e0";
const PALE: [f64; 3] = [246.0, 248.0, 250.0];
/// Blue and orange differ in lightness too, so that every kind of colour vision tells them apart.
const RIGHT: [f64; 3] = [0.0, 96.0, 160.0];
const WRONG: [f64; 3] = [222.0, 112.0, 0.0];

struct Drawing {
    classes: Vec<String>,
    /// Labelled rows: fitted on, counted.
    rows: [u64; 2],
    before: Confusion,
    after: Confusion,
}

impl Drawing {
    fn svg(&self) -> String {
        let mut svg = Svg(String::new());
        let [sample, test] = self.rows;
        let (clean, fitted) = (MacroF1.score(&self.before), MacroF1.score(&self.after));
        svg.line(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="title desc" font-family="-apple-system, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif">"#
        ));
        svg.line(format_args!(
            r#"<title id="title">Confusion matrices before and after a fit for macro-F1</title>"#
        ));
        svg.line(format_args!(
            r#"<desc id="desc">{test} test rows of a classifier of handwritten digits. {} With {sample} other rows to learn from, macro-F1 goes from {clean:.3} to {fitted:.3}.</desc>"#,
            self.in_words(),
        ));
        let (width, height) = (WIDTH - 2.0, HEIGHT - 2.0);
        svg.line(format_args!(
            r##"<rect x="1" y="1" width="{width}" height="{height}" rx="12" fill="#ffffff" stroke="{LINE}"/>"##
        ));
        svg.text(MARGIN, 42.0, "start", 18, INK, "bold", "Corrected with a few labels, for macro-F1");
        let subtitle = format!(
            "A black box reads handwritten digits. {sample} labelled rows were learned from; {test} other rows are counted."
        );
        svg.text(MARGIN, 64.0, "start", 13, MUTED, "normal", &subtitle);
        let right = WIDTH - MARGIN - NAMES - CELL * self.classes.len() as f64;
        self.matrix(&mut svg, MARGIN, "Before: largest probability", &self.before);
        self.matrix(&mut svg, right, "After: calibrated and weighted", &self.after);
        Self::key(&mut svg, TOP + CELL * self.classes.len() as f64 + 22.0);
        self.strip(&mut svg, TOP + CELL * self.classes.len() as f64 + 82.0);
        svg.line(format_args!("</svg>"));
        svg.0
    }

    /// F1 of every class, for readers who do not see the picture.
    fn in_words(&self) -> String {
        let mut text = String::from("F1 by class, before and after:");
        for (k, class) in self.classes.iter().enumerate() {
            let [before, after] = self.f1(k);
            let end = if k + 1 == self.classes.len() { "." } else { "," };
            let _ = write!(text, " {class} {before:.3} to {after:.3}{end}");
        }
        text
    }

    fn f1(&self, class: usize) -> [f64; 2] {
        let f1 = OneClass::new("f1", class, Rate::FBeta(1.0));
        [f1.score(&self.before), f1.score(&self.after)]
    }

    /// A heat map whose rows, the true classes, are shares that sum to 1.
    fn matrix(&self, svg: &mut Svg, left: f64, title: &str, confusion: &Confusion) {
        let (x0, side) = (left + NAMES, CELL * self.classes.len() as f64);
        svg.text(x0 + side / 2.0, TOP - 54.0, "middle", 14, INK, "bold", title);
        svg.text(x0 + side / 2.0, TOP - 32.0, "middle", 12, MUTED, "normal", "predicted");
        let (x, y) = (left + 8.0, TOP + side / 2.0);
        svg.line(format_args!(
            r#"<text transform="translate({x},{y}) rotate(-90)" text-anchor="middle" font-size="12" fill="{MUTED}">truth</text>"#
        ));
        for (k, class) in self.classes.iter().enumerate() {
            let middle = CELL * (k as f64 + 0.5);
            svg.text(x0 + middle, TOP - 10.0, "middle", 12, INK, "normal", class);
            svg.text(x0 - 10.0, TOP + middle + 4.0, "end", 12, INK, "normal", class);
        }
        for (i, row) in confusion.rows().enumerate() {
            for (j, &count) in row.iter().enumerate() {
                let (x, y) = (x0 + CELL * j as f64, TOP + CELL * i as f64);
                let share = count / confusion.class(i).truth;
                let colour = Colour::between(PALE, if i == j { RIGHT } else { WRONG }, share);
                svg.line(format_args!(
                    r#"<rect x="{}" y="{}" width="{}" height="{}" rx="4" fill="{}"/>"#,
                    x + 1.0,
                    y + 1.0,
                    CELL - 2.0,
                    CELL - 2.0,
                    colour.hex()
                ));
                let ink = if count > 0.0 { colour.ink() } else { MUTED };
                let weight = if i == j { "bold" } else { "normal" };
                let (x, y) = (x + CELL / 2.0, y + CELL / 2.0 + 5.0);
                svg.text(x, y, "middle", 14, ink, weight, &format!("{count}"));
            }
        }
    }

    /// What the colours of the matrices mean.
    fn key(svg: &mut Svg, y: f64) {
        let ramp = |svg: &mut Svg, x: f64, colour: [f64; 3]| {
            for step in 0..=10 {
                let fill = Colour::between(PALE, colour, f64::from(step) / 10.0).hex();
                let x = x + 9.0 * f64::from(step);
                svg.line(format_args!(
                    r#"<rect x="{x}" y="{}" width="9" height="10" fill="{fill}"/>"#,
                    y - 9.0
                ));
            }
        };
        let from = MARGIN + NAMES;
        svg.text(from, y, "start", 12, MUTED, "normal", "share of the row, 0 to 100%");
        ramp(svg, from + 200.0, RIGHT);
        svg.text(from + 308.0, y, "start", 12, MUTED, "normal", "right");
        ramp(svg, from + 372.0, WRONG);
        svg.text(from + 480.0, y, "start", 12, MUTED, "normal", "predicted as another class");
    }

    /// F1 of every class and their mean.
    fn strip(&self, svg: &mut Svg, y: f64) {
        let columns = self.classes.len() + 1;
        let width = (WIDTH - 2.0 * MARGIN) / columns as f64;
        svg.line(format_args!(r#"<path d="M{MARGIN} {}H{}" stroke="{LINE}"/>"#, y - 42.0, WIDTH - MARGIN));
        let heading = "F1 before (grey) and after (blue where it rose, orange where it fell)";
        svg.text(MARGIN, y - 20.0, "start", 12, MUTED, "normal", heading);
        let mean = [MacroF1.score(&self.before), MacroF1.score(&self.after)];
        svg.line(format_args!(
            r##"<rect x="{MARGIN}" y="{}" width="{}" height="90" rx="6" fill="#eef4fa"/>"##,
            y - 8.0,
            width - 8.0
        ));
        Self::scores(svg, MARGIN + 8.0, y, "macro-F1", mean);
        for (k, class) in self.classes.iter().enumerate() {
            let x = MARGIN + 8.0 + width * (k + 1) as f64;
            Self::scores(svg, x, y, class, self.f1(k));
        }
    }

    /// One column of the strip: a name, two bars, the numbers and their difference.
    fn scores(svg: &mut Svg, x: f64, y: f64, name: &str, f1: [f64; 2]) {
        const FULL: f64 = 86.0;
        svg.text(x, y + 12.0, "start", 13, INK, "bold", name);
        let after = Colour(if f1[1] < f1[0] { WRONG } else { RIGHT }).hex();
        for (i, (score, fill)) in f1.into_iter().zip(["rgb(154,165,177)", &after]).enumerate() {
            let top = y + 21.0 + 9.0 * i as f64;
            svg.line(format_args!(
                r##"<rect x="{x}" y="{top}" width="{FULL}" height="7" rx="2" fill="#e6eaef"/>"##
            ));
            let length = format!("{:.1}", FULL * score);
            svg.line(format_args!(
                r#"<rect x="{x}" y="{top}" width="{length}" height="7" rx="2" fill="{fill}"/>"#
            ));
        }
        let scores = format!("{:.3} → {:.3}", f1[0], f1[1]);
        svg.text(x, y + 55.0, "start", 12, INK, "normal", &scores);
        let gain = format!("{:+.3}", f1[1] - f1[0]).replace('-', "−");
        svg.text(x, y + 72.0, "start", 12, MUTED, "normal", &gain);
    }
}

/// Red, green and blue.
#[derive(Clone, Copy)]
struct Colour([f64; 3]);

impl Colour {
    fn between(from: [f64; 3], to: [f64; 3], share: f64) -> Self {
        // Small shares are the mistakes one looks for: share^(3/4) rises a little faster at first.
        let share = (share * share.sqrt()).sqrt();
        Self([0, 1, 2].map(|i| (from[i] + (to[i] - from[i]) * share).round()))
    }

    fn hex(self) -> String {
        let [r, g, b] = self.0;
        format!("rgb({r},{g},{b})")
    }

    /// Black or white, whichever stands out more by the contrast rule of WCAG.
    fn ink(self) -> &'static str {
        let linear = |v: f64| {
            let v = v / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        let [r, g, b] = self.0.map(linear);
        let luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.066 { "#ffffff" } else { INK }
    }
}

/// SVG text, one element a line.
struct Svg(String);

impl Svg {
    fn line(&mut self, element: std::fmt::Arguments) {
        self.0.push_str(&element.to_string());
        self.0.push('\n');
    }

    #[allow(clippy::too_many_arguments)] // the attributes of one element
    fn text(&mut self, x: f64, y: f64, anchor: &str, size: u32, fill: &str, weight: &str, text: &str) {
        self.line(format_args!(
            r#"<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" fill="{fill}">{text}</text>"#
        ));
    }
}
