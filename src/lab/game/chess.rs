//! Chess.

use crate::chess::notation::uci::format_move;
use crate::chess::{Move, Piece, Position, Rank, movegen};
use crate::eval::Accumulator;
use crate::lab::game::evaluation::Evaluation;
use crate::lab::game::{GameTree, MoveFacts, WIN};

/// Which draws end a game, other than stalemate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Draws {
    /// None, so that a value depends on the position alone: for laws about tables.
    #[default]
    None,
    /// Repetition, the fifty-move rule and insufficient material: the value of a position
    /// depends on the path to it.
    Path,
}

/// A chess position with an evaluation. White is MAX.
#[derive(Clone)]
pub struct Chess {
    position: Position,
    evaluation: Evaluation,
    draws: Draws,
    chess960: bool,
    accumulator: Accumulator,
    /// The accumulators before each move since the root.
    above: Vec<Accumulator>,
    /// The moves at the root, if only some are to be searched.
    root_moves: Option<Vec<Move>>,
}

impl Chess {
    pub fn new(position: Position, evaluation: Evaluation, draws: Draws) -> Self {
        let accumulator = Accumulator::from_state(&position);
        let chess960 = position.is_chess960();
        Self {
            position,
            evaluation,
            draws,
            chess960,
            accumulator,
            above: Vec::new(),
            root_moves: None,
        }
    }

    /// Leaves only these moves, all legal, at the root; at least one.
    pub fn restrict_root(&mut self, moves: Vec<Move>) {
        debug_assert!(!moves.is_empty() && self.above.is_empty());
        self.root_moves = Some(moves);
    }
}

impl GameTree for Chess {
    type Move = Move;

    /// Origin and destination.
    const MOVE_NUMBERS: usize = 4096;

    fn moves(&self, out: &mut Vec<Move>) {
        match &self.root_moves {
            Some(moves) if self.above.is_empty() => out.extend_from_slice(moves),
            _ => out.extend_from_slice(&self.position.legal_moves()),
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        self.above.push(self.accumulator);
        self.position.make_observed(m, &mut self.accumulator);
    }

    fn pass(&mut self) -> bool {
        if self.position.in_check() {
            return false;
        }
        self.above.push(self.accumulator);
        self.position.make_null();
        true
    }

    #[inline]
    fn undo(&mut self) {
        if let Some(accumulator) = self.above.pop() {
            self.accumulator = accumulator;
            self.position.unmake();
        }
    }

    fn end(&self) -> Option<i32> {
        if movegen::count_legal(&self.position) == 0 {
            return Some(if self.position.in_check() { -WIN } else { 0 });
        }
        let is_draw = self.draws == Draws::Path && self.position.is_draw(self.above.len());
        is_draw.then_some(0)
    }

    fn is_ended_by_path(&self) -> bool {
        self.draws == Draws::Path
            && self.position.is_draw(self.above.len())
            && !self.position.insufficient_material()
            && movegen::count_legal(&self.position) > 0
    }

    #[inline]
    fn value(&self) -> i32 {
        self.evaluation.value(&self.position, &self.accumulator)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.position.key()
    }

    fn max_to_move(&self) -> bool {
        self.position.side_to_move().sign() > 0
    }

    #[inline]
    fn is_noisy(&self, m: Move) -> bool {
        m.is_noisy()
    }

    /// The most valuable victim, by the least valuable attacker; promotions count as
    /// captures of the new piece.
    #[inline]
    fn guess(&self, m: Move) -> i32 {
        let gain = |piece: Option<Piece>| piece.map_or(0, |piece| 8 * (piece.index() as i32 + 1));
        if m.is_quiet() {
            return 0;
        }
        let attacker = self.position.moved_piece(m).index() as i32;
        gain(self.position.captured(m)) + gain(m.promotion()) - attacker
    }

    fn facts(&self, m: Move) -> MoveFacts {
        let side = self.position.side_to_move();
        let is_pawn = self.position.moved_piece(m) == Piece::Pawn;
        MoveFacts {
            is_noisy: m.is_noisy(),
            gives_check: self.position.gives_check(m),
            to_seventh: is_pawn && m.to().rank() == side.relative_rank(Rank::Seventh),
            squares: Some((m.from().index() as u8, m.to().index() as u8)),
        }
    }

    fn in_check(&self) -> bool {
        self.position.in_check()
    }

    fn has_pieces(&self) -> bool {
        self.position.has_non_pawn_material(self.position.side_to_move())
    }

    fn quick_value(&self) -> i32 {
        Evaluation::Material.value(&self.position, &self.accumulator)
    }

    #[inline]
    fn number(m: Move) -> usize {
        m.from_to()
    }

    fn text(&self, m: Move) -> String {
        format_move(m, self.chess960)
    }

    fn position(&self) -> Option<&Position> {
        Some(&self.position)
    }
}
