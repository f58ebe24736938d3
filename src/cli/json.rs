//! Results as JSON.
//!
//! In a string, characters that would act on a terminal are escaped, so that a program reads
//! the text itself.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use crate::util::foreign_text::is_hidden_control;

/// Writes a result over several lines, its keys in alphabetical order.
pub(super) fn write(out: &mut (impl Write + ?Sized), result: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", escaped(&format!("{:#}", serde_json::to_value(result)?)))
}

/// A result on one line.
pub(super) fn line(result: &Value) -> String {
    escaped(&result.to_string())
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
    use serde_json::json;

    use super::*;

    #[test]
    fn strings_stay_the_same_and_act_on_no_terminal() {
        let value = json!({ "name": "a\u{1b}[31m\u{9b}\u{7f}\u{202e}\u{2066}\n\u{2028}é王" });
        let mut lines = Vec::new();
        write(&mut lines, &value).unwrap();
        for text in [line(&value), String::from_utf8(lines).unwrap()] {
            assert!(!text.contains(|c| c != '\n' && is_hidden_control(c)), "{text:?}");
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }
    }
}
