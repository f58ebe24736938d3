//! Results as JSON.
//!
//! In a string, characters that would act on a terminal are escaped, so that a program reads
//! the text itself.

use std::io::{self, Write};

use serde::Serialize;

use crate::util::foreign_text::is_hidden_control;

/// A result after the name and version of its form, as `lovec.lab-compare/1` for
/// `lovec lab compare`. A field that is removed or changed raises the number; one that is added
/// does not.
#[derive(Serialize)]
struct Versioned<'a, T> {
    schema: &'static str,
    #[serde(flatten)]
    result: &'a T,
}

/// Writes a result over several lines.
pub(super) fn write(
    out: &mut (impl Write + ?Sized),
    schema: &'static str,
    result: &impl Serialize,
) -> io::Result<()> {
    write!(out, "{}", text(schema, result)?)
}

/// A result over several lines.
pub(super) fn text(schema: &'static str, result: &impl Serialize) -> serde_json::Result<String> {
    let json = serde_json::to_string_pretty(&Versioned { schema, result })?;
    Ok(escaped(&json) + "\n")
}

/// Writes a result on one line.
pub(super) fn write_line(
    out: &mut (impl Write + ?Sized),
    schema: &'static str,
    result: &impl Serialize,
) -> io::Result<()> {
    let json = serde_json::to_string(&Versioned { schema, result })?;
    writeln!(out, "{}", escaped(&json))
}

/// Beside line breaks between values, only strings can hold such a character.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            _ if c != '\n' && is_hidden_control(c) => text += &format!("\\u{:04x}", u32::from(c)),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn strings_stay_the_same_and_act_on_no_terminal() {
        let result = json!({ "name": "a\u{1b}[31m\u{9b}\u{7f}\u{202e}\u{2066}\n\u{2028}é王" });
        let (mut lines, mut line) = (Vec::new(), Vec::new());
        write(&mut lines, "lovec.test/1", &result).unwrap();
        write_line(&mut line, "lovec.test/1", &result).unwrap();
        for text in [lines, line].map(|bytes| String::from_utf8(bytes).unwrap()) {
            assert!(!text.contains(|c| c != '\n' && is_hidden_control(c)), "{text:?}");
            let read: Value = serde_json::from_str(&text).unwrap();
            assert_eq!((&read["name"], &read["schema"]), (&result["name"], &"lovec.test/1".into()));
        }
    }
}
