//! How good a move is: the marks `!` to `??`.

use serde::Serialize;

use crate::eval::Score;
use crate::insight::examine::SearchedLine;

/// Whose game it is: what a score is worth, and what a fault is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerLevel {
    /// Players who lose and win back a pawn more than once in a game.
    #[default]
    Club,
    /// Masters, who seldom lose what they have won.
    Expert,
}

/// How fast the expected score of club players rises with a centipawn of Stockfish. Lichess
/// fitted it to games of its players (`WinPercent` in lichess-org/scalachess).
const CLUB_SLOPE: f64 = 0.003_682;

/// Centipawns of Lovec, and what Stockfish says of the same positions of club games
/// (docs/experiments/explanations.md).
const STOCKFISH_CENTIPAWNS: [(f64, f64); 8] = [
    (0.0, 0.0),
    (250.0, 310.0),
    (450.0, 480.0),
    (700.0, 566.0),
    (900.0, 625.0),
    (1200.0, 660.0),
    (1900.0, 940.0),
    (2000.0, 1000.0),
];

/// The centipawns that Stockfish says, from 0 on.
fn stockfish_centipawns(lovec: f64) -> f64 {
    let above = STOCKFISH_CENTIPAWNS.windows(2).find(|ends| lovec <= ends[1].0);
    above.map_or(STOCKFISH_CENTIPAWNS[7].1, |ends| {
        let [(from, low), (to, high)] = [ends[0], ends[1]];
        low + (high - low) * (lovec - from) / (to - from)
    })
}

impl PlayerLevel {
    pub const ALL: [Self; 2] = [Self::Club, Self::Expert];

    /// `club`, `expert`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Club => "club",
            Self::Expert => "expert",
        }
    }

    /// For club players a little more than the 5, 10 and 15 points of 100 that Lichess has, so
    /// that a mark holds in a longer search; the expected scores of experts fall faster
    /// (docs/experiments/explanations.md).
    pub const fn thresholds(self) -> Thresholds {
        match self {
            Self::Club => Thresholds { inaccuracy: 0.06, mistake: 0.14, blunder: 0.20 },
            Self::Expert => Thresholds { inaccuracy: 0.05, mistake: 0.10, blunder: 0.25 },
        }
    }

    /// The expected score of a line from 0 for a loss to 1 for a win, for the side that begins.
    pub fn expected(self, line: &SearchedLine) -> f64 {
        match self {
            Self::Expert => line.wdl.expected(),
            Self::Club if line.score.is_mate() => f64::from(u8::from(line.score > Score::ZERO)),
            Self::Club => {
                let cp = f64::from(line.score.cp());
                1.0 / (1.0 + (-CLUB_SLOPE * stockfish_centipawns(cp.abs()).copysign(cp)).exp())
            }
        }
    }

    /// The expected score that a move loses against the best one; never negative.
    pub fn loss(self, best: &SearchedLine, played: &SearchedLine) -> f64 {
        if best.moves.first() == played.moves.first() {
            return 0.0;
        }
        (self.expected(best) - self.expected(played)).max(0.0)
    }

    /// The fault of a move that loses `loss` of the expected score.
    pub fn fault(self, loss: f64) -> Option<Fault> {
        let Thresholds { inaccuracy, mistake, blunder } = self.thresholds();
        if loss >= blunder {
            Some(Fault::Blunder)
        } else if loss >= mistake {
            Some(Fault::Mistake)
        } else if loss >= inaccuracy {
            Some(Fault::Inaccuracy)
        } else {
            None
        }
    }
}

/// The loss in expected score from which a move is marked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    pub inaccuracy: f64,
    pub mistake: f64,
    pub blunder: f64,
}

impl Thresholds {
    /// The three losses in points of 100, without the error of binary fractions.
    pub fn points(&self) -> [f64; 3] {
        [self.inaccuracy, self.mistake, self.blunder].map(|loss| (1e8 * loss).round() / 1e6)
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

    pub fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}
