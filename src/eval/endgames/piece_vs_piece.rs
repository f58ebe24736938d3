//! A piece against a piece, and two knights against a pawn.
//!
//! The rules follow `endgame.cpp` of Stockfish 16 and endgame theory; the scores follow from
//! how often each rule holds in quiet positions of the endgame tables.

use crate::chess::{Color, File, Piece, Rank, Square, State};
use crate::eval::endgames::{KnownEndgame, distance, edge_distance};

/// Two kings and a piece each, from the view of the stronger side: it plays up the board, an
/// enemy pawn down.
#[derive(Clone, Copy)]
struct PieceVsPiece {
    king: Square,
    piece: Square,
    enemy_king: Square,
    enemy_piece: Square,
    /// 1 if the stronger side is to move, otherwise 0.
    tempo: i32,
}

/// Recognises an ending of at most five pieces in which neither king is bare.
pub(super) fn recognise(state: &State) -> Option<KnownEndgame> {
    let kings = state.pieces(Piece::King);
    let others = Color::each(|side| state.color(side).without(kings));
    if others[0].len() != others[1].len() {
        return knights_against_pawn(state);
    }
    let pieces = Color::each(|side| state.piece_on(others[side.index()].lowest()));
    let strong = if pieces[0] >= pieces[1] { Color::White } else { Color::Black };
    let square = |side: Color| strong.relative_square(others[side.index()].lowest());
    let ending = PieceVsPiece {
        king: strong.relative_square(state.king(strong)),
        piece: square(strong),
        enemy_king: strong.relative_square(state.king(!strong)),
        enemy_piece: square(!strong),
        tempo: i32::from(state.side_to_move() == strong),
    };
    let (name, score) = match (pieces[strong.index()]?, pieces[(!strong).index()]?) {
        (Piece::Knight | Piece::Bishop, Piece::Knight | Piece::Bishop) => {
            return Some(KnownEndgame::draw("a minor piece each"));
        }
        (Piece::Queen, Piece::Rook) => ("queen against rook", ending.hunt(460)),
        (Piece::Queen, Piece::Bishop) => ("queen against bishop", ending.hunt(500)),
        (Piece::Queen, Piece::Knight) => ("queen against knight", ending.hunt(500)),
        (Piece::Queen, Piece::Pawn) => ("queen against pawn", ending.queen_against_pawn()),
        (Piece::Rook, Piece::Bishop) => ("rook against bishop", ending.rook_against_bishop()),
        (Piece::Rook, Piece::Knight) => ("rook against knight", ending.rook_against_knight()),
        (Piece::Rook, Piece::Pawn) => ("rook against pawn", ending.rook_against_pawn()),
        _ => return None,
    };
    Some(KnownEndgame::better(name, strong, score))
}

impl PieceVsPiece {
    /// A long win: the losing king is driven to the edge with the help of the other king.
    fn hunt(&self, base: i32) -> i32 {
        base - 8 * edge_distance(self.enemy_king) - 6 * distance(self.king, self.enemy_king)
    }

    /// Won, unless a rook or bishop pawn is on its seventh rank with its king beside it,
    /// which may be stalemated in the corner. Then the king must be within four steps of a
    /// rook pawn (beyond, 64 % are drawn) or two of a bishop pawn (75 %).
    fn queen_against_pawn(&self) -> i32 {
        let pawn = self.enemy_piece;
        let way = distance(self.king, pawn);
        let near = match pawn.file() {
            File::A | File::H => 4,
            File::C | File::F => 2,
            _ => 7,
        };
        let beside = distance(self.enemy_king, pawn) == 1;
        if pawn.rank() == Rank::Second && beside && way - self.tempo > near {
            return 90 - 8 * way;
        }
        450 - 6 * way + 5 * pawn.rank().index() as i32
    }

    /// Drawn, but easier to lose on the edge.
    fn rook_against_bishop(&self) -> i32 {
        45 - 4 * edge_distance(self.enemy_king)
    }

    /// Drawn while king and knight stay together; the edge is bad for the king.
    fn rook_against_knight(&self) -> i32 {
        let apart = distance(self.enemy_king, self.enemy_piece);
        30 - 4 * edge_distance(self.enemy_king) + 10 * apart
    }

    /// Won with the king in front of the pawn (100 %), or if the other king is too far away
    /// from it (99 %). Otherwise both kings race to the square in front of the pawn.
    fn rook_against_pawn(&self) -> i32 {
        // From a race lost by three steps to one won by three; the wins are 6, 18, 31, 55,
        // 79, 92 and 97 %.
        const RACE: [i32; 7] = [12, 40, 75, 140, 240, 320, 370];
        let pawn = self.enemy_piece;
        let in_front = self.king.file() == pawn.file() && self.king < pawn;
        let too_far = distance(self.enemy_king, pawn) + self.tempo >= 4
            && distance(self.enemy_king, self.piece) >= 3;
        if in_front || too_far {
            return 400 - 4 * distance(self.king, pawn);
        }
        let step = pawn.backward(Color::White);
        let pawn_way = distance(self.enemy_king, step) + pawn.rank().index() as i32;
        let lead = pawn_way - distance(self.king, step) + self.tempo - 1;
        RACE[(lead + 3).clamp(0, 6) as usize]
    }
}

/// Two knights win only against a pawn, whose moves prevent stalemate, and only if it is
/// blocked on or behind the Troitzky line: a4, b6, c5, d4 and their mirror images. About
/// half of these wins take more than fifty moves.
fn knights_against_pawn(state: &State) -> Option<KnownEndgame> {
    const LINE: [Rank; 4] = [Rank::Fourth, Rank::Sixth, Rank::Fifth, Rank::Fourth];
    let weak = Color::ALL.into_iter().find(|&side| state.colored(side, Piece::Pawn).any())?;
    let (strong, pawn) = (!weak, state.colored(weak, Piece::Pawn).lowest());
    if state.colored(strong, Piece::Knight).len() != 2 || state.color(weak).len() != 2 {
        return None;
    }
    let hopeful = strong.relative_rank(pawn.rank()) >= LINE[pawn.file().edge_distance()];
    let base = if hopeful { 80 } else { 30 };
    let score = base - 3 * edge_distance(state.king(weak));
    Some(KnownEndgame::better("two knights against a pawn", strong, score))
}

#[cfg(test)]
mod tests {
    use super::{KnownEndgame, recognise};
    use crate::chess::Position;

    fn known(fen: &str) -> KnownEndgame {
        recognise(&Position::from_fen(fen).unwrap()).expect("a known endgame")
    }

    fn white(fen: &str) -> i32 {
        known(fen).score.cp()
    }

    #[test]
    fn material_decides_the_name() {
        for (pieces, name) in [
            ("Qr", "queen against rook"),
            ("Bq", "queen against bishop"),
            ("Qn", "queen against knight"),
            ("Pq", "queen against pawn"),
            ("Rb", "rook against bishop"),
            ("Nr", "rook against knight"),
            ("pR", "rook against pawn"),
            ("NpN", "two knights against a pawn"),
            ("nPn", "two knights against a pawn"),
        ] {
            let fen = format!("7k/8/8/3{pieces}{}/8/8/8/K7 w - - 0 1", 5 - pieces.len());
            assert_eq!(known(&fen).name, name);
        }
        for pieces in ["Qq", "Rr", "Pp", "Pn", "Pb", "Bpp", "NPp", "NBp"] {
            let fen = format!("8/7k/8/3{pieces}{}/8/8/8/K7 w - - 0 1", 5 - pieces.len());
            assert_eq!(recognise(&Position::from_fen(&fen).unwrap()), None, "{pieces}");
        }
    }

    #[test]
    fn a_queen_does_not_stop_these_pawns() {
        let drawn = [
            "Q7/8/8/8/8/7K/1kp5/8 b - - 0 1",
            "8/5PK1/8/8/q7/8/8/k7 b - - 0 1",
            "Q6K/8/8/8/8/8/p7/1k6 w - - 0 1",
        ];
        for fen in drawn {
            assert!(white(fen).abs() < 100, "{fen}");
        }
        let won = [
            "Q7/8/8/8/8/7K/1k1p4/8 w - - 0 1",
            "Q7/8/8/8/8/2p4K/1k6/8 w - - 0 1",
            "Q7/8/8/4k3/8/7K/2p5/8 w - - 0 1",
        ];
        for fen in won {
            assert!(white(fen) > 300, "{fen}");
        }
    }

    #[test]
    fn a_rook_wins_a_pawn_that_its_king_has_reached_or_that_is_alone() {
        let king_in_front = white("8/8/8/3kp3/8/4K3/8/R7 w - - 0 1");
        let pawn_alone = white("1k6/8/8/4p3/8/7K/8/R7 w - - 0 1");
        let pawn_far = white("7K/8/8/8/8/3kp3/8/R7 w - - 0 1");
        assert!(king_in_front > 300 && pawn_alone > 300 && pawn_far < 100);
    }

    #[test]
    fn a_knight_is_safer_beside_its_king() {
        let together = white("8/8/3nk3/8/8/8/8/KR6 w - - 0 1");
        let apart = white("8/8/4k3/8/8/8/n7/KR6 w - - 0 1");
        let on_the_edge = white("3nk3/8/8/8/8/8/8/KR6 w - - 0 1");
        assert!(together < apart && together < on_the_edge);
    }

    #[test]
    fn two_knights_need_the_pawn_blocked_early() {
        let early = white("4k3/8/8/3p4/8/8/3N4/KN6 w - - 0 1");
        let late = white("4k3/8/8/8/8/3p4/3N4/KN6 w - - 0 1");
        assert!(early > late && late >= 0);
    }
}
