//! The table of late move reductions: the logarithm of the depth times the logarithm of
//! the move number (as in Stockfish).

use crate::search::params::{lmr_base, lmr_noisy_base, lmr_noisy_slope, lmr_slope};

const SIZE: usize = 64;

/// One ply in the unit of reductions.
pub const PLY: i32 = 1024;

/// Reductions by kind of move, depth and move number, in 1024ths of a ply.
pub struct Reductions {
    quiet: Vec<[i32; SIZE]>,
    noisy: Vec<[i32; SIZE]>,
}

impl Reductions {
    pub fn new() -> Self {
        Self {
            quiet: table(lmr_base(), lmr_slope()),
            noisy: table(lmr_noisy_base(), lmr_noisy_slope()),
        }
    }

    /// The reduction of the table, in 1024ths of a ply.
    #[inline]
    pub fn base(&self, depth: i32, number: usize, quiet: bool) -> i32 {
        let table = if quiet { &self.quiet } else { &self.noisy };
        table[depth.clamp(0, SIZE as i32 - 1) as usize][number.min(SIZE - 1)]
    }
}

fn table(base: i32, slope: i32) -> Vec<[i32; SIZE]> {
    let reduction = |depth: usize, number: usize| {
        let product = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
        base + (product * f64::from(slope)) as i32
    };
    (0..SIZE).map(|depth| std::array::from_fn(|number| reduction(depth, number))).collect()
}
