//! Text and tables within a width.

use crate::output::{Align, Table, shortened, width, wrapped as lines};

/// Columns of files and pipes, which have no width of their own.
const FILE_WIDTH: usize = 80;

/// Sentences are not wider than this.
const WIDEST_TEXT: usize = 110;

/// Stands for a space between a number and its deviation, where no line is broken.
const JOINT: &str = "\u{e000}";

/// The columns of the screen.
pub(crate) fn screen_width() -> usize {
    match width() {
        usize::MAX => FILE_WIDTH,
        width => width,
    }
}

/// Breaks a text between words into lines of at most this width; ends in a line feed. A number stays with its deviation.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    let joined = text.replace(" ± ", &format!("{JOINT}±{JOINT}"));
    lines(&joined, width.min(WIDEST_TEXT)).join("\n").replace(JOINT, " ") + "\n"
}

/// A column of a table.
pub(super) struct Column {
    pub(super) title: &'static str,
    pub(super) align: Align,
    pub(super) cells: Vec<String>,
}

impl Column {
    pub(super) fn new(title: &'static str, align: Align, cells: Vec<String>) -> Self {
        Self { title, align, cells }
    }
}

/// A table of at most this width: names in the first column are shortened to a third of it, then columns are left out in the
/// order of `optional`.
pub(super) fn fitting_table(mut columns: Vec<Column>, optional: &[&str], width: usize) -> String {
    if table(&columns).fits(width) {
        return table(&columns).to_text(width);
    }
    for cell in &mut columns[0].cells {
        *cell = shortened(cell, width / 3);
    }
    for title in optional {
        if !table(&columns).fits(width) {
            columns.retain(|column| column.title != *title);
        }
    }
    table(&columns).to_text(width)
}

fn table(columns: &[Column]) -> Table {
    let header: Vec<(&str, Align)> = columns.iter().map(|column| (column.title, column.align)).collect();
    let n = columns.iter().map(|column| column.cells.len()).max().unwrap_or_default();
    Table::new(&header, (0..n).map(|row| columns.iter().map(|column| column.cells[row].clone()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_but_not_before_a_deviation() {
        let text = "a gain of +0.12 is more than its uncertainty";
        assert_eq!(wrapped(text, 30), "a gain of +0.12 is more than\nits uncertainty\n");
        assert_eq!(
            wrapped("its lead over expected, +0.1 ± 0.2", 30),
            "its lead over expected,\n+0.1 ± 0.2\n"
        );
    }

    #[test]
    fn tables_lose_letters_and_then_columns() {
        let columns = || {
            let names = vec!["überraschung".to_string(), "日本語の名前".to_string()];
            let cell = |text: &str| vec![text.to_string(); 2];
            vec![
                Column::new("class", Align::Name, names),
                Column::new("rows", Align::Right, cell("12")),
                Column::new("CI", Align::Left, cell("0.1–0.2")),
            ]
        };
        assert!(fitting_table(columns(), &["CI"], 80).contains("überraschung"));
        let narrow = fitting_table(columns(), &["CI"], 28);
        assert!(narrow.contains("CI") && narrow.contains("überrasc…"), "{narrow}");
        assert!(!fitting_table(columns(), &["CI"], 22).contains("CI"));
    }
}
