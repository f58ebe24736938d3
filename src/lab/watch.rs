//! Watching a search.
//!
//! An algorithm calls a [`Watch`] for each event. The watch `()` ignores them all and costs
//! nothing; [`Counts`] counts them; [`LeafList`] keeps the leaves, for laws about which
//! leaves an algorithm visits. A pair of watches is a watch.

/// Receives the events of a search.
pub trait Watch {
    /// A search function is entered.
    #[inline(always)]
    fn node(&mut self) {}

    /// A search of the root begins.
    #[inline(always)]
    fn pass(&mut self) {}

    /// A node of the quiescence search is entered.
    #[inline(always)]
    fn quiescence_node(&mut self) {}

    /// A node gets its static value, or the game ends there.
    #[inline(always)]
    fn leaf(&mut self, _key: u64) {}

    /// The move with this index, from 0, causes a cutoff.
    #[inline(always)]
    fn cutoff(&mut self, _index: usize) {}

    /// The node is in the table; `cut` if that is the end of it.
    #[inline(always)]
    fn hit(&mut self, _cut: bool) {}

    /// The number of nodes, or of entries of a list, that are kept in memory now.
    #[inline(always)]
    fn kept(&mut self, _entries: usize) {}

    /// Nodes that another search has counted.
    #[inline(always)]
    fn counted(&mut self, _nodes: u64) {}
}

/// Ignores everything.
impl Watch for () {}

/// Both receive each event.
impl<A: Watch, B: Watch> Watch for (A, B) {
    #[inline(always)]
    fn node(&mut self) {
        self.0.node();
        self.1.node();
    }

    #[inline(always)]
    fn pass(&mut self) {
        self.0.pass();
        self.1.pass();
    }

    #[inline(always)]
    fn quiescence_node(&mut self) {
        self.0.quiescence_node();
        self.1.quiescence_node();
    }

    #[inline(always)]
    fn leaf(&mut self, key: u64) {
        self.0.leaf(key);
        self.1.leaf(key);
    }

    #[inline(always)]
    fn cutoff(&mut self, index: usize) {
        self.0.cutoff(index);
        self.1.cutoff(index);
    }

    #[inline(always)]
    fn hit(&mut self, cut: bool) {
        self.0.hit(cut);
        self.1.hit(cut);
    }

    #[inline(always)]
    fn kept(&mut self, entries: usize) {
        self.0.kept(entries);
        self.1.kept(entries);
    }

    #[inline(always)]
    fn counted(&mut self, nodes: u64) {
        self.0.counted(nodes);
        self.1.counted(nodes);
    }
}

/// How often each event occurred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Entries into search functions, the root included.
    pub nodes: u64,
    /// Nodes with a static value, or where the game ends.
    pub leaves: u64,
    /// Nodes of the quiescence search; they are not among the nodes.
    pub quiescence_nodes: u64,
    /// Nodes found in the table, …
    pub hits: u64,
    /// … and where that was the end of the node.
    pub cuts: u64,
    /// Nodes at which a move caused a cutoff, …
    pub cutoffs: u64,
    /// … and at which it was the first move.
    pub first_cutoffs: u64,
    /// The most nodes or entries of a list that were kept at a time.
    pub peak: u64,
    /// Searches of the root.
    pub passes: u64,
}

impl Counts {
    /// The share of the cutoffs by the first move; `None` without cutoffs.
    pub fn first_cutoff_share(&self) -> Option<f64> {
        (self.cutoffs > 0).then(|| self.first_cutoffs as f64 / self.cutoffs as f64)
    }

    /// Adds the counts of another search.
    pub fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.leaves += other.leaves;
        self.quiescence_nodes += other.quiescence_nodes;
        self.hits += other.hits;
        self.cuts += other.cuts;
        self.cutoffs += other.cutoffs;
        self.first_cutoffs += other.first_cutoffs;
        self.peak = self.peak.max(other.peak);
        self.passes += other.passes;
    }
}

impl Watch for Counts {
    #[inline]
    fn node(&mut self) {
        self.nodes += 1;
    }

    #[inline]
    fn pass(&mut self) {
        self.passes += 1;
    }

    #[inline]
    fn quiescence_node(&mut self) {
        self.quiescence_nodes += 1;
    }

    #[inline]
    fn leaf(&mut self, _: u64) {
        self.leaves += 1;
    }

    #[inline]
    fn cutoff(&mut self, index: usize) {
        self.cutoffs += 1;
        self.first_cutoffs += u64::from(index == 0);
    }

    #[inline]
    fn hit(&mut self, cut: bool) {
        self.hits += 1;
        self.cuts += u64::from(cut);
    }

    #[inline]
    fn kept(&mut self, entries: usize) {
        self.peak = self.peak.max(entries as u64);
    }

    #[inline]
    fn counted(&mut self, nodes: u64) {
        self.nodes += nodes;
    }
}

/// The keys of the leaves in the order of the visits.
#[derive(Clone, Debug, Default)]
pub struct LeafList(pub Vec<u64>);

impl Watch for LeafList {
    fn leaf(&mut self, key: u64) {
        self.0.push(key);
    }
}
