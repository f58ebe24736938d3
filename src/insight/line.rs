//! A sequence of moves with the positions between them.

use crate::chess::{Color, Move, State};

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

    /// The line without its moves after the first `plies`.
    pub fn prefix(&self, plies: usize) -> Self {
        let mut line = self.clone();
        line.moves.truncate(plies);
        line.states.truncate(plies + 1);
        line
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
