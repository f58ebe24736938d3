//! Which moves are searched more deeply than others.

use crate::chess::Move;
use crate::eval::Score;
use crate::search::node::NonPv;
use crate::search::params::{
    check_extension_depth, singular_depth, singular_double, singular_double_limit, singular_margin,
};
use crate::search::tt::{Bound, Entry};
use crate::search::window::Window;
use crate::search::worker::{Stopped, Worker};

/// What is to be done with the move of the transposition table.
pub(super) enum Verdict {
    /// Search it so many plies deeper.
    Extend(i32),
    /// Another move would do as well: the node fails high with this score.
    MultiCut(Score),
}

impl Worker<'_> {
    /// Singular extension: if the other moves, in a search of half the depth,
    /// all stay well below the table's score, its move is the only good one and
    /// deserves a deeper look; two plies if nothing comes near. If instead
    /// another move beats beta too, several cutoffs are in sight and one is
    /// enough (T. Anantharaman, M. Campbell and F. Hsu, "Singular extensions",
    /// 1988; Y. Björnsson and T. Marsland, "Multi-cut alpha-beta pruning in
    /// game-tree search", 2001).
    pub(super) fn singular(
        &mut self,
        m: Move,
        entry: Option<Entry>,
        depth: i32,
        window: Window,
        cut_node: bool,
        ply: usize,
    ) -> Result<Verdict, Stopped> {
        let candidate = entry.filter(|entry| {
            depth >= singular_depth()
                && entry.best == Some(m)
                && entry.bound != Bound::Upper
                && i32::from(entry.depth) >= depth - 3
                && !entry.score(ply).is_mate()
                && self.stack[ply].excluded.is_none()
        });
        let Some(entry) = candidate else { return Ok(Verdict::Extend(0)) };

        let tt_score = entry.score(ply);
        let bar = tt_score - Score::new(singular_margin() * depth / 16);
        self.stack[ply].excluded = Some(m);
        let score = self.negamax::<NonPv>(Window::below(bar), (depth - 1) / 2, cut_node, ply);
        self.stack[ply].excluded = None;
        let score = score?;

        let open = window.beta - window.alpha > Score::new(1);
        Ok(if score < bar {
            let far = !open
                && score < bar - Score::new(singular_double())
                && self.stack[ply].double_extensions < singular_double_limit();
            Verdict::Extend(1 + i32::from(far))
        } else if bar >= window.beta && !open {
            Verdict::MultiCut(bar)
        } else if tt_score >= window.beta {
            // Not the only good move: it need not be looked at so closely.
            Verdict::Extend(if open { -1 } else { -2 })
        } else {
            Verdict::Extend(-i32::from(cut_node))
        })
    }
}

/// Check extension: an answer to a check is no choice, so that the ply costs
/// little.
#[inline]
pub(super) fn check_extension(gives_check: bool, depth: i32) -> i32 {
    i32::from(gives_check && depth <= check_extension_depth())
}
