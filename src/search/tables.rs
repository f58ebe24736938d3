//! Endgame tables in the search.
//!
//! Lovec's own tables hold the distance to mate, and give exact scores unless the mate comes
//! too late for the fifty-move rule. At the root they rank the moves where it comes too late
//! and only a mate would win: all moves draw then, but the opponent may err. Syzygy tables
//! serve for all else: at the root they rank the moves, so that a won ending is won even if
//! the search does not see how, and below it they bound the value of a node.

use std::sync::Arc;

use crate::chess::{Move, Position};
use crate::eval::{Score, WinDrawLoss};
use crate::search::options::ProbeOptions;
use crate::search::tt::entry::Bound;
use crate::tablebase::egtb::{Collection, DtmValue};
use crate::tablebase::rank::{FIFTY_MOVES, rank_moves};
use crate::tablebase::{RankedMove, Syzygy, Wdl};

/// The plies before a draw by the fifty-move rule that a search of all moves can reach.
const LAST_PLIES: i32 = 10;

/// The open endgame tables.
#[derive(Clone)]
pub struct Tables {
    pub syzygy: Option<Arc<Syzygy>>,
    pub own: Arc<Collection>,
}

impl Default for Tables {
    /// The tables that are part of the program.
    fn default() -> Self {
        Self { syzygy: None, own: Arc::new(Collection::embedded()) }
    }
}

/// The tables and limits of one search.
pub struct Probe {
    syzygy: Option<Arc<Syzygy>>,
    /// The largest number of pieces to probe in Syzygy tables below the root.
    max_pieces: u32,
    /// The minimum depth for probing with that many pieces.
    min_depth: i32,
    fifty_moves: bool,
    /// All legal moves at the root, if only Syzygy tables know its value.
    ranked: Vec<RankedMove>,
    own: Arc<Collection>,
    /// The largest number of pieces to probe in Lovec's own tables.
    own_max_pieces: u32,
    /// Whether the root is drawn only because the mate in Lovec's own tables comes too late.
    late: bool,
}

impl Probe {
    /// Ranks the moves of the root position, if Syzygy tables alone know its value. No table
    /// is probed unless `enabled`.
    pub fn new(tables: Tables, root: &Position, options: ProbeOptions, enabled: bool) -> Self {
        let ProbeOptions { depth, max_pieces, fifty_moves } = options;
        let Tables { syzygy, own } = tables;
        let own_max_pieces = if enabled { own.max_pieces().min(max_pieces) } else { 0 };
        let syzygy = syzygy.filter(|_| enabled);
        let available = syzygy.as_ref().map_or(0, |syzygy| syzygy.max_pieces());
        // The minimum depth applies only to the largest available tables. If the limit
        // excludes those, it applies to none.
        let min_depth = if max_pieces < available { 0 } else { depth };
        let mut probe = Self {
            syzygy,
            max_pieces: max_pieces.min(available),
            min_depth,
            fifty_moves,
            ranked: Vec::new(),
            own,
            own_max_pieces,
            late: false,
        };
        probe.late = probe.mates_too_late(root) && probe.distance(root).is_some();
        probe.rank(root);
        probe
    }

    /// Ranks the moves at the root.
    fn rank(&mut self, root: &Position) {
        if let Some(syzygy) = &self.syzygy
            && root.occupied().len() <= self.max_pieces
            && self.distance(root).is_none()
            && let Some((ranked, exact)) = rank_moves(syzygy, root, self.fifty_moves)
        {
            // The ranks preserve the result, so that the search only has to find the
            // mate. Table scores would hide it.
            let holds = ranked.iter().all(|ranked| ranked.wdl <= Wdl::Draw);
            if exact || holds {
                self.max_pieces = 0;
            }
            self.ranked = ranked;
        }
    }

    /// The number of moves that the tables have ranked at the root.
    pub fn ranked_count(&self) -> usize {
        self.ranked.len()
    }

    /// Whether tables rank the moves at the root.
    pub fn ranks_moves(&self) -> bool {
        self.late || !self.ranked.is_empty()
    }

    /// The rank of a root move by the distance to mate after it, if the root is drawn only
    /// because the mate comes too late: the quickest mate first, or the longest defence. All
    /// other moves have rank 0, as has a draw.
    pub fn rank_by_distance(&self, after: &Position) -> i32 {
        let value = if self.late { self.own.probe(after) } else { None };
        value.map_or(0, |value| value.for_mover().preference().into())
    }

    /// The Syzygy values of a move at the root.
    pub fn ranked(&self, m: Move) -> Option<RankedMove> {
        self.ranked.iter().find(|ranked| ranked.m == m).copied()
    }

    /// The Syzygy value of a position `depth` plies above the horizon, if it follows a
    /// capture or a pawn move.
    #[inline]
    pub fn wdl(&self, position: &Position, depth: i32) -> Option<Wdl> {
        let pieces = position.occupied().len();
        if pieces > self.max_pieces
            || position.halfmove_clock() > 0
            || pieces == self.max_pieces && depth < self.min_depth
        {
            return None;
        }
        let wdl = self.syzygy.as_ref()?.wdl(position)?;
        Some(wdl.with_fifty_move_rule(self.fifty_moves))
    }

    /// The value of a position in Lovec's own tables. They ignore the fifty-move rule: a mate
    /// that comes too late is a draw if nothing can start the count again, and otherwise has
    /// no value.
    #[inline]
    pub fn distance(&self, position: &Position) -> Option<DtmValue> {
        if position.occupied().len() > self.own_max_pieces {
            return None;
        }
        self.probe_own(position)
    }

    // Out of line, so that the test before it can be inlined.
    #[inline(never)]
    fn probe_own(&self, position: &Position) -> Option<DtmValue> {
        let value = self.own.probe(position)?;
        match self.is_late(position, value) {
            false => Some(value),
            true => position.wins_only_by_mate().then_some(DtmValue::Draw),
        }
    }

    /// The evaluation of a won ending; far less if Lovec's own tables know that the mate comes
    /// too late, since only a capture or a pawn move can still win. Progress counts all the same.
    #[inline]
    pub fn in_time(&self, position: &Position, won: Score) -> Score {
        let is_late = self.mates_too_late(position);
        let known = if won > Score::ZERO { Score::KNOWN_WIN } else { -Score::KNOWN_WIN };
        if is_late { (won - known) / 16 } else { won }
    }

    /// Whether a few plies decide by the fifty-move rule what Lovec's own tables leave open:
    /// the mate comes too late, but a capture or a pawn move may start the count again. A
    /// search of these plies must leave out no move.
    pub fn decided_by_counter(&self, position: &Position) -> bool {
        self.mates_too_late(position)
            && i32::from(position.halfmove_clock()) >= FIFTY_MOVES - LAST_PLIES
    }

    /// Whether one side mates by Lovec's own tables, but too late for the fifty-move rule.
    fn mates_too_late(&self, position: &Position) -> bool {
        position.occupied().len() <= self.own_max_pieces
            && self.own.probe(position).is_some_and(|value| self.is_late(position, value))
    }

    /// Whether the fifty-move rule ends the game before the mate.
    fn is_late(&self, position: &Position, value: DtmValue) -> bool {
        let made = if self.fifty_moves { position.halfmove_clock() } else { 0 };
        match value {
            DtmValue::Win(plies) | DtmValue::Loss(plies) => {
                i32::from(made) + i32::from(plies) > FIFTY_MOVES
            }
            DtmValue::Draw => false,
        }
    }

    /// The plies to mate, for either side, in Lovec's own tables.
    pub fn plies_to_mate(&self, position: &Position) -> Option<usize> {
        match self.distance(position)? {
            DtmValue::Win(plies) | DtmValue::Loss(plies) => Some(plies.into()),
            DtmValue::Draw => None,
        }
    }
}

/// The score of a Syzygy value at a node `ply` plies below the root, and its bound: a
/// win may be a mate, which scores more.
pub fn score_of(wdl: Wdl, ply: usize) -> (Score, Bound) {
    match wdl {
        Wdl::Win => (Score::TABLE_WIN.after(ply), Bound::Lower),
        Wdl::CursedWin => (Score::CURSED_WIN, Bound::Exact),
        Wdl::Draw => (Score::DRAW, Bound::Exact),
        Wdl::BlessedLoss => (-Score::CURSED_WIN, Bound::Exact),
        Wdl::Loss => ((-Score::TABLE_WIN).after(ply), Bound::Upper),
    }
}

/// The reported score of a ranked root move. Moves of one rank have one score: it is the search
/// that prefers one of them.
pub fn score_of_ranked(ranked: RankedMove) -> Score {
    score_of(ranked.wdl, 0).0
}

/// The reported probabilities of a ranked root move.
pub fn win_draw_loss_of(ranked: RankedMove) -> WinDrawLoss {
    match ranked.wdl {
        Wdl::Win => WinDrawLoss::WON,
        Wdl::Loss => WinDrawLoss::LOST,
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => WinDrawLoss::DRAWN,
    }
}
