//! Chess.

use crate::chess::notation::uci::format_move;
use crate::chess::see::see_at_least;
use crate::chess::{CastlingSide, Color, Move, Piece, Position, Rank, Square, movegen, zobrist};
use crate::eval::Accumulator;
use crate::lab::game::thesis::ThesisSide;
use crate::lab::game::{DECISIVE, Evaluation, GameMove, GameTree, MoveFacts, WIN, mix};

/// Which draws end a game, other than stalemate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// None, so that a value depends on the position alone: for laws about tables.
    None,
    /// Repetition, the fifty-move rule and insufficient material: the value of a position
    /// depends on the path to it.
    Path,
}

/// The bits of an image: the a-file becomes the h-file; White becomes Black.
const MIRRORED: u8 = 1;
const TURNED: u8 = 2;

/// A square as it is in an image.
fn image_square(square: Square, image: u8) -> Square {
    let files = if image & MIRRORED == 0 { 0 } else { 7 };
    let ranks = if image & TURNED == 0 { 0 } else { 56 };
    Square::new(square.index() as u8 ^ files ^ ranks)
}

/// The potential of a sacrifice with check: more than most others have.
const CHECK_POTENTIAL: i32 = 20;

/// More than any exchange wins, in centipawns.
const MAX_EXCHANGE: i32 = 4000;

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
    /// What the move of the root that led here adds to values, from White's side.
    root_bonus: i32,
    /// What a draw is worth, from White's side.
    draw_value: i32,
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
            root_bonus: 0,
            draw_value: 0,
        }
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Leaves only these moves, all legal, at the root; at least one.
    pub fn restrict_root(&mut self, moves: Vec<Move>) {
        debug_assert!(!moves.is_empty() && self.above.is_empty());
        self.root_moves = Some(moves);
    }

    /// A value with the bonus of the move of the root, for the side to move.
    #[inline]
    fn with_bonus(&self, value: i32) -> i32 {
        let bonus = self.root_bonus * self.position.side_to_move().sign();
        (value + bonus).clamp(1 - DECISIVE, DECISIVE - 1)
    }

    fn draw(&self) -> i32 {
        self.draw_value * self.position.side_to_move().sign()
    }

    /// The key of a position whose value also depends on a bonus or on contempt.
    #[inline]
    fn with_values(&self, key: u64) -> u64 {
        match (self.root_bonus, self.draw_value) {
            (0, 0) => key,
            (bonus, draw) => key ^ mix(bonus as u64, draw as u64),
        }
    }
}

/// The gain of a noisy move, and then how little its piece is worth.
#[inline]
pub fn victim_and_attacker(m: Move, captured: Option<Piece>, attacker: Piece) -> i32 {
    let gain = |piece: Option<Piece>| piece.map_or(0, |piece| 8 * (piece.index() as i32 + 1));
    gain(captured) + gain(m.promotion()) - attacker.index() as i32
}

/// The move of a number that a game of chess has given.
pub(super) fn decoded(m: GameMove) -> Move {
    Move::from_bits(m).unwrap_or_else(|| unreachable!("{m} is no move"))
}

impl GameTree for Chess {
    /// Of pieces, then of pawns, then of the king. What a search without an order visits
    /// depends on it; the measurements of docs/experiments/laboratory.md have this one.
    fn moves(&self) -> Vec<GameMove> {
        if let Some(moves) = self.root_moves.as_ref().filter(|_| self.above.is_empty()) {
            return moves.iter().map(|m| m.bits()).collect();
        }
        let mut moves: Vec<GameMove> =
            self.position.legal_moves().iter().map(|m| m.bits()).collect();
        moves.sort_by_key(|&m| match self.position.moved_piece(decoded(m)) {
            Piece::Pawn => 1,
            Piece::King => 2,
            _ => 0,
        });
        moves
    }

    fn play(&mut self, m: GameMove) {
        let m = decoded(m);
        self.above.push(self.accumulator);
        self.position.make_observed(m, &mut self.accumulator);
        if self.above.len() == 1 {
            self.root_bonus = self.evaluation.root_bonus(&self.position);
        }
    }

    fn pass(&mut self) -> bool {
        if self.position.in_check() {
            return false;
        }
        self.above.push(self.accumulator);
        self.position.make_null();
        true
    }

    fn undo(&mut self) {
        if let Some(accumulator) = self.above.pop() {
            self.accumulator = accumulator;
            self.position.unmake();
            if self.above.is_empty() {
                self.root_bonus = 0;
            }
        }
    }

    fn end(&self) -> Option<i32> {
        if movegen::count_legal(&self.position) == 0 {
            return Some(if self.position.in_check() { -WIN } else { self.draw() });
        }
        let is_draw = self.draws == Draws::Path && self.position.is_draw(self.above.len());
        is_draw.then(|| self.draw())
    }

    fn depends_on_path(&self) -> bool {
        self.draws == Draws::Path
    }

    fn is_ended_by_path(&self) -> bool {
        self.draws == Draws::Path
            && self.position.is_draw(self.above.len())
            && !self.position.insufficient_material()
            && movegen::count_legal(&self.position) > 0
    }

    fn value(&self) -> i32 {
        self.with_bonus(self.evaluation.value(&self.position, &self.accumulator))
    }

    fn extra_plies(&self) -> u32 {
        self.evaluation.extra_plies(&self.position)
    }

    fn set_contempt(&mut self, contempt: i32) {
        self.draw_value = -contempt * self.position.side_to_move().sign();
    }

    fn key(&self) -> u64 {
        self.with_values(self.position.key())
    }

    fn reflections(&self) -> u8 {
        2
    }

    fn images(&self) -> u8 {
        4
    }

    /// A position in which a side may castle has no mirror image. With a bonus of the root, or
    /// contempt, the sides are not worth the same.
    fn image_key(&self, image: u8) -> Option<u64> {
        let position = &self.position;
        let castling = position.castling();
        if image & MIRRORED != 0 && !castling.is_empty() {
            return None;
        }
        let values_differ = self.root_bonus != 0 || self.draw_value != 0;
        if image & TURNED != 0 && values_differ {
            return None;
        }
        let turned = |color: Color| if image & TURNED == 0 { color } else { !color };
        let mut key = 0;
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in position.colored(color, piece) {
                    key ^= zobrist::piece(turned(color), piece, image_square(square, image));
                }
            }
            for side in CastlingSide::ALL {
                if let Some(rook) = castling.rook(color, side) {
                    let right = 2 * turned(color).index() + side.index();
                    key ^= mix(right as u64, 1000 + rook.index() as u64);
                }
            }
        }
        if let Some(square) = position.en_passant() {
            key ^= zobrist::en_passant(image_square(square, image).file());
        }
        if turned(position.side_to_move()) == Color::Black {
            key ^= zobrist::black_to_move();
        }
        Some(self.with_values(key))
    }

    fn image_move(&self, m: GameMove, image: u8) -> GameMove {
        let m = decoded(m);
        Move::new(image_square(m.from(), image), image_square(m.to(), image), m.kind()).bits()
    }

    fn max_to_move(&self) -> bool {
        self.position.side_to_move().sign() > 0
    }

    fn is_noisy(&self, m: GameMove) -> bool {
        decoded(m).is_noisy()
    }

    /// The most valuable victim, by the least valuable attacker; promotions count as
    /// captures of the new piece.
    fn guess(&self, m: GameMove) -> i32 {
        let m = decoded(m);
        if m.is_quiet() {
            return 0;
        }
        victim_and_attacker(m, self.position.captured(m), self.position.moved_piece(m))
    }

    /// In centipawns, by halving the interval of what it may be.
    fn exchange(&self, m: GameMove) -> i32 {
        let m = decoded(m);
        let (mut reached, mut missed) = (-MAX_EXCHANGE, MAX_EXCHANGE);
        while missed - reached > 1 {
            let middle = (reached + missed) / 2;
            match see_at_least(&self.position, m, middle) {
                true => reached = middle,
                false => missed = middle,
            }
        }
        reached
    }

    /// Counts for the side to move: captures, promotions and checks among its moves, its
    /// pinned pieces, and its pieces that attack two of the other side worth more.
    fn turbulence(&self) -> i32 {
        let position = &self.position;
        let count = |m: &Move| {
            let facts = [m.is_capture(), m.is_promotion(), position.gives_check(*m)];
            facts.into_iter().filter(|&fact| fact).count()
        };
        let moves: usize = position.legal_moves().iter().map(count).sum();
        let side = ThesisSide { state: position, us: position.side_to_move() };
        moves as i32 + position.pinned().len() as i32 + side.forks()
    }

    /// The turbulence if the side that makes the move could move again, or a fixed number for a
    /// check.
    fn sacrifice_potential(&mut self, m: GameMove) -> i32 {
        if see_at_least(&self.position, decoded(m), 0) {
            return 0;
        }
        self.play(m);
        let potential = match self.pass() {
            true => {
                let turbulence = self.turbulence();
                self.undo();
                turbulence
            }
            false => CHECK_POTENTIAL,
        };
        self.undo();
        potential
    }

    fn facts(&self, m: GameMove) -> MoveFacts {
        let m = decoded(m);
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
        self.with_bonus(Evaluation::Material.value(&self.position, &self.accumulator))
    }

    /// By origin and destination, as [`Move::from_to`].
    fn move_places(&self) -> usize {
        4096
    }

    fn text(&self, m: GameMove) -> String {
        format_move(decoded(m), self.chess960)
    }

    fn position(&self) -> Option<&Position> {
        Some(&self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::san;
    use crate::lab::Limit;
    use crate::lab::test_run::run;

    #[test]
    fn exchanges() {
        for (fen, m, expected) in [
            ("4k3/8/3p4/4n3/8/5N2/8/4K3 w - - 0 1", "Nxe5", 0),
            ("4k3/8/8/4n3/8/5N2/8/4K3 w - - 0 1", "Nxe5", 320),
            ("4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1", "Nxe5", -220),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", 850),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let m = san::parse(&position, m).unwrap();
            let game = Chess::new(position, Evaluation::Material, Draws::None);
            assert_eq!(game.exchange(m.bits()), expected, "{fen}");
        }
    }

    /// The king can take the last pawn for a draw, or stay a pawn down.
    #[test]
    fn contempt_is_for_the_side_that_searches() {
        for fen in ["4k3/8/8/8/8/8/3p4/3K4 w - - 0 1", "3k4/3P4/8/8/8/8/8/4K3 b - - 0 1"] {
            let value = |row| {
                let position = Position::from_fen(fen).unwrap();
                let mut game = Chess::new(position, Evaluation::Material, Draws::Path);
                run(row, &mut game, 1, Limit::NONE).0.answer.unwrap().value
            };
            let values = [value("ab"), value("ab:contempt=30"), value("ab:contempt=-30")];
            assert_eq!(values, [0, -30, 30], "{fen}");
            assert_eq!(value("ab:contempt=500"), -100, "{fen}");
        }
    }

    /// What is kept by position may be of another path; only a win is one on any path.
    #[test]
    fn where_draws_depend_on_the_path_what_is_kept_is_an_estimate() {
        use crate::lab::Proof::{Complete, Disproved, Estimate, Proved};
        const MATE_IN_1: &str = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
        const FAR_FROM_MATE: &str = "8/8/4k3/8/8/8/8/R3K3 w - - 0 1";
        const MATED_IN_2: &str = "7k/R7/8/8/8/8/8/1R5K b - - 0 1";
        for (row, fen, kinds) in [
            ("ab", FAR_FROM_MATE, [Complete, Complete]),
            ("ab:table=100", FAR_FROM_MATE, [Complete, Estimate]),
            ("mtdf", FAR_FROM_MATE, [Complete, Estimate]),
            ("sss", FAR_FROM_MATE, [Complete, Complete]),
            ("pn", FAR_FROM_MATE, [Disproved, Disproved]),
            ("dfpn", FAR_FROM_MATE, [Disproved, Estimate]),
            ("dfpn:goal=not-lose", FAR_FROM_MATE, [Proved, Estimate]),
            ("dfpn", MATE_IN_1, [Proved, Proved]),
            ("dfpn:goal=not-lose", MATED_IN_2, [Disproved, Disproved]),
        ] {
            let kind = |draws| {
                let position = Position::from_fen(fen).unwrap();
                let mut game = Chess::new(position, Evaluation::Material, draws);
                run(row, &mut game, 3, Limit::NONE).0.answer.unwrap().proof
            };
            assert_eq!([Draws::None, Draws::Path].map(kind), kinds, "{row} {fen}");
        }
    }

    /// A queen that takes a rook that is guarded by nothing more is no sacrifice.
    #[test]
    fn sacrifices_have_a_potential() {
        const FEN: &str = "r5k1/5ppp/8/8/8/8/Q4PPP/R5K1 w - - 0 1";
        let potential = |text: &str| {
            let position = Position::from_fen(FEN).unwrap();
            let m = san::parse(&position, text).unwrap();
            let mut game = Chess::new(position, Evaluation::Material, Draws::None);
            game.sacrifice_potential(m.bits())
        };
        // After Qa7 the queen prepares two captures with check, and a check.
        assert_eq!((potential("Qxf7+"), potential("Qa7"), potential("Qxa8+")), (20, 5, 0));
        assert_eq!((potential("h3"), potential("Qb2")), (0, 0));
    }

    #[test]
    fn turbulence_counts_what_is_attacked() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
            // The queen takes a pawn, or gives check on one of four squares.
            ("6k1/8/3p4/4p3/8/8/4Q3/4K3 w - - 0 1", 1 + 4),
            // The knight forks two rooks; it takes one of them or gives one of two checks.
            ("3rkr2/8/4N3/8/8/8/8/4K3 w - - 0 1", 2 + 2 + 1),
            ("4k3/3P4/8/8/8/8/8/4K3 b - - 0 1", 1),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let game = Chess::new(position, Evaluation::Material, Draws::None);
            assert_eq!(game.turbulence(), expected, "{fen}");
        }
    }
}
