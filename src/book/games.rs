//! Reads games in PGN and adds them to a book.
//!
//! The file is streamed: only one game is in memory. Games that cannot be used, which all
//! large collections have, are skipped and counted. Variations and comments are ignored.

use std::fmt;
use std::io::BufRead;

use serde::Serialize;

use crate::book::builder::Builder;
use crate::chess::notation::pgn::tag::is_standard;
use crate::chess::notation::pgn::{PgnError, PgnGame, PgnProblem, PgnReader, ProblemKind};
use crate::util::counted::counted;

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
    /// Games from an illegal position.
    pub broken: u64,
    /// Games of a player without the rating that is asked for.
    pub below_rating: u64,
}

impl fmt::Display for PgnStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} read, {} used", counted(self.games as usize, "game"), self.used)?;
        for (count, what) in [
            (self.cut_short, "of them cut short at an illegal move"),
            (self.without_result, "without a result"),
            (self.variants, "of other variants"),
            (self.broken, "broken"),
            (self.below_rating, "below the rating"),
        ] {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        Ok(())
    }
}

/// Adds all games of a PGN text to a book, each up to `max_ply` plies. With `min_rating` only
/// those in which both players are rated at least that. `fault` is called with the number of each
/// game that is broken or cut short, as `stats` counts, and with the reason. False, and nothing is
/// added, if the text begins with no game.
pub fn read(
    source: impl BufRead,
    max_ply: u32,
    min_rating: u32,
    builder: &mut Builder,
    stats: &mut PgnStats,
    mut fault: impl FnMut(u64, &PgnProblem),
) -> Result<bool, PgnError> {
    for (index, game) in PgnReader::new(source).first_plies(max_ply as usize).enumerate() {
        let game = game?;
        if index == 0 && game.is_other_text() {
            return Ok(false);
        }
        stats.games += 1;
        let (number, problem) = (stats.games, game.main_line_problem());
        let mut note = || problem.into_iter().for_each(|problem| fault(number, problem));
        match (game.start(), game.result()) {
            _ if is_variant(&game) => stats.variants += 1,
            (None, _) => {
                stats.broken += 1;
                note();
            }
            _ if !is_rated(&game, min_rating) => stats.below_rating += 1,
            (_, None) => stats.without_result += 1,
            (Some(start), Some(result)) => {
                let plies = builder.add(start, game.moves(), result);
                stats.used += 1;
                if plies < max_ply as usize && problem.is_some() {
                    stats.cut_short += 1;
                    note();
                }
            }
        }
    }
    Ok(true)
}

/// Whether a game is not one of standard chess.
fn is_variant(game: &PgnGame) -> bool {
    match game.start() {
        None => game.problems().iter().any(|it| matches!(it.kind, ProblemKind::Variant(_))),
        Some(start) => start.is_chess960() || !is_standard(game.tag("Variant").unwrap_or_default()),
    }
}

/// Whether both players are rated at least this; nobody need have a rating of 0.
fn is_rated(game: &PgnGame, min_rating: u32) -> bool {
    game.ratings().into_iter().all(|rating| rating.unwrap_or(0) >= min_rating)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::entry::BookEntry;
    use crate::book::key::key;
    use crate::chess::Position;

    fn read_all(pgn: &str, max_ply: u32) -> (Builder, PgnStats) {
        let (mut builder, mut stats) = (Builder::default(), PgnStats::default());
        read(pgn.as_bytes(), max_ply, 0, &mut builder, &mut stats, |_, _| {}).unwrap();
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
    fn skipped_games_are_counted() {
        let pgn = "[Result \"*\"]\n\n1. e4 *\n\n\
            [Variant \"Chess960\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
            [FEN \"1rk1r3/8/8/8/8/8/8/RK4R1 w GAeb - 0 1\"]\n[Result \"1-0\"]\n\n1. O-O 1-0\n\n\
            [FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n\
            [Variant \"Standard\"]\n[Result \"1-0\"]\n\n1. d4 d5 2. d5 e6 1-0\n\n";
        let (builder, stats) = read_all(pgn, 30);
        let expected = PgnStats {
            games: 5,
            used: 1,
            cut_short: 1,
            without_result: 1,
            variants: 2,
            broken: 1,
            below_rating: 0,
        };
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

    #[test]
    fn another_text_adds_nothing() {
        for text in ["hello world\n", "\0\x01\x02 1-0 \x7f", "one, two"] {
            let (mut builder, mut stats) = (Builder::default(), PgnStats::default());
            let is_pgn = read(text.as_bytes(), 30, 0, &mut builder, &mut stats, |_, _| {}).unwrap();
            assert_eq!((is_pgn, stats), (false, PgnStats::default()), "{text:?}");
        }
        assert_eq!(read_all("", 30).1.games, 0);
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
}
