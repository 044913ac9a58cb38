//! SVG as text: one element per line, coordinates to a tenth of a pixel.

use std::fmt::{self, Display, Write as _};

use crate::draw::text::{self, escape};

/// A coordinate, rounded to 0.1, without trailing zeros.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Px(pub(crate) f64);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Clamped far outside of every picture, to keep numbers short.
        let tenths = (self.0 * 10.0).round().clamp(-1e6, 1e6) as i64;
        let (sign, tenths) = (if tenths < 0 { "-" } else { "" }, tenths.abs());
        match tenths % 10 {
            0 => write!(f, "{sign}{}", tenths / 10),
            digit => write!(f, "{sign}{}.{digit}", tenths / 10),
        }
    }
}

/// How far a picture may shrink: text of 11 pixels is hard to read below 9.
const READABLE: f64 = 0.8;

/// The point of a text that its coordinates give.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a paragraph is set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextStyle {
    pub(crate) class: &'static str,
    pub(crate) anchor: Anchor,
    pub(crate) size: f64,
    /// From the top of a line to its baseline.
    pub(crate) baseline: f64,
    /// From one line to the next.
    pub(crate) row: f64,
}

impl TextStyle {
    pub(crate) const TITLE: Self =
        Self { class: "title", anchor: Anchor::Start, size: 16.0, baseline: 15.0, row: 20.0 };
    pub(crate) const SMALL_TITLE: Self =
        Self { class: "head", anchor: Anchor::Start, size: 13.0, baseline: 12.0, row: 17.0 };
    pub(crate) const Y_LABEL: Self =
        Self { class: "label", anchor: Anchor::Start, size: 12.0, baseline: 14.0, row: 16.0 };
    pub(crate) const X_LABEL: Self =
        Self { class: "label", anchor: Anchor::Middle, size: 12.0, baseline: 13.0, row: 17.0 };
    pub(crate) const NOTE: Self =
        Self { class: "note", anchor: Anchor::Start, size: 11.0, baseline: 11.0, row: 14.0 };

    pub(crate) fn wrap(&self, text: &str, width: f64) -> Vec<String> {
        text::wrap(text, self.size, width)
    }
}

/// The elements of a picture, in the order of painting.
#[derive(Debug, Default)]
pub(crate) struct Svg(String);

impl Svg {
    pub(crate) fn line(&mut self, element: fmt::Arguments) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{element}");
    }

    /// A text of a class such as `title`; the classes are those of [`crate::draw::colour::css`].
    pub(crate) fn text(&mut self, class: &str, anchor: Anchor, x: f64, y: f64, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let (x, y, text) = (Px(x), Px(y), escape(text));
        self.line(format_args!(r#"<text class="cwd-{class}"{anchor} x="{x}" y="{y}">{text}</text>"#));
    }

    /// Several lines of text from `y` down; returns where they end.
    pub(crate) fn lines(&mut self, style: &TextStyle, x: f64, mut y: f64, lines: &[String]) -> f64 {
        for line in lines {
            self.text(style.class, style.anchor, x, y + style.baseline, line);
            y += style.row;
        }
        y
    }

    /// The picture, with a title and a description for screen readers.
    pub(crate) fn finish(self, width: f64, height: f64, title: &str, description: &str) -> Picture {
        let (title, description) = (escape(title), escape(description));
        // A page may have several pictures; ids derived from the contents do not clash.
        let id = format!("{:08x}", fingerprint(&[&title, &description, &self.0]));
        let head = format!(
            r#"<title id="t{id}">{title}</title>
<desc id="d{id}">{description}</desc>
"#
        );
        Picture { width, height, id, head, body: self.0 }
    }
}

/// A picture without its outermost element.
#[derive(Debug)]
pub(crate) struct Picture {
    width: f64,
    height: f64,
    id: String,
    head: String,
    body: String,
}

impl Picture {
    /// The whole file, with its own colours and background.
    pub(crate) fn file(&self) -> String {
        let Self { id, head, body, .. } = self;
        let (w, h, css) = (Px(self.width), Px(self.height), crate::draw::colour::css());
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="cwd" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img" aria-labelledby="t{id} d{id}">
{head}<style>{css}</style>
<rect class="cwd-card" width="{w}" height="{h}" rx="8"/>
{body}</svg>
"#
        )
    }

    /// A part of a page that contains [`crate::draw::style`] once.
    pub(crate) fn inline(&self) -> String {
        let Self { id, head, body, .. } = self;
        let (w, h, least) = (Px(self.width), Px(self.height), Px(READABLE * self.width));
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="cwd" width="{w}" viewBox="0 0 {w} {h}" style="max-width:100%;min-width:{least}px;height:auto" role="img" aria-labelledby="t{id} d{id}">
{head}{body}</svg>
"#
        )
    }
}

/// FNV-1a; the hasher of the standard library may change between versions.
fn fingerprint(parts: &[&str]) -> u32 {
    let bytes = parts.iter().flat_map(|part| part.bytes());
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let texts = [12.0, 12.04, 12.05, -0.01, -3.26, 1e300, f64::NAN].map(|v| Px(v).to_string());
        assert_eq!(texts, ["12", "12", "12.1", "0", "-3.3", "100000", "0"]);
    }

    #[test]
    fn ids_follow_the_contents() {
        let file = |text: &str| {
            let mut svg = Svg::default();
            svg.text("tick", Anchor::Start, 0.0, 0.0, text);
            svg.finish(10.0, 10.0, "title", "desc").file()
        };
        assert_eq!(file("a"), file("a"));
        let id = |file: String| file.split("aria-labelledby=").nth(1).map(|s| s[..12].to_owned());
        assert_ne!(id(file("a")), id(file("b")));
    }

    #[test]
    fn an_inline_picture_shrinks_only_while_it_is_readable() {
        let inline = |width: f64| Svg::default().finish(width, 10.0, "", "").inline();
        assert!(
            inline(1000.0)
                .contains(r#"width="1000" viewBox="0 0 1000 10" style="max-width:100%;min-width:800px;"#)
        );
        assert!(inline(330.0).contains("min-width:264px;"));
        assert!(!inline(330.0).contains(r#"height="10""#));
    }
}
