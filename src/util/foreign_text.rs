//! Text from outside on a terminal: names of players, engines and files, comments, words of
//! an engine.
//!
//! Such a text may hold escape sequences, with which a terminal does anything from changing
//! its title to typing, and characters that reverse the reading direction, so that a reader
//! sees another text (Boucher and Anderson, "Trojan Source", 2021). Both are shown as
//! escapes instead: [`visible`] for a single text, [`VisibleWriter`] for all that a program
//! writes, so that no text can be forgotten.

use std::borrow::Cow;
use std::io::{self, Write};

/// Whether a character acts on what is shown instead of being shown: a control character, a
/// line separator, or a change of the reading direction that holds for what follows.
pub fn is_hidden_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}'..='\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with such characters as escapes: `\n`, `\u{1b}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden_control) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            _ if !is_hidden_control(c) => shown.push(c),
            '\n' | '\r' | '\t' => shown.extend(c.escape_default()),
            _ => shown.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(shown)
}

/// Passes on text whose lines end as they are and whose colours stay; everything else that
/// acts on a terminal becomes visible.
///
/// Each write is taken by itself: a character or a colour must not be divided. All that is
/// written by `write!` is not.
#[derive(Debug)]
pub struct VisibleWriter<W>(pub W);

impl<W: Write> Write for VisibleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let mut rest = &*text;
        while let Some(place) = rest.find(is_acting) {
            let (before, from) = rest.split_at(place);
            self.0.write_all(before.as_bytes())?;
            let length = color_length(from);
            let (this, after) =
                from.split_at(length.unwrap_or(from.chars().next().map_or(0, char::len_utf8)));
            match length {
                Some(_) => self.0.write_all(this.as_bytes())?,
                None => self.0.write_all(visible(this).as_bytes())?,
            }
            rest = after;
        }
        self.0.write_all(rest.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn is_acting(c: char) -> bool {
    is_hidden_control(c) && !['\n', '\t'].contains(&c)
}

/// The bytes of the sequence for a colour or a style at the start of a text: `ESC [ 1 ; 32 m`.
fn color_length(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let end = numbers.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    numbers[end..].starts_with('m').then_some("\u{1b}[".len() + end + "m".len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_becomes_visible() {
        for (text, shown) in [
            ("Vidmar, Milan – Ünlü \u{5d0}\u{200f} 王", "Vidmar, Milan – Ünlü \u{5d0}\u{200f} 王"),
            ("\u{1b}]0;title\u{7}", r"\u{1b}]0;title\u{7}"),
            ("\u{1b}[31mred\u{1b}[2J\u{8}", r"\u{1b}[31mred\u{1b}[2J\u{8}"),
            ("\u{9b}31m\u{7f}\0", r"\u{9b}31m\u{7f}\u{0}"),
            ("a\u{202e}b\u{2066}c\u{2028}", r"a\u{202e}b\u{2066}c\u{2028}"),
            ("a\r\n\tb", r"a\r\n\tb"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn a_writer_keeps_lines_and_colours() {
        for (text, shown) in [
            ("a\tb\n\u{1b}[1;32mgreen\u{1b}[0m\u{1b}[m\n", None),
            ("\u{1b}[2J\u{1b}[31\u{1b}", Some(r"\u{1b}[2J\u{1b}[31\u{1b}")),
            ("\r\u{202e}é\u{9b}", Some("\\r\\u{202e}é\\u{9b}")),
        ] {
            let mut writer = VisibleWriter(Vec::new());
            write!(writer, "{text}").unwrap();
            assert_eq!(String::from_utf8(writer.0).unwrap(), shown.unwrap_or(text));
        }
        let mut writer = VisibleWriter(Vec::new());
        writer.write_all(b"a\x9b31m").unwrap();
        assert_eq!(writer.0, "a\u{fffd}31m".as_bytes());
    }
}
