//! Finds the reversible move between two positions from their keys alone (M. van
//! Kervinck, "A fast software-based method for upcoming cycle detection in search trees",
//! 2013).
//!
//! A move that is neither a capture, a pawn move nor castling changes a position's
//! key by two squares of one piece and the side to move. There are only 3668 such
//! changes, a move and its reverse counting once, so all of them fit into a table
//! that the compiler fills. It is looked up by the difference of two keys. The table
//! is a cuckoo hash: a key has two possible slots; a new key takes its first slot, and
//! the key it displaces moves to its other one. A look-up reads at most two slots.

use std::mem;

use crate::chess::color::Color;
use crate::chess::piece::Piece;
use crate::chess::square::Square;
use crate::chess::zobrist;

/// More than twice the moves: a cuckoo hash may fail when it is more than half full.
const SLOTS: usize = 1 << 13;

/// Keys and squares are separate because most look-ups find nothing and read only
/// keys.
struct CuckooTable {
    /// Zero where the slot is empty.
    keys: [u64; SLOTS],
    squares: [[Square; 2]; SLOTS],
}

static TABLE: CuckooTable = fill();

/// The origin and destination, in either order, of the reversible move that changes a
/// position's key by `difference`; `None` if there is no such move. The caller checks that
/// the squares between are empty.
#[inline]
pub(super) fn squares(difference: u64) -> Option<[Square; 2]> {
    [first_slot(difference), second_slot(difference)]
        .into_iter()
        .find(|&slot| TABLE.keys[slot] == difference)
        .map(|slot| TABLE.squares[slot])
}

const fn first_slot(key: u64) -> usize {
    key as usize % SLOTS
}

const fn second_slot(key: u64) -> usize {
    (key >> 16) as usize % SLOTS
}

const fn fill() -> CuckooTable {
    let mut table = CuckooTable { keys: [0; SLOTS], squares: [[Square::A1; 2]; SLOTS] };
    let mut i = 0;
    while i < 2 * Piece::COUNT {
        let (color, piece) = (Color::ALL[i % 2], Piece::ALL[i / 2]);
        let mut higher = 1;
        while higher < Square::COUNT {
            let mut lower = 0;
            while lower < higher {
                let (a, b) = (Square::new(lower as u8), Square::new(higher as u8));
                if can_move(piece, a, b) {
                    table.insert(difference(color, piece, a, b), [a, b]);
                }
                lower += 1;
            }
            higher += 1;
        }
        i += 1;
    }
    table
}

/// Whether a piece can move from `a` to `b` and back on an empty board. Pawns cannot
/// move back.
const fn can_move(piece: Piece, a: Square, b: Square) -> bool {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    let (straight, diagonal) = (files == 0 || ranks == 0, files == ranks);
    match piece {
        Piece::Pawn => false,
        Piece::Knight => files * ranks == 2,
        Piece::Bishop => diagonal,
        Piece::Rook => straight,
        Piece::Queen => straight || diagonal,
        Piece::King => a.distance(b) == 1,
    }
}

/// The change of a position's key by a move or its reverse.
const fn difference(color: Color, piece: Piece, a: Square, b: Square) -> u64 {
    zobrist::piece(color, piece, a) ^ zobrist::piece(color, piece, b) ^ zobrist::black_to_move()
}

impl CuckooTable {
    /// Fails to compile, instead of looping for ever, if the keys cannot all be placed.
    const fn insert(&mut self, mut key: u64, mut squares: [Square; 2]) {
        assert!(key != 0, "an empty slot's key");
        let mut slot = first_slot(key);
        let mut evictions = 0;
        loop {
            key = mem::replace(&mut self.keys[slot], key);
            squares = mem::replace(&mut self.squares[slot], squares);
            if key == 0 {
                return;
            }
            slot ^= first_slot(key) ^ second_slot(key);
            evictions += 1;
            assert!(evictions < SLOTS, "the moves do not fit into the table");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TABLE, can_move, difference, squares};
    use crate::chess::{Bitboard, Color, Piece, Square, attacks};

    /// Every colour, every kind and every two squares, the lower one first.
    fn pairs() -> impl Iterator<Item = (Color, Piece, Square, Square)> {
        let kinds = Color::ALL.into_iter().flat_map(|color| Piece::ALL.map(|piece| (color, piece)));
        kinds.flat_map(|(color, piece)| {
            Square::all().flat_map(move |a| {
                Square::all().filter(move |&b| a < b).map(move |b| (color, piece, a, b))
            })
        })
    }

    #[test]
    fn the_table_holds_exactly_the_reversible_moves() {
        let mut count = 0;
        for (color, piece, a, b) in pairs() {
            let reversible = attacks::piece(piece, a, Bitboard::EMPTY).contains(b);
            assert_eq!(can_move(piece, a, b), reversible, "{piece:?} {a}{b}");
            let found = squares(difference(color, piece, a, b));
            assert_eq!(found, reversible.then_some([a, b]), "{color} {piece:?} {a}{b}");
            count += usize::from(reversible);
        }
        assert_eq!(count, 3668);
        assert_eq!(TABLE.keys.iter().filter(|&&key| key != 0).count(), 3668);
    }
}
