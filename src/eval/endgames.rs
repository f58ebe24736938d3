//! Endings whose outcome the material alone decides.
//!
//! Here the ordinary terms would mislead: two knights look like a large
//! advantage and cannot win; a queen against a bare king wins anywhere, but only
//! if every step of driving the king back looks like progress.

use crate::chess::{Bitboard, Color, Piece, Square, State};
use crate::eval::score::Score;
use crate::eval::weights::WEIGHTS;

/// An ending that is known: its name and its score from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) score: Score,
}

/// Far above any ordinary advantage, below any mate.
const WIN: i32 = Score::KNOWN_WIN.cp() + 1_000;

/// Recognises a known ending.
#[inline]
pub(super) fn recognise(state: &State) -> Option<Known> {
    let bare = Color::ALL.into_iter().find(|&side| !state.color(side).many());
    match bare {
        Some(weak) => against_bare_king(state, !weak),
        None if state.occupied().len() == 4 && minor_each(state) => {
            Some(Known { name: "a minor piece each", score: Score::DRAW })
        }
        None => None,
    }
}

fn minor_each(state: &State) -> bool {
    let minors = state.pieces(Piece::Knight) | state.pieces(Piece::Bishop);
    Color::ALL.into_iter().all(|side| minors.intersects(state.color(side)))
}

fn against_bare_king(state: &State, strong: Color) -> Option<Known> {
    let draw = |name| Some(Known { name, score: Score::DRAW });
    let own = |piece| state.colored(strong, piece);
    let knights = own(Piece::Knight);
    let bishops = own(Piece::Bishop);
    let heavy = own(Piece::Rook) | own(Piece::Queen);
    let pawns = own(Piece::Pawn);
    let pair =
        bishops.intersects(Bitboard::LIGHT_SQUARES) && bishops.intersects(Bitboard::DARK_SQUARES);

    if heavy.is_empty() && pawns.any() {
        // Whether the pawns queen is what the ordinary terms know about.
        return None;
    }
    if heavy.any() || pair || knights.len() > 2 {
        return Some(mop_up("mate with heavy pieces", state, strong, edge_distance));
    }
    if bishops.any() && knights.any() {
        let light = bishops.intersects(Bitboard::LIGHT_SQUARES);
        let corner = move |king| corner_distance(king, light);
        return Some(mop_up("mate with bishop and knight", state, strong, corner));
    }
    match (bishops.is_empty(), knights.len()) {
        (true, 0) => draw("bare kings"),
        (true, 1) => draw("a lone knight"),
        (true, _) => draw("two knights"),
        (false, _) => draw("bishops of one colour"),
    }
}

/// The score of a won ending: the material, the losing king driven to where
/// `distance` is 0, and the winner's men brought near.
fn mop_up(
    name: &'static str,
    state: &State,
    strong: Color,
    distance: impl Fn(Square) -> i32,
) -> Known {
    let loser = state.king(!strong);
    let material: i32 = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
        .into_iter()
        .map(|piece| {
            let value = WEIGHTS.material[piece.index()].endgame();
            value * state.colored(strong, piece).len() as i32
        })
        .sum();
    let knights: i32 =
        state.colored(strong, Piece::Knight).map(|knight| i32::from(knight.distance(loser))).sum();
    let kings = i32::from(state.king(strong).distance(loser));
    let score = WIN + material - 60 * distance(loser) - 40 * kings - 10 * knights;
    Known { name, score: (Score::new(score) * strong.sign()).clamp_eval() }
}

/// Steps from the nearest corner, the nearer edge counted twice: a king on the
/// edge can be mated, a king in the corner sooner.
fn edge_distance(king: Square) -> i32 {
    let [file, rank] = [king.file().index(), king.rank().index()].map(|i| i.min(7 - i) as i32);
    file + rank + file.min(rank)
}

/// Steps to the nearer corner of the colour on which the bishop helps to mate,
/// counted along the diagonals' grain so that every step of the long march along
/// the edge is progress.
fn corner_distance(king: Square, light: bool) -> i32 {
    let file = king.file().index() as i32;
    let rank = king.rank().index() as i32;
    // a1 and h8 are dark: the distance from the diagonal between the other two.
    let along = if light { 7 - (rank - file).abs() } else { 7 - (7 - rank - file).abs() };
    2 * along + edge_distance(king) / 3
}

#[cfg(test)]
mod tests {
    use super::{corner_distance, recognise};
    use crate::chess::{Color, Position, Square};
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
        for (pieces, winner) in
            [("Q", Color::White), ("R", Color::White), ("BB", Color::White), ("bn", Color::Black)]
        {
            let row: String = format!("3{pieces}{}", 5 - pieces.len());
            let score = known(&format!("5k2/8/8/{row}/8/8/8/K7 w - - 0 1")).unwrap();
            assert!(score.cp() * winner.sign() > 5_000 && !score.is_mate(), "{pieces}");
        }
        assert_eq!(known("7k/8/8/8/3P4/8/8/K7 w - - 0 1"), None);
    }

    #[test]
    fn the_bishop_decides_the_corner() {
        let distance = |name: &str, light| corner_distance(name.parse::<Square>().unwrap(), light);
        assert_eq!(distance("a1", false), 0);
        assert_eq!(distance("h8", false), 0);
        assert_eq!(distance("a8", true), 0);
        assert!(distance("a8", false) > distance("a4", false));
        assert!(distance("h1", false) > distance("e1", false));
    }
}
