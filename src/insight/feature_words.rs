//! Features in English.

use crate::chess::Square;
use crate::insight::feature::{FeatureKind, NewFeature};
use crate::insight::line::Line;
use crate::insight::words::{list, numbered_move, piece_on};

/// A feature of the end of a line: `after 9.cxd3 White's pawns on d3 and d4 are doubled`.
pub(super) fn clause(line: &Line, feature: &NewFeature) -> String {
    let NewFeature { ply, side, kind, ref squares } = *feature;
    let (m, owner) = (numbered_move(line, ply), side.name());
    let places = list(&squares.iter().map(Square::to_string).collect::<Vec<_>>());
    let (s, is, has) = if squares.len() == 1 { ("", "is", "has") } else { ("s", "are", "have") };
    let pawns = |what: &str| format!("after {m} {owner}'s pawn{s} on {places} {is} {what}");
    match kind {
        FeatureKind::DoubledPawns => pawns("doubled"),
        FeatureKind::IsolatedPawns => pawns("isolated"),
        FeatureKind::BackwardPawns => pawns("backward"),
        FeatureKind::PassedPawns => pawns("passed"),
        FeatureKind::LostCastling => format!("after {m} {owner} can no longer castle"),
        FeatureKind::BareKing => {
            format!("after {m} the king on {places} has at most one pawn before it")
        }
        FeatureKind::Undeveloped => {
            let name = |&square: &Square| format!("{} on {square}", piece_on(line.end(), square));
            let pieces = list(&squares.iter().map(name).collect::<Vec<_>>());
            let stand = if squares.len() == 1 { "stands" } else { "stand" };
            format!("{pieces} still {stand} at home at the end of the line")
        }
        FeatureKind::BishopPair => format!("after {m} {owner} has the pair of bishops"),
        FeatureKind::OpenFile => {
            format!("after {m} {owner}'s rook{s} on {places} {has} an open file")
        }
        FeatureKind::Outpost => {
            format!("after {m} no pawn can drive {owner}'s knight{s} on {places} away")
        }
    }
}
