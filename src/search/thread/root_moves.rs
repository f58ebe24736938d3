//! The root moves, and what the search has found of each.

use std::cmp::Reverse;

use crate::chess::{DrawKind, Move, Position};
use crate::eval::{Score, wdl};
use crate::search::clock::limits::Limits;
use crate::search::options::SearchOptions;
use crate::search::strength;
use crate::search::tables::Probe;
use crate::search::thread::mate_line::mate_line;
use crate::search::thread::pv::{self, PvLine};
use crate::search::thread::worker::Worker;
use crate::search::tt::entry::Bound;
use crate::search::window::Window;
use crate::tablebase::RankedMove;
use crate::tablebase::egtb::DtmValue;

/// A move at the root.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub m: Move,
    /// The score of its last search; minus infinity if it came after a better move.
    pub score: Score,
    /// The iteration of that score.
    pub depth: u8,
    /// The bound of that score; a stopped search may leave an inexact one.
    pub bound: Bound,
    /// The score of the iteration before.
    pub previous: Score,
    /// The average of the scores of its searches, the last one counting two thirds.
    pub average: Option<Score>,
    /// The line, starting with this move.
    pub pv: PvLine,
    /// The second move of the last line that had one; a line that is cut short has none.
    pub reply: Option<Move>,
    /// Nodes spent on it in this search.
    pub nodes: u64,
    /// Its rank by endgame tables. A higher rank is better, whatever the score.
    pub rank: i32,
    /// Its values in Syzygy tables.
    pub ranked: Option<RankedMove>,
    /// Whether it is followed by a draw, by the rules or by Lovec's own tables.
    pub draws: bool,
}

/// The most recent score of a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootScore {
    pub score: Score,
    pub bound: Bound,
    /// The iteration of the score.
    pub depth: u8,
}

impl RootMove {
    /// A move that leads to the position `after` it.
    fn new(m: Move, after: &Position, probe: &Probe) -> Self {
        let ends = DrawKind::of(after).is_some();
        let draws = ends || probe.distance(after) == Some(DtmValue::Draw);
        let ranked = probe.ranked(m);
        let rank = match ranked {
            Some(ranked) => ranked.rank,
            None if ends => 0,
            None => probe.rank_by_distance(after),
        };
        Self {
            m,
            score: -Score::INFINITE,
            depth: 0,
            bound: Bound::Upper,
            previous: -Score::INFINITE,
            average: None,
            pv: std::iter::once(m).collect(),
            reply: None,
            nodes: 0,
            rank,
            ranked,
            draws,
        }
    }

    /// The most recent score. If the move was not the best when it was last searched,
    /// that is the score of the iteration before.
    pub fn latest(&self) -> RootScore {
        let &Self { score, bound, depth, .. } = self;
        if score == -Score::INFINITE {
            let depth = depth.saturating_sub(1);
            RootScore { score: self.previous, bound: Bound::Exact, depth }
        } else {
            RootScore { score, bound, depth }
        }
    }

    pub fn set_latest(&mut self, RootScore { score, bound, depth }: RootScore) {
        (self.score, self.bound, self.depth) = (score, bound, depth);
    }
}

#[cfg(test)]
impl RootMove {
    /// One of the moves of the initial position, with this score at this depth.
    pub fn of_start(number: usize, score: Score, depth: u8) -> Self {
        let m = Position::startpos().legal_moves()[number];
        Self {
            m,
            score,
            depth,
            bound: Bound::Exact,
            previous: score,
            average: None,
            pv: std::iter::once(m).collect(),
            reply: None,
            nodes: 0,
            rank: 0,
            ranked: None,
            draws: false,
        }
    }
}

/// The root and its iterations.
pub struct RootSearch {
    /// The moves, the best first.
    pub moves: Vec<RootMove>,
    /// The line that is searched. The moves before it are the better lines of this
    /// iteration.
    pub index: usize,
    /// The number of lines to search.
    pub lines: usize,
    /// The number of lines to report.
    pub reported: usize,
    /// The depth, score and moves of the lines as they were last reported; none if a bound has
    /// been reported since.
    pub shown: Vec<(u8, Score, PvLine)>,
    /// The current iteration.
    pub depth: u8,
    /// The width of the window at the root, in centipawns.
    pub window_width: i32,
    /// The deepest complete iteration, or the plies that it has reached if these are fewer: an
    /// iteration is no deeper than the game can last.
    pub depth_reached: u8,
    /// The material, for the model of win, draw and loss.
    pub material: u32,
    /// The position is a draw by repetition, the fifty-move rule or insufficient material.
    pub drawn: bool,
    /// Whether the moves are all legal ones and their order is not given by endgame
    /// tables.
    complete: bool,
}

impl RootSearch {
    /// The legal moves within the limits, by rank in endgame tables.
    pub fn new(
        position: &Position,
        limits: &Limits,
        options: &SearchOptions,
        probe: &Probe,
    ) -> Self {
        let allowed = |m: &Move| limits.search_moves.as_ref().is_none_or(|list| list.contains(m));
        let legal = position.legal_moves().into_iter().filter(allowed);
        let mut after = position.clone();
        let root_move = |m| {
            after.make(m);
            let root = RootMove::new(m, &after, probe);
            after.unmake();
            root
        };
        let mut moves: Vec<_> = legal.map(root_move).collect();
        moves.sort_by_key(|root| Reverse(root.rank));
        let choices = if options.strength.is_some() { strength::CHOICES } else { 1 };
        let count = moves.len().max(1);
        Self {
            moves,
            index: 0,
            lines: options.multi_pv.max(choices).clamp(1, count),
            reported: options.multi_pv.clamp(1, count),
            shown: Vec::new(),
            depth: 0,
            window_width: 1,
            depth_reached: 0,
            material: wdl::material(position),
            drawn: position.is_draw(0),
            complete: limits.search_moves.is_none() && !probe.ranks_moves(),
        }
    }

    /// The move that is best so far in the line that is searched.
    pub fn current(&self) -> &RootMove {
        &self.moves[self.index]
    }

    /// Whether a move belongs to the line that is searched: it is in no better line, and
    /// of the highest rank that is left.
    #[inline]
    pub fn is_open(&self, m: Move) -> bool {
        let open = &self.moves[self.index..];
        open.iter().any(|root| root.m == m && root.rank == open[0].rank)
    }

    /// Whether the search compares all legal moves, so that its result is the value of
    /// the position.
    pub fn compares_all(&self) -> bool {
        self.index == 0 && self.complete
    }

    /// Starts an iteration: the scores become the previous scores.
    pub fn begin_iteration(&mut self, depth: u8) {
        self.depth = depth;
        for root in &mut self.moves {
            root.previous = root.score;
        }
    }

    /// Moves the best of the open moves to the front. The sort is stable, so that moves
    /// without a score keep their order.
    pub fn sort_open(&mut self) {
        self.moves[self.index..]
            .sort_by_key(|root| Reverse((root.rank, root.score, root.previous)));
    }

    /// Sorts the lines that the iteration has searched, completely or in part: a later
    /// line may turn out better than an earlier one, and so may a move that another one has
    /// overtaken in a later line.
    pub fn sort_searched_lines(&mut self) {
        let searched = std::mem::take(&mut self.index) + 1;
        let is_exact = |root: &&RootMove| {
            root.score != -Score::INFINITE && root.bound == Bound::Exact && root.depth == self.depth
        };
        let overtaken = self.moves[searched..].iter().take_while(is_exact).count();
        self.moves[..searched + overtaken].sort_by_key(|root| Reverse((root.rank, root.score)));
    }

    /// The score of the line at `index`. If this iteration has not reached it, that is the
    /// score of the iteration before. This, like an upper bound, is at most the score of the
    /// lines above it.
    pub fn line_score(&self, index: usize) -> RootScore {
        let latest = self.moves[index].latest();
        let above = self.moves[..index].iter().map(|root| root.latest().score).min();
        let is_bound = latest.depth < self.depth || latest.bound == Bound::Upper;
        match above.filter(|&above| is_bound && above < latest.score) {
            Some(above) => RootScore { score: above, bound: Bound::Upper, ..latest },
            None => latest,
        }
    }

    /// Moves the move at `index` to the front.
    pub fn promote(&mut self, index: usize) {
        self.moves[..=index].rotate_right(1);
    }
}

impl Worker<'_> {
    /// Stores the result of a root move, searched in `window` since node number `since`:
    /// its score if it is the first or the best so far, and its line if it raised alpha.
    pub fn record_root_move(
        &mut self,
        m: Move,
        score: Score,
        window: Window,
        first: bool,
        since: u64,
    ) {
        let (nodes, tt) = (self.nodes() - since, self.tt());
        let Some(root) = self.root.moves.iter_mut().find(|root| root.m == m) else { return };
        root.nodes += nodes;
        root.average =
            Some(root.average.map_or(score, |old| Score::new((2 * score.cp() + old.cp()) / 3)));
        let raises_alpha = score > window.alpha;
        root.score = if first || raises_alpha { score } else { -Score::INFINITE };
        root.depth = self.root.depth;
        root.bound = window.bound(score);
        if raises_alpha {
            pv::replace(&mut root.pv, m, self.line.pv.line(1));
            if let Some(plies) = score.plies_to_mate().filter(|&plies| plies != root.pv.len())
                && let Some(line) =
                    mate_line(&mut self.line.position, tt, &self.shared.probe, m, plies)
            {
                root.pv = line;
            }
            root.reply = root.pv.get(1).copied().or(root.reply);
        }
    }
}
