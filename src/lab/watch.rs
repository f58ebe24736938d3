//! Watching a search: how often each event occurred and, for laws about which leaves an
//! algorithm visits, the leaves themselves.

use serde::Serialize;

/// Receives the events of a search.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    pub counts: Counts,
    /// The keys of the leaves in the order of the visits, if they are kept.
    leaves: Option<Vec<u64>>,
}

impl Watch {
    /// A watch that also keeps the leaves.
    pub fn with_leaves() -> Self {
        Self { leaves: Some(Vec::new()), ..Self::default() }
    }

    /// The keys of the leaves in the order of the visits; none unless they are kept.
    pub fn into_leaves(self) -> Vec<u64> {
        self.leaves.unwrap_or_default()
    }

    /// A node gets its static value, or the game ends there.
    #[inline]
    pub fn leaf(&mut self, key: impl FnOnce() -> u64) {
        self.counts.leaves += 1;
        if let Some(leaves) = &mut self.leaves {
            leaves.push(key());
        }
    }

    /// The move with this index, from 0, causes a cutoff.
    #[inline]
    pub fn cutoff(&mut self, index: usize) {
        self.counts.cutoffs += 1;
        self.counts.first_cutoffs += u64::from(index == 0);
    }

    /// The node is in the table; `is_cut` if that is the end of it.
    #[inline]
    pub fn hit(&mut self, is_cut: bool) {
        self.counts.hits += 1;
        self.counts.cuts += u64::from(is_cut);
    }

    /// The number of nodes, or of entries of a list, that are kept in memory now.
    #[inline]
    pub fn kept(&mut self, entries: usize) {
        self.counts.peak = self.counts.peak.max(entries as u64);
    }
}

/// How often each event occurred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Entries into search functions, the root included.
    pub nodes: u64,
    /// Nodes with a static value, or where the game ends.
    pub leaves: u64,
    /// Nodes of the quiescence search; they are not among the nodes.
    #[serde(rename = "qnodes")]
    pub quiescence_nodes: u64,
    /// Nodes found in the table, …
    pub hits: u64,
    /// … and where that was the end of the node.
    pub cuts: u64,
    /// Nodes at which a move caused a cutoff, …
    #[serde(skip)]
    pub cutoffs: u64,
    /// … and at which it was the first move.
    #[serde(skip)]
    pub first_cutoffs: u64,
    /// The most nodes or entries of a list that were kept at a time.
    pub peak: u64,
    /// Searches of the root.
    pub passes: u64,
}

impl Counts {
    /// The nodes, with those below leaves.
    pub fn all_nodes(&self) -> u64 {
        self.nodes + self.quiescence_nodes
    }

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
