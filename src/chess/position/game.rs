//! A position and the game before it.

use std::fmt;
use std::ops::Deref;

use crate::chess::moves::Move;
use crate::chess::piece::Piece;
use crate::chess::position::make::Observer;
use crate::chess::position::state::State;
use crate::chess::square::{File, Rank, Square};

/// The current [`State`] and the states before it.
///
/// ```
/// use lovec::chess::Position;
/// use lovec::chess::notation::uci;
/// let mut game = Position::startpos();
/// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
///     game.make(uci::parse_move(&game, text).unwrap());
/// }
/// assert!(game.is_checkmate());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    state: State,
    history: Vec<State>,
    /// The square that a pawn passed with a double step just before the first position.
    passed_before: Option<Square>,
}

impl Position {
    /// The position of a state, with no game behind it.
    pub fn new(state: State) -> Self {
        Self::after_double_step(state, state.en_passant())
    }

    /// The position of a state that comes after a double step over `passed`, if any,
    /// whether or not it can be captured there.
    pub(in crate::chess) fn after_double_step(state: State, passed: Option<Square>) -> Self {
        Self { state, history: Vec::new(), passed_before: passed }
    }

    /// The initial position of standard chess.
    pub fn startpos() -> Self {
        Self::new(State::startpos())
    }

    /// The position with the part of its game that a search can repeat: what came before the
    /// last capture, pawn move or pass is left out.
    #[must_use]
    pub fn for_search(&self) -> Self {
        let history = &self.history[self.plies() - self.reversible_plies()..];
        let first = history.first().unwrap_or(&self.state);
        Self { state: self.state, history: history.to_vec(), ..Self::new(*first) }
    }

    /// Reserves room for `plies` more moves, so that making them does not allocate.
    pub fn reserve(&mut self, plies: usize) {
        self.history.reserve(plies);
    }

    /// Makes a legal move.
    #[inline]
    pub fn make(&mut self, m: Move) {
        self.make_observed(m, &mut ());
    }

    /// Makes a legal move and calls `observer` for each piece that changes.
    #[inline]
    pub fn make_observed<O: Observer>(&mut self, m: Move, observer: &mut O) {
        self.push_state();
        self.state.make(m, observer);
    }

    /// The move that led to the position; `None` at the first position, and after a pass.
    pub fn last_move(&self) -> Option<Move> {
        let before = self.previous()?;
        before.legal_moves().iter().copied().find(|&m| {
            let mut next = *before;
            next.make(m, &mut ());
            next == self.state
        })
    }

    /// The first known position, or the one after the last pass, and the moves since then.
    pub fn start_and_moves(&self) -> (Self, Vec<Move>) {
        let (mut start, mut moves) = (self.clone(), Vec::new());
        while let Some(m) = start.last_move() {
            moves.push(m);
            start.unmake();
        }
        moves.reverse();
        (start, moves)
    }

    /// Passes the turn. The side to move must not be in check.
    pub fn make_null(&mut self) {
        self.push_state();
        self.state.make_null();
    }

    /// Keeps the current state. `Vec::push` would copy it twice.
    #[inline]
    fn push_state(&mut self) {
        self.history.extend_from_slice(std::slice::from_ref(&self.state));
    }

    /// Takes the last move, or null move, back. Does nothing at the first
    /// position of the game.
    ///
    /// ```
    /// use lovec::chess::Position;
    /// let mut position = Position::startpos();
    /// position.make(position.legal_moves()[0]);
    /// position.unmake();
    /// assert_eq!(position, Position::startpos());
    /// ```
    #[inline]
    pub fn unmake(&mut self) {
        debug_assert!(!self.history.is_empty());
        if let Some(&state) = self.history.last() {
            self.state = state;
            self.history.truncate(self.history.len() - 1);
        }
    }

    /// How many moves have been played since the first known position.
    pub fn plies(&self) -> usize {
        self.history.len()
    }

    /// The state alone.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The state before the last move; `None` at the first known position.
    pub fn previous(&self) -> Option<&State> {
        self.history.last()
    }

    /// The states from the first known position to the current one.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.history.iter().chain([&self.state])
    }

    /// The state `distance` plies ago, from 1 to [`plies`](Self::plies).
    #[inline]
    pub(super) fn state_before(&self, distance: usize) -> &State {
        &self.history[self.history.len() - distance]
    }

    /// The square behind a pawn that has just made a double step, if a pawn of the side
    /// to move attacks it, even if to capture there would leave the king in check.
    /// [`State::en_passant`] names it only if that is legal.
    pub fn pseudo_legal_en_passant(&self) -> Option<Square> {
        self.passed_square().filter(|&square| self.en_passant_capturers(square).any())
    }

    /// The square that a pawn passed with the last move.
    fn passed_square(&self) -> Option<Square> {
        let Some(before) = self.previous() else { return self.passed_before };
        let them = !self.side_to_move();
        let (before, now) = (before.colored(them, Piece::Pawn), self.colored(them, Piece::Pawn));
        let left = before.without(now) & them.relative_rank(Rank::Second).bitboard();
        let arrived = now.without(before) & them.relative_rank(Rank::Fourth).bitboard();
        arrived.first().filter(|_| left.any()).map(|square| square.backward(them))
    }
}

impl Deref for Position {
    type Target = State;

    #[inline]
    fn deref(&self) -> &State {
        &self.state
    }
}

/// The board as a person reads it, with the FEN, the key and the checkers.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const EDGE: &str = " +---+---+---+---+---+---+---+---+";
        writeln!(f, "{EDGE}")?;
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let square = Square::at(file, rank);
                let letter = match (self.piece_on(square), self.color_on(square)) {
                    (Some(piece), Some(color)) => piece.letter(color),
                    _ => ' ',
                };
                write!(f, " | {letter}")?;
            }
            writeln!(f, " | {}\n{EDGE}", rank.index() + 1)?;
        }
        writeln!(f, "   a   b   c   d   e   f   g   h\n")?;
        writeln!(f, "Fen: {}", self.fen())?;
        writeln!(f, "Key: {:016X}", self.key())?;
        let checkers: Vec<String> =
            self.checkers().iter().map(|square| square.to_string()).collect();
        write!(f, "Checkers: {}", checkers.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::Position;

    #[test]
    fn the_previous_state_is_the_one_before_the_last_move() {
        let mut position = Position::startpos();
        assert_eq!(position.previous(), None);
        for _ in 0..4 {
            let before = *position.state();
            let first = position.legal_moves()[0];
            position.make(first);
            assert_eq!(position.previous(), Some(&before));
        }
        let states: Vec<_> = position.states().collect();
        assert_eq!(states.len(), position.plies() + 1);
        assert_eq!((states[3], states[4]), (position.previous().unwrap(), position.state()));
    }
}
