//! Splitting a line of the protocol into words.

/// Words are separated by spaces and control characters, so that a stray NUL or carriage
/// return does not become part of a word.
fn is_separator(c: char) -> bool {
    c == ' ' || c.is_ascii_control()
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
        self.rest.trim_matches(is_separator)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start_matches(is_separator);
        let (word, rest) = rest.split_at(rest.find(is_separator).unwrap_or(rest.len()));
        self.rest = rest;
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
    fn other_spaces_are_parts_of_words() {
        assert!(Tokens::new("\u{e9}\0\u{2003}x\u{7f}\u{a0}").eq(["\u{e9}", "\u{2003}x", "\u{a0}"]));
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
