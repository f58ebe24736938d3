//! What an algorithm finds.

use serde::Serialize;

use crate::lab::game::GameMove;

/// What the value of an answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// The value of the whole tree to the depth, or a bound of it if the window was narrow.
    Complete,
    /// The value of a part of the tree, or of a tree that is pruned or extended.
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
