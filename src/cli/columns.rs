//! Tables of text.

use std::borrow::Cow;

use crate::util::foreign_text::visible;

/// A table of text with each column as wide as its longest field. Columns with a number in `left`
/// are aligned to the left, the others to the right.
pub(super) fn aligned(head: &[&str], rows: &[Vec<String>], left: &[usize]) -> String {
    let head = head.iter().map(|&name| name.into()).collect();
    let rows = rows.iter().map(|row| row.iter().map(|field| visible(field)).collect());
    let lines: Vec<Vec<Cow<'_, str>>> = std::iter::once(head).chain(rows).collect();
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let fields = lines.iter().filter_map(|line| line.get(column));
        fields.map(|field| field.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let fields =
            line.iter().zip(&widths).enumerate().map(|(column, (field, &width))| {
                match left.contains(&column) {
                    true => format!("{field:<width$}"),
                    false => format!("{field:>width$}"),
                }
            });
        text += fields.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}
