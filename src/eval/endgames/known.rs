//! The result of recognising a known endgame.

use crate::chess::Color;
use crate::eval::score::Score;

/// The name of a known endgame, and its score from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::eval) struct KnownEndgame {
    pub(in crate::eval) name: &'static str,
    pub(in crate::eval) score: Score,
}

impl KnownEndgame {
    pub(super) const fn draw(name: &'static str) -> Self {
        Self { name, score: Score::DRAW }
    }

    /// `strong` is better by `centipawns`.
    pub(super) fn better(name: &'static str, strong: Color, centipawns: i32) -> Self {
        Self { name, score: (Score::new(centipawns) * strong.sign()).clamp_eval() }
    }
}
