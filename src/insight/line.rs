//! A sequence of moves with the positions between them.

use crate::chess::{Bitboard, CastlingSide, Color, Move, Rank, Square, State};
use crate::insight::settle::settle;

/// Moves that follow one another from a position, usually the principal variation of a
/// search. The side that begins is called *the attacker*, whether or not it attacks.
#[derive(Clone, Debug)]
pub struct Line {
    states: Vec<State>,
    moves: Vec<Move>,
}

impl Line {
    /// The line of `moves` from `start`. They must be legal one after the other.
    pub fn new(start: &State, moves: &[Move]) -> Self {
        let mut line = Self { states: vec![*start], moves: Vec::new() };
        line.play(moves);
        line
    }

    /// The line, and then captures until the position is quiet.
    pub fn settled(mut self) -> Self {
        self.play(&settle(self.end()));
        self
    }

    fn play(&mut self, moves: &[Move]) {
        for &m in moves {
            debug_assert!(self.end().is_legal(m));
            self.states.push(self.end().after(m));
            self.moves.push(m);
        }
    }

    /// The side that begins.
    pub fn attacker(&self) -> Color {
        self.states[0].side_to_move()
    }

    /// The positions: one more than moves.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position at the end.
    pub fn end(&self) -> &State {
        &self.states[self.moves.len()]
    }

    /// The squares at the beginning of the line of the pieces that stand on some squares at
    /// its end.
    pub fn origins(&self, squares: Bitboard) -> Bitboard {
        squares.iter().map(|square| self.origin(square)).collect()
    }

    /// The square at the beginning of the line of the piece that stands on a square at its end.
    pub fn origin(&self, square: Square) -> Square {
        self.moves.iter().zip(&self.states).rev().fold(square, |square, (m, state)| {
            let side = state.side_to_move();
            if !m.is_castle() {
                return if square == m.to() { m.from() } else { square };
            }
            let wing = CastlingSide::of(m.from(), m.to());
            let rank = side.relative_rank(Rank::First);
            if square == Square::at(wing.king_file(), rank) {
                m.from()
            } else if square == Square::at(wing.rook_file(), rank) {
                m.to()
            } else {
                square
            }
        })
    }

    /// The line without its moves after the first `plies`.
    pub fn prefix(&self, plies: usize) -> Self {
        let mut line = self.clone();
        line.moves.truncate(plies);
        line.states.truncate(plies + 1);
        line
    }

    /// The line without its first `plies`.
    pub fn suffix(&self, plies: usize) -> Self {
        Self { states: self.states[plies..].to_vec(), moves: self.moves[plies..].to_vec() }
    }

    /// The plies at which the attacker moves.
    pub fn attacker_plies(&self) -> impl Iterator<Item = usize> {
        (0..self.moves.len()).step_by(2)
    }

    /// The next move of the attacker after `ply`, with the position before it.
    pub fn next_attack(&self, ply: usize) -> Option<(&State, Move)> {
        let m = *self.moves.get(ply + 2)?;
        Some((&self.states[ply + 2], m))
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::chess::notation::san;

    /// The line of moves in SAN from a position in FEN.
    pub fn line(fen: &str, moves: &[&str]) -> Line {
        let mut position = Position::from_fen(fen).unwrap();
        let start = *position.state();
        san::play(&mut position, moves.iter().copied()).unwrap();
        Line::new(&start, &position.start_and_moves().1)
    }

    #[test]
    fn pieces_are_followed_to_their_origins() {
        let moves = ["O-O", "Rb8", "Rf7", "Rxb7", "Rxb7"];
        let line = line("r3k3/1P6/8/8/8/8/8/4K2R w K - 0 1", &moves);
        let origin = |square: &str| line.origin(square.parse().unwrap()).to_string();
        assert_eq!(["b7", "g1", "e8"].map(origin), ["h1", "e1", "e8"]);
    }
}
