//! Endings in which an extra pawn often does not win.
//!
//! Most endings of one pawn and a piece on each side are drawn: the defending king gets in
//! front of the pawn, or the defending piece captures it. The squares of the kings decide.
//! The numbers were fitted to results of games and compared with endgame tables.

use crate::chess::{Bitboard, Color, Piece, Rank, Square, State};
use crate::eval::endgames::{distance, unattacked_corner};

/// A scale that leaves just enough to prefer the better of two draws.
const DRAWN: i32 = 2;

/// Two kings, a piece each and one pawn, as the pawn's side sees them when it
/// plays up the board. The enemy may have pawns too.
#[derive(Clone, Copy)]
struct OnePawnEnding {
    pawn: Square,
    /// The promotion square.
    goal: Square,
    king: Square,
    enemy_king: Square,
    enemy_piece: Square,
    /// 1 if the pawn's side is to move, otherwise 0.
    tempo: i32,
}

/// The scale of an ending of one pawn and a piece each, if it is a known one.
pub(super) fn factor(state: &State, strong: Color) -> Option<i32> {
    let unarmed = state.pieces(Piece::Pawn) | state.pieces(Piece::King);
    let piece = |side| state.color(side).without(unarmed);
    let pieces = [piece(strong), piece(!strong)];
    let pawns = state.colored(strong, Piece::Pawn);
    if [pawns, pieces[0], pieces[1]].iter().any(|set| set.len() != 1) {
        return None;
    }
    let ending = OnePawnEnding::new(state, strong, pieces[1].lowest());
    let counterplay = state.colored(!strong, Piece::Pawn).any();
    let piece = |set: Bitboard| state.piece_on(set.lowest());
    match (piece(pieces[0])?, piece(pieces[1])?) {
        (Piece::Rook, Piece::Rook) => {
            // The enemy's own pawns need not win to save the game.
            let scale = ending.rooks();
            Some(if counterplay { scale * 5 / 8 } else { scale })
        }
        // With pawns on both sides the bishop is the better piece.
        (Piece::Bishop, Piece::Knight) if counterplay => None,
        (Piece::Bishop, Piece::Bishop) => Some(ending.minor_pieces(DRAWN)),
        (Piece::Bishop, Piece::Knight) => Some(ending.minor_pieces(6)),
        (Piece::Knight, Piece::Bishop) => Some(ending.minor_pieces(8)),
        (Piece::Knight, Piece::Knight) => Some(ending.minor_pieces(12)),
        _ => None,
    }
}

impl OnePawnEnding {
    fn new(state: &State, strong: Color, enemy_piece: Square) -> Self {
        let pawn = strong.relative_square(state.colored(strong, Piece::Pawn).lowest());
        Self {
            pawn,
            goal: Square::at(pawn.file(), Rank::Eighth),
            king: strong.relative_square(state.king(strong)),
            enemy_king: strong.relative_square(state.king(!strong)),
            enemy_piece: strong.relative_square(enemy_piece),
            tempo: i32::from(state.side_to_move() == strong),
        }
    }

    /// Whether the enemy king is in front of the pawn's rank, `files` files away from it.
    fn is_opposed_from(&self, files: usize) -> bool {
        let apart = self.enemy_king.file().index().abs_diff(self.pawn.file().index());
        self.enemy_king.rank() > self.pawn.rank() && apart == files
    }

    /// A minor piece can be given up for the pawn, so that `free`, the scale without a
    /// king in front of the pawn, is small.
    fn minor_pieces(&self, free: i32) -> i32 {
        if self.is_opposed_from(0) || self.is_opposed_from(1) { DRAWN } else { free }
    }

    /// Compares the distances of the kings from the promotion square and the pawn. Next to
    /// a rook pawn the king has no shelter on one side.
    fn rooks(&self) -> i32 {
        if self.third_rank_defence() || self.checks_from_behind() {
            return DRAWN;
        }
        if self.is_opposed_from(0) {
            return 7;
        }
        if self.is_opposed_from(1) {
            return 18;
        }
        let lead =
            distance(self.enemy_king, self.goal) - distance(self.king, self.goal) + self.tempo;
        let rook_pawn = i32::from(self.pawn.file().edge_distance() == 0);
        (54 + 5 * lead - 7 * distance(self.king, self.pawn).min(4) - 30 * rook_pawn).clamp(6, 56)
    }

    /// The Philidor position: the king near the promotion square, the rook on its third
    /// rank, where it keeps the other king out until the pawn advances there.
    fn third_rank_defence(&self) -> bool {
        self.enemy_piece.rank() == Rank::Sixth
            && self.pawn.rank() <= Rank::Fifth
            && self.king.rank() <= Rank::Fifth
            && self.enemy_king.distance(self.goal) <= 1
    }

    /// Its second part: with the pawn on the sixth rank the rook checks from behind, and the
    /// king has no shelter.
    fn checks_from_behind(&self) -> bool {
        self.enemy_piece.rank() == Rank::First
            && self.pawn.rank() == Rank::Sixth
            && self.king.rank().index() as i32 + self.tempo <= Rank::Sixth.index() as i32
            && self.enemy_king.distance(self.goal) <= 1
    }
}

/// Only pawns on one rook file and bishops that do not attack the promotion corner: drawn if
/// the king is there, and nearly always if it arrives before the pawn and the other king
/// (Chess Programming Wiki, "Wrong Color Bishop and Rook Pawn").
#[inline]
pub(super) fn wrong_rook_pawn(state: &State, strong: Color) -> Option<i32> {
    let corner = unattacked_corner(state, strong)?;
    let foremost = state.colored(strong, Piece::Pawn).most_advanced(strong);
    let way = distance(state.king(!strong), corner);
    if way <= 1 {
        return Some(0);
    }
    let late = i32::from(state.side_to_move() == strong);
    let in_time = way + late <= distance(foremost, corner);
    let first = way + late < distance(state.king(strong), corner);
    (in_time && first).then_some(DRAWN)
}

#[cfg(test)]
mod tests {
    use super::{DRAWN, factor, wrong_rook_pawn};
    use crate::chess::{Color, Position};

    /// The scale of White's pawn.
    fn scale(fen: &str) -> Option<i32> {
        factor(&Position::from_fen(fen).unwrap(), Color::White)
    }

    #[test]
    fn rook_endings_by_name() {
        for (name, fen, drawn) in [
            ("third rank", "4k3/R7/1r6/3KP3/8/8/8/8 w - - 0 1", true),
            ("third rank lost", "4k3/R7/3K4/4P3/8/8/8/1r6 w - - 0 1", false),
            ("from behind", "4k3/R7/3KP3/8/8/8/8/1r6 b - - 0 1", true),
            ("White moves first", "4k3/R7/3KP3/8/8/8/8/1r6 w - - 0 1", false),
            ("not from behind", "4k3/R7/3KP3/8/2r5/8/8/8 b - - 0 1", false),
        ] {
            assert_eq!(scale(fen) == Some(DRAWN), drawn, "{name}");
        }
        let lucena = scale("3K4/3P2k1/8/8/8/8/2r5/5R2 w - - 0 1").unwrap();
        let king_in_front = scale("3k4/3P4/8/3K4/8/8/2r5/5R2 w - - 0 1").unwrap();
        let rook_pawn = scale("K7/P5k1/8/8/8/8/1r6/5R2 w - - 0 1").unwrap();
        assert!(king_in_front < rook_pawn && rook_pawn < lucena);
    }

    #[test]
    fn colours_are_alike() {
        let [white, black] = [
            ("8/5k2/8/8/2KP4/8/r7/4R3 w - - 0 1", Color::White),
            ("4r3/R7/8/2kp4/8/8/5K2/8 b - - 0 1", Color::Black),
        ]
        .map(|(fen, strong)| factor(&Position::from_fen(fen).unwrap(), strong));
        assert!(white.is_some());
        assert_eq!(white, black);
    }

    #[test]
    fn a_king_in_front_of_the_pawn_holds_with_a_minor_piece() {
        let free = scale("8/8/8/4P3/4K3/2N5/1n4k1/8 w - - 0 1").unwrap();
        let opposed = scale("8/4k3/8/4P3/4K3/2N5/1n6/8 w - - 0 1").unwrap();
        assert!(opposed < free);
    }

    #[test]
    fn other_material_is_not_known() {
        assert_eq!(scale("4k3/R7/1r6/3KP3/8/8/8/7N w - - 0 1"), None);
        assert_eq!(scale("4k3/R7/1r6/3KP3/3P4/8/8/8 w - - 0 1"), None);
        assert_eq!(scale("4k3/R7/8/3KP3/8/8/8/8 w - - 0 1"), None);
        assert_eq!(scale("4k3/R7/1n6/3KP3/8/8/8/8 w - - 0 1"), None);
    }

    #[test]
    fn the_corner_and_the_bishop_that_does_not_reach_it() {
        let wrong = |fen: &str| wrong_rook_pawn(&Position::from_fen(fen).unwrap(), Color::White);
        assert_eq!(wrong("k7/8/1K6/8/P7/4B3/8/8 w - - 0 1"), Some(0));
        assert_eq!(wrong("8/1k6/8/8/P7/P3B3/8/6K1 w - - 0 1"), Some(0));
        assert_eq!(wrong("8/8/3k4/8/P7/4B3/8/6K1 b - - 0 1"), Some(DRAWN));
        for fen in [
            "k7/8/1K6/8/P7/3B4/8/8 w - - 0 1",
            "k7/8/1K6/8/7P/4B3/8/8 w - - 0 1",
            "k7/8/1K6/8/P7/4B3/7N/8 w - - 0 1",
            "k7/8/1K6/8/P7/1P2B3/8/8 w - - 0 1",
            "8/8/P2k4/8/8/4B3/8/6K1 w - - 0 1",
            "8/8/1K1k4/8/P7/4B3/8/8 w - - 0 1",
        ] {
            assert_eq!(wrong(fen), None, "{fen}");
        }
    }
}
