//! The state of a search and the steps that the algorithms share.
//!
//! The node function of a depth-first algorithm reads
//!
//! ```text
//! s.enter()?;
//! if let Some(value) = leaf(s, depth, alpha, beta)? { return Ok(value); }
//! if let Some(value) = s.probe(depth, alpha, beta) { return Ok(value); }
//! if let Some(value) = prune(self, s, depth, alpha, beta)? { return Ok(value); }
//! let moves = s.moves();
//! for (index, &m) in moves.iter().enumerate() {
//!     let value = search_move(self, s, m, depth, alpha.max(best), beta)?;
//!     …    s.improve(m), s.cutoff(index, m, depth)
//! }
//! s.recycle(moves);
//! s.store(depth, alpha, beta, best);
//! ```
//!
//! An algorithm that keeps a [`KeptTree`](crate::lab::kept_tree::KeptTree) calls `go_to` to
//! reach a node, `enter` when it visits one, and `keep` when it stores one.

use crate::lab::game::{GameTree, INFINITE};
use crate::lab::limit::{Limit, LimitCheck, StopReason};
use crate::lab::order::{MoveOrder, sort_by_child_value};
use crate::lab::selective::null_move::NullMove;
use crate::lab::selective::razoring::RAZOR_DEPTH;
use crate::lab::selective::{LineNode, Selection};
use crate::lab::switches::{LeafMode, Switches};
use crate::lab::table::{BoundTable, ValueBounds};
use crate::lab::watch::Watch;

/// What the value of an answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The value of the whole tree to the depth, or a bound of it if the window was narrow.
    Complete,
    /// The value of a part of the tree.
    Estimate,
    /// The move is a best one if the bounds of the positions hold; the value is that of a
    /// part of the tree.
    BestMove,
    /// The goal is proved.
    Proved,
    /// The goal is disproved.
    Disproved,
    /// Results of the search contradict each other, or it did not come to a result.
    Unstable,
}

/// What an algorithm finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<M> {
    /// For the side to move at the root.
    pub value: i32,
    /// The best line as far as it is known; it begins with the move to play.
    pub line: Vec<M>,
    pub proof: Proof,
}

/// The state of a search.
pub struct Search<'a, G: GameTree, W: Watch> {
    pub game: &'a mut G,
    pub watch: &'a mut W,
    pub limit: LimitCheck<'a>,
    /// The plies to search.
    pub depth: u32,
    /// The window of the root.
    pub window: (i32, i32),
    /// The value of the last iteration.
    pub last_value: Option<i32>,
    /// The value of the iteration before the last.
    pub earlier_value: Option<i32>,
    /// Whether the search is below a null move that failed high and is verified.
    pub is_verifying: bool,
    switches: Switches,
    is_selective: bool,
    ply: usize,
    /// The best line of each ply.
    lines: Vec<Vec<G::Move>>,
    /// The nodes from the root to here, for pruning and extensions.
    line_nodes: Vec<LineNode>,
    order: MoveOrder<G>,
    table: Option<BoundTable<G::Move>>,
    /// Lists of moves that are not in use.
    spare: Vec<Vec<G::Move>>,
    kept: usize,
}

impl<'a, G: GameTree, W: Watch> Search<'a, G, W> {
    /// A search that has not begun.
    ///
    /// # Errors
    ///
    /// If the table exceeds the limit of memory.
    pub fn new(
        game: &'a mut G,
        watch: &'a mut W,
        limit: Limit<'a>,
        switches: &Switches,
    ) -> Result<Self, StopReason> {
        let mut limit = LimitCheck::new(limit);
        let table = match switches.table {
            0 => None,
            entries => {
                limit.allocate(entries.saturating_mul(BoundTable::<G::Move>::ENTRY_BYTES))?;
                Some(BoundTable::new(entries, switches.replacement))
            }
        };
        Ok(Self {
            game,
            watch,
            limit,
            depth: 0,
            window: (-INFINITE, INFINITE),
            last_value: None,
            earlier_value: None,
            is_verifying: false,
            switches: *switches,
            is_selective: !switches.selection.is_off(),
            ply: 0,
            lines: vec![Vec::new()],
            line_nodes: Vec::new(),
            order: MoveOrder::new(switches.order),
            table,
            spare: Vec::new(),
            kept: 0,
        })
    }

    /// The plies from the root to here.
    #[inline]
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// Whether a search of two plies with a null window that fails low returns the exact
    /// value: leaves are static, nothing is pruned and no table has bounds.
    pub fn leaves_are_exact(&self) -> bool {
        self.switches.leaf == LeafMode::Static && self.table.is_none() && !self.is_selective
    }

    /// Whether moves are pruned or extended.
    #[inline]
    pub fn is_selective(&self) -> bool {
        self.is_selective
    }

    pub fn selection(&self) -> &Selection {
        &self.switches.selection
    }

    /// Searches without null moves from now on, and without what is in the table.
    pub fn forget_null_moves(&mut self) {
        self.switches.selection.null = NullMove::default();
        self.is_selective = !self.switches.selection.is_off();
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    /// This node, for pruning and extensions.
    pub fn line_node(&mut self) -> &mut LineNode {
        if self.line_nodes.len() <= self.ply {
            self.line_nodes.resize(self.ply + 1, LineNode::default());
        }
        &mut self.line_nodes[self.ply]
    }

    /// The static value of this node for pruning.
    pub fn static_value(&mut self) -> i32 {
        if let Some(value) = self.line_node().value {
            return value;
        }
        let is_lazy = self.switches.selection.lazy;
        let value = if is_lazy { self.game.quick_value() } else { self.game.value() };
        self.line_node().value = Some(value);
        value
    }

    pub fn leaf_mode(&self) -> LeafMode {
        self.switches.leaf
    }

    pub fn has_table(&self) -> bool {
        self.table.is_some()
    }

    /// Counts an entry into a search function.
    ///
    /// # Errors
    ///
    /// If the search has to end.
    #[inline]
    pub fn enter(&mut self) -> Result<(), StopReason> {
        self.limit.node()?;
        self.watch.node();
        if self.ply == 0 {
            self.watch.pass();
            self.line_nodes.clear();
        }
        if self.lines.len() < self.ply + 2 {
            self.lines.resize(self.ply + 2, Vec::new());
        }
        self.lines[self.ply].clear();
        Ok(())
    }

    /// Counts an entry into a quiescence search.
    ///
    /// # Errors
    ///
    /// If the search has to end.
    #[inline]
    pub fn enter_quiescence(&mut self) -> Result<(), StopReason> {
        self.limit.node()?;
        self.watch.quiescence_node();
        Ok(())
    }

    #[inline]
    pub fn play(&mut self, m: G::Move) {
        self.game.play(m);
        self.ply += 1;
    }

    /// Passes the turn, if the game allows it.
    #[inline]
    pub fn pass(&mut self) -> bool {
        let passed = self.game.pass();
        self.ply += usize::from(passed);
        passed
    }

    #[inline]
    pub fn undo(&mut self) {
        self.ply -= 1;
        self.game.undo();
    }

    /// Returns to the root, after a search that ended early.
    pub fn rewind(&mut self) {
        while self.ply > 0 {
            self.undo();
        }
    }

    /// Goes to the node that these moves lead to from the root.
    pub fn go_to(&mut self, path: &[G::Move]) {
        self.rewind();
        path.iter().for_each(|&m| self.play(m));
    }

    /// The legal moves, in the order of the switches.
    #[inline]
    pub fn moves(&mut self) -> Vec<G::Move> {
        let mut moves = self.moves_unsorted();
        if self.is_selective && self.is_razored() {
            sort_by_child_value(self.game, &mut moves);
            return moves;
        }
        let tt_move = self.table.as_ref().and_then(|table| table.get(self.game.key(), 0, 0)?.1);
        self.order.sort(self.game, &mut moves, tt_move, self.ply);
        moves
    }

    fn is_razored(&mut self) -> bool {
        self.switches.selection.razoring.is_on() && self.line_node().depth == RAZOR_DEPTH
    }

    /// The legal moves in the order of the game.
    #[inline]
    pub fn moves_unsorted(&mut self) -> Vec<G::Move> {
        let mut moves = self.spare.pop().unwrap_or_default();
        self.game.moves(&mut moves);
        moves
    }

    /// Takes a list of moves back, to be used again.
    #[inline]
    pub fn recycle(&mut self, mut moves: Vec<G::Move>) {
        moves.clear();
        self.spare.push(moves);
    }

    /// The best line here begins with `m` and continues with the best line of the child.
    #[inline]
    pub fn improve(&mut self, m: G::Move) {
        let (here, below) = self.lines.split_at_mut(self.ply + 1);
        let line = &mut here[self.ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&below[0]);
    }

    /// The best line of the root.
    pub fn line(&self) -> &[G::Move] {
        &self.lines[0]
    }

    /// There is no best line here yet.
    pub fn forget_line(&mut self) {
        self.lines[self.ply].clear();
    }

    /// The move with this index causes a cutoff.
    #[inline]
    pub fn cutoff(&mut self, index: usize, m: G::Move, depth: u32) {
        self.watch.cutoff(index);
        self.order.cutoff(self.game, m, self.ply, depth);
    }

    /// The bounds of this position in the table, from a search to the same depth.
    #[inline]
    pub fn bounds(&self, depth: u32) -> Option<ValueBounds> {
        let table = self.table.as_ref()?;
        Some(table.get(self.game.key(), depth, self.ply as i32)?.0)
    }

    /// The best move of this position in the table.
    pub fn table_move(&self) -> Option<G::Move> {
        self.table.as_ref()?.get(self.game.key(), 0, 0)?.1
    }

    /// The value with which the table ends the search of a window. At the root it never
    /// does, so that there is a move.
    #[inline]
    pub fn probe(&mut self, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let bounds = self.bounds(depth)?;
        let cut = bounds.cut(alpha, beta).filter(|_| self.ply > 0);
        self.watch.hit(cut.is_some());
        cut
    }

    /// Stores what a fail-soft search of a window proves, with the first move of the best
    /// line.
    #[inline]
    pub fn store(&mut self, depth: u32, alpha: i32, beta: i32, value: i32) {
        self.store_bounds(depth, ValueBounds::of(value, alpha, beta));
    }

    /// Stores bounds, with the first move of the best line.
    #[inline]
    pub fn store_bounds(&mut self, depth: u32, bounds: ValueBounds) {
        if let Some(table) = &mut self.table {
            let best = self.lines[self.ply].first().copied();
            table.put(self.game.key(), depth, self.ply as i32, bounds, best);
        }
    }

    /// Counts nodes or entries of a list that are kept in memory, each of `bytes` bytes.
    ///
    /// # Errors
    ///
    /// If they exceed the limit of memory.
    pub fn keep(&mut self, entries: usize, bytes: usize) -> Result<(), StopReason> {
        self.limit.allocate(entries.saturating_mul(bytes))?;
        self.kept += entries;
        self.watch.kept(self.kept);
        Ok(())
    }

    /// Counts nodes or entries that are dropped.
    pub fn drop_kept(&mut self, entries: usize, bytes: usize) {
        self.limit.free(entries.saturating_mul(bytes));
        self.kept = self.kept.saturating_sub(entries);
    }

    /// The answer of a search of the whole tree: its value and the best line of the root.
    pub fn complete(&self, value: i32) -> Answer<G::Move> {
        Answer { value, line: self.line().to_vec(), proof: Proof::Complete }
    }
}
