//! Late move reductions: what is ordered late is searched less deeply, and
//! again at full depth if it surprises (T. Romstad, "An introduction to late
//! move reductions", 2006).

use crate::search::params::{LMR_BASE, LMR_DIVISOR, LMR_HISTORY_DIVISOR};

const SIZE: usize = 64;

/// Plies of reduction by depth and by the number of the move.
pub(super) struct Reductions {
    table: Vec<[i32; SIZE]>,
}

/// What a reduction depends on besides depth and number.
pub(super) struct LateMove {
    pub depth: i32,
    /// Moves searched before it.
    pub number: usize,
    pub pv: bool,
    pub improving: bool,
    pub quiet: bool,
    pub killer: bool,
    pub gives_check: bool,
    pub history: i32,
}

impl Reductions {
    pub fn new() -> Self {
        let reduction = |depth: usize, number: usize| {
            let product = (depth as f64).ln() * (number as f64).ln();
            (f64::from(LMR_BASE) / 100.0 + product * 100.0 / f64::from(LMR_DIVISOR)) as i32
        };
        let row =
            |depth: usize| std::array::from_fn(|number| reduction(depth.max(1), number.max(1)));
        Self { table: (0..SIZE).map(row).collect() }
    }

    /// Plies by which to reduce a late move; never negative.
    pub fn of(&self, late: &LateMove) -> i32 {
        let depth = late.depth.clamp(0, SIZE as i32 - 1) as usize;
        let mut plies = self.table[depth][late.number.min(SIZE - 1)];
        if late.quiet {
            plies -= late.history / LMR_HISTORY_DIVISOR;
            plies -= i32::from(late.killer);
        } else {
            plies /= 2;
        }
        plies -= i32::from(late.pv);
        plies -= i32::from(late.gives_check);
        plies += i32::from(!late.improving);
        plies.max(0)
    }
}
