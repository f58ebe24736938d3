//! Castling rights, each with the file of its rook.

use crate::chess::color::Color;
use crate::chess::square::{File, Square};

/// The side of the castling rook, seen from the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the h file: the king ends on g, the rook on f.
    King,
    /// Towards the a file: the king ends on c, the rook on d.
    Queen,
}

impl CastlingSide {
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side on which a king castles with a rook.
    #[inline]
    pub fn of(king: Square, rook: Square) -> Self {
        if rook > king { Self::King } else { Self::Queen }
    }

    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file on which the king ends.
    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            Self::King => File::G,
            Self::Queen => File::C,
        }
    }

    /// The file on which the rook ends.
    #[inline]
    pub const fn rook_file(self) -> File {
        match self {
            Self::King => File::F,
            Self::Queen => File::D,
        }
    }
}

/// The paths of king and rook along their back rank, as sets of files.
#[derive(Clone, Copy)]
pub(in crate::chess) struct CastlingPath {
    /// Files that must be empty except for the king and the rook.
    pub empty: u8,
    /// Files that the king crosses or ends on, which must not be attacked.
    pub safe: u8,
}

/// By the files of king and rook.
static PATHS: [[CastlingPath; 8]; 8] = paths();

const fn paths() -> [[CastlingPath; 8]; 8] {
    let mut paths = [[CastlingPath { empty: 0, safe: 0 }; 8]; 8];
    let mut king = 0;
    while king < 8 {
        let mut rook = 0;
        while rook < 8 {
            let side = if rook > king { CastlingSide::King } else { CastlingSide::Queen };
            let safe = span(king, side.king_file() as usize) & !(1 << king)
                | 1 << side.king_file() as usize;
            let path = safe | span(rook, side.rook_file() as usize);
            paths[king][rook] = CastlingPath { empty: path & !(1 << king | 1 << rook), safe };
            rook += 1;
        }
        king += 1;
    }
    paths
}

/// The files from one to another, both included.
const fn span(a: usize, b: usize) -> u8 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (0xFF >> (7 - high)) & (0xFF << low)
}

/// The path of a king and a rook that castle from these files.
#[inline]
pub(in crate::chess) fn path(king: File, rook: File) -> CastlingPath {
    PATHS[king.index()][rook.index()]
}

/// For each colour and side, the file of the rook with which the king may still
/// castle. In Chess960 the two colours need not have their rooks on the same
/// files.
///
/// ```
/// use lovec::chess::{CastlingSide, Color, File, Position};
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
/// let rights = position.castling();
/// assert_eq!(rights.rook(Color::White, CastlingSide::King), Some(File::H));
/// assert!(!rights.any(Color::Black));
/// # Ok::<(), lovec::chess::notation::fen::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct CastlingRights {
    /// Bit `2 * color + side` of each right that is left.
    rights: u8,
    rooks: [[u8; 2]; 2],
}

impl CastlingRights {
    pub const NONE: Self = Self { rights: 0, rooks: [[0; 2]; 2] };

    const fn bit(color: Color, side: CastlingSide) -> u8 {
        1 << (2 * color as u8 + side as u8)
    }

    /// The rights as a number below 16, for the hash key.
    #[inline]
    pub const fn index(self) -> usize {
        (self.rights & 15) as usize
    }

    #[inline]
    pub const fn is_empty(self) -> bool {
        self.rights == 0
    }

    /// Whether `color` may still castle on either side.
    #[inline]
    pub const fn any(self, color: Color) -> bool {
        self.rights >> (2 * color as u8) & 3 != 0
    }

    /// The file of the rook that may castle, `None` if the right is gone.
    #[inline]
    pub const fn rook(self, color: Color, side: CastlingSide) -> Option<File> {
        if self.rights & Self::bit(color, side) == 0 {
            return None;
        }
        Some(File::new(self.rooks[color.index()][side.index()] as usize))
    }

    pub const fn set(&mut self, color: Color, side: CastlingSide, rook: File) {
        self.rights |= Self::bit(color, side);
        self.rooks[color.index()][side.index()] = rook as u8;
    }

    #[inline]
    pub const fn remove(&mut self, color: Color, side: CastlingSide) {
        self.rights &= !Self::bit(color, side);
        self.rooks[color.index()][side.index()] = 0;
    }

    /// Removes both rights of a colour: its king has moved.
    #[inline]
    pub const fn remove_all(&mut self, color: Color) {
        self.rights &= !(3 << (2 * color as u8));
        self.rooks[color.index()] = [0; 2];
    }

    /// Removes the right, if any, of the rook of `color` on this square of its back rank: the
    /// rook has moved or was captured.
    #[inline]
    pub fn remove_rook(&mut self, color: Color, square: Square) {
        for side in CastlingSide::ALL {
            if self.rook(color, side) == Some(square.file()) {
                self.remove(color, side);
            }
        }
    }
}
