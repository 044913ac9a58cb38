//! Aligned columns.

/// Alignment of a column: left for text, right for numbers.
pub use comfy_table::CellAlignment as Align;
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};

use super::one_line;

/// A table with a ruled header, indented by two spaces; ends in a line feed.
pub fn plain_table(header: &[(&str, Align)], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    table.set_header(header.iter().map(|(title, _)| one_line(title)));
    table.add_rows(rows.into_iter().map(|row| row.iter().map(|cell| one_line(cell)).collect::<Vec<_>>()));
    for (column, (_, align)) in table.column_iter_mut().zip(header) {
        column.set_padding((1, 1));
        column.set_cell_alignment(*align);
    }
    table.lines().map(|line| format!(" {}\n", line.trim_end())).collect()
}
