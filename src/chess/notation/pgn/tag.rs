//! A tag: `[White "Kasparov, Garry"]`.

use std::fmt::{self, Write};

use serde::Serialize;

/// A named fact about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PgnTag {
    pub name: String,
    pub value: String,
}

/// A quotation mark in the value is written after a backslash, and so is a backslash before
/// another or before a quotation mark. Any other backslash stands for itself, since many
/// programs know no escapes.
impl fmt::Display for PgnTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} \"", self.name)?;
        let mut characters = self.value.chars().peekable();
        while let Some(character) = characters.next() {
            let is_escape =
                character == '\\' && matches!(characters.peek(), None | Some('"' | '\\'));
            if character == '"' || is_escape {
                f.write_char('\\')?;
            }
            f.write_char(character)?;
        }
        f.write_str("\"]")
    }
}

impl PgnTag {
    /// Reads a tag from the start of a text; returns the rest of the text.
    pub(super) fn parse(text: &str) -> Option<(Self, &str)> {
        let (name, text) = split_name(text)?;
        let mut characters = text.strip_prefix('"')?.chars();
        let mut value = String::new();
        loop {
            match characters.next()? {
                '"' => break,
                '\\' => push_escaped(&mut value, &mut characters),
                character => value.push(character),
            }
        }
        let rest = characters.as_str().trim_start().strip_prefix(']')?;
        Some((Self { name: name.to_owned(), value }, rest))
    }

    /// Reads a line that people take for a tag although it breaks the rules: the value has
    /// quotation marks of its own, or none around it.
    pub(super) fn parse_malformed(line: &str) -> Option<Self> {
        let (name, text) = split_name(line)?;
        let value = text.trim_end().strip_suffix(']')?.trim_end();
        let value = value.strip_prefix('"').unwrap_or(value);
        let value = value.strip_suffix('"').unwrap_or(value);
        Some(Self { name: name.to_owned(), value: value.to_owned() })
    }

    /// Whether a line begins as tags do.
    pub(super) fn begins(line: &str) -> bool {
        split_name(line).is_some_and(|(_, rest)| rest.starts_with('"'))
    }
}

/// Splits off `[` and the name; the rest begins with the value.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start().strip_prefix('[')?.trim_start();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let end = text.find(|c| !is_name(c))?;
    let (name, rest) = text.split_at(end);
    let value = rest.trim_start();
    // Only a quotation mark may follow the name at once.
    let is_apart = value.len() < rest.len() || value.starts_with('"');
    (!name.is_empty() && is_apart).then_some((name, value))
}

/// The character after a backslash. Only `\"` and `\\` stand for one character.
fn push_escaped(value: &mut String, characters: &mut std::str::Chars<'_>) {
    let mut ahead = characters.clone();
    match ahead.next() {
        Some(character @ ('"' | '\\')) => {
            value.push(character);
            *characters = ahead;
        }
        _ => value.push('\\'),
    }
}

/// Whether the tag `Variant` names standard chess. Lichess writes "From Position" for games
/// from other positions than the start position.
pub fn is_standard(variant: &str) -> bool {
    is_one_of(variant, &["", "standard", "normal", "chess", "from position"])
}

/// Whether the tag `Variant` names Chess960.
pub fn is_chess960(variant: &str) -> bool {
    is_one_of(variant, &["chess960", "chess 960", "fischerandom", "fischerrandom", "960"])
}

fn is_one_of(text: &str, names: &[&str]) -> bool {
    names.iter().any(|name| text.trim().eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(name: &str, value: &str) -> PgnTag {
        PgnTag { name: name.to_owned(), value: value.to_owned() }
    }

    #[test]
    fn a_written_tag_is_read_again() {
        for value in [
            "",
            "x",
            "a \"b\" c",
            "\\",
            "\\\"",
            "C:\\new",
            "a\\\\b",
            "\\\"\\",
            "]",
            "[x \"y\"]",
            "Žiga ♘",
        ] {
            let written = tag("Event", value).to_string();
            assert_eq!(PgnTag::parse(&written), Some((tag("Event", value), "")), "{written}");
        }
        assert_eq!(tag("Site", "C:\\new").to_string(), "[Site \"C:\\new\"]");
    }

    #[test]
    fn tags_are_read_with_any_spaces() {
        let line = "[ White   \"A\" ] [Black\"B\"]x";
        let (first, rest) = PgnTag::parse(line).unwrap();
        let (second, rest) = PgnTag::parse(rest).unwrap();
        assert_eq!((first, second, rest), (tag("White", "A"), tag("Black", "B"), "x"));
    }

    #[test]
    fn malformed_tags_are_read_as_people_mean_them() {
        for (line, value) in [
            ("[Event \"the \"big\" one\"]", "the \"big\" one"),
            ("[Event \"open]", "open"),
            ("[Event no marks]", "no marks"),
            ("[Event \"\"\"]", "\""),
        ] {
            assert_eq!(PgnTag::parse(line), None, "{line}");
            assert_eq!(PgnTag::parse_malformed(line), Some(tag("Event", value)), "{line}");
        }
        for line in ["[", "[]", "[Event", "[Event]", "Event \"x\"]", "[\"x\"]", "[%eval 1]"] {
            assert_eq!((PgnTag::parse(line), PgnTag::parse_malformed(line)), (None, None));
        }
    }
}
