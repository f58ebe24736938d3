//! The two sides.

use std::fmt;
use std::ops::Not;

use serde::Serialize;

/// A side. White is 0 so that colours index arrays directly.
///
/// ```
/// use lovec::chess::Color;
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!(Color::Black.sign(), -1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Color {
    White,
    Black,
}

impl Color {
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What `of` returns for White and for Black.
    ///
    /// As `Self::ALL.map(of)`, which the compiler does not inline everywhere.
    #[inline(always)]
    pub fn each<T>(mut of: impl FnMut(Self) -> T) -> [T; 2] {
        [of(Self::White), of(Self::Black)]
    }

    /// The English name: `White`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }

    /// `1` for White and `-1` for Black: turns White's point of view into this
    /// side's and back.
    #[inline]
    pub const fn sign(self) -> i32 {
        1 - 2 * self as i32
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// `w` or `b`, as in FEN.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "w",
            Self::Black => "b",
        })
    }
}
