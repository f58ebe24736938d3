//! The attacks of both sides, computed once per position.
//!
//! [`AttackMap::new`] knows the attacks of pawns and kings. The pass over the other pieces
//! adds their attacks and scores them ([`pieces`](crate::eval::pieces)).
//!
//! Bishops and rooks attack through queens, and rooks through rooks of their side, so that
//! both pieces of a battery count. A pinned piece attacks only along its pin (as in
//! Stockfish 11).

use crate::chess::{Bitboard, Color, Piece, Square, State, attacks};

/// The attacks of both sides.
#[derive(Clone, Debug)]
pub(super) struct AttackMap {
    by: [[Bitboard; Piece::COUNT]; 2],
    all: [Bitboard; 2],
    twice: [Bitboard; 2],
    pinned: [Bitboard; 2],
}

impl AttackMap {
    /// The attacks of pawns and kings.
    #[inline(always)]
    pub(super) fn new(state: &State) -> Self {
        let mut map = Self {
            by: [[Bitboard::EMPTY; Piece::COUNT]; 2],
            all: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            pinned: Color::each(|us| pinned(state, us)),
        };
        for us in Color::ALL {
            let pawns = state.colored(us, Piece::Pawn);
            map.add(us, Piece::Pawn, pawns.pawn_attacks(us));
            map.twice[us.index()] |= pawns.pawn_double_attacks(us);
            map.add(us, Piece::King, attacks::king(state.king(us)));
        }
        map
    }

    /// Adds the attacks of a knight, bishop, rook or queen of `us`, and returns them.
    #[inline(always)]
    pub(super) fn add_piece(
        &mut self,
        state: &State,
        us: Color,
        piece: Piece,
        square: Square,
    ) -> Bitboard {
        let attacks = self.attacks_of(state, us, piece, square);
        self.add(us, piece, attacks);
        attacks
    }

    /// The squares that a knight, bishop, rook or queen of `us` on `square` attacks, without
    /// adding them.
    #[inline(always)]
    pub(super) fn attacks_of(
        &self,
        state: &State,
        us: Color,
        piece: Piece,
        square: Square,
    ) -> Bitboard {
        let occupied = state.occupied();
        let queens = state.pieces(Piece::Queen);
        let unpinned = match piece {
            Piece::Knight => attacks::knight(square),
            Piece::Bishop => attacks::bishop(square, occupied.without(queens)),
            Piece::Rook => {
                let through = queens | state.colored(us, Piece::Rook);
                attacks::rook(square, occupied.without(through))
            }
            _ => attacks::queen(square, occupied),
        };
        if self.pinned(us).contains(square) {
            unpinned & attacks::line(state.king(us), square)
        } else {
            unpinned
        }
    }

    #[inline(always)]
    fn add(&mut self, us: Color, piece: Piece, attacks: Bitboard) {
        let us = us.index();
        self.twice[us] |= self.all[us] & attacks;
        self.all[us] |= attacks;
        self.by[us][piece.index()] |= attacks;
    }

    /// The squares attacked by a side's pieces of one kind.
    #[inline]
    pub(super) fn by(&self, color: Color, piece: Piece) -> Bitboard {
        self.by[color.index()][piece.index()]
    }

    /// The squares attacked by a side's pawns and pieces that are less valuable than a knight,
    /// bishop, rook or queen.
    #[inline(always)]
    pub(super) fn by_less_valuable(&self, color: Color, than: Piece) -> Bitboard {
        let pawns = self.by(color, Piece::Pawn);
        let minors = self.by(color, Piece::Knight) | self.by(color, Piece::Bishop);
        match than {
            Piece::Queen => pawns | minors | self.by(color, Piece::Rook),
            Piece::Rook => pawns | minors,
            _ => pawns,
        }
    }

    /// The squares that a side attacks.
    #[inline]
    pub(super) fn all(&self, color: Color) -> Bitboard {
        self.all[color.index()]
    }

    /// The squares that a side attacks at least twice.
    #[inline]
    pub(super) fn twice(&self, color: Color) -> Bitboard {
        self.twice[color.index()]
    }

    /// A side's pieces that are pinned to their king.
    #[inline]
    pub(super) fn pinned(&self, color: Color) -> Bitboard {
        self.pinned[color.index()]
    }

    /// Squares that a side defends with a pawn, or twice while they are attacked once at most.
    #[inline]
    pub(super) fn strongly_protected(&self, color: Color) -> Bitboard {
        self.by(color, Piece::Pawn) | self.twice(color).without(self.twice(!color))
    }
}

/// The pieces of `us` that are pinned to their king; [`State::pinned`] has them for the
/// side to move only.
fn pinned(state: &State, us: Color) -> Bitboard {
    if us == state.side_to_move() {
        return state.pinned();
    }
    let king = state.king(us);
    state.shields(king, state.snipers(king, !us)) & state.color(us)
}

#[cfg(test)]
mod tests {
    use super::AttackMap;
    use crate::chess::{Color, Piece, Position, Square};

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    /// The map with the attacks of all pieces.
    fn complete(position: &Position) -> AttackMap {
        let mut map = AttackMap::new(position);
        for us in Color::ALL {
            for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
                for square in position.colored(us, piece) {
                    map.add_piece(position, us, piece, square);
                }
            }
        }
        map
    }

    #[test]
    fn pinned_pieces_attack_along_their_pin() {
        let position = Position::from_fen("4r1k1/8/8/b7/8/2N5/4R3/4K3 b - - 0 1").unwrap();
        let map = complete(&position);
        assert!(map.by(Color::White, Piece::Knight).is_empty());
        assert!(map.by(Color::White, Piece::Rook).contains(square("e8")));
        assert!(!map.by(Color::White, Piece::Rook).contains(square("a2")));
        assert_eq!(map.pinned(Color::White).len(), 2);
        assert_eq!(map.pinned(Color::Black).len(), 0);
    }

    #[test]
    fn batteries_attack_twice() {
        let position = Position::from_fen("k7/8/8/8/8/4R3/4R3/K7 w - - 0 1").unwrap();
        let map = complete(&position);
        assert!(map.twice(Color::White).contains(square("e7")));
        assert!(!map.twice(Color::White).contains(square("c3")));
        assert!(map.by(Color::White, Piece::Rook).contains(square("c3")));
    }

    #[test]
    fn a_side_has_the_same_pins_when_it_is_not_to_move() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        for fen in [fen, "4k3/4r3/8/b7/8/2N1Q3/8/4K3 w - - 0 1"] {
            let mut position = Position::from_fen(fen).unwrap();
            let (us, pinned) = (position.side_to_move(), position.pinned());
            position.make_null();
            assert_eq!(AttackMap::new(&position).pinned(us), pinned);
        }
    }
}
