//! One searching thread: its position, its memory, and the moves at its root.

use std::cmp::Reverse;
use std::time::Duration;

use crate::chess::{Color, Move, Position};
use crate::eval::wdl::{self, MODEL, WinDrawLoss};
use crate::eval::{self, Accumulator, PawnTable, Score};
use crate::search::history::{History, Played};
use crate::search::mate_line::mate_line;
use crate::search::probe::{chances_of, score_of_move};
use crate::search::pv::{Line, PvTable};
use crate::search::reduce::Reductions;
use crate::search::report::{Report, Reporter};
use crate::search::shared::{Desk, Job, Shared};
use crate::search::stack::Stack;
use crate::search::strength::{self, Strength};
use crate::search::tt::{Bound, TranspositionTable};
use crate::search::window::Window;
use crate::search::{MAX_PLY, Outcome};
use crate::tablebase::RankedMove;
use crate::util::memory::MemoryError;

/// The search was stopped; whatever it was computing is void.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// The result of a node.
pub(super) type Searched = Result<Score, Stopped>;

/// When the search of single root moves begins to be announced.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

/// A move at the root and what the search found of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub m: Move,
    /// The score of the last time it was searched, minus infinity unless the move
    /// was the best then.
    pub score: Score,
    /// The iteration which found that.
    pub depth: u8,
    /// Whether that is exact: a search that is stopped may leave a bound.
    pub bound: Bound,
    /// The score of the iteration before.
    pub previous: Score,
    /// The line, from this move on.
    pub pv: Line,
    /// Nodes spent on it in this search.
    pub nodes: u64,
    /// What endgame tables say of it.
    pub ranked: Option<RankedMove>,
}

/// The latest that a search found of a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub score: Score,
    pub bound: Bound,
    /// The iteration which found it.
    pub depth: u8,
}

impl RootMove {
    /// A move of higher rank is better, whatever the score: so endgame tables say.
    pub fn rank(&self) -> i32 {
        self.ranked.map_or(0, |ranked| ranked.rank)
    }

    /// Its latest score: if it was not the best when it was last searched, that
    /// of the iteration before.
    pub fn known(&self) -> Known {
        let &Self { score, bound, depth, .. } = self;
        if score == -Score::INFINITE {
            Known { score: self.previous, bound: Bound::Exact, depth: depth.saturating_sub(1) }
        } else {
            Known { score, bound, depth }
        }
    }
}

/// What a thread keeps for the next search of the same game.
pub(super) struct Memory {
    pub history: History,
    pub reductions: Reductions,
    pub pawns: PawnTable,
}

impl Memory {
    /// No less than what it takes, in bytes.
    pub const BYTES: u64 = 6 << 20;

    /// Memory of nothing.
    ///
    /// # Errors
    ///
    /// If the system refuses an allocation.
    pub fn new() -> Result<Self, MemoryError> {
        Ok(Self {
            history: History::new()?,
            reductions: Reductions::new(),
            pawns: PawnTable::new()?,
        })
    }

    /// Forgets what was learnt, for a new game.
    pub fn clear(&mut self) {
        self.history.clear();
        // With tunable numbers it may have changed.
        self.reductions = Reductions::new();
    }
}

pub(super) struct Worker<'a> {
    pub shared: &'a Shared,
    pub position: Position,
    pub tt: &'a TranspositionTable,
    pub memory: &'a mut Memory,
    pub reporter: &'a mut dyn Reporter,
    pub stack: Stack,
    pub pv: PvTable,
    pub root_moves: Vec<RootMove>,
    /// The root moves before this one are the lines already found in this
    /// iteration.
    pub pv_index: usize,
    /// How many best lines to find.
    pub lines: usize,
    /// How many of them to tell of.
    pub told: usize,
    /// Only some of the moves at the root are allowed.
    restricted: bool,
    /// Nodes that this thread has visited.
    pub nodes: u64,
    /// Where it tells the others.
    pub desk: &'a Desk,
    pub seldepth: usize,
    /// The iteration that runs.
    pub depth: u8,
    /// Whether there is a result to fall back on: the first iteration is never
    /// stopped.
    pub may_stop: bool,
    /// Whether moves may be pruned, reduced and extended.
    pub selective: bool,
    /// The side whose zugzwang a null move's verification looks for, and the ply
    /// down to which it may not pass.
    pub verifying: Option<(Color, usize)>,
    node_limit: u64,
    /// Of the position at the root, for what its scores promise.
    material: u32,
    /// The game was over by a draw before the search began.
    drawn: bool,
}

impl<'a> Worker<'a> {
    /// The thread of this number in a search.
    pub fn new(
        shared: &'a Shared,
        thread: usize,
        memory: &'a mut Memory,
        reporter: &'a mut dyn Reporter,
    ) -> Self {
        let Job { position, limits, options, .. } = &shared.job;
        let mut line = position.clone();
        line.reserve(MAX_PLY + 1);
        let allowed = |m: &Move| limits.search_moves.as_ref().is_none_or(|list| list.contains(m));
        let root_move = |m| RootMove {
            m,
            score: -Score::INFINITE,
            depth: 0,
            bound: Bound::Upper,
            previous: -Score::INFINITE,
            pv: std::iter::once(m).collect(),
            nodes: 0,
            ranked: shared.probe.ranked(m),
        };
        let mut root_moves: Vec<_> =
            position.legal_moves().into_iter().filter(allowed).map(root_move).collect();
        root_moves.sort_by_key(|root| Reverse(root.rank()));
        let choices = if options.strength.is_some() { strength::CHOICES } else { 1 };
        Self {
            shared,
            position: line,
            tt: &shared.tt,
            memory,
            reporter,
            stack: Stack::new(Accumulator::from_state(position)),
            pv: PvTable::new(),
            lines: options.multi_pv.max(choices).clamp(1, root_moves.len().max(1)),
            told: options.multi_pv.clamp(1, root_moves.len().max(1)),
            root_moves,
            pv_index: 0,
            restricted: limits.search_moves.is_some(),
            nodes: 0,
            desk: &shared.desks[thread],
            seldepth: 0,
            depth: 0,
            may_stop: false,
            selective: options.selective,
            verifying: None,
            node_limit: shared.node_limit(thread),
            material: wdl::material(position),
            drawn: position.is_draw(0),
        }
    }

    /// Counts a node, or ends the search.
    #[inline]
    pub fn count_node(&mut self) -> Result<(), Stopped> {
        if self.may_stop && self.is_stopped() {
            return Err(Stopped);
        }
        self.nodes += 1;
        self.desk.set_nodes(self.nodes);
        Ok(())
    }

    /// Whether this thread is to search no more.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.nodes >= self.node_limit || self.shared.is_over()
    }

    /// Plays a move at `ply`; the evaluation follows.
    #[inline]
    pub fn make(&mut self, m: Move, ply: usize) {
        let mut accumulator = self.stack[ply].accumulator;
        self.stack[ply].current = Some(m);
        self.stack[ply].played = Played::of(&self.position, m);
        // Early, so that the memory answers while the move is made.
        self.tt.prefetch(self.position.key_after(m));
        self.position.make_observed(m, &mut accumulator);
        self.stack[ply + 1].accumulator = accumulator;
    }

    /// Passes the turn at `ply`.
    pub fn make_null(&mut self, ply: usize) {
        self.stack[ply].current = None;
        self.stack[ply].played = Played::NOTHING;
        self.position.make_null();
        self.tt.prefetch(self.position.key());
        self.stack[ply + 1].accumulator = self.stack[ply].accumulator;
    }

    /// The static evaluation of the position at `ply`.
    #[inline]
    pub fn evaluate(&mut self, ply: usize) -> Score {
        let accumulator = &self.stack[ply].accumulator;
        eval::evaluate(&self.position, accumulator, &mut self.memory.pawns)
    }

    /// The score of a draw, with a little noise: repetitions that are not all
    /// equal keep the search from taking the first that it sees.
    #[inline]
    pub fn draw_score(&self) -> Score {
        if self.selective { Score::new(1 - (self.nodes & 2) as i32) } else { Score::DRAW }
    }

    /// The moves at the root that are still to be put in order.
    /// Those of a lower rank than the best have to wait.
    pub fn is_open_root_move(&self, m: Move) -> bool {
        let open = &self.root_moves[self.pv_index..];
        open.iter().any(|root| root.m == m && root.rank() == open[0].rank())
    }

    /// Whether all moves at the root are compared, rather than those that were
    /// asked for or that are left after the better lines.
    pub fn compares_all_root_moves(&self) -> bool {
        self.pv_index == 0 && !self.restricted && self.shared.probe.ranked_moves() == 0
    }

    /// Takes the result of a root move, searched in `window` from node number
    /// `since` on: its score if it is the first or the best so far, and its line
    /// if there is one.
    pub fn record_root_move(
        &mut self,
        m: Move,
        score: Score,
        window: Window,
        first: bool,
        since: u64,
    ) {
        let line = self.pv.line(1);
        let Some(root) = self.root_moves.iter_mut().find(|root| root.m == m) else { return };
        root.nodes += self.nodes - since;
        let raises_alpha = score > window.alpha;
        root.score = if first || raises_alpha { score } else { -Score::INFINITE };
        root.depth = self.depth;
        root.bound = window.bound(score);
        if raises_alpha {
            root.pv.clear();
            root.pv.push(m);
            let length = line.len().min(root.pv.remaining_capacity());
            root.pv.extend(line[..length].iter().copied());
        }
        if raises_alpha
            && let Some(plies) = score.plies_to_mate().filter(|&plies| plies != root.pv.len())
            && let Some(line) = mate_line(&mut self.position, self.tt, &self.shared.probe, m, plies)
        {
            root.pv = line;
        }
    }

    /// Begins an iteration: the scores become those of the one before.
    pub fn begin_iteration(&mut self, depth: u8) {
        self.depth = depth;
        self.seldepth = 0;
        for root in &mut self.root_moves {
            root.previous = root.score;
        }
    }

    /// Puts the best of the open root moves first. Stable, so that moves of
    /// which nothing is known keep their order.
    pub fn sort_root_moves(&mut self) {
        let open = &mut self.root_moves[self.pv_index..];
        open.sort_by_key(|root| Reverse((root.rank(), root.score, root.previous)));
    }

    pub fn elapsed(&self) -> Duration {
        self.shared.job.start.elapsed()
    }

    /// Tells the reporter that the search of a root move begins.
    pub fn announce(&mut self, m: Move, number: usize) {
        if self.elapsed() >= CURRENT_MOVE_AFTER {
            self.reporter.current_move(self.depth, m, number);
        }
    }

    /// Tells the reporter that there is nothing to search: mate or stalemate.
    pub fn report_game_over(&mut self) {
        let score = self.score_without_moves(0);
        self.reporter.report(&Report {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score,
            wdl: if score.is_mate() { WinDrawLoss::LOST } else { WinDrawLoss::DRAWN },
            bound: Bound::Exact,
            nodes: 0,
            table_hits: 0,
            elapsed: self.elapsed(),
            hashfull: self.tt.hashfull(),
            pv: &[],
        });
    }

    /// Draws the move to play, as somebody of this strength would, and tells of its
    /// line in place of the best if that is another.
    pub fn play_like(&mut self, strength: Strength) {
        let scores: Vec<_> =
            self.root_moves.iter().take(self.lines).map(|root| root.known().score).collect();
        let drawn = strength.draw(&scores, &mut rand::rng());
        if drawn > 0 {
            self.root_moves[..=drawn].rotate_right(1);
            self.report(0);
        }
    }

    /// The score of a position in which there is no move to play.
    pub fn score_without_moves(&self, ply: usize) -> Score {
        if self.position.in_check() { Score::mated_in(ply) } else { Score::DRAW }
    }

    /// The result of the search as it stands.
    pub fn outcome(&self) -> Outcome {
        let best = self.root_moves.first();
        Outcome {
            best: best.map(|root| root.m),
            ponder: best.and_then(|root| root.pv.get(1).copied()),
            score: best
                .map_or_else(|| self.score_without_moves(0), |root| self.as_told(root, root.score)),
            nodes: self.shared.nodes(),
            depth: self.depth,
        }
    }

    /// A score of a root move as it is told to others: a game that was drawn before
    /// the search began stays drawn, endgame tables know best unless there is a mate,
    /// and the noise of a draw is not heard.
    fn as_told(&self, root: &RootMove, score: Score) -> Score {
        if score.is_mate() {
            score
        } else if self.drawn {
            Score::DRAW
        } else if let Some(ranked) = root.ranked {
            score_of_move(ranked)
        } else {
            without_noise(score)
        }
    }

    /// What a root move with this score promises. Endgame tables leave nothing to
    /// chance.
    fn chances(&self, root: &RootMove, score: Score) -> WinDrawLoss {
        match root.ranked {
            Some(ranked) => chances_of(ranked),
            None => MODEL.wdl(score, self.material),
        }
    }

    /// Tells the reporter of the line at `index` of the root moves. One that the
    /// iteration has not reached is that of the iteration before, but no better
    /// than the lines above it, which have been preferred to it since.
    pub fn report(&mut self, index: usize) {
        let root = &self.root_moves[index];
        let mut known = root.known();
        let above = self.root_moves[..index].iter().map(|root| root.known().score).min();
        if known.depth < self.depth
            && let Some(above) = above.filter(|&above| above < known.score)
        {
            known = Known { score: above, bound: Bound::Upper, ..known };
        }
        let score = self.as_told(root, known.score);
        self.reporter.report(&Report {
            depth: known.depth,
            // A mate may be read back from farther away than this search has been.
            seldepth: self.seldepth.max(root.pv.len()),
            multipv: index + 1,
            score,
            wdl: self.chances(root, score),
            bound: known.bound,
            nodes: self.shared.nodes(),
            table_hits: self.shared.table_hits(),
            elapsed: self.elapsed(),
            hashfull: self.tt.hashfull(),
            pv: &root.pv,
        });
    }
}

/// A score that differs from a draw only by the noise of [`Worker::draw_score`]
/// is a draw.
fn without_noise(score: Score) -> Score {
    if score.cp().abs() <= 1 { Score::DRAW } else { score }
}
