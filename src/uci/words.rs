//! Cutting a line of the protocol into words.

/// What separates words: white space, and every other control character, so
/// that a stray NUL or a carriage return does not spoil the word beside it.
fn is_separator(c: char) -> bool {
    c.is_ascii_whitespace() || c.is_ascii_control()
}

/// The words of a line one after the other, and what is left of the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub fn new(line: &'a str) -> Self {
        Self { rest: line }
    }

    /// The next word, without taking it.
    pub fn peek(&self) -> Option<&'a str> {
        let mut words = *self;
        words.next()
    }

    /// Everything not taken yet, without the separators around it.
    pub fn rest(&self) -> &'a str {
        self.rest.trim_matches(is_separator)
    }
}

impl<'a> Iterator for Words<'a> {
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
        let words: Vec<&str> = Words::new(" \tgo\0depth  5\u{b}x\r\n").collect();
        assert_eq!(words, ["go", "depth", "5", "x"]);
        assert_eq!(Words::new(" \r\n").next(), None);
    }

    #[test]
    fn the_rest_keeps_inner_spaces() {
        let mut words = Words::new("value  /a  b/ \r");
        assert_eq!(words.next(), Some("value"));
        assert_eq!(words.rest(), "/a  b/");
        assert_eq!(words.peek(), Some("/a"));
        assert_eq!(words.peek(), Some("/a"));
    }
}
