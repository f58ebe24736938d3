//! The attacks of both sides, computed once per position.
//!
//! Bishops and rooks attack through queens, and rooks through rooks of their side, so that
//! both pieces of a battery count. A pinned piece attacks only along its pin (as in
//! Stockfish 11).

use crate::chess::{Bitboard, Color, Piece, Square, State, attacks};

/// The attacks of both sides.
#[derive(Clone, Debug)]
pub struct AttackMap {
    /// The squares that the piece on a square attacks; empty for pawns.
    from: [Bitboard; Square::COUNT],
    by: [[Bitboard; Piece::COUNT]; 2],
    all: [Bitboard; 2],
    twice: [Bitboard; 2],
    pinned: [Bitboard; 2],
}

impl AttackMap {
    #[inline(always)]
    pub fn new(state: &State) -> Self {
        let mut map = Self {
            from: [Bitboard::EMPTY; Square::COUNT],
            by: [[Bitboard::EMPTY; Piece::COUNT]; 2],
            all: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            pinned: [Bitboard::EMPTY; 2],
        };
        map.add_side(state, Color::White);
        map.add_side(state, Color::Black);
        map
    }

    #[inline(always)]
    fn add_side(&mut self, state: &State, us: Color) {
        let pinned = pinned(state, us);
        self.pinned[us.index()] = pinned;

        let king = state.king(us);
        let pawns = state.colored(us, Piece::Pawn);
        self.add(us, Piece::Pawn, pawns.pawn_attacks(us));
        self.twice[us.index()] |= pawns.pawn_double_attacks(us);
        self.add_from(us, Piece::King, king, attacks::king(king));

        let occupied = state.occupied();
        let queens = state.pieces(Piece::Queen);
        let through_queens = occupied.without(queens);
        let through_rooks = through_queens.without(state.colored(us, Piece::Rook));
        for square in state.colored(us, Piece::Knight).without(pinned) {
            self.add_from(us, Piece::Knight, square, attacks::knight(square));
        }
        for square in state.colored(us, Piece::Bishop) {
            let attacks = attacks::bishop(square, through_queens);
            self.add_from(us, Piece::Bishop, square, along_pin(attacks, square, king, pinned));
        }
        for square in state.colored(us, Piece::Rook) {
            let attacks = attacks::rook(square, through_rooks);
            self.add_from(us, Piece::Rook, square, along_pin(attacks, square, king, pinned));
        }
        for square in state.colored(us, Piece::Queen) {
            let attacks = attacks::queen(square, occupied);
            self.add_from(us, Piece::Queen, square, along_pin(attacks, square, king, pinned));
        }
    }

    #[inline(always)]
    fn add(&mut self, us: Color, piece: Piece, attacks: Bitboard) {
        let us = us.index();
        self.twice[us] |= self.all[us] & attacks;
        self.all[us] |= attacks;
        self.by[us][piece.index()] |= attacks;
    }

    #[inline(always)]
    fn add_from(&mut self, us: Color, piece: Piece, square: Square, attacks: Bitboard) {
        self.from[square.index()] = attacks;
        self.add(us, piece, attacks);
    }

    /// The squares that the piece on `square` attacks.
    #[inline]
    pub fn from(&self, square: Square) -> Bitboard {
        self.from[square.index()]
    }

    /// The squares attacked by a side's pieces of one kind.
    #[inline]
    pub fn by(&self, color: Color, piece: Piece) -> Bitboard {
        self.by[color.index()][piece.index()]
    }

    /// The squares that a side attacks.
    #[inline]
    pub fn all(&self, color: Color) -> Bitboard {
        self.all[color.index()]
    }

    /// The squares that a side attacks at least twice.
    #[inline]
    pub fn twice(&self, color: Color) -> Bitboard {
        self.twice[color.index()]
    }

    /// A side's pieces that are pinned to their king.
    #[inline]
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.pinned[color.index()]
    }

    /// Squares that a side defends with a pawn, or twice while they are attacked only once.
    #[inline]
    pub fn strongly_protected(&self, color: Color) -> Bitboard {
        self.by(color, Piece::Pawn) | self.twice(color).without(self.twice(!color))
    }
}

/// The attacks of a piece that may be pinned to its king.
#[inline(always)]
fn along_pin(attacks: Bitboard, square: Square, king: Square, pinned: Bitboard) -> Bitboard {
    if pinned.contains(square) { attacks & attacks::line(king, square) } else { attacks }
}

/// The pieces of `us` that are pinned to their king; [`State::pinned`] has them for the
/// side to move only.
fn pinned(state: &State, us: Color) -> Bitboard {
    if us == state.side_to_move() {
        return state.pinned();
    }
    alone_between(state, state.king(us), us) & state.color(us)
}

/// The pieces of either colour that are the only one between `target` and an enemy rook or
/// bishop; for a king also an enemy queen.
pub(super) fn alone_between(state: &State, target: Square, us: Color) -> Bitboard {
    let them = !us;
    let queens =
        if state.king(us) == target { state.colored(them, Piece::Queen) } else { Bitboard::EMPTY };
    let rooks = state.colored(them, Piece::Rook) | queens;
    let bishops = state.colored(them, Piece::Bishop) | queens;
    let snipers = attacks::rook_rays(target) & rooks | attacks::bishop_rays(target) & bishops;
    let mut found = Bitboard::EMPTY;
    for sniper in snipers {
        let between = attacks::between(target, sniper) & state.occupied();
        if between.any() && !between.more_than_one() {
            found |= between;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{AttackMap, alone_between};
    use crate::chess::{Color, Piece, Position, Square};

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn pinned_pieces_attack_along_their_pin() {
        let position = Position::from_fen("4r1k1/8/8/b7/8/2N5/4R3/4K3 b - - 0 1").unwrap();
        let map = AttackMap::new(&position);
        assert!(map.from(square("c3")).is_empty());
        assert!(map.from(square("e2")).contains(square("e8")));
        assert!(!map.from(square("e2")).contains(square("a2")));
        assert_eq!(map.pinned(Color::White).len(), 2);
        assert_eq!(map.pinned(Color::Black).len(), 0);
    }

    #[test]
    fn batteries_attack_twice() {
        let position = Position::from_fen("k7/8/8/8/8/4R3/4R3/K7 w - - 0 1").unwrap();
        let map = AttackMap::new(&position);
        assert!(map.twice(Color::White).contains(square("e7")));
        assert!(!map.twice(Color::White).contains(square("c3")));
        assert!(map.by(Color::White, Piece::Rook).contains(square("c3")));
    }

    #[test]
    fn own_search_for_pins_agrees_with_the_rules() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        for fen in [fen, "4k3/4r3/8/b7/8/2N1Q3/8/4K3 w - - 0 1"] {
            let position = Position::from_fen(fen).unwrap();
            let us = position.side_to_move();
            let found = alone_between(&position, position.king(us), us) & position.color(us);
            assert_eq!(found, position.pinned());
        }
    }
}
