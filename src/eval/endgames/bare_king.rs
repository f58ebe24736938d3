//! Any pieces against a bare king.
//!
//! The ending is drawn, or won with a score that rises with each step towards the mate
//! (Chess Programming Wiki, "Mop-up Evaluation").

use crate::chess::{Bitboard, Color, Piece, Rank, Square, State, attacks};
use crate::eval::endgames::{
    KnownEndgame, distance, edge_distance, inwards, pawns_corner, unattacked_corner,
};
use crate::eval::score::Score;
use crate::eval::tapered::STEPS;
use crate::eval::weights::WEIGHTS;
use crate::tablebase::egtb::pawn_wins;

/// A win without promotion: above any ordinary advantage and above a pawn that will queen,
/// below any mate.
const WIN: i32 = Score::KNOWN_WIN.cp() + 1_000;

/// Material counts up to this: nine queens are worth less than the win of an endgame table.
const MAX_MATERIAL: i32 = 8_000;

/// The ending of `strong` against a bare king.
pub(super) fn recognise(state: &State, strong: Color) -> Option<KnownEndgame> {
    let own = |piece| state.colored(strong, piece);
    let knights = own(Piece::Knight);
    let bishops = own(Piece::Bishop);
    let heavy = own(Piece::Rook) | own(Piece::Queen);
    let pair =
        bishops.intersects(Bitboard::LIGHT_SQUARES) && bishops.intersects(Bitboard::DARK_SQUARES);

    let mates = [
        (heavy.any(), "mate with heavy pieces"),
        (pair, "mate with bishops of both colours"),
        (knights.len() > 2, "mate with three knights"),
    ];
    if let Some((_, name)) = mates.into_iter().find(|(can_mate, _)| *can_mate) {
        return Some(KnownEndgame::better(name, strong, mop_up(state, strong)));
    }
    if bishops.any() && knights.any() {
        let score = bishop_and_knight(state, strong);
        return Some(KnownEndgame::better("mate with bishop and knight", strong, score));
    }
    if own(Piece::Pawn).any() {
        return with_pawns(state, strong);
    }
    Some(KnownEndgame::draw(match (bishops.is_empty(), knights.len()) {
        (true, 0) => "bare kings",
        (true, 1) => "a lone knight",
        (true, _) => "two knights",
        (false, _) => "bishops of one colour",
    }))
}

/// Pawns, perhaps with minor pieces that cannot mate. A pawn that would win alone also
/// wins with other pieces that do not block it; otherwise only a lone pawn, or rook
/// pawns of one file with the king in front, alone or with bishops that do not attack the
/// corner, have a certain result.
fn with_pawns(state: &State, strong: Color) -> Option<KnownEndgame> {
    let pawns = state.colored(strong, Piece::Pawn);
    let alone = state.color(strong).len() == 1 + pawns.len();
    let winners = pawns.iter().filter(|&pawn| {
        let way = pawn.bitboard().forward_fill(strong);
        !way.intersects(state.color(strong).without(state.pieces(Piece::King)))
            && pawn_wins(state, strong, pawn)
    });
    if let Some(score) = winners.map(|pawn| queening(state, strong, pawn)).max() {
        let name = if pawns.more_than_one() || !alone {
            "a pawn wins against the bare king"
        } else {
            "king and pawn against king, won"
        };
        return Some(KnownEndgame::better(name, strong, score));
    }
    if alone && !pawns.more_than_one() {
        return Some(KnownEndgame::draw("king and pawn against king, drawn"));
    }
    if is_tied_knight(state, strong) {
        return Some(KnownEndgame::draw("a knight tied to its rook pawn, the king in front"));
    }
    // The king is in or next to the corner, and need not leave it.
    let corner = unattacked_corner(state, strong)?;
    let name = if alone {
        "rook pawns, the king in front"
    } else {
        "rook pawns and a bishop that does not attack the corner"
    };
    (state.king(!strong).distance(corner) <= 1).then_some(KnownEndgame::draw(name))
}

/// A knight must guard its rook pawn on the seventh rank against a king next to the corner,
/// which need not leave: drawn, if no promotion or mate comes next.
fn is_tied_knight(state: &State, strong: Color) -> bool {
    let pawns = state.colored(strong, Piece::Pawn);
    let knights = state.colored(strong, Piece::Knight);
    let Some(corner) = pawns_corner(pawns, strong) else { return false };
    let near = |side, steps| state.king(side).distance(corner) <= steps;
    let threat = attacks::knight(corner).intersects(knights) || near(strong, 2);
    state.color(strong).len() == 3
        && knights.any()
        && pawns.is_subset(strong.relative_ranks([Rank::Seventh]))
        && near(!strong, 1)
        && !state.in_check()
        && !(threat && state.side_to_move() == strong)
}

/// The score of a pawn that will queen; it rises with each step of the pawn, and as the
/// king approaches the square in front of it.
fn queening(state: &State, strong: Color, pawn: Square) -> i32 {
    let escort = distance(state.king(strong), pawn.forward(strong));
    let others = material(state, strong) - value(Piece::Pawn);
    Score::KNOWN_WIN.cp() + 300 + others + 40 * advance_of(pawn, strong) - 5 * escort
}

/// The score of a won ending: rises as the losing king nears a corner, and as the winner's
/// king and knights approach it.
fn mop_up(state: &State, strong: Color) -> i32 {
    let loser = state.king(!strong);
    let kings = distance(state.king(strong), loser);
    WIN + material(state, strong)
        - 60 * edge_distance(loser)
        - 40 * kings
        - 10 * knights_away(state, strong)
}

/// The same with bishop and knight, which mate only in a corner of the bishop's colour. The
/// king is driven there along the edge, so the corner counts more than the distances.
fn bishop_and_knight(state: &State, strong: Color) -> i32 {
    let loser = state.king(!strong);
    let bishops = state.colored(strong, Piece::Bishop);
    let [file, rank] = inwards(loser);
    let corner = corner_distance(loser, bishops.intersects(Bitboard::LIGHT_SQUARES));
    let kings = distance(state.king(strong), loser);
    WIN + material(state, strong)
        - 120 * corner
        - 80 * file.min(rank)
        - 40 * kings
        - 10 * knights_away(state, strong)
}

/// The sum of the king moves between the knights of a side and the enemy king.
fn knights_away(state: &State, side: Color) -> i32 {
    let loser = state.king(!side);
    state.colored(side, Piece::Knight).iter().map(|knight| distance(knight, loser)).sum()
}

/// The material of a side, up to a bound; advanced pawns count more.
fn material(state: &State, side: Color) -> i32 {
    let pieces: i32 = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
        .into_iter()
        .map(|piece| value(piece) * state.colored(side, piece).len() as i32)
        .sum();
    let advance: i32 =
        state.colored(side, Piece::Pawn).iter().map(|pawn| 20 * advance_of(pawn, side)).sum();
    (pieces + advance).min(MAX_MATERIAL)
}

/// Steps that a pawn has made, from 0 on the second rank; the double step counts
/// for two.
fn advance_of(pawn: Square, side: Color) -> i32 {
    side.relative_rank(pawn.rank()).index() as i32 - 1
}

fn value(piece: Piece) -> i32 {
    WEIGHTS.material[piece.index()].endgame_steps() / STEPS
}

/// Diagonals between a king and the nearer corner of the bishop's colour: 0 in the corner, 7
/// on the diagonal between the other two corners.
fn corner_distance(king: Square, light: bool) -> i32 {
    let [file, rank] = [king.file().index(), king.rank().index()].map(|i| i as i32);
    // a1 and h8 are dark.
    if light { 7 - (rank - file).abs() } else { 7 - (7 - rank - file).abs() }
}

#[cfg(test)]
mod tests {
    use super::corner_distance;
    use crate::chess::{Color, Position, Square};
    use crate::eval::endgames::{KnownEndgame, recognise};
    use crate::eval::score::Score;

    fn known(fen: &str) -> Option<Score> {
        recognise(&Position::from_fen(fen).unwrap()).map(|known| known.score)
    }

    #[test]
    fn drawn_material() {
        for pieces in ["", "N", "B", "NN", "n", "b", "nn", "Nn", "Bb", "Bn"] {
            let row: String = format!("{pieces}{}", 8 - pieces.len());
            for side in ["w", "b"] {
                let fen = format!("k7/8/8/{row}/8/8/8/K7 {side} - - 0 1");
                assert_eq!(known(&fen), Some(Score::DRAW), "{pieces}");
            }
        }
    }

    #[test]
    fn won_material() {
        for (pieces, winner, with) in [
            ("Q", Color::White, "heavy pieces"),
            ("RBB", Color::White, "heavy pieces"),
            ("BB", Color::White, "bishops of both colours"),
            ("nnn", Color::Black, "three knights"),
            ("bn", Color::Black, "bishop and knight"),
        ] {
            let row: String = format!("3{pieces}{}", 5 - pieces.len());
            let position = Position::from_fen(&format!("5k2/8/8/{row}/8/8/8/K7 w - - 0 1"));
            let KnownEndgame { name, score } = recognise(&position.unwrap()).unwrap();
            assert!(score * winner.sign() > Score::KNOWN_WIN && !score.is_mate(), "{pieces}");
            assert_eq!(name, format!("mate with {with}"));
        }
        let nine_queens = known("QQQQQQQ1/Q7/Q7/8/8/8/8/K6k b - - 0 1").unwrap();
        assert!((Score::KNOWN_WIN..Score::TABLE_WIN).contains(&nine_queens.abs()));
    }

    #[test]
    fn each_step_from_pawn_to_mate_scores_more() {
        let way = [
            "8/8/8/8/4K3/8/4k1P1/8 w - - 0 1",
            "8/8/8/8/4K1P1/8/4k3/8 w - - 0 1",
            "8/6P1/8/8/4K3/8/4k3/8 w - - 0 1",
            "6R1/8/8/8/4K3/8/4k3/8 w - - 0 1",
            "6Q1/8/8/8/4K3/8/4k3/8 w - - 0 1",
            "6Q1/8/8/8/8/4K3/8/4k3 w - - 0 1",
        ];
        assert!(way.map(known).is_sorted_by(|less, more| less < more));
    }

    #[test]
    fn pawns_that_cannot_win() {
        assert_eq!(known("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"), Some(Score::DRAW));
        assert_eq!(known("k7/8/P7/P7/8/8/8/K7 w - - 0 1"), Some(Score::DRAW));
        assert_eq!(known("k7/8/P7/P7/8/4B3/8/K7 w - - 0 1"), Some(Score::DRAW));
        assert_eq!(known("k7/8/P7/P7/8/3B4/8/K7 w - - 0 1"), None);
        assert_eq!(known("k7/8/P7/P7/8/4N3/8/K7 w - - 0 1"), None);
        assert_eq!(known("8/2k5/P7/P7/8/4B3/8/K7 w - - 0 1"), None);
        assert_eq!(known("8/Pk6/8/1N6/8/3K4/8/8 w - - 0 1"), Some(Score::DRAW));
        assert_eq!(known("8/Pk6/1N6/8/8/3K4/8/8 w - - 0 1"), None);
        assert_eq!(known("8/1k6/P7/2N5/8/3K4/8/8 b - - 0 1"), None);
        assert_eq!(known("8/8/2k5/8/PP6/8/8/K7 w - - 0 1"), None);
    }

    #[test]
    fn both_flanks_are_alike() {
        let [left, right] =
            ["8/8/1P5P/8/8/K7/8/3k4 b - - 0 1", "8/8/P5P1/8/8/7K/8/4k3 b - - 0 1"].map(known);
        assert!(left.is_some());
        assert_eq!(left, right);
    }

    #[test]
    fn material_that_mates_does_not_need_the_pawn() {
        for fen in ["k7/8/P7/8/8/3BB3/8/K7 w - - 0 1", "k7/8/P7/8/8/4BN2/8/K7 w - - 0 1"] {
            assert!(known(fen).unwrap() > Score::KNOWN_WIN);
        }
    }

    #[test]
    fn the_bishop_decides_the_corner() {
        let distance = |name: &str, light| corner_distance(name.parse::<Square>().unwrap(), light);
        assert_eq!(distance("a1", false), 0);
        assert_eq!(distance("h8", false), 0);
        assert_eq!(distance("a8", true), 0);
        assert_eq!(distance("a8", false), 7);
        assert!(distance("h1", false) > distance("e1", false));
    }
}
