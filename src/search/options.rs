//! The options of a search, and its bounds.

use std::time::Duration;

use crate::search::strength::Strength;

/// The deepest iteration.
pub const MAX_DEPTH: u8 = 127;

/// The largest distance of a node from the root, in plies.
pub const MAX_PLY: usize = 200;

/// The largest number of search threads.
pub const MAX_THREADS: usize = 1024;

/// The options of all searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchOptions {
    /// The number of best lines to find.
    pub multi_pv: usize,
    /// The time lost on each move to communication.
    pub move_overhead: Duration,
    /// Whether the search may prune, reduce and extend. Without that it returns the
    /// value of plain minimax, with the savings of alpha-beta and the transposition
    /// table only: for tests and comparisons.
    pub selective: bool,
    /// A limit of playing strength; `None` for full strength.
    pub strength: Option<Strength>,
    /// When to probe endgame tables.
    pub probe: ProbeOptions,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            selective: true,
            strength: None,
            probe: ProbeOptions::default(),
        }
    }
}

/// When to probe endgame tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeOptions {
    /// The minimum depth for probing the largest available tables; smaller ones are
    /// always probed.
    pub depth: i32,
    /// The largest number of pieces, kings included, to probe.
    pub max_pieces: u32,
    /// Whether fifty moves without a capture or a pawn move are a draw.
    pub fifty_moves: bool,
}

impl Default for ProbeOptions {
    fn default() -> Self {
        Self { depth: 1, max_pieces: 7, fifty_moves: true }
    }
}
