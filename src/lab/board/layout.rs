//! Where the squares of the board lie in an array, and how a step off the board shows.
//!
//! | layout | cells | off the board |
//! |---|---|---|
//! | 8x8 | the squares alone | file and rank are computed and compared |
//! | 10x10 | a border of one cell | the cell is border, or the index outside the array |
//! | 10x12 | a border of two cells above and below, of one at the sides | the cell is border |
//! | 0x88 | a second, unused board to the right | bits 3 and 7 of the index |
//!
//! A border of one cell at the sides is enough for the knight, which steps over it into the
//! border at the other side of the board (Chess Programming Wiki, "10x12 Board", "0x88").

use crate::chess::Square;
use crate::lab::board::Cell;

/// A way to lay out the squares, rank by rank.
pub(super) trait CellLayout: Copy {
    const NAME: &'static str;
    /// The cells from a square to the one above it, …
    const WIDTH: usize;
    /// … and before a1.
    const FIRST: usize;

    /// The index of a square.
    #[inline]
    fn index(square: Square) -> usize {
        Self::FIRST + Self::WIDTH * square.rank().index() + square.file().index()
    }

    /// The square of an index.
    #[inline]
    fn square(index: usize) -> Square {
        let cell = index - Self::FIRST;
        Square::new((8 * (cell / Self::WIDTH) + cell % Self::WIDTH) as u8)
    }

    /// The index that many files to the right and ranks up, `None` off the board.
    fn step(cells: &[Cell], from: usize, files: i8, ranks: i8) -> Option<usize>;

    /// The same without a look at the board; wrapped round if it is negative.
    #[inline]
    fn shifted(from: usize, files: i8, ranks: i8) -> usize {
        from.wrapping_add_signed(ranks as isize * Self::WIDTH as isize + files as isize)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct EightByEight;

impl CellLayout for EightByEight {
    const NAME: &'static str = "8x8";
    const WIDTH: usize = 8;
    const FIRST: usize = 0;

    #[inline]
    fn step(_: &[Cell], from: usize, files: i8, ranks: i8) -> Option<usize> {
        let (file, rank) = ((from % 8) as i8 + files, (from / 8) as i8 + ranks);
        let is_on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        is_on_board.then(|| 8 * rank as usize + file as usize)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TenByTen;

impl CellLayout for TenByTen {
    const NAME: &'static str = "10x10";
    const WIDTH: usize = 10;
    const FIRST: usize = 11;

    #[inline]
    fn step(cells: &[Cell], from: usize, files: i8, ranks: i8) -> Option<usize> {
        let to = Self::shifted(from, files, ranks);
        cells.get(to).is_some_and(|&cell| cell != Cell::Border).then_some(to)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TenByTwelve;

impl CellLayout for TenByTwelve {
    const NAME: &'static str = "10x12";
    const WIDTH: usize = 10;
    const FIRST: usize = 21;

    #[inline]
    fn step(cells: &[Cell], from: usize, files: i8, ranks: i8) -> Option<usize> {
        let to = Self::shifted(from, files, ranks);
        (cells[to] != Cell::Border).then_some(to)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Zero88;

impl CellLayout for Zero88 {
    const NAME: &'static str = "0x88";
    const WIDTH: usize = 16;
    const FIRST: usize = 0;

    #[inline]
    fn step(_: &[Cell], from: usize, files: i8, ranks: i8) -> Option<usize> {
        let to = Self::shifted(from, files, ranks);
        (to & 0x88 == 0).then_some(to)
    }
}
