//! The positions while the elements of a game are followed.

use crate::chess::moves::Move;
use crate::chess::notation::pgn::movetext::MoveNumber;
use crate::chess::position::{Position, State};

/// Variations nested deeper than this are not followed.
pub(super) const MAX_DEPTH: usize = 256;

/// The game and the variations that are open.
#[derive(Debug)]
pub(super) struct LineStack {
    /// The variations around the current line, and the game first of all.
    outer: Vec<Option<Box<PlayedLine>>>,
    /// `None` if the line cannot be followed.
    current: Option<Box<PlayedLine>>,
}

/// A game or a variation up to its last move.
#[derive(Debug)]
struct PlayedLine {
    state: State,
    /// Before the last move, where variations begin.
    before: Option<State>,
}

impl LineStack {
    /// A game from this position, or a game that cannot be followed.
    pub fn new(start: Option<&Position>) -> Self {
        Self { outer: Vec::new(), current: line_from(start.map(|position| *position.state())) }
    }

    /// How many variations are open.
    pub fn depth(&self) -> usize {
        self.outer.len()
    }

    /// The current position, unless the line cannot be followed.
    pub fn state(&self) -> Option<&State> {
        self.current.as_ref().map(|line| &line.state)
    }

    /// The number of the next move.
    pub fn next_number(&self) -> Option<MoveNumber> {
        self.state().map(MoveNumber::next)
    }

    /// Whether a variation can begin here.
    pub fn has_move(&self) -> bool {
        self.current.as_ref().is_some_and(|line| line.before.is_some())
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.advance(|state| state.make(m, &mut ()));
    }

    /// Passes the turn. The side to move must not be in check.
    pub fn pass(&mut self) {
        self.advance(State::make_null);
    }

    fn advance(&mut self, make: impl FnOnce(&mut State)) {
        if let Some(line) = &mut self.current {
            line.before = Some(line.state);
            make(&mut line.state);
        }
    }

    /// Opens a variation in place of the last move; one nested too deep is not followed.
    pub fn open(&mut self) {
        let line = self.current.as_ref().filter(|_| self.depth() < MAX_DEPTH);
        let start = line.and_then(|line| line.before);
        self.open_unread();
        self.current = line_from(start);
    }

    /// Opens a variation that is not followed.
    pub fn open_unread(&mut self) {
        self.outer.push(self.current.take());
    }

    /// Closes a variation; returns whether one was open.
    pub fn close(&mut self) -> bool {
        self.outer.pop().map(|line| self.current = line).is_some()
    }

    /// Gives the current line up.
    pub fn give_up(&mut self) {
        self.current = None;
    }
}

fn line_from(start: Option<State>) -> Option<Box<PlayedLine>> {
    start.map(|state| Box::new(PlayedLine { state, before: None }))
}
