//! Features in English.

use crate::chess::Square;
use crate::insight::feature::{FeatureKind, NewFeature};
use crate::insight::line::Line;
use crate::insight::words::{list, numbered_move, piece_on};

/// Features of the end of a line one after the other, each with the move that brings it about, if
/// that is another than of the one before: `after 9.cxd3 White's pawns on d3 and d4 are doubled`.
pub(super) fn clauses<'a>(line: &Line, features: impl Iterator<Item = &'a NewFeature>) -> String {
    let (mut clauses, mut named) = (Vec::new(), None);
    for feature in features {
        // What stands at home has stood there before.
        let ply = (feature.kind != FeatureKind::Undeveloped).then_some(feature.ply);
        let opening = match ply.filter(|_| ply != named) {
            Some(ply) => format!("after {} ", numbered_move(line, ply)),
            None => String::new(),
        };
        clauses.push(opening + &clause(line, feature));
        named = ply;
    }
    clauses.join("; ")
}

/// A feature of the end of a line: `White's pawns on d3 and d4 are doubled`.
fn clause(line: &Line, feature: &NewFeature) -> String {
    let NewFeature { side, kind, ref squares, .. } = *feature;
    let owner = side.name();
    let places = list(&squares.iter().map(Square::to_string).collect::<Vec<_>>());
    let (s, is, has) = if squares.len() == 1 { ("", "is", "has") } else { ("s", "are", "have") };
    let pawns = |what: &str| format!("{owner}'s pawn{s} on {places} {is} {what}");
    match kind {
        FeatureKind::DoubledPawns => pawns("doubled"),
        FeatureKind::IsolatedPawns => pawns("isolated"),
        FeatureKind::BackwardPawns => pawns("backward"),
        FeatureKind::PassedPawns => pawns("passed"),
        FeatureKind::LostCastling => format!("{owner} can no longer castle"),
        FeatureKind::BareKing => {
            format!("the king on {places} has at most one pawn before it against a queen")
        }
        FeatureKind::Undeveloped => {
            let name = |&square: &Square| format!("{} on {square}", piece_on(line.end(), square));
            let pieces = list(&squares.iter().map(name).collect::<Vec<_>>());
            let stand = if squares.len() == 1 { "stands" } else { "stand" };
            format!("{pieces} still {stand} at home at the end of the line")
        }
        FeatureKind::BishopPair => format!("{owner} has the pair of bishops"),
        FeatureKind::OpenFile => format!("{owner}'s rook{s} on {places} {has} an open file"),
        FeatureKind::Outpost => format!("no pawn can drive {owner}'s knight{s} on {places} away"),
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
