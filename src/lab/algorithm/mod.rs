//! The algorithms, a file each; NegaScout and principal variation search share theirs.
//!
//! A new one is a file with a type that implements [`Algorithm`], its laws, and a line in
//! [`ALGORITHMS`].

pub mod abc;
pub mod alpha_beta;
pub mod b_star;
pub mod b_star_95;
pub mod bayesian;
pub mod best_first;
pub mod conspiracy;
pub mod dfpn;
pub mod dual;
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

use crate::lab::game::GameMove;
use crate::lab::law::Law;
use crate::lab::search::{Search, Searched};
use crate::lab::settings::{GivenSettings, SettingInfo};

/// What there is to know of each algorithm, by the section of the overview.
pub const ALGORITHMS: &[(&str, AlgorithmInfo)] = &[
    ("depth-first", minimax::INFO),
    ("depth-first", negamax::INFO),
    ("depth-first", alpha_beta::INFO),
    ("depth-first", m_n::INFO),
    ("depth-first", product::INFO),
    ("depth-first", probability::INFO),
    ("depth-first", hybrid::INFO),
    ("depth-first", abc::INFO),
    ("null window", negascout::NEGASCOUT),
    ("null window", negascout::PVS),
    ("null window", mtdf::INFO),
    ("null window", mtd::INFO),
    ("best-first", sss::INFO),
    ("best-first", dual::INFO),
    ("growing", best_first::INFO),
    ("growing", conspiracy::INFO),
    ("growing", b_star::INFO),
    ("growing", b_star_95::INFO),
    ("growing", minmax_approx::INFO),
    ("growing", equi_potential::INFO),
    ("growing", bayesian::INFO),
    ("growing", mcts::INFO),
    ("proving", pn::INFO),
    ("proving", pn2::INFO),
    ("proving", dfpn::INFO),
    ("playing", lovec::INFO),
];

/// What there is to know of an algorithm without running it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AlgorithmInfo {
    pub name: &'static str,
    /// One line, with its source.
    pub summary: &'static str,
    /// Its own settings, next to the [`SWITCHES`](crate::lab::switches::SWITCHES).
    pub settings: &'static [SettingInfo],
    #[serde(skip)]
    pub drivers: Drivers,
    /// Makes the algorithm with its own settings, which are valid.
    #[serde(skip)]
    pub new: fn(&GivenSettings) -> Box<dyn Algorithm>,
    #[serde(skip)]
    pub laws: &'static [Law],
}

/// Which drivers can run an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drivers {
    /// None: the algorithm grows its tree by itself, to the depth or a limit.
    None,
    /// Iterative deepening.
    Depth,
    /// Iterative deepening with aspiration windows: the algorithm searches the window of
    /// the root.
    Window,
}

/// A search algorithm with its settings.
pub trait Algorithm: fmt::Debug + Send + Sync {
    /// Searches the tree below the game to `s.depth` plies; there a node is a leaf.
    ///
    /// An algorithm that grows a tree in memory ends without an error when a limit is
    /// reached, and returns its best move so far as an estimate.
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer>;
}

/// What the value of an answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// The value of the whole tree to the depth, or a bound of it if the window was narrow.
    Complete,
    /// The value of a part of the tree.
    Estimate,
    /// A mean of values, of no line of moves.
    Mean,
    /// The number of points whose chance to win is that of the tree, or of a part of it.
    Chance,
    /// The move is a best one if the bounds of the positions hold; the value belongs to a
    /// part of the tree.
    BestMove,
    /// The goal is proved, and the value a lower bound.
    Proved,
    /// The goal is disproved, and the value an upper bound.
    Disproved,
    /// The goal is neither, and the value the static one of the root.
    Open,
    /// Results of the search contradict each other, or it did not come to a result.
    Unstable,
}

impl Proof {
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Estimate => "estimate",
            Self::Mean => "mean",
            Self::Chance => "chance",
            Self::BestMove => "best move",
            Self::Proved => "proved",
            Self::Disproved => "disproved",
            Self::Open => "open",
            Self::Unstable => "unstable",
        }
    }
}

/// What an algorithm finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// For the side to move at the root.
    pub value: i32,
    /// The best line as far as it is known; it begins with the move to play.
    pub line: Vec<GameMove>,
    pub proof: Proof,
}
