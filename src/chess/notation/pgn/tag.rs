//! A tag: `[White "Kasparov, Garry"]`.

use std::fmt;

use serde::Serialize;

use crate::chess::notation::quoted;

/// A named fact about a game. One that was read is written in the same way, whatever escapes it
/// has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PgnTag {
    pub name: String,
    value: String,
    /// What stands between the quotation marks, if it has a backslash.
    #[serde(skip)]
    written: Option<Box<str>>,
}

impl fmt::Display for PgnTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} \"{}\"]", self.name, self.written.as_deref().unwrap_or(&self.value))
    }
}

impl PgnTag {
    pub fn new(name: &str, value: &str) -> Self {
        Self::read(name, &quoted::written(value))
    }

    /// A tag from what is written between its quotation marks.
    fn read(name: &str, written: &str) -> Self {
        Self {
            name: name.to_owned(),
            value: quoted::read(written),
            written: written.contains('\\').then(|| written.into()),
        }
    }

    pub fn value(&self) -> &str {
        &self.value
    }

    /// Reads a tag from the start of a text; returns the rest of the text.
    pub(super) fn parse(text: &str) -> Option<(Self, &str)> {
        let (name, text) = split_name(text)?;
        let (written, rest) = quoted::split(text.strip_prefix('"')?)?;
        let rest = rest.trim_start().strip_prefix(']')?;
        Some((Self::read(name, written), rest))
    }

    /// Reads a line that people take for a tag although it breaks the rules: the value has
    /// quotation marks of its own, or none around it.
    pub(super) fn parse_malformed(line: &str) -> Option<Self> {
        let (name, text) = split_name(line)?;
        let value = text.trim_end().strip_suffix(']')?.trim_end();
        let value = value.strip_prefix('"').unwrap_or(value);
        let value = value.strip_suffix('"').unwrap_or(value);
        Some(Self::new(name, value))
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

/// Whether the tag `Variant` names standard chess. Lichess writes "From Position" for games
/// from other positions than the start position.
pub fn is_standard(variant: &str) -> bool {
    is_one_of(variant, &["", "standard", "normal", "classical", "chess", "fromposition"])
}

/// Whether the tag `Variant` names Chess960.
pub fn is_chess960(variant: &str) -> bool {
    is_one_of(variant, &["chess960", "fischerandom", "fischerrandom", "960"])
}

/// Whether a text is one of these names, in letters of either case, with spaces and hyphens or
/// without.
fn is_one_of(text: &str, names: &[&str]) -> bool {
    let name = text.replace([' ', '-'], "").to_ascii_lowercase();
    names.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_written_as_it_was_read() {
        for (written, value) in [
            ("", ""),
            ("a \\\"b\\\" c", "a \"b\" c"),
            ("C:\\new", "C:\\new"),
            ("C:\\\\new", "C:\\new"),
            ("C:\\dir\\\\", "C:\\dir\\"),
            ("C:\\\\dir\\\\", "C:\\dir\\"),
            ("[x \\\"y\\\"]", "[x \"y\"]"),
        ] {
            let line = format!("[Event \"{written}\"]");
            let (tag, rest) = PgnTag::parse(&line).unwrap();
            assert_eq!((tag.value(), rest), (value, ""));
            assert_eq!(tag.to_string(), line);
        }
    }

    #[test]
    fn variants_are_known_as_people_write_them() {
        for (variant, standard, chess960) in [
            ("", true, false),
            (" Standard ", true, false),
            ("From Position", true, false),
            ("Chess960", false, true),
            ("chess 960", false, true),
            ("Fischer Random", false, true),
            ("Fischer-Random", false, true),
            ("fischerandom", false, true),
            ("Atomic", false, false),
            ("-", true, false),
        ] {
            assert_eq!((is_standard(variant), is_chess960(variant)), (standard, chess960));
        }
    }

    #[test]
    fn a_new_tag_is_read_again() {
        for value in ["", "a \"b\" c", "C:\\dir\\", "]"] {
            let tag = PgnTag::new("Event", value);
            assert_eq!(tag.value(), value);
            assert_eq!(PgnTag::parse(&tag.to_string()), Some((tag, "")));
        }
    }

    #[test]
    fn tags_are_read_with_any_spaces() {
        let line = "[ White   \"A\" ] [Black\"B\"]x";
        let (first, rest) = PgnTag::parse(line).unwrap();
        let (second, rest) = PgnTag::parse(rest).unwrap();
        let tags = (PgnTag::new("White", "A"), PgnTag::new("Black", "B"));
        assert_eq!(((first, second), rest), (tags, "x"));
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
            assert_eq!(PgnTag::parse_malformed(line), Some(PgnTag::new("Event", value)), "{line}");
        }
        for line in ["[", "[]", "[Event", "[Event]", "Event \"x\"]", "[\"x\"]", "[%eval 1]"] {
            assert_eq!((PgnTag::parse(line), PgnTag::parse_malformed(line)), (None, None));
        }
    }
}
