//! Splitting a line of the protocol into words.

/// Words are separated by spaces and control characters, so that a stray NUL or carriage
/// return does not become part of a word.
fn is_separator(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f
}

/// The same for a character.
fn separates(c: char) -> bool {
    u8::try_from(c).is_ok_and(is_separator)
}

/// An iterator over the words of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub fn new(line: &'a str) -> Self {
        Self { rest: line }
    }

    /// The next word, without consuming it.
    pub fn peek(&self) -> Option<&'a str> {
        let mut words = *self;
        words.next()
    }

    /// The rest of the line, without the separators around it.
    pub fn rest(&self) -> &'a str {
        self.rest.trim_matches(separates)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        // Bytes instead of characters: a line may have millions of words.
        let bytes = self.rest.as_bytes();
        let begin = bytes.iter().position(|&byte| !is_separator(byte)).unwrap_or(bytes.len());
        let length = bytes[begin..].iter().position(|&byte| is_separator(byte));
        let end = length.map_or(bytes.len(), |length| begin + length);
        let word = &self.rest[begin..end];
        self.rest = &self.rest[end..];
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_separators() {
        let words: Vec<&str> = Tokens::new(" \tgo\0depth  5\u{b}x\r\n").collect();
        assert_eq!(words, ["go", "depth", "5", "x"]);
        assert_eq!(Tokens::new(" \r\n").next(), None);
    }

    #[test]
    fn separators_are_the_controls_and_the_space() {
        for byte in 0..=u8::MAX {
            let c = char::from(byte);
            let expected = c.is_ascii_whitespace() || c.is_ascii_control();
            assert_eq!(separates(c), expected, "{c:?}");
        }
        assert!(!separates('\u{a0}') && !separates('\u{2003}'));
        assert!(Tokens::new("\u{e9}\0\u{2003}x").eq(["\u{e9}", "\u{2003}x"]));
    }

    #[test]
    fn the_rest_keeps_inner_spaces() {
        let mut words = Tokens::new("value  /a  b/ \r");
        assert_eq!(words.next(), Some("value"));
        assert_eq!(words.rest(), "/a  b/");
        assert_eq!(words.peek(), Some("/a"));
        assert_eq!(words.peek(), Some("/a"));
    }
}
