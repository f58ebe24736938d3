//! Draws by rule: repetition, fifty moves, insufficient material.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::color::Color;
use crate::chess::cuckoo;
use crate::chess::piece::Piece;
use crate::chess::position::game::Position;
use crate::chess::position::state::State;

/// Plies without a capture or a pawn move after which the fifty-move rule draws the game.
pub const FIFTY_MOVES: u16 = 100;

impl State {
    /// Whether no side can mate: bare kings, one minor piece, or only bishops on squares of
    /// one colour.
    ///
    /// ```
    /// use lovec::chess::Position;
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4KB2 w - - 0 1").unwrap();
    /// assert!(position.insufficient_material());
    /// ```
    #[inline]
    pub fn insufficient_material(&self) -> bool {
        let bishops = self.pieces(Piece::Bishop);
        let minor = self.pieces(Piece::Knight) | bishops;
        let others = self.occupied().without(self.pieces(Piece::King));
        others.is_subset(minor)
            && (!others.more_than_one()
                || others.is_subset(bishops & Bitboard::LIGHT_SQUARES)
                || others.is_subset(bishops & Bitboard::DARK_SQUARES))
    }

    /// Whether a win can only be a mate, and nothing starts the count of the fifty-move rule
    /// again without a draw: against a bare king, without pawns, and with no piece to give,
    /// since the rest could not mate.
    pub fn wins_only_by_mate(&self) -> bool {
        let others = self.occupied().without(self.pieces(Piece::King));
        let minor = self.pieces(Piece::Knight) | self.pieces(Piece::Bishop);
        Color::ALL.into_iter().any(|color| !self.color(color).more_than_one())
            && !others.intersects(self.pieces(Piece::Pawn))
            && (!others.more_than_one() || others.len() == 2 && others.is_subset(minor))
    }

    /// A hundred plies without a capture or a pawn move, unless the last of
    /// them mated.
    #[inline]
    pub fn is_fifty_move_draw(&self) -> bool {
        self.halfmove_clock >= FIFTY_MOVES && !self.is_checkmate()
    }
}

impl Position {
    /// Whether the game ends here for the search, `ply` plies below its root:
    /// by the fifty-move rule, repetition or insufficient material.
    #[inline]
    pub fn is_draw(&self, ply: usize) -> bool {
        // The fifty-move rule first: then no search for a repetition is long.
        self.is_fifty_move_draw() || self.is_repetition(ply) || self.insufficient_material()
    }

    /// Whether the position occurred before: once after the root, `ply` plies before (a
    /// repetition in the search could be repeated again), or twice at any time (threefold
    /// repetition).
    #[inline]
    pub fn is_repetition(&self, ply: usize) -> bool {
        let reach = self.reversible_plies();
        reach >= 4 && self.repeats_within(reach, ply)
    }

    /// [`is_repetition`](Self::is_repetition) by the positions of the last `reach` plies. Not
    /// inlined, since most positions have no four reversible plies behind them.
    #[inline(never)]
    fn repeats_within(&self, reach: usize, ply: usize) -> bool {
        let mut seen_before_root = false;
        for distance in (4..=reach).step_by(2) {
            if self.state_before(distance).key() != self.key() {
                continue;
            }
            if distance < ply || seen_before_root {
                return true;
            }
            seen_before_root = true;
        }
        false
    }

    /// Whether a position has occurred twice since the last capture or pawn move.
    pub fn has_repeated(&self) -> bool {
        let reach = self.reversible_plies();
        let key =
            |distance| if distance == 0 { self.key() } else { self.state_before(distance).key() };
        (0..=reach)
            .any(|later| (later + 4..=reach).step_by(2).any(|earlier| key(earlier) == key(later)))
    }

    /// Whether the side to move has a move after which
    /// [`is_repetition`](Self::is_repetition) holds, one ply further from the
    /// root: it can have at least a draw.
    ///
    /// The result is exact, and no move is generated. If the position differs from an earlier
    /// one by one reversible move of ours, that move leads there: the castling rights are
    /// equal, since lost rights never return, and the move is legal, since our king could not
    /// be captured in the earlier position. Only the squares between origin and destination
    /// must be checked: a rook that moved around a piece cannot return through it.
    #[inline]
    pub fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let reach = self.reversible_plies();
        reach >= 3 && self.can_return(ply, reach)
    }

    fn can_return(&self, ply: usize, reach: usize) -> bool {
        let them = !self.side_to_move();
        for distance in (3..=reach).step_by(2) {
            let earlier = self.state_before(distance);
            // No move of ours returns an enemy piece. This test is cheaper than a look-up, and
            // ensures that the piece found is ours.
            if earlier.color(them) != self.color(them) {
                continue;
            }
            let Some([a, b]) = cuckoo::squares(self.key() ^ earlier.key()) else { continue };
            if attacks::between(a, b).intersects(self.occupied()) {
                continue;
            }
            if distance < ply || self.occurred_before(distance, reach) {
                return true;
            }
        }
        false
    }

    /// Whether the position `distance` plies ago was itself a repetition of one
    /// at most `reach` plies ago.
    fn occurred_before(&self, distance: usize, reach: usize) -> bool {
        let key = self.state_before(distance).key();
        (distance + 4..=reach).step_by(2).any(|longer| self.state_before(longer).key() == key)
    }

    /// The plies since the last capture, pawn move or null move.
    #[inline]
    pub(super) fn reversible_plies(&self) -> usize {
        let reversible = self.halfmove_clock.min(self.plies_since_null);
        usize::from(reversible).min(self.plies())
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    use crate::chess::notation::uci;
    use crate::chess::{Move, Piece, Position};

    /// Endgames with many repetitions, crowded middlegames, castling rights to lose,
    /// Chess960.
    const FENS: [&str; 12] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 40 90",
        "8/8/3k4/2n5/8/3K4/4B3/8 w - - 0 1",
        "8/5pk1/6p1/2r5/1R6/6P1/5PK1/8 b - - 3 50",
        "8/8/8/4k3/8/2Q5/1K6/5q2 b - - 0 1",
        "2k5/2p5/2P5/p1p1p1p1/P1P1P1P1/1R6/8/K1r5 w - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "8/8/1k1n1n2/8/8/1K1N1N2/8/8 w - - 7 30",
    ];

    fn after(fen: &str, moves: &str) -> Position {
        let mut position = Position::from_fen(fen).unwrap();
        for text in moves.split_whitespace() {
            position.make(uci::parse_move(&position, text).unwrap());
        }
        position
    }

    fn is_reversible(position: &Position, m: Move) -> bool {
        m.is_quiet() && !m.is_castle() && position.moved_piece(m) != Piece::Pawn
    }

    /// For every `ply` up to the whole game, whether some legal move repeats.
    fn by_trying(position: &Position) -> Vec<bool> {
        let mut position = position.clone();
        let mut answers = vec![false; position.plies() + 1];
        for m in position.legal_moves() {
            let reversible = is_reversible(&position, m);
            position.make(m);
            for (ply, answer) in answers.iter_mut().enumerate() {
                let repeats = position.is_repetition(ply + 1);
                assert!(reversible || !repeats, "{m:?} to {} repeats", position.fen());
                *answer |= repeats;
            }
            position.unmake();
        }
        answers
    }

    /// A random move, or none; often the way back from the side's last one.
    fn choose(position: &Position, played: &[Option<Move>], random: &mut StdRng) -> Option<Move> {
        let moves = position.legal_moves();
        let last = played.iter().rev().nth(1).copied().flatten();
        let back = last.and_then(|last| {
            moves.iter().find(|m| m.from() == last.to() && m.to() == last.from()).copied()
        });
        if back.is_some() && random.random_bool(0.4) {
            return back;
        }
        let reversible: Vec<Move> =
            moves.iter().copied().filter(|&m| is_reversible(position, m)).collect();
        if random.random_bool(0.98) && !reversible.is_empty() {
            return reversible.choose(random).copied();
        }
        moves.choose(random).copied()
    }

    #[test]
    fn an_upcoming_repetition_is_a_legal_move_that_repeats() {
        let (mut second_time, mut third_time) = (0, 0);
        for seed in 0..240 {
            let mut random = StdRng::seed_from_u64(seed);
            let fen = FENS[seed as usize % FENS.len()];
            let mut position = Position::from_fen(fen).unwrap();
            let mut played: Vec<Option<Move>> = Vec::new();
            while position.plies() < 70 {
                let expected = by_trying(&position);
                let for_search = position.for_search();
                assert!(for_search.plies() <= position.halfmove_clock().into());
                assert_eq!(for_search.has_repeated(), position.has_repeated());
                for (ply, &expected) in expected.iter().enumerate() {
                    for position in [&position, &for_search] {
                        assert_eq!(
                            position.has_upcoming_repetition(ply),
                            expected,
                            "{ply} plies below the root after {played:?} from {fen}"
                        );
                    }
                    assert_eq!(for_search.is_repetition(ply), position.is_repetition(ply));
                }
                // The further away the root, the more there is to repeat.
                third_time += usize::from(expected[0]);
                second_time += usize::from(expected[position.plies()] && !expected[0]);

                if !position.in_check() && random.random_bool(0.02) {
                    position.make_null();
                    played.push(None);
                    continue;
                }
                let Some(m) = choose(&position, &played, &mut random) else { break };
                position.make(m);
                played.push(Some(m));
            }
        }
        for (name, count) in [("second", second_time), ("third", third_time)] {
            assert!(count > 500, "only {count} positions to reach for the {name} time");
        }
    }

    #[test]
    fn the_root_itself_must_have_occurred_twice() {
        let fen = FENS[0];
        let position = after(fen, "g1f3 g8f6 f3g1");
        assert!(position.has_upcoming_repetition(4), "one ply below the root");
        assert!(!position.has_upcoming_repetition(3), "the root");
        assert!(!position.has_upcoming_repetition(0), "before the root");
        let position = after(fen, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
        assert!(position.has_upcoming_repetition(0), "before the root, twice");
    }

    /// Pairs of games that differ in one point, the first with a repetition and
    /// the second without.
    #[test]
    fn what_is_no_repetition() {
        let (triangle, step) = ("e8d8 a1b1 d8d7 b1b3 d7e7 b3a3 e7e8", "e8e7 e1f2 e7e8");
        for (why, fen, moves, repeats) in [
            ("the way is open", "4k3/8/8/8/8/8/7P/R3K3 b - - 0 1", triangle, true),
            ("a pawn is in the way", "4k3/8/8/8/8/8/P7/R3K3 b - - 0 1", triangle, false),
            ("no rights to lose", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1", step, true),
            ("a right was lost", "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1", step, false),
            ("no en passant", "4k3/8/8/8/5Pp1/8/8/4K3 b - - 0 1", step, true),
            ("en passant was possible", "4k3/8/8/8/5Pp1/8/8/4K3 b - f3 0 1", step, false),
            ("our king is away", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "e8d8 e1e2 d8e8", true),
            ("theirs is", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", "e8d8 e1e2 d8c7 e2e1 c7d7", false),
        ] {
            let position = after(fen, moves);
            assert_eq!(position.has_upcoming_repetition(99), repeats, "{why}");
        }
    }
}
