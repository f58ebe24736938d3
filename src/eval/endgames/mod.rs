//! Special evaluations of known endgames (as in `endgame.cpp` of Stockfish 16).
//!
//! With few pieces the ordinary terms mislead: two knights look like a large advantage and
//! cannot win; a queen wins against a bare king, but only if each step towards the mate
//! scores more. Such endgames are recognised by their material:
//!
//! | module | the pieces |
//! |---|---|
//! | [`bare_king`] | anything against a king alone; a lone pawn by its endgame table |
//! | [`piece_vs_piece`] | a piece against a piece; two knights against a pawn |
//!
//! An ending that is drawn or won scores as a draw or beyond
//! [`Score::KNOWN_WIN`](crate::eval::Score::KNOWN_WIN). That a piece is lost at once, as by
//! a king that forks bishop and knight, and the fifty-move rule are left to the search. A
//! likely result scores well below, near the ordinary evaluation, so that no side gives up
//! a pawn for it.

mod bare_king;
mod piece_vs_piece;

use crate::chess::{Bitboard, Color, File, Piece, Rank, Square, State};
use crate::eval::score::Score;

/// Recognises a known endgame.
#[inline]
pub(super) fn recognise(state: &State) -> Option<KnownEndgame> {
    let bare = Color::ALL.into_iter().find(|&side| !state.color(side).more_than_one());
    match bare {
        Some(weak) => bare_king::recognise(state, !weak),
        None if state.occupied().len() <= 5 => piece_vs_piece::recognise(state),
        None => None,
    }
}

/// The distance of a king from the edges, the nearer one counted twice: 0 in a corner, up to
/// 9 in the centre.
pub(super) fn edge_distance(king: Square) -> i32 {
    let [file, rank] = inwards(king);
    file + rank + file.min(rank)
}

/// Steps from the nearer edge, along the rank and along the file.
pub(super) fn inwards(king: Square) -> [i32; 2] {
    [king.file().edge_distance(), king.rank().edge_distance()].map(|steps| steps as i32)
}

/// The promotion square of pawns that are all on one rook file.
fn pawns_corner(pawns: Bitboard, strong: Color) -> Option<Square> {
    let file = [File::A, File::H].into_iter().find(|file| pawns.is_subset(file.bitboard()))?;
    Some(Square::at(file, strong.relative_rank(Rank::Eighth)))
}

/// The promotion square of pawns that are all on one rook file, if no other piece of their
/// side but the king can attack it: there are none, or only bishops of the other colour of
/// squares.
#[inline]
pub(in crate::eval) fn unattacked_corner(state: &State, strong: Color) -> Option<Square> {
    let pawns = state.colored(strong, Piece::Pawn);
    let bishops = state.colored(strong, Piece::Bishop);
    let corner = pawns_corner(pawns, strong)?;
    let helpers = state.color(strong).without(pawns | state.colored(strong, Piece::King));
    let attacks_it = bishops.intersects(Bitboard::same_colour_squares(corner));
    (helpers == bishops && !attacks_it).then_some(corner)
}

/// King moves between two squares.
pub(in crate::eval) fn distance(from: Square, to: Square) -> i32 {
    i32::from(from.distance(to))
}

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
