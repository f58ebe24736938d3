//! Builds a book from the positions, moves and results of games.
//!
//! Every move in the first plies of a game is counted for its position. Positions are
//! identified by their Polyglot keys, so transpositions are counted together. A move that
//! a game repeats in the same position counts once.
//!
//! The weight of a move is two for each game won by the side that played it and one for
//! each draw, as in Polyglot's own `make-book`. If the greatest weight of a position does
//! not fit into an entry, all moves of the position are scaled down. The shares of the results
//! are kept beside it ([`BookResults`]).

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::book::entry::{BookEntry, BookResults, EncodedMove};
use crate::book::key::key;
use crate::chess::{GameResult, Move, Position};

/// The results of a move of a position for the side that played it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct MoveStats {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl MoveStats {
    fn games(self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }

    fn points(self) -> u64 {
        2 * u64::from(self.wins) + u64::from(self.draws)
    }
}

/// Counts the moves of games, and returns the entries of a book.
#[derive(Debug, Default)]
pub struct Builder {
    stats: HashMap<(u64, EncodedMove), MoveStats>,
}

impl Builder {
    /// Counts the moves of a game with this result; `None` is a pass, which is no move of a book.
    /// Returns the number of plies.
    pub fn add(
        &mut self,
        start: &Position,
        moves: impl IntoIterator<Item = Option<Move>>,
        result: GameResult,
    ) -> usize {
        let mut position = start.clone();
        let mut played = HashSet::new();
        for m in moves {
            let Some(m) = m else {
                position.make_null();
                continue;
            };
            let color = position.side_to_move();
            played.extend(key(&position).map(|key| (key, EncodedMove::from(m), color)));
            position.make(m);
        }
        for (key, m, color) in played {
            let stats = self.stats.entry((key, m)).or_default();
            match result {
                GameResult::Won(winner) if winner == color => stats.wins += 1,
                GameResult::Won(_) => stats.losses += 1,
                GameResult::Drawn => stats.draws += 1,
            }
        }
        position.plies()
    }

    /// The entries of the book: sorted by key, then by weight, the heaviest first, then by
    /// encoded move. The order in which games were added does not matter.
    ///
    /// Moves of fewer than `min_games` games are left out, and so are moves without points,
    /// since weight zero means that a move is not to be played.
    pub fn entries(&self, min_games: u32) -> Vec<BookEntry> {
        let mut kept: Vec<(u64, EncodedMove, MoveStats)> = self
            .stats
            .iter()
            .filter(|(_, stats)| stats.games() >= u64::from(min_games) && stats.points() > 0)
            .map(|(&(key, m), &stats)| (key, m, stats))
            .collect();
        kept.sort_unstable_by_key(|&(key, m, stats)| (key, Reverse(stats.points()), m));
        let positions = kept.chunk_by(|a, b| a.0 == b.0);
        let entries = positions.flat_map(|moves| {
            let max = moves[0].2.points();
            moves.iter().map(move |&(key, m, stats)| {
                let learn = BookResults::new(stats.wins, stats.draws, stats.losses).to_learn();
                BookEntry { key, m, weight: scaled(stats.points(), max), learn }
            })
        });
        entries.collect()
    }
}

/// Points as a weight: unchanged if the maximum `max` of the position fits into an entry,
/// otherwise scaled so that it just does, to at least one.
fn scaled(points: u64, max: u64) -> u16 {
    const LIMIT: u64 = u16::MAX as u64;
    let weight = if max <= LIMIT { points } else { (points * LIMIT / max).max(1) };
    weight.min(LIMIT) as u16
}

/// The Polyglot book of entries, which must be sorted by key.
pub fn to_bytes(entries: &[BookEntry]) -> Vec<u8> {
    debug_assert!(entries.is_sorted_by_key(|entry| entry.key));
    entries.iter().flat_map(|entry| entry.to_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::book::book_move::BookMove;
    use crate::book::polyglot::Book;
    use crate::chess::Color;
    use crate::chess::notation::san;
    use crate::chess::notation::uci::{format_move, parse_move};

    /// Adds a game from the start position.
    fn add(builder: &mut Builder, moves: &str, result: GameResult) {
        let start = Position::startpos();
        let mut position = start.clone();
        let plies = moves.split_whitespace().map(|text| {
            let m = parse_move(&position, text).unwrap();
            position.make(m);
            Some(m)
        });
        builder.add(&start, plies, result);
    }

    fn book(builder: &Builder, min_games: u32) -> Book<Cursor<Vec<u8>>> {
        Book::new(Cursor::new(to_bytes(&builder.entries(min_games)))).unwrap()
    }

    /// The book moves with their weights after `moves`.
    fn book_moves(book: &mut Book<Cursor<Vec<u8>>>, moves: &str) -> Vec<(String, u16)> {
        let mut position = Position::startpos();
        san::play(&mut position, moves.split_whitespace()).unwrap();
        let named = |found: BookMove| (format_move(found.m, false), found.weight);
        book.moves(&position).unwrap().into_iter().map(named).collect()
    }

    fn pairs(expected: &[(&str, u16)]) -> Vec<(String, u16)> {
        expected.iter().map(|&(text, weight)| (text.to_owned(), weight)).collect()
    }

    #[test]
    fn a_win_counts_two_and_a_draw_one() {
        let mut builder = Builder::default();
        add(&mut builder, "e2e4 e7e5", GameResult::Won(Color::White));
        add(&mut builder, "e2e4 c7c5", GameResult::Won(Color::Black));
        add(&mut builder, "e2e4 e7e5", GameResult::Drawn);
        add(&mut builder, "d2d4 d7d5", GameResult::Won(Color::White));
        add(&mut builder, "g1f3 d7d5", GameResult::Won(Color::Black));
        let mut all = book(&builder, 1);
        assert_eq!(book_moves(&mut all, ""), pairs(&[("e2e4", 3), ("d2d4", 2)]));
        assert_eq!(book_moves(&mut all, "e2e4"), pairs(&[("c7c5", 2), ("e7e5", 1)]));
        assert_eq!(book_moves(&mut all, "d2d4"), []);
        let mut twice = book(&builder, 2);
        assert_eq!(book_moves(&mut twice, ""), pairs(&[("e2e4", 3)]));
        assert_eq!(book_moves(&mut twice, "e2e4"), pairs(&[("e7e5", 1)]));
        assert_eq!(builder.entries(4), []);
    }

    #[test]
    fn transpositions_are_counted_together() {
        let mut builder = Builder::default();
        add(&mut builder, "d2d4 g8f6 c2c4 e7e6 b1c3", GameResult::Won(Color::White));
        add(&mut builder, "c2c4 e7e6 d2d4 g8f6 b1c3", GameResult::Drawn);
        let mut book = book(&builder, 2);
        assert_eq!(book_moves(&mut book, "d2d4 e7e6 c2c4 g8f6"), pairs(&[("b1c3", 3)]));
        assert_eq!(book_moves(&mut book, ""), []);
    }

    #[test]
    fn a_repeated_move_counts_once_per_game() {
        let mut builder = Builder::default();
        let there_and_back = "g1f3 g8f6 f3g1 f6g8";
        add(&mut builder, &[there_and_back; 3].join(" "), GameResult::Won(Color::White));
        let mut all = book(&builder, 1);
        assert_eq!(book_moves(&mut all, ""), pairs(&[("g1f3", 2)]));
        assert_eq!(builder.entries(2), []);
    }

    #[test]
    fn the_order_of_the_games_does_not_matter() {
        let games = [
            ("e2e4 e7e5 g1f3", GameResult::Drawn),
            ("d2d4 d7d5", GameResult::Drawn),
            ("c2c4 e7e5", GameResult::Won(Color::Black)),
            ("g1f3 d7d5 d2d4", GameResult::Won(Color::White)),
        ];
        let (mut there, mut back) = (Builder::default(), Builder::default());
        games.iter().for_each(|&(moves, result)| add(&mut there, moves, result));
        games.iter().rev().for_each(|&(moves, result)| add(&mut back, moves, result));
        let entries = there.entries(1);
        assert_eq!(entries, back.entries(1));
        let order = |a: &BookEntry, b: &BookEntry| {
            (a.key, u16::MAX - a.weight, a.m) < (b.key, u16::MAX - b.weight, b.m)
        };
        assert!(entries.is_sorted_by(order), "{entries:?}");
    }

    #[test]
    fn great_weights_are_scaled_down() {
        assert_eq!(scaled(65_535, 65_535), 65_535);
        assert_eq!(scaled(65_536, 65_536), 65_535);
        assert_eq!(scaled(100_000, 200_000), 32_767);
        assert_eq!(scaled(1, 200_000), 1);
        assert_eq!(scaled(7, 65_535), 7);
        let most = 2 * u64::from(u32::MAX) + u64::from(u32::MAX);
        assert_eq!(scaled(most, most), u16::MAX);
    }
}
