//! Tables of text.

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr;

use crate::util::foreign_text::visible;

/// A table of text with each column as wide as its widest field on a terminal. Columns with a
/// number in `left` are aligned to the left, the others to the right.
pub(super) fn aligned(head: &[&str], rows: &[Vec<String>], left: &[usize]) -> String {
    let head = head.iter().map(|&name| name.into()).collect();
    let rows = rows.iter().map(|row| row.iter().map(|field| visible(field)).collect());
    let lines: Vec<Vec<Cow<'_, str>>> = std::iter::once(head).chain(rows).collect();
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let fields = lines.iter().filter_map(|line| line.get(column));
        fields.map(|field| field.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let fields = line.iter().zip(&widths).enumerate().map(|(column, (field, &width))| {
            let space = space(field, width);
            match left.contains(&column) {
                true => format!("{field}{space}"),
                false => format!("{space}{field}"),
            }
        });
        text += fields.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// A text from outside with spaces up to a width on a terminal.
pub(super) fn padded(text: &str, width: usize) -> String {
    let text = visible(text);
    format!("{text}{}", space(&text, width))
}

/// What is left of a width on a terminal.
fn space(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.width()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_and_accents_shift_no_column() {
        let rows = [["柯潔", "1"], ["Ke\u{301}", "12"], ["Ding", "-"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        let table = aligned(&["name", "n"], &rows, &[0]);
        assert_eq!(table, "name   n\n柯潔   1\nKe\u{301}    12\nDing   -\n");
        assert_eq!(
            ["柯潔", "Ding", "longer"].map(|name| padded(name, 5)),
            ["柯潔 ", "Ding ", "longer"]
        );
    }
}
