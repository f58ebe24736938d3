//! The position argument of all commands that take one.
//!
//! A position is `startpos` or a FEN, either with `moves` and moves after it, in SAN or UCI
//! notation, or an EPD line; `-` stands for the first line of the standard input. Most commands
//! also take a position of a game in PGN.

use std::io::{self, BufRead};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::chess::notation::epd::Epd;
use crate::chess::notation::excerpt;
use crate::chess::notation::fen::FenWarning;
use crate::chess::notation::pgn::{MoveNumber, PgnGame};
use crate::chess::notation::san::{self, SanError};
use crate::chess::{Move, Position};
use crate::cli::game::GameArgs;
use crate::util::input_file::BYTE_ORDER_MARK;

/// The longest line of the standard input, in bytes: a game of several thousand moves.
const MAX_INPUT: u64 = 64 << 10;

/// The fields of a position in EPD, before its operations.
const EPD_FIELDS: usize = 4;

/// A position as text or from a game.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct PositionArgs {
    #[command(flatten)]
    text: PositionText,
    #[command(flatten)]
    game: GameArgs,
}

impl PositionArgs {
    /// The names of the arguments, for commands that require a position.
    pub const NAMES: [&str; 3] = ["position", "fen", "pgn"];

    /// The given position, by default the starting position.
    pub fn read(&self) -> Result<Position> {
        Ok(self.read_with_game()?.0)
    }

    /// Whether the position is one of a game.
    pub fn is_of_game(&self) -> bool {
        self.game.is_given()
    }

    /// As [`read`](Self::read), with the game if it is one of a game.
    pub fn read_with_game(&self) -> Result<(Position, Option<PgnGame>)> {
        Ok(match self.game.read()? {
            Some((position, game)) => (position, Some(game)),
            None => (self.text.read("--pgn")?, None),
        })
    }

    /// A position and a move to explain: a move after a position without `moves`, or the
    /// last move of a game up to the given point. Without either, there is no move.
    pub fn read_with_move(&self) -> Result<(Position, Option<Move>)> {
        if let Some((mut position, _)) = self.game.read()? {
            let m = position.last_move();
            if m.is_some() {
                position.unmake();
            }
            return Ok((position, m));
        }
        let split = self.text.split_move().filter(|_| self.text.file().is_none());
        let Some((text, words)) = split else {
            return Ok((self.text.read("--pgn")?, None));
        };
        let position = PositionText { position: words, ..self.text.clone() }.read("--pgn")?;
        let m = san::parse_numbered(&position, &text)?;
        Ok((position, Some(m)))
    }
}

/// A position as words or as the value of an option.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct PositionText {
    /// The position: `startpos`, a FEN, either with `moves` and moves after it, moves alone,
    /// an EPD line, or `-` for the first line of the standard input
    #[arg(value_name = "POSITION", num_args = 0..)]
    position: Vec<String>,
    /// The position as the value of an option, in quotation marks
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,
}

impl PositionText {
    /// The names of the arguments, for other arguments that exclude them.
    pub const NAMES: [&str; 2] = ["position", "fen"];

    /// The move after the position, if there is one, and the words of the position. A word
    /// after `moves` belongs to the position. A move after the four fields of an EPD, or after
    /// the end of an operation, is a move, although it could be an operation without operands.
    fn split_move(&self) -> Option<(String, Vec<String>)> {
        let text = self.position.join(" ");
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (last, words) = words.split_last()?;
        let is_after_position = !words.is_empty() && !words.contains(&"moves") && is_move(last);
        let is_behind_epd =
            words.len() == EPD_FIELDS || words.last().is_some_and(|word| word.ends_with(';'));
        let is_no_part = is_behind_epd || parse(&text).is_err();
        let words = words.iter().map(|&word| word.to_owned()).collect();
        (is_after_position && is_no_part).then(|| ((*last).to_owned(), words))
    }

    /// The name of a file that stands in the place of a position.
    fn file(&self) -> Option<&String> {
        let text = self.fen.as_ref().or(self.position.first())?;
        (!matches!(text.as_str(), "startpos" | "-") && Path::new(text).is_file()).then_some(text)
    }

    /// The given position, by default the starting position. `file_option` is the option for a
    /// file, which may stand in the place of a position by mistake.
    ///
    /// # Errors
    ///
    /// If the text is not a position or names a file, if two are given, or if the standard
    /// input cannot be read.
    pub fn read(&self, file_option: &str) -> Result<Position> {
        if let Some(file) = self.file() {
            bail!("{file} is a file, not a position; use {file_option} {file}");
        }
        let text = match (&self.fen, self.position.as_slice()) {
            (None, []) => return Ok(Position::startpos()),
            (None, words) => words.join(" "),
            (Some(fen), []) => fen.clone(),
            (Some(_), [first, ..]) => bail!(
                "two positions are given, one with --fen and another beginning with {:?}; \
                 the value of --fen needs quotation marks",
                excerpt(first)
            ),
        };
        match text.trim() {
            "-" => parse(&first_line(io::stdin().lock())?),
            text => parse(text),
        }
    }
}

/// The first line that is not empty.
fn first_line(input: impl BufRead) -> Result<String> {
    let mut input = input.take(MAX_INPUT);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let length = input.read_until(b'\n', &mut bytes).context("cannot read standard input")?;
        let line = str::from_utf8(&bytes).context("standard input is not UTF-8 text")?;
        let line = line.trim_start_matches(BYTE_ORDER_MARK).trim();
        ensure!(
            input.limit() > 0 || bytes.ends_with(b"\n"),
            "standard input: the position is longer than {MAX_INPUT} bytes"
        );
        if !line.is_empty() {
            return Ok(line.to_owned());
        }
        ensure!(length > 0, "standard input holds no position");
    }
}

/// Parses any of the forms.
pub(super) fn parse(text: &str) -> Result<Position> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let Some(&first) = words.first() else { bail!("the position is empty") };
    if first != "startpos" && !first.contains('/') {
        let Some(other) = words.iter().find(|word| !is_move(word)) else {
            let mut position = Position::startpos();
            play(&mut position, &words)?;
            return Ok(position);
        };
        ensure!(
            !first.starts_with('[') && !words.iter().any(|word| is_move(word)),
            "{:?} looks like the moves of a game, but {:?} is no move",
            excerpt(text),
            excerpt(other)
        );
        let excerpt = excerpt(text);
        bail!("{excerpt:?} is not a position; a FEN, an EPD line or `startpos` is expected");
    }
    if first != "startpos" && is_epd(text, &words) {
        return Ok(show_warnings(Epd::parse_with_warnings(text)?).position);
    }
    let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (start, moves) = words.split_at(split);
    let mut position = match *start {
        ["startpos"] => Position::startpos(),
        ["startpos", other, ..] => {
            bail!("{:?} after `startpos`; `moves` is expected there", excerpt(other))
        }
        _ => show_warnings(Position::from_fen_with_warnings(&start.join(" "))?),
    };
    play(&mut position, moves.get(1..).unwrap_or_default())?;
    Ok(position)
}

fn play(position: &mut Position, moves: &[&str]) -> Result<()> {
    let played = san::play(position, moves.iter().copied());
    played.map_err(|(.., error)| {
        anyhow!(error).context(format!("move {}", MoveNumber::next(position)))
    })
}

/// Shows the warnings of a position, and returns what was read.
fn show_warnings<T>((read, warnings): (T, Vec<FenWarning>)) -> T {
    warnings.iter().for_each(|warning| log::warn!("{warning}"));
    read
}

/// Whether operations follow the four fields of an EPD.
fn is_epd(text: &str, words: &[&str]) -> bool {
    let opcode =
        words.get(EPD_FIELDS).filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    text.contains(';') || opcode.is_some_and(|&word| word != "moves")
}

/// Whether a word of a game may be a move, legal or not, or a move number.
fn is_move(word: &str) -> bool {
    let start = Position::startpos();
    let (number, word) = word.rsplit_once('.').unwrap_or(("", word));
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_malformed = || matches!(san::parse(&start, word), Err(SanError::Malformed(_)));
    is_number && (if word.is_empty() { !number.is_empty() } else { !is_malformed() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::uci;

    const FIELDS: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";

    fn error(text: &str) -> String {
        format!("{:#}", parse(text).unwrap_err())
    }

    #[test]
    fn every_form_makes_a_position() {
        let start = Position::startpos().fen();
        let after_e4 = parse("startpos moves e2e4").unwrap().fen();
        assert_eq!(parse("startpos").unwrap().fen(), start);
        assert_eq!(parse(&start).unwrap().fen(), start);
        assert_eq!(parse(&format!("{start}   moves e2e4")).unwrap().fen(), after_e4);
        for text in [
            format!("{FIELDS} 0 1"),
            FIELDS.to_owned(),
            format!("{FIELDS} bm e5; id \"moves are here\";"),
            format!("{FIELDS} bm e5"),
            format!("{FIELDS} 0 1 ;D1 20 ;D2 400"),
            format!("{FIELDS} moves"),
        ] {
            assert_eq!(parse(&text).unwrap().fen(), after_e4, "{text}");
        }
        for text in ["e2e4", "e4", "1. e4", "1.e4"] {
            assert_eq!(parse(text).unwrap().fen(), after_e4, "{text}");
        }
        let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"];
        for count in 0..=moves.len() {
            for start in ["startpos", &start] {
                let text = format!("{start} moves {}", moves[..count].join(" "));
                assert_eq!(parse(&text).unwrap().plies(), count, "{text}");
            }
        }
    }

    #[test]
    fn an_error_names_the_mistake_once() {
        for (text, parts) in [
            ("", "position is empty"),
            ("nonsense", "\"nonsense\" is not a position"),
            ("1. e4 e5 2. Nf4", "move 2.: Nf4 is not legal here"),
            ("1.e4 e5 2.?", "looks like the moves of a game"),
            ("e2e4 nonsense", "looks like the moves of a game"),
            ("[Event \"a game\"]", "looks like the moves of a game"),
            ("moves e2e4", "looks like the moves of a game"),
            ("startpos e2e4", "\"e2e4\" after `startpos`"),
            ("startpos moves e2e4 e2e4", "move 1...: e2e4 is not legal here"),
            ("startpos moves x", "move 1.: \"x\" is not a move"),
            ("8/8/8 w - -", "FEN board: 3 ranks"),
            ("8/8/8/8/8/8/8/K1k5 x - -", "FEN side to move: \"x\""),
            ("8/8/8/8/8/8/8/K1k5 w - - 0 1 x", "FEN: 7 fields"),
            ("8/8/8/8/8/8/8/Kk6 w - - bm Kb1", "FEN position"),
        ] {
            let error = error(text);
            let words: Vec<&str> = error.split(": ").collect();
            let repeated = (1..words.len()).any(|index| words[..index].contains(&words[index]));
            assert!(error.contains(parts), "{text}: {error}");
            assert!(!repeated, "{error}");
        }
    }

    #[test]
    fn a_move_may_follow_a_position() {
        let read = |words: &[&str]| {
            let position = words.iter().map(|&word| word.to_owned()).collect();
            let text = PositionText { position, fen: None };
            let (position, m) =
                PositionArgs { text, game: GameArgs::default() }.read_with_move()?;
            Ok::<_, anyhow::Error>((position.fen(), m.map(|m| uci::format_move(m, false))))
        };
        let after_e4 = format!("{FIELDS} 0 1");
        let start = Position::startpos().fen();
        let m = |text: &str| Some(text.to_owned());
        assert_eq!(read(&["startpos", "Nf3"]).unwrap(), (start.clone(), m("g1f3")));
        assert_eq!(read(&["startpos"]).unwrap(), (start, None));
        assert_eq!(read(&["startpos moves e2e4"]).unwrap(), (after_e4.clone(), None));
        assert_eq!(read(&[&after_e4, "e5"]).unwrap(), (after_e4.clone(), m("e7e5")));
        assert_eq!(read(&[&after_e4, "e7e5"]).unwrap(), (after_e4.clone(), m("e7e5")));
        for text in ["1...e5", "1...e5?!"] {
            assert_eq!(read(&[&after_e4, text]).unwrap(), (after_e4.clone(), m("e7e5")));
        }
        let with_operations = format!("{FIELDS} bm c5; id \"x\";");
        assert_eq!(read(&[&with_operations, "e5"]).unwrap(), (after_e4.clone(), m("e7e5")));
        assert_eq!(read(&[FIELDS, "e5"]).unwrap(), (after_e4, m("e7e5")));
        // An en passant square, not a move.
        let passed = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3";
        assert_eq!(read(&[passed]).unwrap().1, None);
        assert!(read(&["startpos", "Nf6"]).is_err());
    }

    #[test]
    fn a_position_is_given_once() {
        let fen = Some(format!("{FIELDS} 0 1"));
        let given = |words: &[&str]| {
            let position = words.iter().map(|&word| word.to_owned()).collect();
            let text = PositionText { position, fen: fen.clone() };
            PositionArgs { text, game: GameArgs::default() }.read_with_move()
        };
        assert!(given(&[]).is_ok());
        for words in [&["startpos"][..], &["startpos", "e4"]] {
            let error = given(words).unwrap_err();
            assert!(error.to_string().starts_with("two positions are given"), "{error}");
        }
    }

    #[test]
    fn the_first_line_of_the_input_is_read() {
        let read = |text: &[u8]| first_line(text).map_err(|error| error.to_string());
        assert_eq!(read(b"\n\n startpos \nrest"), Ok("startpos".to_owned()));
        assert_eq!(read(b"startpos"), Ok("startpos".to_owned()));
        assert!(read(b"\n").unwrap_err().contains("no position"));
        assert!(read(b"\xff\n").unwrap_err().contains("UTF-8"));
        assert!(read(&[b'x'; 70_000]).unwrap_err().contains("longer than"));
        assert!(read(&[b'\n'; 70_000]).is_err());
    }
}
