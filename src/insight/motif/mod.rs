//! Tactical motifs: patterns by which a line wins.
//!
//! A motif is a fact about the positions of a [`Line`], so that anyone can check it on a
//! board, and the line collects what it promises: material or mate. The definitions follow
//! the names that players use; `docs/experiments/motifs.md` counts how often they agree with
//! the themes of labelled puzzles.

mod lines;
mod material;
mod mates;

use serde::Serialize;

use crate::chess::Square;
use crate::insight::line::Line;

/// The kinds of motif.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MotifKind {
    Fork,
    Pin,
    Skewer,
    DiscoveredAttack,
    DiscoveredCheck,
    DoubleCheck,
    TrappedPiece,
    Deflection,
    Attraction,
    XRay,
    BackRankMate,
    SmotheredMate,
    Promotion,
}

/// A motif in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Motif {
    /// The ply of the attacker's move that shows the motif, from 0.
    pub ply: usize,
    #[serde(rename = "motif")]
    pub kind: MotifKind,
    /// The square of the attacking piece after that move.
    pub by: Square,
    /// The squares of the pieces that it is about.
    pub targets: Vec<Square>,
}

impl Motif {
    /// The ply of the move with which it begins: a deflection draws the defender away before it
    /// profits.
    pub fn begin(&self) -> usize {
        if self.kind == MotifKind::Deflection { self.ply - 2 } else { self.ply }
    }

    /// Whether a sentence about it names the move of a ply.
    pub fn names(&self, ply: usize) -> bool {
        [self.begin(), self.ply].contains(&ply)
    }

    /// Whether a piece on this square attacks, or is a target.
    pub fn is_about(&self, square: Square) -> bool {
        self.by == square || self.targets.contains(&square)
    }
}

/// How a motif is found at a ply of the attacker: its piece and the targets.
type Finder = fn(&Line, usize) -> Option<(Square, Vec<Square>)>;

/// All kinds.
const FINDERS: [(MotifKind, Finder); 13] = [
    (MotifKind::Fork, material::fork),
    (MotifKind::Pin, lines::pin),
    (MotifKind::Skewer, lines::skewer),
    (MotifKind::DiscoveredAttack, lines::discovered_attack),
    (MotifKind::DiscoveredCheck, lines::discovered_check),
    (MotifKind::DoubleCheck, lines::double_check),
    (MotifKind::TrappedPiece, material::trapped_piece),
    (MotifKind::Deflection, material::deflection),
    (MotifKind::Attraction, material::attraction),
    (MotifKind::XRay, lines::x_ray),
    (MotifKind::BackRankMate, mates::back_rank),
    (MotifKind::SmotheredMate, mates::smothered),
    (MotifKind::Promotion, find_promotion),
];

/// All motifs of the attacker in a line, in the order of the moves; each kind once, where it
/// comes first.
pub fn motifs(line: &Line) -> Vec<Motif> {
    let mut motifs: Vec<Motif> = FINDERS
        .iter()
        .filter_map(|&(kind, find)| {
            line.attacker_plies().find_map(|ply| {
                let (by, targets) = find(line, ply)?;
                Some(Motif { ply, kind, by, targets })
            })
        })
        .collect();
    motifs.sort_by_key(|motif| motif.ply);
    motifs
}

/// A pawn becomes a piece.
fn find_promotion(line: &Line, ply: usize) -> Option<(Square, Vec<Square>)> {
    let m = line.moves()[ply];
    m.is_promotion().then(|| (m.to(), Vec::new()))
}

#[cfg(test)]
mod tests;
