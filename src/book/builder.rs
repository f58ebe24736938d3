//! Makes a book from what was played: positions, moves and results.
//!
//! Every move within the first plies of a game is counted for the position in
//! which it was played. Positions are told apart by their Polyglot key alone, so
//! that games which come to a position by different moves speak of it together.
//! A move that a game repeats in the same position counts once.
//!
//! A move is worth what it brought to the side that played it: two for a win, one
//! for a draw, as Polyglot's own `make-book` counts. Where the best move of a
//! position has more than fits into an entry, all its moves are scaled down alike.

use std::collections::HashMap;
use std::io::{self, Write};

use crate::book::{BookEntry, EncodedMove, key};
use crate::chess::{Color, GameResult, Move, Position};

/// How often a move of a position was played, and what came of it for the side
/// that played it.
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

/// A move where it was played, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PlayedMove {
    key: u64,
    m: EncodedMove,
    color: Color,
}

/// The moves of one game that a book is to learn.
#[derive(Clone, Debug)]
pub struct BookLine {
    position: Position,
    played: Vec<PlayedMove>,
}

impl BookLine {
    /// A game that begins with this position.
    pub fn new(position: Position) -> Self {
        Self { position, played: Vec::new() }
    }

    /// The position that has been reached.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How many moves there are.
    pub fn plies(&self) -> usize {
        self.position.plies()
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        if let Some(key) = key(&self.position) {
            let color = self.position.side_to_move();
            self.played.push(PlayedMove { key, m: m.into(), color });
        }
        self.position.make(m);
    }
}

/// Counts the moves of games and makes a book of them.
#[derive(Debug, Default)]
pub struct Builder {
    stats: HashMap<(u64, EncodedMove), MoveStats>,
}

impl Builder {
    /// Counts the moves of a game that ended like this.
    pub fn add(&mut self, line: BookLine, result: GameResult) {
        let mut played = line.played;
        played.sort_unstable();
        played.dedup();
        for PlayedMove { key, m, color } in played {
            let stats = self.stats.entry((key, m)).or_default();
            match result {
                GameResult::Won(winner) if winner == color => stats.wins += 1,
                GameResult::Won(_) => stats.losses += 1,
                GameResult::Drawn => stats.draws += 1,
            }
        }
    }

    /// The entries of the book: sorted by key, the moves of a position by weight,
    /// the heaviest first, and moves of one weight by their encoding. The same
    /// games give the same book, in whatever order they were added.
    ///
    /// Moves that too few games played are left out, and so are those that never
    /// brought anything: a weight of zero would say that they are not to be
    /// played.
    pub fn entries(&self, min_games: u32) -> Vec<BookEntry> {
        let mut kept: Vec<(u64, u64, EncodedMove)> = self
            .stats
            .iter()
            .filter(|(_, stats)| stats.games() >= u64::from(min_games) && stats.points() > 0)
            .map(|(&(key, m), stats)| (key, stats.points(), m))
            .collect();
        kept.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
        let positions = kept.chunk_by(|a, b| a.0 == b.0);
        let entries = positions.flat_map(|moves| {
            let greatest = moves[0].1;
            moves.iter().map(move |&(key, points, m)| {
                let weight = scaled(points, greatest);
                BookEntry { key, m, weight, learn: 0 }
            })
        });
        entries.collect()
    }
}

/// Points as a weight, next to the greatest of the same position: as they are if
/// that one fits into an entry, otherwise scaled so that it just does. A move
/// that brought something keeps a weight of one at least.
fn scaled(points: u64, greatest: u64) -> u16 {
    const MAX: u64 = u16::MAX as u64;
    let weight = if greatest <= MAX { points } else { (points * MAX / greatest).max(1) };
    weight.min(MAX) as u16
}

/// Writes entries, which must be sorted by key, as a Polyglot book.
///
/// # Errors
///
/// If they cannot be written.
pub fn write(entries: &[BookEntry], mut out: impl Write) -> io::Result<()> {
    debug_assert!(entries.is_sorted_by_key(|entry| entry.key));
    entries.iter().try_for_each(|entry| out.write_all(&entry.to_bytes()))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::book::{Book, BookMove};
    use crate::chess::notation::uci::{format_move, parse_move};

    /// Adds a game from the start position.
    fn add(builder: &mut Builder, moves: &str, result: GameResult) {
        let mut line = BookLine::new(Position::startpos());
        for text in moves.split_whitespace() {
            let m = parse_move(line.position(), text).unwrap();
            line.play(m);
        }
        builder.add(line, result);
    }

    fn book(builder: &Builder, min_games: u32) -> Book<Cursor<Vec<u8>>> {
        let mut bytes = Vec::new();
        write(&builder.entries(min_games), &mut bytes).unwrap();
        Book::new(Cursor::new(bytes)).unwrap()
    }

    /// Moves with their weights after some others.
    fn known(book: &mut Book<Cursor<Vec<u8>>>, moves: &str) -> Vec<(String, u16)> {
        let mut position = Position::startpos();
        for text in moves.split_whitespace() {
            let m = parse_move(&position, text).unwrap();
            position.make(m);
        }
        let named = |known: BookMove| (format_move(known.m, false), known.weight);
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
        assert_eq!(known(&mut all, ""), pairs(&[("e2e4", 3), ("d2d4", 2)]));
        assert_eq!(known(&mut all, "e2e4"), pairs(&[("c7c5", 2), ("e7e5", 1)]));
        assert_eq!(known(&mut all, "d2d4"), []);
        let mut twice = book(&builder, 2);
        assert_eq!(known(&mut twice, ""), pairs(&[("e2e4", 3)]));
        assert_eq!(known(&mut twice, "e2e4"), pairs(&[("e7e5", 1)]));
        assert_eq!(builder.entries(4), []);
    }

    #[test]
    fn transpositions_are_one_position() {
        let mut builder = Builder::default();
        add(&mut builder, "d2d4 g8f6 c2c4 e7e6 b1c3", GameResult::Won(Color::White));
        add(&mut builder, "c2c4 e7e6 d2d4 g8f6 b1c3", GameResult::Drawn);
        let mut book = book(&builder, 2);
        assert_eq!(known(&mut book, "d2d4 e7e6 c2c4 g8f6"), pairs(&[("b1c3", 3)]));
        assert_eq!(known(&mut book, ""), []);
    }

    #[test]
    fn a_repeated_move_counts_once_a_game() {
        let mut builder = Builder::default();
        let there_and_back = "g1f3 g8f6 f3g1 f6g8";
        add(&mut builder, &[there_and_back; 3].join(" "), GameResult::Won(Color::White));
        let mut all = book(&builder, 1);
        assert_eq!(known(&mut all, ""), pairs(&[("g1f3", 2)]));
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
    fn great_weights_are_scaled_together() {
        assert_eq!(scaled(65_535, 65_535), 65_535);
        assert_eq!(scaled(65_536, 65_536), 65_535);
        assert_eq!(scaled(100_000, 200_000), 32_767);
        assert_eq!(scaled(1, 200_000), 1);
        assert_eq!(scaled(7, 65_535), 7);
        let most = 2 * u64::from(u32::MAX) + u64::from(u32::MAX);
        assert_eq!(scaled(most, most), u16::MAX);
    }
}
