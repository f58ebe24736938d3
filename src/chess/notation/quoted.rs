//! Texts in quotation marks (S. J. Edwards, PGN standard, 1994, section 7), as in tags of PGN
//! and operations of EPD.
//!
//! The standard writes a quotation mark and a backslash within the text after a backslash. Any
//! other backslash is read as one that stands for itself, since many programs know no escapes.

/// Splits off what is written up to the closing quotation mark, and returns it with what follows
/// the mark. `text` begins after the opening one.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    let is_end = |character: char| {
        let is_end = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_end
    };
    let end = text.find(is_end)?;
    Some((&text[..end], &text[end + 1..]))
}

/// The text for which `written` stands.
pub(super) fn read(written: &str) -> String {
    let mut characters = written.chars().peekable();
    let mut text = String::with_capacity(written.len());
    while let Some(character) = characters.next() {
        let is_escaped = |next: &char| character == '\\' && matches!(next, '"' | '\\');
        text.push(characters.next_if(is_escaped).unwrap_or(character));
    }
    text
}

/// What the standard writes for `text`, without the quotation marks around it.
pub fn written(text: &str) -> String {
    text.replace('\\', r"\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_text_is_read_again() {
        for text in ["", "x", "a \"b\" c", "\\", "\\\"", "C:\\new", "a\\\\b", "\\\"\\", "Žiga ♘"]
        {
            let line = format!("{}\" \"\\", written(text));
            let (inside, rest) = split(&line).unwrap();
            assert_eq!((&*read(inside), rest), (text, " \"\\"), "{line}");
        }
    }

    #[test]
    fn only_marks_and_backslashes_are_escaped() {
        for (written, text) in
            [("C:\\new", "C:\\new"), ("C:\\\\new", "C:\\new"), ("\\\\\\n", "\\\\n"), ("\\", "\\")]
        {
            assert_eq!(read(written), text);
        }
        for open in ["", "x", "\\\"", "\\\\\\\""] {
            assert_eq!(split(open), None, "{open}");
        }
    }
}
