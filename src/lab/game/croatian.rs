//! The evaluation of a Croatian thesis: material, piece-square tables, the defence of the king
//! with a weight of 0.2, rooks on open files and mobility, the whole times 0.9.
//!
//! Its program builds on Sunfish (T. Ahle), of which the tables are; the thesis has its values
//! of men, rounded to 100, 280, 320, 480 and 930. What an open file and a move are worth, and
//! what defends a king, is our reading.

use crate::chess::{Bitboard, Piece, Square, State, attacks};
use crate::eval::Accumulator;
use crate::lab::game::thesis::{Stage, ThesisSide, ThesisTerm, total};

/// The value from White's side, in centipawns.
pub fn croatian(state: &State, accumulator: &Accumulator) -> i32 {
    total(&TERMS, state, accumulator) * 9 / 10
}

pub const TERMS: [ThesisTerm; 5] = [
    ThesisTerm::new("material", 1, Stage::All, |side| side.worth(side.men(), &MEN)),
    ThesisTerm::new("piece-square tables", 1, Stage::All, |side| {
        Piece::ALL.into_iter().map(|piece| placed(*side, piece)).sum()
    }),
    // Men beside the king, of a pawn's worth each.
    ThesisTerm::new("defence of the king", 100 * 2 / 10, Stage::All, |side| {
        (attacks::king(side.king()) & side.men()).len() as i32
    }),
    ThesisTerm::new("rook on an open file", 20, Stage::All, |side| side.file_rooks().1),
    ThesisTerm::new("mobility", 1, Stage::All, |side| {
        side.mobility(&[Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen], |_| Bitboard::ALL)
    }),
];

/// What men are worth, in centipawns.
const MEN: [i32; Piece::COUNT] = [100, 280, 320, 480, 930, 0];

/// What the places of the men of a kind are worth.
fn placed(side: ThesisSide<'_>, piece: Piece) -> i32 {
    // The tables begin with a8, as the board is printed.
    let index = |square: Square| side.us.relative_square(square).flip().index();
    let table = &SQUARES[piece.index()];
    side.own(piece).iter().map(|square| i32::from(table[index(square)])).sum()
}

#[rustfmt::skip]
const SQUARES: [[i8; 64]; Piece::COUNT] = [
    [
          0,   0,   0,   0,   0,   0,   0,   0,
         78,  83,  86,  73, 102,  82,  85,  90,
          7,  29,  21,  44,  40,  31,  44,   7,
        -17,  16,  -2,  15,  14,   0,  15, -13,
        -26,   3,  10,   9,   6,   1,   0, -23,
        -22,   9,   5, -11, -10,  -2,   3, -19,
        -31,   8,  -7, -37, -36, -14,   3, -31,
          0,   0,   0,   0,   0,   0,   0,   0,
    ],
    [
        -66, -53, -75, -75, -10, -55, -58, -70,
         -3,  -6, 100, -36,   4,  62,  -4, -14,
         10,  67,   1,  74,  73,  27,  62,  -2,
         24,  24,  45,  37,  33,  41,  25,  17,
         -1,   5,  31,  21,  22,  35,   2,   0,
        -18,  10,  13,  22,  18,  15,  11, -14,
        -23, -15,   2,   0,   2,   0, -23, -20,
        -74, -23, -26, -24, -19, -35, -22, -69,
    ],
    [
        -59, -78, -82, -76, -23,-107, -37, -50,
        -11,  20,  35, -42, -39,  31,   2, -22,
         -9,  39, -32,  41,  52, -10,  28, -14,
         25,  17,  20,  34,  26,  25,  15,  10,
         13,  10,  17,  23,  17,  16,   0,   7,
         14,  25,  24,  15,   8,  25,  20,  15,
         19,  20,  11,   6,   7,   6,  20,  16,
         -7,   2, -15, -12, -14, -15, -10, -10,
    ],
    [
         35,  29,  33,   4,  37,  33,  56,  50,
         55,  29,  56,  67,  55,  62,  34,  60,
         19,  35,  28,  33,  45,  27,  25,  15,
          0,   5,  16,  13,  18,  -4,  -9,  -6,
        -28, -35, -16, -21, -13, -29, -46, -30,
        -42, -28, -42, -25, -25, -35, -26, -46,
        -53, -38, -31, -26, -29, -43, -44, -53,
        -30, -24, -18,   5,  -2, -18, -31, -32,
    ],
    [
          6,   1,  -8,-104,  69,  24,  88,  26,
         14,  32,  60, -10,  20,  76,  57,  24,
         -2,  43,  32,  60,  72,  63,  43,   2,
          1, -16,  22,  17,  25,  20, -13,  -6,
        -14, -15,  -2,  -5,  -1, -10, -20, -22,
        -30,  -6, -13, -11, -16, -11, -16, -27,
        -36, -18,   0, -19, -15, -15, -21, -38,
        -39, -30, -31, -13, -31, -36, -34, -42,
    ],
    [
          4,  54,  47, -99, -99,  60,  83, -62,
        -32,  10,  55,  56,  56,  55,  10,   3,
        -62,  12, -57,  44, -67,  28,  37, -31,
        -55,  50,  11,  -4, -19,  13,   0, -49,
        -55, -43, -52, -28, -51, -47,  -8, -50,
        -47, -42, -43, -79, -64, -32, -29, -32,
         -4,   3, -14, -50, -57, -18,  13,   4,
         17,  30,  -3, -14,   6,  -1,  40,  18,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Color, Position};

    /// White has a rook on an open file and Black a knight; the kings stand alike.
    #[test]
    fn a_worked_position() {
        let position = Position::from_fen("6k1/5pp1/8/3n4/8/8/5PP1/3R2K1 w - - 0 1").unwrap();
        let accumulator = Accumulator::from_state(&position);
        let of = |name: &str| {
            let term = TERMS.iter().find(|term| term.name == name).unwrap();
            Color::each(|us| term.worth * (term.count)(&ThesisSide { state: &position, us }))
        };
        assert_eq!(of("material"), [680, 480]);
        // Pawns -14 + 3, king 40; rook 5; the knight on d5 is on its d4, 21.
        assert_eq!(of("piece-square tables"), [34, 50]);
        assert_eq!(of("defence of the king"), [40, 40]);
        assert_eq!(of("rook on an open file"), [20, 0]);
        // The rook goes to a1-c1, e1, f1 and d2-d4, and takes on d5.
        assert_eq!(of("mobility"), [9, 8]);
        assert_eq!(croatian(&position, &accumulator), (200 - 16 + 20 + 1) * 9 / 10);
    }
}
