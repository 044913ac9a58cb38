//! Colours for light and dark pages, and the style sheet.

use std::fmt::Write as _;

/// Number of colours of lines.
pub(crate) const COLOURS: usize = 7;

/// Seven colours after Okabe and Ito, darkened to a contrast of 3 with white (see the tests).
const LIGHT: [&str; COLOURS] = ["#1f549c", "#b53d00", "#04845a", "#c27bb2", "#cf8400", "#2f97ee", "#1f2328"];
/// The same hues for a dark page.
const DARK: [&str; COLOURS] = ["#5f83e8", "#d9662a", "#05af75", "#c074b4", "#fedb47", "#7fe3ff", "#e6edf3"];
const LIGHT_PAGE: &str = "#ffffff";
const DARK_PAGE: &str = "#0d1117";

/// The style sheet of a page with plots from `to_inline_svg`: put it once between `<style>` and `</style>`.
///
/// Light or dark by the system's setting; always light in print. Hollow markers are filled with the background, `#ffffff` or
/// `#0d1117`. All class names start with `cwd`.
pub fn style() -> String {
    sheet("screen and (prefers-color-scheme:dark)")
}

/// The style sheet of a standalone file.
///
/// With `currentColor` instead of CSS variables, which many SVG programs do not support.
pub(crate) fn css() -> String {
    sheet("(prefers-color-scheme:dark)")
}

fn sheet(dark_query: &str) -> String {
    let mut css = String::from(
        "\n.cwd text{font:12px -apple-system,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif}\
         \n.cwd .cwd-title{font-size:16px;font-weight:600}.cwd .cwd-head{font-size:13px;font-weight:600}\
         \n.cwd .cwd-tick,.cwd .cwd-note{font-size:11px}.cwd .cwd-strong{font-weight:700}\
         \n.cwd-tick{font-variant-numeric:tabular-nums}\
         \n.cwd-band{fill:currentColor;stroke:none}.cwd-bar{fill:none;stroke:currentColor;stroke-opacity:.6}\
         \n.cwd-line{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linejoin:round}\
         \n.cwd-bold{fill:none;stroke:currentColor;stroke-width:3;stroke-linejoin:round}\
         \n.cwd-lead{fill:none;stroke:currentColor;stroke-opacity:.55}\
         \n.cwd-dot{fill:currentColor;stroke-width:.8}.cwd-hole{stroke:currentColor;stroke-width:1.5}\
         \n.cwd-halo{fill:none;stroke-width:5;stroke-opacity:.7;stroke-linejoin:round}\
         \n.cwd-grid,.cwd-axis{fill:none;stroke-width:1}\n",
    );
    css.push_str(&colours(LIGHT_PAGE, "#1f2328", "#59636e", "#e4e8ec", "#8b949e", &LIGHT));
    let _ = write!(css, "\n@media {dark_query}{{");
    css.push_str(&colours(DARK_PAGE, "#e6edf3", "#9aa4af", "#262c36", "#6e7681", &DARK));
    css.push_str("}\n");
    css
}

fn colours(page: &str, ink: &str, muted: &str, grid: &str, axis: &str, lines: &[&str]) -> String {
    let mut css = format!(
        ".cwd-card,.cwd-hole{{fill:{page}}}.cwd-dot,.cwd-halo{{stroke:{page}}}\
         .cwd-title,.cwd-head,.cwd-name,.cwd-strong{{fill:{ink}}}.cwd-label,.cwd-tick,.cwd-note{{fill:{muted}}}\
         .cwd-grid{{stroke:{grid}}}.cwd-axis{{stroke:{axis}}}"
    );
    for (i, colour) in lines.iter().enumerate() {
        let _ = write!(css, ".cwd-c{i}{{color:{colour}}}");
    }
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Linear red, green and blue.
    fn light(hex: &str) -> [f64; 3] {
        [1, 3, 5].map(|i| {
            let v = f64::from(u8::from_str_radix(&hex[i..i + 2], 16).unwrap()) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        })
    }

    fn luminance([r, g, b]: [f64; 3]) -> f64 {
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Machado, Oliveira and Fernandes (2009): full protanopia, deuteranopia, tritanopia.
    const VISIONS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
        [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
    ];

    /// CIE L*a*b*, in which distances match perceived differences.
    fn lab(rgb: [f64; 3]) -> [f64; 3] {
        let [r, g, b] = rgb.map(|v| v.clamp(0.0, 1.0));
        let curve = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
        let y = curve(luminance([r, g, b]));
        let z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn every_colour_has_enough_contrast() {
        for (page, colours) in [(LIGHT_PAGE, LIGHT), (DARK_PAGE, DARK)] {
            for colour in colours {
                let (a, b) = (luminance(light(page)), luminance(light(colour)));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= 3.0, "{colour} on {page}: {contrast:.2}");
            }
        }
    }

    #[test]
    fn colours_differ_for_every_kind_of_colour_vision() {
        for (colours, vision) in [LIGHT, DARK].iter().flat_map(|c| VISIONS.map(|v| (c, v))) {
            let seen = colours.map(|c| {
                let rgb = light(c);
                lab(vision.map(|row| row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]))
            });
            for (i, a) in seen.iter().enumerate() {
                for (j, b) in seen.iter().enumerate().skip(i + 1) {
                    let distance = (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
                    assert!(distance > 14.0, "{} and {}: {distance:.1}", colours[i], colours[j]);
                }
            }
        }
    }
}
