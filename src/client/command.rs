//! The command that starts an engine, as a user types it.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::str::FromStr;

use thiserror::Error;

/// Words that are no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a quotation mark is not closed, or there is no program")]
pub struct EngineCommandError;

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    program: String,
    arguments: Vec<String>,
    /// As the user typed it.
    text: String,
}

impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl EngineCommand {
    /// Whether there are words after the program.
    pub fn has_arguments(&self) -> bool {
        !self.arguments.is_empty()
    }

    /// The command for a process. No shell takes part.
    pub fn process(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command
    }
}

/// The path of a file, or words separated by spaces. Within single or double quotation marks
/// spaces separate nothing.
impl FromStr for EngineCommand {
    type Err = EngineCommandError;

    fn from_str(text: &str) -> Result<Self, EngineCommandError> {
        if Path::new(text).is_file() {
            return Ok(Self { program: text.into(), arguments: Vec::new(), text: text.into() });
        }
        let (mut words, mut word, mut mark) = (Vec::new(), None::<String>, None);
        for c in text.chars() {
            match mark {
                Some(open) if c == open => mark = None,
                None if c == '"' || c == '\'' => {
                    mark = Some(c);
                    word.get_or_insert_default();
                }
                None if c.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        let mut words = words.into_iter();
        match words.next().filter(|program| mark.is_none() && !program.is_empty()) {
            Some(program) => {
                Ok(Self { program, arguments: words.collect(), text: text.to_owned() })
            }
            None => Err(EngineCommandError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_spaces_outside_quotation_marks() {
        for (text, wanted) in [
            ("stockfish", &["stockfish"][..]),
            ("  lc0   --weights=a.pb ", &["lc0", "--weights=a.pb"]),
            ("'/my engines/a' \"it's\" ''", &["/my engines/a", "it's", ""]),
            ("a\\b", &["a\\b"]),
        ] {
            let command: EngineCommand = text.parse().unwrap();
            let words = [&[command.program], &command.arguments[..]].concat();
            assert_eq!(words, wanted, "{text}");
        }
        for text in ["", "  ", "'a", "a \"b", "'' b"] {
            assert!(text.parse::<EngineCommand>().is_err(), "{text}");
        }
    }
}
