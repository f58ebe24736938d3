//! Tables of text.

use crate::util::foreign_text::visible;

/// Lines of fields with each column as wide as its longest field. Columns with a number in
/// `left` are aligned to the left, the others to the right.
pub(super) fn aligned(lines: &[Vec<String>], left: &[usize]) -> String {
    let lines: Vec<Vec<_>> =
        lines.iter().map(|line| line.iter().map(|field| visible(field)).collect()).collect();
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
