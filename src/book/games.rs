//! Reads games in PGN and adds them to a book.
//!
//! The file is streamed: only the book moves of one game are in memory. Games that cannot
//! be used, which all large collections have, are skipped and counted. Variations and
//! comments are ignored.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Read};
use std::mem;
use std::ops::ControlFlow;

use pgn_reader::{KnownOutcome, RawTag, Reader, SanPlus, Visitor};
use serde::Serialize;

use crate::book::builder::{BookLine, Builder};
use crate::chess::notation::pgn::result;
use crate::chess::notation::pgn::variant::is_standard;
use crate::chess::notation::san;
use crate::chess::{Color, GameResult, Position};

/// The maximum length of a tag line in bytes. A game with a longer one is broken.
const TAG_BYTES: usize = 4096;

/// The maximum length of a line in bytes. A game may be a single line, but a file without
/// line ends, such as one of zeros, is not PGN.
const MAX_LINE_BYTES: usize = 16 << 20;

/// Counts of the games read. Each game is used, without a result, of a variant, or
/// broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PgnStats {
    /// Games read.
    #[serde(rename = "read")]
    pub games: u64,
    /// Games whose moves were counted.
    pub used: u64,
    /// The used games that were cut short at an illegal move.
    pub cut_short: u64,
    /// Games without a result.
    pub without_result: u64,
    /// Games of Chess960 or another variant.
    pub variants: u64,
    /// Games from an illegal position, or with malformed tags.
    pub broken: u64,
}

impl fmt::Display for PgnStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games read, {} used", self.games, self.used)?;
        for (count, what) in [
            (self.cut_short, "of them cut short at an illegal move"),
            (self.without_result, "without a result"),
            (self.variants, "of other variants"),
            (self.broken, "broken"),
        ] {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        Ok(())
    }
}

/// Adds all games of a PGN text to a book, each up to `max_ply` plies.
///
/// # Errors
///
/// If the text cannot be read, or has a line of more than 16 MiB.
pub fn read(
    source: impl Read,
    max_ply: u32,
    builder: &mut Builder,
    stats: &mut PgnStats,
) -> io::Result<()> {
    let failed = Cell::new(false);
    let source = CheckedSource { source, failed: &failed, line_bytes: 0 };
    let mut reader = Reader::build(source).set_supported_tag_line_length(TAG_BYTES).finish();
    let mut games = GameVisitor { max_ply: max_ply as usize };
    loop {
        let game = match reader.read_game(&mut games) {
            Ok(Some(game)) => game,
            Ok(None) => return Ok(()),
            Err(error) if failed.get() => return Err(error),
            // An unterminated tag; the text after it belongs to the same game.
            Err(_) => {
                if let Err(error) = reader.skip_game()
                    && failed.get()
                {
                    return Err(error);
                }
                Err(Skipped::Broken)
            }
        };
        stats.games += 1;
        match game {
            Err(Skipped::Variant) => stats.variants += 1,
            Err(Skipped::Broken) => stats.broken += 1,
            Ok(PgnGame { result: None, .. }) => stats.without_result += 1,
            Ok(PgnGame { line, result: Some(result), cut_short }) => {
                stats.used += 1;
                stats.cut_short += u64::from(cut_short);
                builder.add(line, result);
            }
        }
    }
}

/// A source that records whether it failed, to distinguish a file that cannot be read
/// from malformed PGN. Lines that are too long are failures.
struct CheckedSource<'a, R> {
    source: R,
    failed: &'a Cell<bool>,
    /// Bytes since the last end of a line.
    line_bytes: usize,
}

impl<R: Read> Read for CheckedSource<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer).and_then(|length| {
            self.check_line(&buffer[..length])?;
            Ok(length)
        });
        let failed = |error: &io::Error| error.kind() != io::ErrorKind::Interrupted;
        self.failed.set(read.as_ref().err().is_some_and(failed));
        read
    }
}

impl<R> CheckedSource<'_, R> {
    fn check_line(&mut self, bytes: &[u8]) -> io::Result<()> {
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        self.line_bytes = match bytes.iter().rposition(is_end) {
            Some(end) => bytes.len() - end - 1,
            None => self.line_bytes + bytes.len(),
        };
        if self.line_bytes > MAX_LINE_BYTES {
            let text = "not PGN: a line is longer than 16 MiB";
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok(())
    }
}

/// The relevant tags of a game.
#[derive(Default)]
struct Tags {
    fen: Option<String>,
    variant: Option<String>,
    result: Option<GameResult>,
}

/// A game, as far as it was read.
struct PgnGame {
    line: BookLine,
    result: Option<GameResult>,
    /// Whether it ends at an illegal or malformed move.
    cut_short: bool,
}

impl PgnGame {
    fn new(position: Position, result: Option<GameResult>) -> Self {
        Self { line: BookLine::new(position), result, cut_short: false }
    }

    /// Plays a move in algebraic notation; returns whether it is legal.
    fn play(&mut self, text: &str) -> bool {
        match san::parse(self.line.position(), text) {
            Ok(m) => self.line.play(m),
            Err(_) => self.cut_short = true,
        }
        !self.cut_short
    }
}

/// Why a game is skipped.
enum Skipped {
    Variant,
    Broken,
}

type Game = Result<PgnGame, Skipped>;

/// Receives the parts of the games from the reader.
struct GameVisitor {
    max_ply: usize,
}

impl Visitor for GameVisitor {
    type Tags = Tags;
    type Movetext = PgnGame;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let text = || value.decode_utf8_lossy().trim().to_owned();
        match name {
            b"FEN" => tags.fen = Some(text()),
            b"Variant" => tags.variant = Some(text()),
            b"Result" => tags.result = result::parse(&text()),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Game, PgnGame> {
        if tags.variant.is_some_and(|variant| !is_standard(&variant)) {
            return ControlFlow::Break(Err(Skipped::Variant));
        }
        let position = match tags.fen.as_deref() {
            None | Some("") => Position::startpos(),
            Some(fen) => match Position::from_fen(fen) {
                Ok(position) if position.is_chess960() => {
                    return ControlFlow::Break(Err(Skipped::Variant));
                }
                Ok(position) => position,
                Err(_) => return ControlFlow::Break(Err(Skipped::Broken)),
            },
        };
        ControlFlow::Continue(PgnGame::new(position, tags.result))
    }

    /// Skips the rest of a game once its book moves and its result are known.
    fn san(&mut self, game: &mut PgnGame, san: SanPlus) -> ControlFlow<Game> {
        let wanted = game.line.plies() < self.max_ply && !game.cut_short;
        if (wanted && game.play(&san.san.to_string())) || game.result.is_none() {
            return ControlFlow::Continue(());
        }
        let done = mem::replace(game, PgnGame::new(Position::startpos(), None));
        ControlFlow::Break(Ok(done))
    }

    /// The result tag takes precedence over the result after the moves.
    fn outcome(&mut self, game: &mut PgnGame, result: pgn_reader::Outcome) -> ControlFlow<Game> {
        game.result = game.result.or(match result {
            pgn_reader::Outcome::Known(KnownOutcome::Decisive { winner }) => {
                Some(GameResult::Won(winner.fold_wb(Color::White, Color::Black)))
            }
            pgn_reader::Outcome::Known(KnownOutcome::Draw) => Some(GameResult::Drawn),
            pgn_reader::Outcome::Unknown => None,
        });
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: PgnGame) -> Game {
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::entry::BookEntry;
    use crate::book::key::key;

    fn read_all(pgn: &str, max_ply: u32) -> (Builder, PgnStats) {
        let (mut builder, mut stats) = (Builder::default(), PgnStats::default());
        read(pgn.as_bytes(), max_ply, &mut builder, &mut stats).unwrap();
        (builder, stats)
    }

    /// Moves and weights of the entries of a position.
    fn moves(entries: &[BookEntry], fen: &str) -> Vec<(String, u16)> {
        let key = key(&Position::from_fen(fen).unwrap()).unwrap();
        let here = entries.iter().filter(|entry| entry.key == key);
        here.map(|entry| (entry.m.to_string(), entry.weight)).collect()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn all_elements_of_pgn_are_read() {
        let pgn = "\u{feff}[Event \"one\"]\n[Result \"1-0\"]\n\n\
            1. e4 {a comment with Nf3 in it} e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3! $1 ; rest\n Nc6 1-0\n\n\
            [Event \"two\"]\n\n1.e4 c5 1/2-1/2\n\n% a line to skip\n\
            [Event \"three\"]\n[Result \"*\"]\n\n1. d4 d5 0-1\n";
        let (builder, stats) = read_all(pgn, 30);
        assert_eq!(stats, PgnStats { games: 3, used: 3, ..PgnStats::default() });
        let entries = builder.entries(1);
        assert_eq!(moves(&entries, START), [("e2e4".to_owned(), 3)]);
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(moves(&entries, after_e4), [("c7c5".to_owned(), 1)]);
        let after_d4 = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(moves(&entries, after_d4), [("d7d5".to_owned(), 2)]);
    }

    #[test]
    fn skipped_games_are_counted() {
        let pgn = "[Result \"*\"]\n\n1. e4 *\n\n\
            [Variant \"Chess960\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
            [FEN \"1rk1r3/8/8/8/8/8/8/RK4R1 w GAeb - 0 1\"]\n[Result \"1-0\"]\n\n1. O-O 1-0\n\n\
            [FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
            [Variant \"Standard\"]\n[Result \"1-0\"]\n\n1. d4 d5 2. d5 e6 1-0\n\n";
        let (builder, stats) = read_all(pgn, 30);
        let expected =
            PgnStats { games: 5, used: 1, cut_short: 1, without_result: 1, variants: 2, broken: 1 };
        assert_eq!(stats, expected);
        assert_eq!(moves(&builder.entries(1), START), [("d2d4".to_owned(), 2)]);
        assert_eq!(builder.entries(1).len(), 1, "d7d5 lost, and the next move is illegal");
        let text = stats.to_string();
        assert!(
            text.starts_with("5 games read, 1 used") && text.contains("2 of other variants"),
            "{text}"
        );
    }

    #[test]
    fn games_begin_from_their_fen_tag() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
        let pgn = format!("[FEN \"{fen}\"]\n[Result \"0-1\"]\n\n1... O-O-O 2. O-O 0-1\n");
        let (builder, stats) = read_all(&pgn, 30);
        assert_eq!((stats.games, stats.used), (1, 1));
        assert_eq!(moves(&builder.entries(1), fen), [("e8a8".to_owned(), 2)]);
    }

    /// The result after a long game is found, although its moves are skipped.
    #[test]
    fn only_the_first_plies_are_counted() {
        let pgn = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 4. Qh9 1/2-1/2\n";
        let (builder, stats) = read_all(pgn, 3);
        assert_eq!(stats, PgnStats { games: 1, used: 1, ..PgnStats::default() });
        assert_eq!(builder.entries(1).len(), 3);
        assert_eq!(read_all(pgn, 0).0.entries(1), []);
    }

    #[test]
    fn an_unterminated_tag_breaks_one_game() {
        let long = "x".repeat(200_000);
        let pgn = format!(
            "[Event \"{long}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n[Result \"1-0\"]\n\n1. d4 1-0\n"
        );
        let (builder, stats) = read_all(&pgn, 30);
        assert_eq!(stats, PgnStats { games: 2, used: 1, broken: 1, ..PgnStats::default() });
        assert_eq!(moves(&builder.entries(1), START), [("d2d4".to_owned(), 2)]);
    }

    #[test]
    fn a_source_that_fails_is_an_error() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::InvalidData.into())
            }
        }
        let source = b"[Result \"1-0\"]\n\n1. e4".chain(Failing);
        let (mut builder, mut stats) = (Builder::default(), PgnStats::default());
        assert!(read(source, 30, &mut builder, &mut stats).is_err());
    }

    #[test]
    fn malformed_text_is_read_to_its_end() {
        for text in
            ["", "\n\n\n", "[[[", "1. e4 {", "((((", "[FEN \"", "\0\0 1-0", "1. -- Z0 @@ 1-0"]
        {
            let (builder, stats) = read_all(text, 30);
            assert!(stats.used <= 1 && builder.entries(1).len() <= 1, "{text:?}: {stats}");
        }
    }
}
