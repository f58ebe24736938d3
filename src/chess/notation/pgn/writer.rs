//! Writes games in the export format of the standard: the tags, an empty line, and the moves
//! in lines of less than 80 characters, unless a word or a comment cannot be broken.

use std::fmt::{self, Write};

use crate::chess::color::Color;
use crate::chess::notation::pgn::game::{Element, PgnGame};
use crate::chess::notation::pgn::line_stack::LineStack;
use crate::chess::notation::pgn::movetext::MoveNumber;
use crate::chess::notation::pgn::result;
use crate::chess::notation::san;

/// The longest line in characters.
const WIDTH: usize = 79;

/// The game; the last line ends with a line feed.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for tag in &self.tags {
            writeln!(f, "{tag}")?;
        }
        if !self.tags.is_empty() {
            f.write_char('\n')?;
        }
        let mut writer = MovetextWriter::new(f, LineStack::new(self.start()));
        for element in &self.elements {
            writer.element(element)?;
        }
        writer.words.word(result::text(self.termination_marker))?;
        f.write_char('\n')
    }
}

/// Writes the moves of a game.
struct MovetextWriter<'a, 'f> {
    words: WordWriter<'a, 'f>,
    stack: LineStack,
    /// Whether a move of Black needs its number, because something stands before it.
    needs_number: bool,
}

impl<'a, 'f> MovetextWriter<'a, 'f> {
    fn new(f: &'a mut fmt::Formatter<'f>, stack: LineStack) -> Self {
        let words = WordWriter { f, column: 0, brackets: String::new() };
        Self { words, stack, needs_number: true }
    }

    fn element(&mut self, element: &Element) -> fmt::Result {
        self.needs_number |=
            !matches!(element, Element::Move(_) | Element::NullMove | Element::Nag(_));
        match element {
            Element::Move(m) => {
                let san = self.stack.state().map(|state| san::format(state, *m));
                self.number()?;
                self.stack.play(*m);
                self.words.word(&san.unwrap_or_default())
            }
            Element::NullMove => {
                self.number()?;
                self.stack.pass();
                self.words.word("--")
            }
            Element::Nag(nag) => self.words.word(&format!("${nag}")),
            Element::Comment(text) => self.words.comment(text),
            Element::Open => {
                self.stack.open();
                self.words.brackets.push('(');
                Ok(())
            }
            Element::Close => {
                self.stack.close();
                self.words.close()
            }
            Element::Word(word) => self.words.word(word),
        }
    }

    /// The number of the next move, if it is due.
    fn number(&mut self) -> fmt::Result {
        let number = self.stack.next_number();
        let is_due = |number: &MoveNumber| self.needs_number || number.color == Color::White;
        let due = number.filter(is_due);
        self.needs_number = false;
        due.map_or(Ok(()), |number| self.words.word(&number.to_string()))
    }
}

/// Writes words in lines.
struct WordWriter<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    /// Characters on the current line.
    column: usize,
    /// Opening brackets, which stand before the next word without a space.
    brackets: String,
}

impl WordWriter<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        // At the start of a line these would begin a tag, or a line to be skipped.
        self.write(word, !word.starts_with(['[', '%']))
    }

    fn write(&mut self, word: &str, may_begin_line: bool) -> fmt::Result {
        let brackets = std::mem::take(&mut self.brackets);
        let may_begin_line = may_begin_line || !brackets.is_empty();
        let length = brackets.len() + word.chars().count();
        if may_begin_line && self.column > 0 && self.column + 1 + length > WIDTH {
            self.end_line()?;
        }
        if self.column > 0 || !may_begin_line {
            self.f.write_char(' ')?;
            self.column += 1;
        }
        self.column += length;
        write!(self.f, "{brackets}{word}")
    }

    fn end_line(&mut self) -> fmt::Result {
        self.column = 0;
        self.f.write_char('\n')
    }

    /// A closing bracket stands behind the last word without a space.
    fn close(&mut self) -> fmt::Result {
        let brackets = std::mem::take(&mut self.brackets);
        self.column += brackets.len() + 1;
        write!(self.f, "{brackets})")
    }

    /// A comment in braces, or, if it has a brace itself, to the end of the line.
    fn comment(&mut self, text: &str) -> fmt::Result {
        if text.contains('}') {
            self.word(&format!(";{text}"))?;
            return self.end_line();
        }
        let comment = format!("{{{text}}}");
        let mut rest = comment.as_str();
        while !rest.is_empty() {
            let (word, after) = split_comment_word(rest);
            self.write(word, !word.starts_with('%'))?;
            rest = after;
        }
        Ok(())
    }
}

/// Splits a word off a comment. A command such as `[%clk 1:29:50]` is one word, unless it is
/// long.
fn split_comment_word(text: &str) -> (&str, &str) {
    const MAX_COMMAND: usize = 40;
    let is_command = text.trim_start_matches('{').starts_with("[%");
    let end = text.bytes().take(MAX_COMMAND).position(|byte| byte == b']');
    let start = end.filter(|_| is_command).unwrap_or(0);
    match text[start..].find(' ') {
        Some(length) => (&text[..start + length], &text[start + length + 1..]),
        None => (text, ""),
    }
}
