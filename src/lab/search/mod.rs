//! The state of a search and the steps that the algorithms share.
//!
//! The node function of a depth-first algorithm reads
//!
//! ```text
//! if let Some(value) = enter_node(self, s, depth, alpha, beta)? { return Ok(value); }
//! for (index, m) in s.moves().into_iter().enumerate() {
//!     let value = search_move(self, s, m, depth, alpha.max(best), beta)?;
//!     …    s.improve(m), s.cutoff(index, m, depth)
//! }
//! s.store(depth, alpha, beta, best);
//! ```
//!
//! where `enter_node` is `s.enter`, `leaf`, `s.probe` and pruning, one after the other.
//!
//! An algorithm that keeps a [`KeptTree`](crate::lab::kept_tree::KeptTree) calls `go_to` to
//! reach a node, `enter` when it visits one, and `keep` when it stores one.
//!
//! | to read | what it holds |
//! |---|---|
//! | [`switches`] | what can be switched on for any algorithm |
//! | [`leaf`], [`quiescence`], [`deeper`] | the values of leaves |
//! | [`node`] | the steps that search a node again |
//! | [`selective`] | pruning and extensions, which are: |
//! | [`null_move`] | a pass that fails high prunes the node, or the move before it |
//! | [`probcut`] | a shallow search prunes a node that is probably outside the window |
//! | [`futility`] | prunes quiet moves near the leaves that are far below alpha |
//! | [`razoring`] | two plies above the leaves, prunes moves by their static values |
//! | [`extension`] | searches checks, recaptures, threats and other forcing moves deeper |
//! | [`trial`] | shallow searches find singular moves, and the piece of a promotion |

pub mod deeper;
pub mod extension;
pub mod futility;
pub mod leaf;
pub mod node;
pub mod null_move;
pub mod probcut;
pub mod quiescence;
pub mod razoring;
pub mod selective;
pub mod switches;
pub mod trial;

use crate::lab::game::{GameMove, GameTree, INFINITE, MoveFacts};
use crate::lab::order::{MoveOrder, OrderNode, sort_by_child_value};
use crate::lab::search::null_move::NullMove;
use crate::lab::search::razoring::RAZOR_DEPTH;
use crate::lab::search::switches::Switches;
use crate::lab::table::replacement::Replacement;
use crate::lab::table::{BoundTable, MoveTable, TableNode, ValueBounds};
use crate::lab::{Answer, Limit, LimitCheck, Proof, Searched, Watch};

/// What pruning and extensions know of a node on the line from the root to here.
#[derive(Clone, Copy, Debug, Default)]
pub struct LineNode {
    /// The plies left here, without extensions below.
    pub depth: u32,
    /// The move that led here; a pass and the root have no facts.
    pub arrival: MoveFacts,
    /// Whether the depth here was extended.
    pub is_extended: bool,
    /// The null moves on the line.
    pub passes: u32,
    /// The null moves without a move after them.
    pub passes_in_a_row: u32,
    /// Whether the node is searched because its null move failed high.
    pub is_verification: bool,
    /// The static value, if it was asked for.
    pub value: Option<i32>,
    /// A depth, and the move that trials found singular for it, if any.
    pub singular: Option<(u32, Option<GameMove>)>,
}

/// The state of a search.
pub struct Search<'a> {
    pub game: &'a mut dyn GameTree,
    pub watch: &'a mut Watch,
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
    pub switches: Switches,
    /// Whether moves are pruned or extended.
    pub is_selective: bool,
    /// Whether no leaf has been visited since the search of the root began.
    is_before_leaves: bool,
    /// The moves from the root to here; a pass is `None`.
    path: Vec<Option<GameMove>>,
    /// The longest path so far, in plies.
    pub deepest: usize,
    /// The best line of each ply.
    lines: Vec<Vec<GameMove>>,
    /// The nodes from the root to here, for pruning and extensions.
    line_nodes: Vec<LineNode>,
    order: MoveOrder,
    /// The move that internal iterative deepening has found for the node at a ply.
    first_move: Option<(usize, GameMove)>,
    /// The table, if the row has one; that of an earlier search of the row may take its place.
    pub table: Option<BoundTable>,
    move_table: Option<MoveTable>,
    /// The nodes so far, with the nodes of the table where the scheme counts them, …
    tree_nodes: u64,
    /// … and before each node from the root to here.
    tree_nodes_before: Vec<u64>,
    kept: usize,
}

impl<'a> Search<'a> {
    /// A search that has not begun.
    pub fn new(
        game: &'a mut dyn GameTree,
        watch: &'a mut Watch,
        limit: Limit<'a>,
        switches: &Switches,
    ) -> Searched<Self> {
        let mut limit = LimitCheck::new(limit);
        let &Switches { table, replacement, moves, .. } = switches;
        if table > 0 || moves > 0 {
            let table_bytes = table.saturating_mul(BoundTable::ENTRY_BYTES);
            let move_bytes = moves.saturating_mul(MoveTable::ENTRY_BYTES);
            limit.allocate_at_once(table_bytes.saturating_add(move_bytes))?;
        }
        let move_places = game.move_places();
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
            is_before_leaves: true,
            path: Vec::new(),
            deepest: 0,
            lines: vec![Vec::new()],
            line_nodes: Vec::new(),
            order: MoveOrder::new(switches.order, move_places),
            first_move: None,
            table: (table > 0).then(|| BoundTable::new(table, replacement)),
            move_table: (moves > 0).then(|| MoveTable::new(moves)),
            tree_nodes: 0,
            tree_nodes_before: Vec::new(),
            kept: 0,
        })
    }

    /// The plies from the root to here.
    #[inline]
    pub fn ply(&self) -> usize {
        self.path.len()
    }

    /// The plies from here to the depth of the search.
    #[inline]
    pub fn depth_left(&self) -> u32 {
        (self.depth as usize).saturating_sub(self.ply()) as u32
    }

    /// Whether a search of two plies with a null window that fails low returns the exact
    /// value: leaves need no window, nothing is pruned and no table has bounds.
    pub fn leaves_are_exact(&self) -> bool {
        self.switches.leaf.is_exact() && self.table.is_none() && !self.is_selective
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
        let ply = self.ply();
        if self.line_nodes.len() <= ply {
            self.line_nodes.resize(ply + 1, LineNode::default());
        }
        &mut self.line_nodes[ply]
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

    /// Whether a leaf is the first one in a search of the root: the end of the line of first
    /// moves.
    pub fn is_first_leaf(&mut self) -> bool {
        std::mem::take(&mut self.is_before_leaves)
    }

    /// Counts an entry into a search function.
    #[inline]
    pub fn enter(&mut self) -> Searched<()> {
        self.limit.node()?;
        self.order.fault().map_or(Ok(()), Err)?;
        self.watch.counts.nodes += 1;
        let ply = self.ply();
        if ply == 0 {
            self.watch.counts.passes += 1;
            self.is_before_leaves = true;
            self.line_nodes.clear();
        }
        self.tree_nodes_before.resize(ply, self.tree_nodes);
        self.tree_nodes_before.push(self.tree_nodes);
        self.tree_nodes += 1;
        if self.lines.len() < ply + 2 {
            self.lines.resize(ply + 2, Vec::new());
        }
        self.lines[ply].clear();
        Ok(())
    }

    /// Counts an entry into a quiescence search.
    #[inline]
    pub fn enter_quiescence(&mut self) -> Searched<()> {
        self.limit.node()?;
        self.watch.counts.quiescence_nodes += 1;
        Ok(())
    }

    #[inline]
    pub fn play(&mut self, m: GameMove) {
        // What is undone without a search of the move has no line.
        if let (true, Some(line)) = (self.path.is_empty(), self.lines.get_mut(1)) {
            line.clear();
        }
        self.game.play(m);
        self.path.push(Some(m));
        self.deepest = self.deepest.max(self.path.len());
    }

    /// Passes the turn, if the game allows it.
    #[inline]
    pub fn pass(&mut self) -> bool {
        let passed = self.game.pass();
        if passed {
            self.path.push(None);
        }
        passed
    }

    /// Takes the last move, or pass, back.
    #[inline]
    pub fn undo(&mut self) {
        let last = self.path.pop().flatten();
        if let (true, Some(m), Some(line)) = (self.path.is_empty(), last, self.lines.get(1)) {
            self.order.root_move_is_settled(m, line);
        }
        self.game.undo();
    }

    /// Returns to the root, after a search that ended early.
    pub fn rewind(&mut self) {
        while self.ply() > 0 {
            self.undo();
        }
    }

    /// Goes to the node that these moves lead to from the root.
    pub fn go_to(&mut self, path: &[GameMove]) {
        self.rewind();
        path.iter().for_each(|&m| self.play(m));
    }

    /// The legal moves, in the order of the switches.
    #[inline]
    pub fn moves(&mut self) -> Vec<GameMove> {
        let mut moves = self.game.moves();
        if self.is_selective && self.is_razored() {
            sort_by_child_value(self.game, &mut moves, self.switches.selection.lazy);
            return moves;
        }
        if self.order.is_on() {
            let depth = if self.is_selective { self.line_node().depth } else { self.depth_left() };
            let tt_move = self.table_move().or_else(|| self.take_first_move());
            let is_lazy = self.switches.selection.lazy;
            let node = OrderNode { path: &self.path, depth, tt_move, is_lazy };
            self.order.sort(self.game, &mut self.limit, &mut moves, &node);
        }
        moves
    }

    /// Whether internal iterative deepening has to find the first move of a node.
    #[inline]
    pub fn lacks_first_move(&self, depth: u32) -> bool {
        self.switches.order.deepens_internally(depth) && self.table_move().is_none()
    }

    /// Keeps the first move of the line that a search of this node to less than its depth has
    /// found, for [`moves`](Self::moves).
    pub fn keep_first_move(&mut self, depth: u32) {
        let ply = self.ply();
        self.first_move = self.lines[ply].first().map(|&m| (ply, m));
        self.forget_line();
        if self.is_selective {
            self.line_node().depth = depth;
        }
    }

    fn take_first_move(&mut self) -> Option<GameMove> {
        let ply = self.ply();
        self.first_move.take().filter(|first| first.0 == ply).map(|first| first.1)
    }

    fn is_razored(&mut self) -> bool {
        self.switches.selection.razoring && self.line_node().depth == RAZOR_DEPTH
    }

    /// The best line here begins with `m` and continues with the best line of the child.
    #[inline]
    pub fn improve(&mut self, m: GameMove) {
        let ply = self.ply();
        let (here, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&below[0]);
    }

    /// The best line of the root.
    pub fn line(&self) -> &[GameMove] {
        &self.lines[0]
    }

    /// There is no best line here yet.
    pub fn forget_line(&mut self) {
        let ply = self.ply();
        self.lines[ply].clear();
    }

    /// The move with this index causes a cutoff.
    #[inline]
    pub fn cutoff(&mut self, index: usize, m: GameMove, depth: u32) {
        self.watch.cutoff(index);
        self.order.cutoff(self.game, m, &self.path, depth);
    }

    /// The key of this position in the tables, and the image that it stands for.
    #[inline]
    fn table_key(&self) -> (u64, u8) {
        self.switches.classes.class(self.game)
    }

    /// The bounds of this position in the table, from a search to the same depth.
    #[inline]
    pub fn bounds(&self, depth: u32) -> Option<ValueBounds> {
        let table = self.table.as_ref()?;
        table.bounds(TableNode { key: self.table_key().0, depth, ply: self.ply() as i32 })
    }

    /// The best move of this position in the tables.
    pub fn table_move(&self) -> Option<GameMove> {
        if self.table.is_none() && self.move_table.is_none() {
            return None;
        }
        let (key, image) = self.table_key();
        let kept = self.move_table.as_ref().and_then(|moves| moves.get(key));
        let best = kept.or_else(|| self.table.as_ref()?.best(key))?;
        Some(self.game.original_move(best, image))
    }

    /// The value with which the table ends the search of a window. At the root it never
    /// does, so that there is a move.
    #[inline]
    pub fn probe(&mut self, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let bounds = self.bounds(depth)?;
        let cut = bounds.cut(alpha, beta).filter(|_| self.ply() > 0);
        self.hit(cut.is_some());
        cut
    }

    /// Counts a node that is in the table, and whether that is the end of it.
    #[inline]
    pub fn hit(&mut self, is_cut: bool) {
        self.watch.hit(is_cut);
        let replacement = self.switches.replacement;
        if replacement == Replacement::Used {
            let key = self.table_key().0;
            self.table.iter_mut().for_each(|table| table.count_use(key));
        }
        if is_cut && replacement == Replacement::BigAll {
            let key = self.table_key().0;
            let nodes = self.table.as_ref().map_or(0, |table| table.nodes(key));
            self.tree_nodes = self.tree_nodes.saturating_add(nodes.saturating_sub(1));
        }
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
        if self.table.is_none() && self.move_table.is_none() {
            return;
        }
        let ply = self.ply();
        let (key, image) = self.table_key();
        let best = self.lines[ply].first().map(|&m| self.game.image_move(m, image));
        if let (Some(moves), Some(best)) = (&mut self.move_table, best) {
            moves.put(key, best);
        }
        if let Some(table) = &mut self.table {
            let nodes = self.tree_nodes - self.tree_nodes_before[ply];
            table.put(TableNode { key, depth, ply: ply as i32 }, nodes, bounds, best);
        }
    }

    /// Does what is no part of the algorithm: it counts for the limit and the memory alone.
    pub fn uncounted<T>(&mut self, step: impl FnOnce(&mut Self) -> T) -> T {
        let counted = std::mem::take(self.watch);
        let result = step(self);
        let peak = self.watch.counts.peak;
        *self.watch = counted;
        self.watch.kept(peak as usize);
        result
    }

    /// Counts nodes or entries of a list that are kept in memory, each of `bytes` bytes.
    pub fn keep(&mut self, entries: usize, bytes: usize) -> Searched<()> {
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

    /// What the value of a search to the depth means. Where the value of a position depends on
    /// the path to it, one that is kept for all paths may be of another tree.
    pub fn proof(&self, keeps_values: bool) -> Proof {
        match keeps_values && self.game.depends_on_path() {
            true => Proof::Estimate,
            false => self.switches.proof(),
        }
    }

    /// The answer of a search to the depth: its value and the best line of the root.
    pub fn complete(&self, value: i32) -> Answer {
        Answer { value, line: self.line().to_vec(), proof: self.proof(self.table.is_some()) }
    }
}
