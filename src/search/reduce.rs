//! Late move reductions: what is ordered late is searched less deeply, and
//! again at full depth if it surprises (T. Romstad, "An introduction to late
//! move reductions", 2006).

use crate::eval::Score;
use crate::search::params::{
    lmr_base, lmr_check, lmr_correction, lmr_cut_node, lmr_cutoffs, lmr_deeper, lmr_history,
    lmr_killer, lmr_noisy_base, lmr_noisy_history, lmr_noisy_slope, lmr_not_improving, lmr_not_pv,
    lmr_root, lmr_shallower, lmr_slope, lmr_tt_noisy, lmr_was_pv,
};

const SIZE: usize = 64;

/// One ply in the unit of reductions.
const PLY: i32 = 1024;

/// More cutoffs than this among the children of a node say that its moves are
/// easily refuted.
const MANY_CUTOFFS: u32 = 3;

/// Reductions by kind of move, depth and number of the move, in 1024ths of a
/// ply.
pub(super) struct Reductions {
    quiet: Vec<[i32; SIZE]>,
    noisy: Vec<[i32; SIZE]>,
}

/// What a reduction depends on.
#[derive(Clone, Copy)]
pub(super) struct LateMove {
    pub depth: i32,
    /// Its place among the moves, from 1.
    pub number: usize,
    pub quiet: bool,
    pub root: bool,
    pub pv: bool,
    /// The node was once on a principal variation.
    pub was_pv: bool,
    pub cut_node: bool,
    pub improving: bool,
    /// The move of the transposition table is a capture.
    pub tt_noisy: bool,
    pub killer: bool,
    pub gives_check: bool,
    pub history: i32,
    /// Cutoffs among the children of the node so far.
    pub cutoffs: u32,
    /// By how many centipawns the evaluation was corrected: where it errs more
    /// has to be searched.
    pub correction: i32,
}

impl Reductions {
    pub fn new() -> Self {
        Self {
            quiet: table(lmr_base(), lmr_slope()),
            noisy: table(lmr_noisy_base(), lmr_noisy_slope()),
        }
    }

    /// The table's part alone, in plies: how much a move of this number will
    /// roughly be reduced.
    #[inline]
    pub fn rough(&self, depth: i32, number: usize, quiet: bool) -> i32 {
        self.base(depth, number, quiet) / PLY
    }

    /// Plies by which to reduce a late move; negative for one that deserves more.
    pub fn of(&self, late: &LateMove) -> i32 {
        let mut reduction = self.base(late.depth, late.number, late.quiet);
        if late.quiet {
            reduction -= late.history * PLY / lmr_history();
            reduction += i32::from(late.tt_noisy) * lmr_tt_noisy();
            reduction -= i32::from(late.killer) * lmr_killer();
        } else {
            reduction -= late.history * PLY / lmr_noisy_history();
        }
        reduction -= i32::from(late.root) * lmr_root();
        reduction += i32::from(!late.improving) * lmr_not_improving();
        reduction += i32::from(!late.pv) * lmr_not_pv();
        reduction -= i32::from(late.was_pv) * lmr_was_pv();
        reduction += i32::from(late.cut_node) * lmr_cut_node();
        reduction -= i32::from(late.gives_check) * lmr_check();
        reduction += i32::from(late.cutoffs > MANY_CUTOFFS) * lmr_cutoffs();
        reduction -= late.correction * lmr_correction();
        reduction / PLY
    }

    #[inline]
    fn base(&self, depth: i32, number: usize, quiet: bool) -> i32 {
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

/// The depth at which a reduced move that surprised with `score` is searched
/// again: a ply more if it is far better than the best so far, a ply less if
/// hardly.
#[inline]
pub(super) fn second_depth(depth: i32, score: Score, best: Score) -> i32 {
    let surprise = (score - best).cp();
    depth + i32::from(surprise > lmr_deeper()) - i32::from(surprise < lmr_shallower())
}
