//! Endgame tables in the search.
//!
//! At the root the Syzygy tables rank the moves, so that a won ending is won also by
//! whoever cannot see how; below it they bound the value of a node, and settle it
//! nearly always. Lovec's own tables know how far the mate is, and with that the exact
//! score.

use std::sync::Arc;

use crate::chess::{Move, Position};
use crate::eval::{Score, WinDrawLoss};
use crate::search::SearchOptions;
use crate::search::tt::{Bound, Finding};
use crate::search::window::ProvenBounds;
use crate::search::worker::Worker;
use crate::tablebase::egtb::{Collection, DtmValue};
use crate::tablebase::rank::{FIFTY_MOVES, rank_moves};
use crate::tablebase::{RankedMove, Syzygy, Wdl};

/// The tables at hand.
#[derive(Clone)]
pub struct Tables {
    /// If there are any, Lovec's own are not asked.
    pub syzygy: Option<Arc<Syzygy>>,
    pub own: Arc<Collection>,
}

impl Default for Tables {
    /// Those that are part of the program.
    fn default() -> Self {
        Self { syzygy: None, own: Arc::new(Collection::embedded()) }
    }
}

/// How much deeper than the node a result of the tables counts in the transposition
/// table: no search is better.
const TABLE_DEPTH: i32 = 6;

/// What a user may choose of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeOptions {
    /// The least depth at which positions of the most men that there are tables for
    /// are looked up; those of fewer men always are.
    pub depth: i32,
    /// The most men, kings included, that are looked up.
    pub men: u32,
    /// Whether fifty moves without a capture or a pawn move make a draw.
    pub fifty_moves: bool,
}

impl Default for ProbeOptions {
    fn default() -> Self {
        Self { depth: 1, men: 7, fifty_moves: true }
    }
}

/// What one search asks of the tables.
pub(super) struct Probe {
    syzygy: Option<Arc<Syzygy>>,
    /// The most men to look up in them below the root.
    men: u32,
    /// With that many men, the least depth.
    depth: i32,
    fifty_moves: bool,
    /// All legal moves at the root, if the tables know them.
    ranked: Vec<RankedMove>,
    own: Arc<Collection>,
    /// The most men to look up in Lovec's own.
    own_men: u32,
}

impl Probe {
    /// Ranks the moves of the position at the root, if the tables know it.
    pub fn new(tables: Tables, root: &Position, options: &SearchOptions) -> Self {
        let ProbeOptions { depth, men, fifty_moves } = options.probe;
        let Tables { syzygy, own } = tables;
        // Who plays below full strength has not learnt the tables by heart.
        let wanted = options.strength.is_none() && options.selective;
        let own_men = if wanted && syzygy.is_none() { own.max_pieces().min(men) } else { 0 };
        let syzygy = syzygy.filter(|_| wanted);
        let known = syzygy.as_ref().map_or(0, |syzygy| syzygy.max_pieces());
        // If the limit leaves some out, none of those left is among the largest.
        let depth = if men < known { 0 } else { depth };
        let men = men.min(known);
        let mut probe = Self { syzygy, men, depth, fifty_moves, ranked: Vec::new(), own, own_men };
        probe.rank(root);
        probe
    }

    /// Ranks the moves at the root.
    fn rank(&mut self, root: &Position) {
        if let Some(syzygy) = &self.syzygy
            && root.occupied().len() <= self.men
            && let Some((ranked, exact)) = rank_moves(syzygy, root, self.fifty_moves)
        {
            // The ranks keep the outcome. What is left is to find the mate, in which
            // the tables would only be in the way.
            let holds = ranked.iter().all(|ranked| ranked.wdl <= Wdl::Draw);
            if exact || holds {
                self.men = 0;
            }
            self.ranked = ranked;
        }
    }

    /// How many moves the tables have ranked at the root.
    pub fn ranked_moves(&self) -> usize {
        self.ranked.len()
    }

    /// What the tables say of a move at the root.
    pub fn ranked(&self, m: Move) -> Option<RankedMove> {
        self.ranked.iter().find(|ranked| ranked.m == m).copied()
    }

    /// What the Syzygy tables know of a position `depth` plies above the horizon. They
    /// speak of positions that come after a capture or a pawn move.
    #[inline]
    fn wdl(&self, position: &Position, depth: i32) -> Option<Wdl> {
        let men = position.occupied().len();
        if men > self.men || position.halfmove_clock() > 0 || men == self.men && depth < self.depth
        {
            return None;
        }
        let wdl = self.syzygy.as_ref()?.wdl(position)?;
        Some(wdl.with_fifty_move_rule(self.fifty_moves))
    }

    /// What Lovec's own tables know of a position. They do not count the fifty moves,
    /// and say nothing where these would matter.
    #[inline]
    pub fn outcome(&self, position: &Position) -> Option<DtmValue> {
        if position.occupied().len() > self.own_men {
            return None;
        }
        self.own.probe(position).filter(|outcome| match *outcome {
            DtmValue::Win(plies) | DtmValue::Loss(plies) => {
                let made = if self.fifty_moves { position.halfmove_clock() } else { 0 };
                i32::from(made) + i32::from(plies) <= FIFTY_MOVES
            }
            DtmValue::Draw => true,
        })
    }

    /// How many plies away the mate is, for either side, by Lovec's own tables.
    pub fn plies_to_mate(&self, position: &Position) -> Option<usize> {
        match self.outcome(position)? {
            DtmValue::Win(plies) | DtmValue::Loss(plies) => Some(plies.into()),
            DtmValue::Draw => None,
        }
    }
}

/// A value that the tables give to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableValue {
    pub score: Score,
    /// A win may be a mate as well, which is better still.
    pub bound: Bound,
}

impl TableValue {
    fn new(wdl: Wdl, ply: usize) -> Self {
        let bound = match wdl {
            Wdl::Win => Bound::Lower,
            Wdl::Loss => Bound::Upper,
            _ => Bound::Exact,
        };
        Self { score: score_of(wdl, ply), bound }
    }

    /// What it says of the value of the node.
    #[inline]
    pub fn bounds(self) -> ProvenBounds {
        ProvenBounds::new(self.score, self.bound)
    }
}

/// The score of an outcome that is certain from `ply` plies below the root on.
fn score_of(wdl: Wdl, ply: usize) -> Score {
    match wdl {
        Wdl::Win => Score::TABLE_WIN.after(ply),
        Wdl::CursedWin => Score::CURSED_WIN,
        Wdl::Draw => Score::DRAW,
        Wdl::BlessedLoss => -Score::CURSED_WIN,
        Wdl::Loss => (-Score::TABLE_WIN).after(ply),
    }
}

/// The score that is told for a move at the root.
pub(super) fn score_of_move(ranked: RankedMove) -> Score {
    score_of(ranked.wdl, ranked.plies as usize)
}

/// The chances that are told for a move at the root.
pub(super) fn chances_of(ranked: RankedMove) -> WinDrawLoss {
    match ranked.wdl {
        Wdl::Win => WinDrawLoss::WON,
        Wdl::Loss => WinDrawLoss::LOST,
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => WinDrawLoss::DRAWN,
    }
}

impl Worker<'_> {
    /// The score of the current position, if Lovec's own tables have it.
    #[inline]
    pub(super) fn solved(&mut self, ply: usize) -> Option<Score> {
        let outcome = self.shared.probe.outcome(&self.position)?;
        self.desk.add_table_hits(1);
        Some(match outcome {
            DtmValue::Win(plies) => Score::mate_in(ply + usize::from(plies)),
            DtmValue::Loss(plies) => Score::mated_in(ply + usize::from(plies)),
            DtmValue::Draw => Score::DRAW,
        })
    }

    /// What the Syzygy tables know of the current position.
    #[inline]
    pub(super) fn probe_tables(&mut self, depth: i32, ply: usize) -> Option<TableValue> {
        let wdl = self.shared.probe.wdl(&self.position, depth)?;
        self.desk.add_table_hits(1);
        Some(TableValue::new(wdl, ply))
    }

    /// Puts into the transposition table what endgame tables know.
    pub(super) fn remember_table_value(
        &mut self,
        value: TableValue,
        depth: i32,
        ply: usize,
        pv: bool,
    ) {
        let TableValue { score, bound } = value;
        let depth = depth + TABLE_DEPTH;
        let found = Finding { depth, bound, score, eval: None, best: None, pv };
        self.tt.store(self.position.key(), ply, found);
    }
}
