//! Draws, the transposition table and endgame tables: what bounds the value of a node
//! before any move is searched.

use crate::chess::FIFTY_MOVES;
use crate::eval::Score;
use crate::search::options::MAX_PLY;
use crate::search::params as p;
use crate::search::tables::score_of;
use crate::search::thread::worker::{Stopped, Worker};
use crate::search::tree::node::NodeType;
use crate::search::tt::entry::{Bound, TtData, TtEntry};
use crate::search::window::{ProvenBounds, Window};
use crate::tablebase::egtb::DtmValue;

/// How much deeper than the node an endgame table value counts in the transposition
/// table: no search is more accurate.
const TABLE_DEPTH_BONUS: i32 = 6;

impl Worker<'_> {
    /// Counts the node and clears its line.
    #[inline]
    pub fn enter<N: NodeType>(&mut self, ply: usize) -> Result<(), Stopped> {
        self.count_node()?;
        if N::PV {
            self.line.pv.clear(ply);
        }
        self.line.seldepth = self.line.seldepth.max(ply);
        Ok(())
    }

    /// The score of a node that is never searched: a draw by rule, a position in Lovec's
    /// own endgame tables, or the end of the longest line.
    #[inline(always)]
    fn leaf_score(&mut self, ply: usize) -> Option<Score> {
        if self.line.position.is_draw(ply) {
            return Some(self.draw_score());
        }
        if let Some(value) = self.shared.probe.distance(&self.line.position) {
            self.count_table_hit();
            return Some(match value {
                DtmValue::Win(plies) => Score::mate_in(ply + usize::from(plies)),
                DtmValue::Loss(plies) => Score::mated_in(ply + usize::from(plies)),
                DtmValue::Draw => Score::DRAW,
            });
        }
        (ply >= MAX_PLY).then(|| {
            if self.line.position.in_check() { Score::DRAW } else { self.evaluate(ply).after(ply) }
        })
    }

    /// The score of a node at `ply` whose moves need not be searched; otherwise the window
    /// is narrowed to the scores that are possible.
    #[inline(always)]
    pub fn settle(&mut self, window: &mut Window, ply: usize) -> Option<Score> {
        if let Some(score) = self.leaf_score(ply) {
            return Some(score);
        }
        // A side that can repeat a position has at least a draw.
        window.alpha = self.alpha_with_repetition(window.alpha, ply);
        // Mate-distance pruning: a longer mate than the one already found does not matter
        // (Chess Programming Wiki, "Mate Distance Pruning").
        window.alpha = window.alpha.max(Score::mated_in(ply));
        window.beta = window.beta.min(Score::mate_in(ply + 1));
        (window.alpha >= window.beta).then_some(window.alpha)
    }

    /// Alpha, raised to a draw if the side to move can repeat a position (M. van Kervinck,
    /// "A fast software-based method for upcoming cycle detection in search trees", 2013).
    #[inline]
    fn alpha_with_repetition(&self, alpha: Score, ply: usize) -> Score {
        if alpha < Score::DRAW
            && self.selective()
            && self.line.position.has_upcoming_repetition(ply)
        {
            self.draw_score().max(alpha)
        } else {
            alpha
        }
    }

    /// Applies the entry of the transposition table to the window. Returns the score of
    /// the node if that needs no search. A node of the principal variation is searched
    /// even if the entry is deep enough, so that its line is complete.
    #[inline]
    pub fn apply_tt_entry<N: NodeType>(
        &self,
        entry: Option<TtEntry>,
        depth: i32,
        ply: usize,
        window: &mut Window,
        proven: &mut ProvenBounds,
    ) -> Option<Score> {
        *proven = entry.map_or(ProvenBounds::NONE, |entry| self.proven_bounds(entry, ply));
        if !N::PV && proven.least() >= window.beta {
            return Some(proven.least());
        }
        if proven.most() <= window.alpha {
            return Some(proven.most());
        }
        *window = proven.narrow(*window);
        let entry = entry.filter(|entry| {
            entry.bound == Bound::Exact || i32::from(entry.depth) > depth || !self.selective()
        });
        if N::PV { None } else { self.tt_cutoff(entry, depth, window.beta, ply) }
    }

    /// Applies the Syzygy tables to the window. Returns the score of the node if they
    /// settle it; a won position is searched further where a mate would score more. A
    /// proven mate outweighs the tables.
    #[inline]
    pub fn apply_syzygy<N: NodeType>(
        &mut self,
        depth: i32,
        ply: usize,
        window: &mut Window,
        proven: &mut ProvenBounds,
    ) -> Option<Score> {
        let wdl = self.shared.probe.wdl(&self.line.position, depth)?;
        self.count_table_hit();
        let (score, bound) = score_of(wdl, ply);
        let bounds = ProvenBounds::new(score, bound);
        *proven = proven.intersect(bounds);
        if bounds.settles(*window) {
            let depth = depth + TABLE_DEPTH_BONUS;
            let data = TtData { depth, bound, score, eval: None, best: None, pv: N::PV };
            self.tt().store(self.line.position.key(), ply, data);
            return Some(proven.clamp(score));
        }
        *window = proven.narrow(*window);
        None
    }

    /// The score with which an entry ends a node. An entry is not trusted close to a
    /// draw by the fifty-move rule, nor is a mate beyond it: it may come from a position with
    /// more moves left.
    #[inline]
    pub fn tt_cutoff(
        &self,
        entry: Option<TtEntry>,
        depth: i32,
        beta: Score,
        ply: usize,
    ) -> Option<Score> {
        let entry = entry.filter(|entry| {
            let known = i32::from(entry.depth);
            known == depth || self.selective() && known > depth
        })?;
        let score = entry.score(ply);
        let trusted = i32::from(self.line.position.halfmove_clock()) < p::fifty_move_caution();
        (entry.bound.is_cutoff(score, beta) && trusted && self.mates_in_time(&entry))
            .then_some(score)
    }

    /// The mate that an entry proves, for either side, if the fifty-move rule leaves
    /// enough moves for it. A deeper search that prunes may miss a mate that an earlier
    /// one has found, so that a proven mate is kept.
    #[inline]
    pub fn proven_mate(&self, entry: TtEntry, ply: usize) -> Option<Score> {
        let proven = self.selective() && entry.plies_to_mate().is_some();
        (proven && self.mates_in_time(&entry)).then(|| entry.score(ply))
    }

    /// Whether the fifty-move rule leaves enough moves for the mate that an entry proves, if
    /// it proves one.
    #[inline]
    fn mates_in_time(&self, entry: &TtEntry) -> bool {
        let clock = usize::from(self.line.position.halfmove_clock());
        entry.plies_to_mate().is_none_or(|plies| clock + plies <= usize::from(FIFTY_MOVES))
    }

    /// The bounds that an entry proves for the value of its node.
    #[inline]
    fn proven_bounds(&self, entry: TtEntry, ply: usize) -> ProvenBounds {
        match self.proven_mate(entry, ply) {
            Some(mate) if mate > Score::ZERO => ProvenBounds::new(mate, Bound::Lower),
            Some(mate) => ProvenBounds::new(mate, Bound::Upper),
            None => ProvenBounds::NONE,
        }
    }
}
