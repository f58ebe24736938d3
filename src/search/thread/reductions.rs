//! The table of late move reductions: the logarithm of the depth times the logarithm of
//! the move number (as in Stockfish).

use bytemuck::Zeroable;

use crate::search::params as p;

const SIZE: usize = 64;

/// One ply in the unit of reductions.
pub const PLY: i32 = 1024;

#[derive(Zeroable)]
pub struct Reductions {
    /// By depth and move number, in 1024ths of a ply.
    table: [[i32; SIZE]; SIZE],
}

impl Reductions {
    /// Computes the reductions from the parameters.
    pub fn fill(&mut self) {
        let logarithm = |index: usize| (index.max(1) as f64).ln();
        for (depth, row) in self.table.iter_mut().enumerate() {
            for (number, reduction) in row.iter_mut().enumerate() {
                let product = logarithm(depth) * logarithm(number);
                *reduction = (product * f64::from(p::lmr_slope())) as i32;
            }
        }
    }

    /// The reduction of the table, in 1024ths of a ply.
    #[inline]
    pub fn base(&self, depth: i32, number: usize) -> i32 {
        self.table[depth.clamp(0, SIZE as i32 - 1) as usize][number.min(SIZE - 1)]
    }
}
