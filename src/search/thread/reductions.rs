//! The table of late move reductions: the logarithm of the depth times the logarithm of
//! the move number (as in Stockfish).

use bytemuck::Zeroable;

use crate::search::params as p;

const SIZE: usize = 64;

/// One ply in the unit of reductions.
pub const PLY: i32 = 1024;

/// Reductions by depth and move number, in 1024ths of a ply.
type Table = [[i32; SIZE]; SIZE];

#[derive(Zeroable)]
pub struct Reductions {
    table: Table,
}

impl Reductions {
    /// Computes the reductions from the parameters.
    pub fn fill(&mut self) {
        fill(&mut self.table, p::lmr_slope());
    }

    /// The reduction of the table, in 1024ths of a ply.
    #[inline]
    pub fn base(&self, depth: i32, number: usize) -> i32 {
        self.table[depth.clamp(0, SIZE as i32 - 1) as usize][number.min(SIZE - 1)]
    }
}

fn fill(table: &mut Table, slope: i32) {
    let logarithm = |index: usize| (index.max(1) as f64).ln();
    for (depth, row) in table.iter_mut().enumerate() {
        for (number, reduction) in row.iter_mut().enumerate() {
            let product = logarithm(depth) * logarithm(number);
            *reduction = (product * f64::from(slope)) as i32;
        }
    }
}
