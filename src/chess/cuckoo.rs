//! Which reversible move lies between two positions, told by their keys alone
//! (M. van Kervinck, "The design and implementation of the Rookie 2.0 chess
//! playing program", 2012).
//!
//! A move that is no capture, no pawn's and not castling changes a position's
//! key by two squares of one man and the side to move. There are only 3668 such
//! changes, a move and its way back counting once, so they all fit into a table
//! that is filled by the compiler and asked with the difference of two keys. It
//! is a cuckoo hash: a key has two possible slots and takes its place in the
//! first by throwing out whoever is there, who goes to its other one. A look-up
//! never reads more than two slots.

use std::mem;

use crate::chess::color::Color;
use crate::chess::piece::Piece;
use crate::chess::square::Square;
use crate::chess::zobrist;

/// Rather more than twice the moves: a cuckoo hash that is fuller than half
/// finds no place for the last ones.
const SLOTS: usize = 1 << 13;

/// Keys and squares lie apart because most look-ups find nothing and so read
/// keys only.
struct CuckooTable {
    /// Zero where the slot is empty.
    keys: [u64; SLOTS],
    squares: [[Square; 2]; SLOTS],
}

static TABLE: CuckooTable = fill();

/// The two squares between which the reversible move goes that changes a
/// position's key by `difference`, in no particular order; `None` if there is no
/// such move. Whether something stands in between is for the caller to see.
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
                if goes(piece, a, b) {
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

/// Whether a piece goes from one square to another, and so back, on an empty
/// board. Pawns do not go back.
const fn goes(piece: Piece, a: Square, b: Square) -> bool {
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

/// What a move, or its way back, changes in a position's key.
const fn difference(color: Color, piece: Piece, a: Square, b: Square) -> u64 {
    zobrist::piece(color, piece, a) ^ zobrist::piece(color, piece, b) ^ zobrist::black_to_move()
}

impl CuckooTable {
    /// Does not compile, rather than go round for ever, if the keys are so
    /// unlucky that they cannot all be placed.
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
    use super::{TABLE, difference, goes, squares};
    use crate::chess::attacks;
    use crate::chess::{Bitboard, Color, Piece, Square};

    /// Every colour, every kind and every two squares, the lower one first.
    fn pairs() -> impl Iterator<Item = (Color, Piece, Square, Square)> {
        let men = Color::ALL.into_iter().flat_map(|color| Piece::ALL.map(|piece| (color, piece)));
        men.flat_map(|(color, piece)| {
            Square::all().flat_map(move |a| {
                Square::all().filter(move |&b| a < b).map(move |b| (color, piece, a, b))
            })
        })
    }

    #[test]
    fn the_table_has_every_reversible_move_and_nothing_else() {
        let mut count = 0;
        for (color, piece, a, b) in pairs() {
            let reversible = attacks::piece(piece, a, Bitboard::EMPTY).contains(b);
            assert_eq!(goes(piece, a, b), reversible, "{piece:?} {a}{b}");
            let found = squares(difference(color, piece, a, b));
            assert_eq!(found, reversible.then_some([a, b]), "{color} {piece:?} {a}{b}");
            count += usize::from(reversible);
        }
        assert_eq!(count, 3668);
        assert_eq!(TABLE.keys.iter().filter(|&&key| key != 0).count(), 3668);
    }
}
