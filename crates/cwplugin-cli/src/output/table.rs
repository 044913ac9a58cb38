//! Tables that adapt to the width of the output.

use unicode_width::UnicodeWidthStr as _;

use super::style::{Style, one_line, plain};
use super::width::{shortened, width};

/// Alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Text: in a narrow terminal it is wrapped, and a word that is too long is shortened.
    Left,
    /// Names, e.g. of classes: in a narrow terminal they are shortened.
    Name,
    /// Numbers, which are never shortened.
    Right,
    /// Differences: numbers that are coloured by their sign.
    Gain,
}

impl Align {
    fn is_text(self) -> bool {
        matches!(self, Self::Left | Self::Name)
    }
}

/// Text columns are not made narrower than this.
const NARROWEST_TEXT: usize = 16;

/// Spaces between columns, if there is room.
const GAP: usize = 3;

/// Spaces before the table.
const INDENT: usize = 2;

/// A table with a ruled header, indented by two spaces; ends in a line feed.
///
/// In a narrow terminal text becomes narrower; columns that do not fit even then follow below, with the first column repeated.
pub fn plain_table(header: &[(&str, Align)], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    Table::new(header, rows).to_text(width())
}

/// A paragraph, indented like tables, in lines of at most 110 columns.
pub(crate) fn paragraph(text: &str) -> String {
    let lines = wrapped(text, width().min(110).saturating_sub(INDENT));
    format!("  {}\n", lines.join("\n  "))
}

/// The cells of a table.
pub(crate) struct Table {
    header: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
    /// Columns that each column needs.
    widths: Vec<usize>,
}

impl Table {
    pub(crate) fn new(header: &[(&str, Align)], rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        let header: Vec<(String, Align)> =
            header.iter().map(|(title, align)| (one_line(title), *align)).collect();
        let rows: Vec<Vec<String>> = rows.into_iter().map(|row| cells(&row, &header)).collect();
        let widest = |k: usize| {
            let cells = rows.iter().filter_map(|row| row.get(k)).map(|cell| visible(cell));
            cells.chain([visible(&header[k].0)]).max().unwrap_or_default()
        };
        let widths = (0..header.len()).map(widest).collect();
        Self { header, rows, widths }
    }

    /// Whether the table fits without wrapping or shortening.
    pub(crate) fn fits(&self, width: usize) -> bool {
        let all: Vec<usize> = (0..self.header.len()).collect();
        self.total(&all, &self.widths, GAP - 1) <= width
    }

    pub(crate) fn to_text(&self, width: usize) -> String {
        let all: Vec<usize> = (0..self.header.len()).collect();
        for gap in [GAP, GAP - 1] {
            if self.total(&all, &self.widths, gap) <= width {
                return self.block(&all, &self.widths, gap);
            }
        }
        let gap = GAP - 1;
        if let Some(widths) = self.narrowed(&all, width, gap) {
            return self.block(&all, &widths, gap);
        }
        // The first column, at most 40% of the width, and as many others as fit beside it.
        let mut widths = self.widths.clone();
        widths[0] = widths[0].min((width * 2 / 5).max(NARROWEST_TEXT));
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for k in 1..self.header.len() {
            let fits =
                |block: &Vec<usize>| self.total(&[block.as_slice(), &[k]].concat(), &widths, gap) <= width;
            match blocks.last_mut().filter(|block| fits(block)) {
                Some(block) => block.push(k),
                None => blocks.push(vec![0, k]),
            }
        }
        let text = |block: &Vec<usize>| {
            let widths = self.narrowed(block, width, gap).unwrap_or_else(|| widths.clone());
            self.block(block, &widths, gap)
        };
        blocks.iter().map(text).collect::<Vec<_>>().join("\n")
    }

    /// The columns of the rule, which is a little longer than the rows, with the space before it.
    fn total(&self, columns: &[usize], widths: &[usize], gap: usize) -> usize {
        let cells: usize = columns.iter().map(|&k| widths[k]).sum();
        INDENT + cells + gap * columns.len().saturating_sub(1) + 1
    }

    /// Narrower text columns, the widest first, so that the table fits; `None` if that is not enough.
    fn narrowed(&self, columns: &[usize], width: usize, gap: usize) -> Option<Vec<usize>> {
        let mut widths = self.widths.clone();
        let is_text = |k: &usize| self.header[*k].1.is_text();
        while self.total(columns, &widths, gap) > width {
            let widest = columns.iter().copied().filter(is_text).max_by_key(|&k| widths[k])?;
            if widths[widest] <= NARROWEST_TEXT {
                return None;
            }
            widths[widest] -= 1;
        }
        Some(widths)
    }

    fn block(&self, columns: &[usize], widths: &[usize], gap: usize) -> String {
        let titles: Vec<String> = self.header.iter().map(|(title, _)| title.clone()).collect();
        let rule = "─".repeat(self.total(columns, widths, gap) - 1);
        let mut text = self.lines(&titles, columns, widths, gap) + &format!(" {rule}\n");
        for row in &self.rows {
            text += &self.lines(row, columns, widths, gap);
        }
        text
    }

    /// A row, on several lines if text is wrapped.
    fn lines(&self, row: &[String], columns: &[usize], widths: &[usize], gap: usize) -> String {
        let wrapped: Vec<Vec<String>> = columns
            .iter()
            .map(|&k| match (row.get(k), self.header[k].1) {
                (Some(cell), Align::Name) => vec![shortened(cell, widths[k])],
                (Some(cell), _) => wrapped(cell, widths[k]),
                (None, _) => Vec::new(),
            })
            .collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(1).max(1);
        let mut text = String::new();
        for i in 0..height {
            let mut line = " ".repeat(INDENT);
            for (place, (&k, cell)) in columns.iter().zip(&wrapped).enumerate() {
                let cell = cell.get(i).map_or("", String::as_str);
                let blank = " ".repeat(widths[k].saturating_sub(visible(cell)));
                let space = if place == 0 { 0 } else { gap };
                line += &" ".repeat(space);
                line += &if self.header[k].1.is_text() { cell.to_string() + &blank } else { blank + cell };
            }
            text += line.trim_end();
            text += "\n";
        }
        text
    }
}

/// The cells of a row, each on one line, with the colours of gains.
fn cells(row: &[String], header: &[(String, Align)]) -> Vec<String> {
    let cell = |(cell, (_, align)): (&String, &(String, Align))| {
        let cell = one_line(cell);
        match (align, cell.chars().next()) {
            (Align::Gain, Some('+')) if !is_zero(&cell) => Style::Better.paint(&cell),
            (Align::Gain, Some('-' | '−')) if !is_zero(&cell) => Style::Worse.paint(&cell),
            _ => cell,
        }
    };
    row.iter().zip(header).map(cell).collect()
}

/// Whether a number is printed as zero.
fn is_zero(cell: &str) -> bool {
    !cell.contains(|c: char| ('1'..='9').contains(&c))
}

/// The columns of a text, without its styles.
fn visible(text: &str) -> usize {
    plain(text).width()
}

/// The lines of a text of at most this width: broken at spaces, and a longer word is shortened.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    if visible(text) <= width {
        return vec![text.to_string()];
    }
    let indent = text.len() - text.trim_start().len();
    let mut lines: Vec<String> = Vec::new();
    for word in plain(text).split_whitespace() {
        let word = shortened(word, width - indent);
        match lines.last_mut().filter(|line| line.width() + 1 + word.width() <= width) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(" ".repeat(indent) + &word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::style::rendered;
    use super::*;

    fn table(width: usize) -> String {
        let header = [("class", Align::Left), ("rows", Align::Right), ("gain", Align::Gain)];
        let rows = [["a class with a very long name", "12", "+0.5"], ["類別_without_any_space", "3", "-0.1"]];
        let rows = rows.map(|row| row.map(String::from).to_vec());
        plain_lines(&Table::new(&header, rows).to_text(width))
    }

    fn plain_lines(text: &str) -> String {
        text.lines().map(|line| plain(line) + "\n").collect()
    }

    #[test]
    fn a_table_that_fits_is_printed_as_it_is() {
        let text = "  class                           rows   gain\n \
                    ─────────────────────────────────────────────\n  \
                    a class with a very long name     12   +0.5\n  \
                    類別_without_any_space             3   -0.1\n";
        assert_eq!(table(usize::MAX), text);
        assert_eq!(table(46), text);
    }

    #[test]
    fn sentences_are_wrapped_and_names_are_shortened() {
        let text = "  class             rows  gain\n \
                    ──────────────────────────────\n  \
                    a class with a      12  +0.5\n  \
                    very long name\n  \
                    類別_without_an…     3  -0.1\n";
        assert_eq!(table(31), text);
    }

    #[test]
    fn columns_that_do_not_fit_follow_below() {
        let header = [("size", Align::Left), ("first number", Align::Right), ("second number", Align::Right)];
        let table = Table::new(&header, [["a", "1", "2"].map(String::from).to_vec()]);
        assert!(table.fits(36) && !table.fits(35));
        let text = table.to_text(30);
        assert_eq!(text.matches("size").count(), 2, "{text}");
        assert!(text.contains("\n\n  size  second number\n"), "{text}");
        assert!(text.lines().all(|line| line.width() <= 30), "{text}");
    }

    #[test]
    fn gains_are_coloured_by_their_sign_and_cells_cannot_move_the_cursor() {
        let header = [("gain", Align::Gain)];
        let cells = ["+0.10", "-0.10", "+0.00", "\u{1b}[2J\n"];
        let text = Table::new(&header, cells.map(|cell| vec![cell.to_string()])).to_text(80);
        let text = rendered(&text, true);
        assert!(text.contains("\u{1b}[32m+0.10\u{1b}[0m") && text.contains("\u{1b}[31m-0.10"), "{text:?}");
        assert!(text.contains("  +0.00") || text.contains(" +0.00\n"), "{text:?}");
        assert!(text.contains("\\u{1b}[2J\\n"), "{text:?}");
    }
}
