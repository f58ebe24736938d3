//! Features in English.

use crate::chess::Square;
use crate::insight::feature::{FeatureKind, NewFeature};
use crate::insight::line::Line;
use crate::insight::words::{list, numbered_move, piece_on};

/// Features one after the other; a move that brings about several of them is named once.
pub(super) fn clauses<'a>(line: &Line, features: impl Iterator<Item = &'a NewFeature>) -> String {
    let (mut clauses, mut named) = (Vec::new(), None);
    for feature in features {
        let text = clause(line, feature);
        let opening = format!("after {} ", numbered_move(line, feature.ply));
        let rest = text.strip_prefix(&opening);
        clauses.push(rest.filter(|_| named == Some(feature.ply)).unwrap_or(&text).to_owned());
        named = rest.map(|_| feature.ply);
    }
    clauses.join("; ")
}

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
            format!("after {m} the king on {places} has at most one pawn before it against a queen")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color;
    use crate::insight::line::tests::line;

    #[test]
    fn a_move_that_brings_about_two_features_is_named_once() {
        let line = line("4k3/8/8/8/8/2p5/1P2P3/4K3 w - - 0 1", &["bxc3", "Ke7", "e4"]);
        let feature = |ply, kind, square: &str| {
            let squares = vec![square.parse().unwrap()];
            NewFeature { ply, side: Color::White, kind, squares }
        };
        let features = [
            feature(0, FeatureKind::IsolatedPawns, "c3"),
            feature(0, FeatureKind::PassedPawns, "c3"),
            feature(2, FeatureKind::PassedPawns, "e4"),
        ];
        assert_eq!(
            clauses(&line, features.iter()),
            "after 1.bxc3 White's pawn on c3 is isolated; White's pawn on c3 is passed; \
             after 2.e4 White's pawn on e4 is passed"
        );
    }
}
