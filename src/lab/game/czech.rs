//! The evaluation of a Czech thesis: 33 terms, with the values that the thesis lists.
//!
//! It lists none for mobility, forward and vertical moves, the advance of pawns, the centre and
//! a pair of rooks on the seventh rank, and does not say what exactly is counted: those values,
//! and the counts, are our reading. Terms of the opening and the ending fade with the material.

use crate::chess::{Bitboard, CastlingSide, File, Piece, Rank, Square, State};
use crate::eval::{Accumulator, passed_pawns};
use crate::lab::game::thesis::{Stage, ThesisSide, ThesisTerm, total};

use Piece::{Bishop, Knight, Pawn, Queen, Rook};

/// The value from White's side, in centipawns.
pub fn czech(state: &State, accumulator: &Accumulator) -> i32 {
    total(&TERMS, state, accumulator)
}

#[rustfmt::skip]
pub const TERMS: [ThesisTerm; 33] = [
    ThesisTerm::new("material", 1, Stage::All, |s| s.worth(s.men(), &[130, 300, 300, 500, 900, 0])),
    ThesisTerm::new("bishop pair", 50, Stage::All, |s| s.has_two(Bishop).into()),
    ThesisTerm::new("queen against rooks", 50, Stage::All, |s| {
        i32::from(s.lead(Queen) == 1 && s.lead(Rook) == -2)
    }),
    ThesisTerm::new("minors against queen", 40, Stage::All, |s| {
        i32::from(s.lead(Knight) + s.lead(Bishop) == 3 && s.lead(Queen) == -1)
    }),
    // Moves.
    ThesisTerm::new("mobility", 1, Stage::All, |s| s.mobility(&PIECES, |_| Bitboard::ALL)),
    ThesisTerm::new("forward moves", 1, Stage::All, |s| {
        s.mobility(&[Bishop, Rook], |at| at.rank().bitboard().forward_fill(s.us))
    }),
    ThesisTerm::new("vertical moves", 1, Stage::All, |s| {
        s.mobility(&[Rook], |at| at.file().bitboard())
    }),
    ThesisTerm::new("inactive bishop", -30, Stage::All, |s| {
        let is_inactive = |&at: &Square| s.moves_from(Bishop, at).len() < 3;
        s.own(Bishop).iter().filter(is_inactive).count() as i32
    }),
    // Men that defend or attack others.
    ThesisTerm::new("defended men", 1, Stage::All, |s| {
        s.worth(s.attacked(), &[3, 3, 3, 2, 1, 0])
    }),
    ThesisTerm::new("attacked men", 1, Stage::All, |s| {
        s.opponent().worth(s.attacked(), &[2, 4, 4, 6, 8, 10])
    }),
    ThesisTerm::new("fork", 100, Stage::All, |s| s.forks()),
    ThesisTerm::new("centre", 5, Stage::All, |s| {
        (Bitboard::CENTRE & (s.men() | s.attacked())).len() as i32
    }),
    // Pawns.
    ThesisTerm::new("advance of pawns", 2, Stage::All, |s| {
        let ranks = s.own(Pawn).iter().map(|at| s.us.relative_rank(at.rank()).index() as i32 - 1);
        ranks.sum()
    }),
    ThesisTerm::new("passed pawn", 17, Stage::All, |s| passed_pawns(s.state, s.us).len() as i32),
    ThesisTerm::new("connected passed pawn", 25, Stage::All, |s| {
        let passed = passed_pawns(s.state, s.us);
        (passed & passed.file_fill().beside()).len() as i32
    }),
    ThesisTerm::new("doubled pawn", -10, Stage::All, |s| doubled(*s, 1)),
    ThesisTerm::new("tripled pawn", -10, Stage::All, |s| doubled(*s, 2)),
    ThesisTerm::new("isolated pawn", -10, Stage::All, |s| {
        s.own(Pawn).without(s.own(Pawn).file_fill().beside()).len() as i32
    }),
    ThesisTerm::new("edge pawn", -15, Stage::All, |s| {
        (s.own(Pawn) & (File::A.bitboard() | File::H.bitboard())).len() as i32
    }),
    // Knights lose with the pawns, rooks gain.
    ThesisTerm::new("knight with few pawns", -20, Stage::All, |s| {
        i32::from(s.state.pieces(Pawn).len() <= 8) * s.own(Knight).len() as i32
    }),
    ThesisTerm::new("rook in the opening", -50, Stage::Opening, |s| s.own(Rook).len() as i32),
    ThesisTerm::new("rook in the ending", 25, Stage::Ending, |s| s.own(Rook).len() as i32),
    ThesisTerm::new("second rook", -25, Stage::All, |s| s.has_two(Rook).into()),
    ThesisTerm::new("rook on an open file", 30, Stage::All, |s| s.file_rooks().1),
    ThesisTerm::new("rook on a half-open file", 15, Stage::All, |s| {
        let (half_open, open) = s.file_rooks();
        half_open - open
    }),
    ThesisTerm::new("rook on the seventh", 30, Stage::All, |s| on_seventh(*s)),
    ThesisTerm::new("two rooks on the seventh", 30, Stage::All, |s| i32::from(on_seventh(*s) > 1)),
    // Kings and development.
    ThesisTerm::new("placed king", 50, Stage::Opening, |s| s.king_is_placed().into()),
    ThesisTerm::new("king in the centre", -200, Stage::Opening, |s| {
        let home = s.us.relative_ranks([Rank::First, Rank::Second]);
        Bitboard::CENTRE_FILES.without(home).contains(s.king()).into()
    }),
    ThesisTerm::new("shield of the king", 40, Stage::Opening, |s| {
        let before = s.king().bitboard().forward(s.us);
        i32::from((s.own(Pawn) & (before | before.beside())).len() >= 2)
    }),
    ThesisTerm::new("castling lost", -30, Stage::Opening, |s| {
        let may = |side: CastlingSide| s.state.castling().rook(s.us, side).is_some();
        i32::from(!s.king_is_placed() && !CastlingSide::ALL.into_iter().any(may))
    }),
    ThesisTerm::new("early queen", -100, Stage::Opening, |s| {
        let has_left = s.own(Queen).without(s.rank(Rank::First) & File::D.bitboard()).any();
        i32::from(has_left && undeveloped(*s) >= 2)
    }),
    ThesisTerm::new("undeveloped minors", -100 / 4, Stage::Opening, |s| undeveloped(*s)),
];

const PIECES: [Piece; 4] = [Knight, Bishop, Rook, Queen];

/// The pawns that have at least so many own pawns behind them on their file.
fn doubled(side: ThesisSide<'_>, behind: u32) -> i32 {
    let pawns = side.own(Pawn);
    let mut doubled = pawns;
    for _ in 0..behind {
        doubled = pawns & doubled.forward_fill(side.us);
    }
    doubled.len() as i32
}

fn on_seventh(side: ThesisSide<'_>) -> i32 {
    (side.own(Rook) & side.rank(Rank::Seventh)).len() as i32
}

/// Knights and bishops on their first squares.
fn undeveloped(side: ThesisSide<'_>) -> i32 {
    let first = side.rank(Rank::First);
    let knights = first & (File::B.bitboard() | File::G.bitboard()) & side.own(Knight);
    let bishops = first & (File::C.bitboard() | File::F.bitboard()) & side.own(Bishop);
    (knights | bishops).len() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    /// A rook against a knight in an ending: three of 24 parts of the opening.
    #[test]
    fn a_worked_position() {
        let position = Position::from_fen("6k1/5pp1/8/3n4/8/8/5PP1/3R2K1 w - - 0 1").unwrap();
        let accumulator = Accumulator::from_state(&position);
        let differ: Vec<(&str, i32)> = TERMS
            .iter()
            .map(|term| (term.name, term.shares(&position, accumulator.phase())))
            .filter(|(_, [white, black])| white != black)
            .map(|(name, [white, black])| (name, white - black))
            .collect();
        let whole = |centipawns: i32| 24 * centipawns;
        // The rook goes to nine squares, four before it and four on its file, the knight to
        // eight; the rook attacks the knight and, with it, two central squares.
        let expected = [
            ("material", whole(500 - 300)),
            ("mobility", whole(9 - 8)),
            ("forward moves", whole(4)),
            ("vertical moves", whole(4)),
            ("attacked men", whole(4)),
            ("centre", whole(10 - 5)),
            ("knight with few pawns", whole(20)),
            ("rook in the opening", 3 * -50),
            ("rook in the ending", 21 * 25),
            ("rook on an open file", whole(30)),
        ];
        assert_eq!(differ, expected);
        assert_eq!(czech(&position, &accumulator), 283);
    }

    #[test]
    fn terms_have_names_of_their_own() {
        let mut names = TERMS.map(|term| term.name);
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }
}
