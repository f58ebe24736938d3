//! Squares, files and ranks. a1 is 0, b1 is 1, h8 is 63.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::chess::color::Color;

/// A column of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
pub enum File { A, B, C, D, E, F, G, H }

/// A row of the board, from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
pub enum Rank { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }

impl File {
    #[rustfmt::skip]
    pub const ALL: [Self; 8] =
        [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// The file with this index; only the low three bits count. The compiler turns the
    /// match into a mask, and an array would be read.
    #[inline]
    pub const fn new(index: usize) -> Self {
        match index & 7 {
            0 => Self::A,
            1 => Self::B,
            2 => Self::C,
            3 => Self::D,
            4 => Self::E,
            5 => Self::F,
            6 => Self::G,
            _ => Self::H,
        }
    }

    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Steps to the nearer edge of the board: 0 for the a and h files, 3 for d and e.
    #[inline]
    pub const fn edge_distance(self) -> usize {
        let file = self as usize;
        (if file < 4 { file } else { 7 - file }) & 3
    }

    /// `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file of a letter, of either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            letter @ 'a'..='h' => Some(Self::new((letter as u8 - b'a') as usize)),
            _ => None,
        }
    }
}

impl Rank {
    #[rustfmt::skip]
    pub const ALL: [Self; 8] = [
        Self::First, Self::Second, Self::Third, Self::Fourth,
        Self::Fifth, Self::Sixth, Self::Seventh, Self::Eighth,
    ];

    /// The rank with this index; only the low three bits count. See [`File::new`] for the
    /// match.
    #[inline]
    pub const fn new(index: usize) -> Self {
        match index & 7 {
            0 => Self::First,
            1 => Self::Second,
            2 => Self::Third,
            3 => Self::Fourth,
            4 => Self::Fifth,
            5 => Self::Sixth,
            6 => Self::Seventh,
            _ => Self::Eighth,
        }
    }

    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank as the other side sees it.
    #[inline]
    pub const fn flip(self) -> Self {
        Self::new(self as usize ^ 7)
    }

    /// Steps to the nearer edge of the board: 0 for the first and eighth ranks.
    #[inline]
    pub const fn edge_distance(self) -> usize {
        let rank = self as usize;
        (if rank < 4 { rank } else { 7 - rank }) & 3
    }
}

impl Color {
    /// `rank` counted from this side: for Black, `First` is the eighth rank.
    ///
    /// ```
    /// use lovec::chess::{Color, Rank};
    /// assert_eq!(Color::Black.relative_rank(Rank::Second), Rank::Seventh);
    /// ```
    #[inline]
    pub const fn relative_rank(self, rank: Rank) -> Rank {
        match self {
            Self::White => rank,
            Self::Black => rank.flip(),
        }
    }

    /// `square` seen from this side: for Black, a8 becomes a1.
    #[inline]
    pub const fn relative_square(self, square: Square) -> Square {
        match self {
            Self::White => square,
            Self::Black => square.flip(),
        }
    }
}

/// A square of the board.
///
/// A byte below 64. [`Square::index`] masks it, so that the compiler knows the
/// bound and an array of 64 is indexed without a check.
///
/// ```
/// use lovec::chess::{File, Rank, Square};
/// let square: Square = "e4".parse().unwrap();
/// assert_eq!(square, Square::at(File::E, Rank::Fourth));
/// assert_eq!(square.flip().to_string(), "e5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    pub const COUNT: usize = 64;

    pub const A1: Self = Self(0);
    pub const E1: Self = Self(4);
    pub const H1: Self = Self(7);
    pub const E8: Self = Self(60);
    pub const H8: Self = Self(63);

    /// The square with this index; only the low six bits count.
    #[inline]
    pub const fn new(index: u8) -> Self {
        Self(index & 63)
    }

    #[inline]
    pub const fn at(file: File, rank: Rank) -> Self {
        Self(file as u8 | (rank as u8) << 3)
    }

    /// Every square, a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64u8).map(Self)
    }

    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    #[inline]
    pub const fn file(self) -> File {
        File::new(self.index())
    }

    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::new(self.index() >> 3)
    }

    /// The same file seen from the other side: a1 becomes a8.
    #[inline]
    pub const fn flip(self) -> Self {
        Self(self.0 ^ 56)
    }

    /// One step towards the other side's back rank, wrapping round the board.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        Self((self.0 as i8 + 8 * color.sign() as i8) as u8 & 63)
    }

    /// One step towards this side's back rank, wrapping round the board.
    #[inline]
    pub const fn backward(self, color: Color) -> Self {
        Self((self.0 as i8 - 8 * color.sign() as i8) as u8 & 63)
    }

    /// King moves from here to there on an empty board (Chebyshev distance).
    ///
    /// ```
    /// use lovec::chess::Square;
    /// assert_eq!(Square::A1.distance(Square::H1), 7);
    /// ```
    #[inline]
    pub const fn distance(self, other: Self) -> u8 {
        self.distances()[other.index()]
    }

    /// The [distances](Self::distance) to all squares, by index.
    #[inline]
    pub const fn distances(self) -> &'static [u8; Square::COUNT] {
        &DISTANCES[self.index()]
    }
}

/// [`Square::distance`] of all pairs. The evaluation asks for it some thirty times, mostly
/// from the kings.
static DISTANCES: [[u8; Square::COUNT]; Square::COUNT] = distances();

const fn distances() -> [[u8; Square::COUNT]; Square::COUNT] {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut pair = 0u16;
    while pair < 4096 {
        let (from, to) = ((pair >> 6) as u8, (pair & 63) as u8);
        let files = (from & 7).abs_diff(to & 7);
        let ranks = (from >> 3).abs_diff(to >> 3);
        table[from as usize][to as usize] = if files > ranks { files } else { ranks };
        pair += 1;
    }
    table
}

/// Algebraic name: `e4`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().index() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// As its name.
impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The text was not a square's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a square: a file a-h and a rank 1-8 are expected")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self(file - b'a' + 8 * (rank - b'1'))),
            _ => Err(ParseSquareError),
        }
    }
}
