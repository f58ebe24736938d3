//! Commands, parsed from lines of text.
//!
//! Parsing is pure and total: every line becomes a command, nothing, or an error for the
//! client. Unknown words at the beginning are skipped until a command is found, as the
//! specification requires.

use std::iter;

use crate::chess::notation::fen;
use crate::chess::perft;
use crate::engine::request::{GoRequest, MAX_GAME_PLIES, PositionError, PositionRequest};
use crate::uci::go;
use crate::uci::tokens::Tokens;
use crate::util::input_file::BYTE_ORDER_MARK;

/// A command with its parameters. Borrows from the line.
#[derive(Debug)]
pub(super) enum UciCommand<'a> {
    Uci,
    Debug(bool),
    IsReady,
    SetOption {
        name: String,
        value: Option<&'a str>,
    },
    NewGame,
    Position(Result<PositionRequest<'a>, PositionError>),
    Go(GoRequest<'a>),
    Perft(u32),
    Stop,
    PonderHit,
    Quit,
    Display,
    Eval,
    Bench(Option<u8>),
    /// Explain the best move, or the given one.
    Explain(Option<&'a str>),
    Help,
    /// A command that needs no answer.
    Ignored,
    /// A command with invalid parameters, and the error.
    Malformed(String),
}

/// A parsed line.
#[derive(Debug)]
pub(super) struct CommandLine<'a> {
    /// `None` if there is no command on the line.
    pub command: Option<UciCommand<'a>>,
    /// Which parameters were ignored or clamped.
    pub notices: Vec<String>,
    /// The first of the unknown words that were skipped.
    pub skipped: Option<&'a str>,
}

impl<'a> CommandLine<'a> {
    pub fn parse(text: &'a str) -> Self {
        let mut line = Self { command: None, notices: Vec::new(), skipped: None };
        let mut words = Tokens::new(text.trim_start_matches(BYTE_ORDER_MARK));
        if words.peek().is_some_and(|word| word.starts_with('#')) {
            return line;
        }
        while let Some(word) = words.next() {
            line.command = parse_command(word, words, &mut line.notices);
            if line.command.is_some() {
                break;
            }
            line.skipped.get_or_insert(word);
        }
        line
    }
}

/// The words of [`parse_command`].
pub(super) const COMMANDS: [&str; 17] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "bench",
    "explain",
    "perft",
    "help",
];

/// The command that begins with `word`, if that is a command.
fn parse_command<'a>(
    word: &str,
    mut words: Tokens<'a>,
    notices: &mut Vec<String>,
) -> Option<UciCommand<'a>> {
    Some(match word {
        "uci" => UciCommand::Uci,
        "debug" => parse_debug(words.next()),
        "isready" => UciCommand::IsReady,
        "setoption" => parse_set_option(words),
        "register" => UciCommand::Ignored,
        "ucinewgame" => UciCommand::NewGame,
        "position" => UciCommand::Position(parse_position(words)),
        "go" => match go::parse_perft(words) {
            Some(depth) => perft(depth),
            None => UciCommand::Go(go::parse(words, notices)),
        },
        "stop" => UciCommand::Stop,
        "ponderhit" => UciCommand::PonderHit,
        "quit" => UciCommand::Quit,
        "d" => UciCommand::Display,
        "eval" => UciCommand::Eval,
        "bench" => parse_bench(words.next()),
        "explain" => UciCommand::Explain(words.next()),
        "perft" => perft(words.next()),
        "help" => UciCommand::Help,
        _ => return None,
    })
}

fn parse_debug(word: Option<&str>) -> UciCommand<'_> {
    match word {
        Some("on") => UciCommand::Debug(true),
        Some("off") => UciCommand::Debug(false),
        _ => UciCommand::Malformed("debug is `on` or `off`".to_owned()),
    }
}

/// `setoption name <words> [value <anything>]`. The value is taken literally: a path may
/// contain spaces.
fn parse_set_option(mut words: Tokens<'_>) -> UciCommand<'_> {
    if words.next() != Some("name") {
        return UciCommand::Malformed("setoption needs `name`".to_owned());
    }
    let mut value = None;
    let name = join(iter::from_fn(|| match words.next() {
        Some("value") => {
            value = Some(words.rest());
            None
        }
        word => word,
    }));
    match name.is_empty() {
        true => UciCommand::Malformed("setoption needs a name after `name`".to_owned()),
        false => UciCommand::SetOption { name, value },
    }
}

/// `startpos` or `fen` and its fields, optionally `moves` and the moves.
fn parse_position(mut words: Tokens<'_>) -> Result<PositionRequest<'_>, PositionError> {
    let fen = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => fen::START.to_owned(),
            Some(_) => return Err(PositionError::Malformed),
        },
        Some("fen") => join(words.by_ref().take_while(|&word| word != "moves")),
        _ => return Err(PositionError::Malformed),
    };
    // One move more than a game may have is enough for the refusal.
    Ok(PositionRequest { fen, moves: words.take(MAX_GAME_PLIES + 1).collect() })
}

/// Joins words with spaces. It keeps no list of them, since a line may have millions.
fn join<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

fn perft(depth: Option<&str>) -> UciCommand<'_> {
    match depth.and_then(|depth| depth.parse::<u64>().ok()) {
        Some(depth) => UciCommand::Perft(depth.min(perft::MAX_DEPTH.into()) as u32),
        None => UciCommand::Malformed("perft needs a depth".to_owned()),
    }
}

fn parse_bench(depth: Option<&str>) -> UciCommand<'_> {
    match depth.map(str::parse::<u8>) {
        None => UciCommand::Bench(None),
        Some(Ok(depth)) if depth > 0 => UciCommand::Bench(Some(depth)),
        Some(_) => {
            UciCommand::Malformed("bench takes a depth from 1 to 255, or no argument".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn command(text: &str) -> UciCommand<'_> {
        CommandLine::parse(text).command.unwrap_or_else(|| panic!("no command in {text:?}"))
    }

    fn is_malformed(text: &str) -> bool {
        matches!(command(text), UciCommand::Malformed(_))
    }

    #[test]
    fn plain_commands() {
        assert!(matches!(command("uci"), UciCommand::Uci));
        assert!(matches!(command("  isready \r\n"), UciCommand::IsReady));
        assert!(matches!(command("\0quit\0"), UciCommand::Quit));
        assert!(matches!(command("\u{feff}uci"), UciCommand::Uci));
        assert!(matches!(command("register later"), UciCommand::Ignored));
        assert!(matches!(command("bench"), UciCommand::Bench(None)));
        assert!(matches!(command("bench 7"), UciCommand::Bench(Some(7))));
        assert!(is_malformed("bench 0") && is_malformed("bench x"));
    }

    #[test]
    fn perft_in_both_spellings() {
        assert!(matches!(command("perft 5"), UciCommand::Perft(5)));
        assert!(matches!(command("go perft 5"), UciCommand::Perft(5)));
        assert!(matches!(command("perft 1000000"), UciCommand::Perft(32)));
        assert!(is_malformed("perft") && is_malformed("perft -1") && is_malformed("go perft x"));
    }

    proptest! {
        /// Every line can be parsed, white space of any kind and amount is the same as a
        /// space, and unknown words before a command have no effect.
        #[test]
        fn separators_and_unknown_words_change_nothing(
            words in vec("[a-z0-9]{1,9}|go|position|fen|startpos|moves|depth|perft|stop|\\PC{1,5}", 0..12),
            separators in vec("[ \t\r\x00\x0b\x0c]{1,3}", 12),
        ) {
            let plain = words.join(" ");
            prop_assume!(!plain.trim_start().starts_with(['#', '\u{feff}']));
            let joined = words.iter().zip(&separators).flat_map(|(word, gap)| [word, gap]);
            let odd = format!(" joho\t{}", joined.map(String::as_str).collect::<String>());
            let read = |text| format!("{:?}", CommandLine::parse(text).command);
            prop_assert_eq!(read(&plain), read(&odd));
        }
    }
}
