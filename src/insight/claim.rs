//! Claims: facts about lines that anyone can check on a board.

use serde::Serialize;

use crate::chess::{Color, DrawKind, Piece};
use crate::insight::attack::Attack;
use crate::insight::balance::{Balance, Capture, PromotedPawn};
use crate::insight::feature::NewFeature;
use crate::insight::motif::Motif;
use crate::insight::natural_capture::AnsweredCapture;
use crate::insight::perpetual::PerpetualCheck;
use crate::insight::threat::Defence;

/// A fact about a line of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// The line that it is about.
    pub line: LineName,
    /// Its place among the reasons, from 1; the details of a reason have the same.
    pub rank: u32,
    #[serde(flatten)]
    pub fact: Fact,
}

/// The lines of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LineName {
    /// From the position, with the best move.
    Best,
    /// From the position, with the move to explain.
    Played,
    /// From the position, with the second best move.
    Second,
    /// From the position after a pass.
    Threat,
}

/// What a claim says. Plies count from the first move of the line, from 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fact {
    /// The position has one legal move.
    Forced,
    /// The line ends with checkmate by a side, after this many of its moves in the line.
    Mates { by: Color, moves: usize },
    /// The game is drawn after the move of this ply.
    Draws { ply: usize, how: DrawKind },
    /// A side can give check for ever.
    PerpetualCheck(PerpetualCheck),
    /// What a side loses and gains with the first moves of the line, pairs of equal pieces left
    /// out. These points are at least two thirds of the later ones in the near part of the line,
    /// or among the captures at once, and stay or are the same at its end. With a piece that is
    /// `taken` by the first move they are those of the moves after that.
    Material { side: Color, plies: usize, balance: Balance, points: i32, taken: Option<Piece> },
    /// A piece is taken.
    Falls(Capture),
    /// A capture that seems to win back what falls is answered.
    Answered(AnsweredCapture),
    /// A motif of the side that makes its move.
    Motif(Motif),
    /// The move of this ply takes the last piece, so that only kings and pawns are left; not so
    /// in the best line.
    PawnEnding { ply: usize },
    /// A move puts a queen or rook in danger.
    Attacks(Attack),
    /// A pawn becomes a piece that is still there at the end of the line.
    Promotes(PromotedPawn),
    /// The side that does not move threatens the first move of the threat line, which wins
    /// material or mates.
    Threatens { plies: usize, balance: Balance, mates: bool },
    /// The first move of the line meets the threat.
    Meets { how: Defence },
    /// A side has a feature at the end of the line, which it has neither at the beginning nor at
    /// the end of the best line.
    Feature(NewFeature),
    /// Groups of terms that are worth more at the end of the best line than at the end of this
    /// line, for the side to move; the largest difference first.
    Terms { groups: Vec<GroupChange> },
}

/// The plies of a line on which claims about it rest, counted from its first one.
pub fn cited_plies(claims: &[Claim], line: LineName) -> usize {
    let of_line = claims.iter().filter(|claim| claim.line == line);
    of_line.map(|claim| claim.fact.plies()).max().unwrap_or(0)
}

impl Fact {
    /// The plies of the line that it rests on; 0 for what is about the whole line.
    fn plies(&self) -> usize {
        match *self {
            Self::Material { plies, .. } | Self::Threatens { plies, .. } => plies,
            // The line does not play it.
            Self::Answered(AnsweredCapture { ply, .. }) => ply,
            Self::Draws { ply, .. }
            | Self::PawnEnding { ply }
            | Self::Attacks(Attack { ply, .. })
            | Self::PerpetualCheck(PerpetualCheck { ply, .. })
            | Self::Falls(Capture { ply, .. })
            | Self::Motif(Motif { ply, .. })
            | Self::Promotes(PromotedPawn { ply, .. })
            | Self::Feature(NewFeature { ply, .. }) => ply + 1,
            Self::Forced | Self::Mates { .. } | Self::Meets { .. } | Self::Terms { .. } => 0,
        }
    }
}

/// By how much a group of terms is worth less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GroupChange {
    pub group: &'static str,
    /// Whose part of the group has changed more: the side to move has less, or the other side
    /// more.
    pub side: Color,
    /// Centipawns.
    pub change: i32,
}
