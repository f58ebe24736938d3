//! A sequence of moves with the positions between them.

use crate::chess::{Bitboard, Color, Move, Piece, Square, State, attacks, see};

/// Moves that follow one another from a position, usually the principal variation of a
/// search. The side that begins is called *the attacker*, whether or not it attacks.
#[derive(Clone, Debug)]
pub struct Line {
    previous: Option<(State, Move)>,
    states: Vec<State>,
    moves: Vec<Move>,
}

impl Line {
    /// The line of `moves` from `start`. They must be legal one after the other.
    pub fn new(start: &State, moves: &[Move]) -> Self {
        let mut states = Vec::with_capacity(moves.len() + 1);
        let mut state = *start;
        states.push(state);
        for &m in moves {
            debug_assert!(state.is_legal(m));
            state.make(m, &mut ());
            states.push(state);
        }
        Self { previous: None, states, moves: moves.to_vec() }
    }

    /// The line of all moves but the first, which becomes known as the move before.
    /// `None` without a move.
    pub fn answering(start: &State, moves: &[Move]) -> Option<Self> {
        let (&first, answer) = moves.split_first()?;
        let mut state = *start;
        state.make(first, &mut ());
        Some(Self { previous: Some((*start, first)), ..Self::new(&state, answer) })
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

    /// The move before the line, and the position before that move, if known.
    pub fn previous(&self) -> Option<&(State, Move)> {
        self.previous.as_ref()
    }

    /// The position at the end.
    pub fn end(&self) -> &State {
        &self.states[self.moves.len()]
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

/// The rank of a piece among the pieces, by which exchanges are called good or bad: bishops
/// and knights are equal, and the king is above all.
pub fn rank(piece: Piece) -> u8 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 99,
    }
}

/// The rank of the piece on a square, 0 if it is empty.
pub fn rank_on(state: &State, square: Square) -> u8 {
    state.piece_on(square).map_or(0, rank)
}

/// Squares that the piece on `from` attacks.
pub fn attacks_from(state: &State, from: Square) -> Bitboard {
    match (state.piece_on(from), state.color_on(from)) {
        (Some(Piece::Pawn), Some(color)) => attacks::pawn(color, from),
        (Some(piece), _) => attacks::piece(piece, from, state.occupied()),
        (None, _) => Bitboard::EMPTY,
    }
}

/// Pieces of one side that attack a square, pinned ones too.
pub fn attackers(state: &State, by: Color, square: Square) -> Bitboard {
    state.attackers_to(square, state.occupied()) & state.color(by)
}

/// Whether the side to move wins material by a capture on `square`.
pub fn wins_on(state: &State, square: Square) -> bool {
    state
        .legal_moves()
        .iter()
        .any(|&m| m.to() == square && !m.is_castle() && see::see_at_least(state, m, 1))
}

/// Whether the side to move can take the piece on `square`, or drive it away, at a profit:
/// it is attacked, and either undefended, attacked by a piece worth less, or lost in the
/// exchange.
pub fn is_in_danger(state: &State, square: Square) -> bool {
    let attacker = state.side_to_move();
    let attackers = attackers(state, attacker, square);
    attackers.any()
        && (self::attackers(state, !attacker, square).is_empty()
            || attackers.iter().any(|from| rank_on(state, from) < rank_on(state, square))
            || wins_on(state, square))
}

/// The material of one side less the material of the other, by the ranks of the pieces.
pub fn material(state: &State, color: Color) -> i32 {
    let sum = |color| -> i32 {
        Piece::ALL
            .into_iter()
            .filter(|&piece| piece != Piece::King)
            .map(|piece| i32::from(rank(piece)) * state.colored(color, piece).len() as i32)
            .sum()
    };
    sum(color) - sum(!color)
}
