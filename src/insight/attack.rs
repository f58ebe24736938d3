//! Pieces that a move attacks.

use serde::Serialize;

use crate::chess::{Piece, Square};
use crate::insight::exchange::{attacks_from, is_in_danger, passed};
use crate::insight::line::Line;

/// A queen or rook that the piece that moves attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Attack {
    /// The ply of the move.
    pub ply: usize,
    pub piece: Piece,
    pub square: Square,
}

/// The most valuable queen or rook that the move of a ply puts in danger, by a piece that is in no
/// danger itself. A check is no such attack: what answers it may also save the piece. Nor is what
/// offers or makes an exchange: an attack by a queen on a queen, or a capture of a piece.
pub fn new_attack(line: &Line, ply: usize) -> Option<Attack> {
    let (m, before) = (*line.moves().get(ply)?, &line.states()[ply]);
    let after = &line.states()[ply + 1];
    let takes_a_piece = before.captured(m).is_some_and(|piece| piece != Piece::Pawn);
    if m.is_castle() || takes_a_piece || after.in_check() || is_in_danger(after, m.to()) {
        return None;
    }
    let again = passed(after);
    let attacked = attacks_from(after, m.to()) & after.color(after.side_to_move());
    [Piece::Queen, Piece::Rook].into_iter().find_map(|piece| {
        let is_new =
            |&square: &Square| is_in_danger(&again, square) && !is_in_danger(before, square);
        let is_exchange = [Some(piece), after.piece_on(m.to())] == [Some(Piece::Queen); 2];
        let square = (attacked & after.pieces(piece)).iter().find(is_new)?;
        (!is_exchange).then_some(Attack { ply, piece, square })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::chess::notation::san;

    #[test]
    fn a_new_attack_is_one_at_a_profit_by_a_safe_piece() {
        for (fen, text, wanted) in [
            // A rook attacks the queen that another rook guards.
            ("2b1k2r/8/8/8/8/2Q5/5K2/2R5 b - - 0 1", "Rh3", Some((Piece::Queen, "c3"))),
            // The same by a queen is an exchange, guarded or not; and a rook that is taken attacks
            // nothing.
            ("2b1k3/7q/8/8/8/2Q5/5K2/2R5 b - - 0 1", "Qh3", None),
            ("2b1k3/7q/8/8/8/2Q5/5K2/8 b - - 0 1", "Qh3", None),
            ("2b1k2r/8/8/8/8/2Q5/5KP1/2R5 b - - 0 1", "Rh3", None),
            // An exchange of bishops; and a pawn that is taken on the way.
            ("2b1k2r/8/8/8/8/2Q4B/5K2/2R5 b - - 0 1", "Rxh3", None),
            ("2b1k2r/8/8/8/8/2Q4P/5K2/2R5 b - - 0 1", "Rxh3", Some((Piece::Queen, "c3"))),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let line = Line::new(&position, &[san::parse(&position, text).unwrap()]);
            let found = new_attack(&line, 0).map(|attack| (attack.piece, attack.square));
            let wanted = wanted.map(|(piece, square)| (piece, square.parse().unwrap()));
            assert_eq!(found, wanted, "{fen}");
        }
    }
}
