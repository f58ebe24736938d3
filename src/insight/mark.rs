//! How good a move is: the marks `!` to `??`.

use serde::Serialize;

use crate::insight::examine::SearchedLine;

/// The loss in expected score from which a move is marked: 5, 10 and 25 points of 100. The
/// reviews of chess.com use 5, 10 and 20, with expected scores of persons; Lovec's follow from
/// games of engines and fall faster. See docs/experiments/explanations.md for the last bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    pub inaccuracy: f64,
    pub mistake: f64,
    pub blunder: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { inaccuracy: 0.05, mistake: 0.10, blunder: 0.25 }
    }
}

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Fault {
    /// The fault of a move that loses `loss` of the expected score.
    pub fn of_loss(loss: f64, thresholds: &Thresholds) -> Option<Self> {
        if loss >= thresholds.blunder {
            Some(Self::Blunder)
        } else if loss >= thresholds.mistake {
            Some(Self::Mistake)
        } else if loss >= thresholds.inaccuracy {
            Some(Self::Inaccuracy)
        } else {
            None
        }
    }

    /// The mark that players write.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The numeric annotation glyph of PGN.
    pub fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    /// `an inaccuracy`, `a mistake`, `a blunder`.
    pub fn with_article(self) -> &'static str {
        match self {
            Self::Inaccuracy => "an inaccuracy",
            Self::Mistake => "a mistake",
            Self::Blunder => "a blunder",
        }
    }
}

/// The expected score that a move loses against the best one; never negative.
pub fn loss(best: &SearchedLine, played: &SearchedLine) -> f64 {
    if best.moves.first() == played.moves.first() {
        return 0.0;
    }
    (best.expected() - played.expected()).max(0.0)
}
