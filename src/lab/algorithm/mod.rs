//! The algorithms, a file each; NegaScout and principal variation search share theirs, and
//! SSS* and DUAL*.
//!
//! A new one is a file with a type that implements [`Algorithm`], its laws, a line in
//! [`ALGORITHMS`](crate::lab::row::ALGORITHMS), and its name at each of the
//! [`SWITCHES`](crate::lab::search::switches::SWITCHES) that it heeds, iterative deepening and
//! aspiration windows among them.

pub mod abc;
pub mod alpha_beta;
pub mod b_star;
pub mod b_star_95;
pub mod bayesian;
pub mod best_first;
pub mod conspiracy;
pub mod dfpn;
pub mod equi_potential;
pub mod hybrid;
pub mod lovec;
pub mod m_n;
pub mod mcts;
pub mod minimax;
pub mod minmax_approx;
pub mod mt;
pub mod mtd;
pub mod mtdf;
pub mod negamax;
pub mod negascout;
pub mod pn;
pub mod pn2;
pub mod probability;
pub mod product;
pub mod sss;

use std::fmt;

use serde::Serialize;

use crate::lab::search::node::NodeSearch;
use crate::lab::{Answer, GivenSettings, Law, Search, Searched, SettingInfo};

/// What there is to know of an algorithm without running it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AlgorithmInfo {
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Its own settings, next to the [`SWITCHES`](crate::lab::search::switches::SWITCHES).
    pub settings: &'static [SettingInfo],
    /// Makes the algorithm with its own settings, which are valid.
    #[serde(skip)]
    pub new: fn(&GivenSettings) -> Box<dyn Algorithm>,
    #[serde(skip)]
    pub laws: &'static [Law],
}

/// A search algorithm with its settings.
pub trait Algorithm: fmt::Debug + Send + Sync {
    /// Searches the tree below the game to `s.depth` plies; there a node is a leaf.
    ///
    /// An algorithm that grows a tree in memory ends without an error when a limit is
    /// reached, and returns its best move so far as an estimate.
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer>;
}

/// An algorithm with a function for one node searches the root with its window.
impl<T: NodeSearch> Algorithm for T {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let (alpha, beta) = s.window;
        let value = self.node(s, s.depth, alpha, beta)?;
        Ok(s.complete(value))
    }
}
