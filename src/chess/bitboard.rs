//! A set of squares in one machine word (Chess Programming Wiki, "Bitboards").

use bytemuck::Zeroable;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::chess::color::Color;
use crate::chess::square::{File, Rank, Square};

/// A set of squares: bit `n` is the square with index `n`.
///
/// ```
/// use lovec::chess::{Bitboard, Square};
/// let corners: Bitboard = [Square::A1, Square::H8].into_iter().collect();
/// assert_eq!(corners.len(), 2);
/// assert!((corners & Bitboard::DARK_SQUARES) == corners);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Zeroable)]
pub struct Bitboard(pub u64);

impl Bitboard {
    pub const EMPTY: Self = Self(0);
    pub const ALL: Self = Self(!0);
    pub const LIGHT_SQUARES: Self = Self(0x55AA_55AA_55AA_55AA);
    pub const DARK_SQUARES: Self = Self(0xAA55_AA55_AA55_AA55);
    /// d4, e4, d5 and e5.
    pub const CENTRE: Self = Self(0x0000_0018_1800_0000);
    /// The files c to f.
    pub const CENTRE_FILES: Self = Self(0x3C3C_3C3C_3C3C_3C3C);
    /// The files a to c.
    pub const QUEEN_FLANK: Self = Self(0x0707_0707_0707_0707);
    /// The files f to h.
    pub const KING_FLANK: Self = Self(0xE0E0_E0E0_E0E0_E0E0);
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    const FILE_H: u64 = Self::FILE_A << 7;

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there are two squares or more.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every square of this set is in `other`.
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The squares of this set that are not in `other`.
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | square.bitboard().0)
    }

    /// The square with the lowest index, or `None` of an empty set.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(self.lowest()) }
    }

    /// The square with the lowest index; a1 if the set is empty.
    #[inline]
    pub const fn lowest(self) -> Square {
        Square::new(self.0.trailing_zeros() as u8)
    }

    /// The square with the highest index; h8 if the set is empty.
    #[inline]
    pub const fn highest(self) -> Square {
        Square::new(63 ^ self.0.leading_zeros() as u8)
    }

    /// The square furthest advanced for `color`.
    #[inline]
    pub const fn most_advanced(self, color: Color) -> Square {
        match color {
            Color::White => self.highest(),
            Color::Black => self.lowest(),
        }
    }

    /// The squares from a1 to h8.
    ///
    /// ```
    /// use lovec::chess::{Bitboard, Rank};
    /// let names: Vec<String> = Rank::First.bitboard().iter().map(|s| s.to_string()).collect();
    /// assert_eq!(names.join(" "), "a1 b1 c1 d1 e1 f1 g1 h1");
    /// ```
    #[inline]
    pub const fn iter(self) -> BitboardIter {
        BitboardIter(self)
    }

    /// Removes and returns the square with the lowest index.
    #[inline]
    pub const fn pop(&mut self) -> Option<Square> {
        if self.is_empty() {
            return None;
        }
        let square = self.lowest();
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    pub const fn north(self) -> Self {
        Self(self.0 << 8)
    }

    #[inline]
    pub const fn south(self) -> Self {
        Self(self.0 >> 8)
    }

    #[inline]
    pub const fn east(self) -> Self {
        Self((self.0 & !Self::FILE_H) << 1)
    }

    #[inline]
    pub const fn west(self) -> Self {
        Self((self.0 & !Self::FILE_A) >> 1)
    }

    /// The squares to the left and to the right of the set.
    #[inline]
    pub const fn beside(self) -> Self {
        Self(self.east().0 | self.west().0)
    }

    /// The squares that a king on one of these could step to.
    #[inline]
    pub const fn neighbours(self) -> Self {
        let beside = self.beside();
        let rows = Self(self.0 | beside.0);
        Self(beside.0 | rows.north().0 | rows.south().0)
    }

    /// All squares of the same colour as `square`.
    #[inline]
    pub const fn same_colour_squares(square: Square) -> Self {
        if Self::LIGHT_SQUARES.contains(square) { Self::LIGHT_SQUARES } else { Self::DARK_SQUARES }
    }

    /// The set as `color` sees the board, its own back rank first: for Black turned upside down.
    #[inline]
    pub const fn seen_by(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self(self.0.swap_bytes()),
        }
    }

    /// One step towards the other side's back rank; squares on that rank leave
    /// the board.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => self.north(),
            Color::Black => self.south(),
        }
    }

    /// One step towards `color`'s own back rank.
    #[inline]
    pub const fn backward(self, color: Color) -> Self {
        match color {
            Color::White => self.south(),
            Color::Black => self.north(),
        }
    }

    /// All squares in front of the set on the same files, the set left out.
    ///
    /// ```
    /// use lovec::chess::{Color, File, Rank, Square};
    /// let ahead = Square::at(File::E, Rank::Sixth).bitboard().forward_fill(Color::White);
    /// assert_eq!(ahead.highest(), Square::E8);
    /// assert_eq!(ahead.len(), 2);
    /// ```
    pub const fn forward_fill(self, color: Color) -> Self {
        let mut fill = self.forward(color).0;
        match color {
            Color::White => {
                fill |= fill << 8;
                fill |= fill << 16;
                fill |= fill << 32;
            }
            Color::Black => {
                fill |= fill >> 8;
                fill |= fill >> 16;
                fill |= fill >> 32;
            }
        }
        Self(fill)
    }

    /// The whole files on which the set has a square.
    #[inline]
    pub const fn file_fill(self) -> Self {
        Self(self.0 | self.forward_fill(Color::White).0 | self.forward_fill(Color::Black).0)
    }

    /// The squares of one rank, as a set of files.
    #[inline]
    pub const fn on_rank(self, rank: Rank) -> u8 {
        (self.0 >> (8 * rank as u8)) as u8
    }

    /// The squares of one rank that stand on a set of files.
    #[inline]
    pub const fn from_rank(rank: Rank, files: u8) -> Self {
        Self((files as u64) << (8 * rank as u8))
    }

    /// Every square that pawns of `color` on this set attack.
    #[inline]
    pub const fn pawn_attacks(self, color: Color) -> Self {
        self.forward(color).beside()
    }

    /// Every square that two pawns of `color` on this set attack.
    #[inline]
    pub const fn pawn_double_attacks(self, color: Color) -> Self {
        let forward = self.forward(color);
        Self(forward.east().0 & forward.west().0)
    }
}

impl Square {
    /// The set of this square alone.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self.index())
    }
}

impl File {
    /// The squares of this file.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(Bitboard::FILE_A << self as u8)
    }

    /// The squares of the neighbouring files.
    #[inline]
    pub const fn adjacent(self) -> Bitboard {
        self.bitboard().beside()
    }
}

impl Rank {
    /// The squares of this rank.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xFF << (8 * self as u8))
    }
}

impl Color {
    /// The squares of `ranks`, each counted from this side.
    ///
    /// ```
    /// use lovec::chess::{Color, Rank};
    /// let home = Color::Black.relative_ranks([Rank::First, Rank::Second]);
    /// assert_eq!(home, Rank::Eighth.bitboard() | Rank::Seventh.bitboard());
    /// ```
    #[inline(always)]
    pub const fn relative_ranks<const N: usize>(self, ranks: [Rank; N]) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        let mut i = 0;
        while i < N {
            set.0 |= ranks[i].bitboard().0;
            i += 1;
        }
        set.seen_by(self)
    }
}

macro_rules! bit_operator {
    ($($operator:ident $function:ident $assign:ident $assign_function:ident $symbol:tt,)*) => {$(
        impl $operator for Bitboard {
            type Output = Self;
            #[inline]
            fn $function(self, other: Self) -> Self {
                Self(self.0 $symbol other.0)
            }
        }
        impl $assign for Bitboard {
            #[inline]
            fn $assign_function(&mut self, other: Self) {
                *self = *self $symbol other;
            }
        }
    )*};
}

bit_operator! {
    BitAnd bitand BitAndAssign bitand_assign &,
    BitOr bitor BitOrAssign bitor_assign |,
    BitXor bitxor BitXorAssign bitxor_assign ^,
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// The squares of a [`Bitboard`], from a1 to h8.
#[derive(Clone, Debug)]
pub struct BitboardIter(Bitboard);

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = BitboardIter;

    #[inline]
    fn into_iter(self) -> BitboardIter {
        self.iter()
    }
}

impl Iterator for BitboardIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for BitboardIter {}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set.with(square))
    }
}

/// Eight rows of eight, the eighth rank first.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let row: String = (0..8)
                .map(|file| if self.0 >> (8 * rank + file) & 1 == 1 { 'x' } else { '.' })
                .collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Bitboard;
    use crate::chess::attacks;
    use crate::chess::square::Square;

    #[test]
    fn neighbours_are_king_moves() {
        for square in Square::all() {
            assert_eq!(square.bitboard().neighbours(), attacks::king(square));
        }
        assert_eq!(Bitboard::ALL.neighbours(), Bitboard::ALL);
    }

    #[test]
    fn a_square_has_the_colour_of_its_set() {
        for square in Square::all() {
            let shade = Bitboard::same_colour_squares(square);
            assert!(shade.contains(square));
            assert!(!shade.intersects(square.bitboard().north() | square.bitboard().east()));
        }
    }
}
