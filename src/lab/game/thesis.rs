//! The evaluations of theses: lists of terms with a name, a worth and a count.

use crate::chess::{Bitboard, Color, File, Piece, Rank, Square, State, attacks};
use crate::eval::Accumulator;
use crate::eval::tapered::FULL_PHASE;
use crate::lab::game::{croatian, czech};

/// The evaluations by their names, which are those of
/// [`EVALUATIONS`](crate::lab::game::evaluation::EVALUATIONS).
pub const THESES: [(&str, &[ThesisTerm]); 2] =
    [("croatian", &croatian::TERMS), ("czech", &czech::TERMS)];

/// The part of a game in which a term counts, faded by the material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    All,
    Opening,
    Ending,
}

/// A term of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct ThesisTerm {
    pub name: &'static str,
    /// What one count is worth, in centipawns.
    pub worth: i32,
    pub stage: Stage,
    pub count: fn(&ThesisSide<'_>) -> i32,
}

impl ThesisTerm {
    pub const fn new(
        name: &'static str,
        worth: i32,
        stage: Stage,
        count: fn(&ThesisSide<'_>) -> i32,
    ) -> Self {
        Self { name, worth, stage, count }
    }

    /// White's and Black's share of the value, in centipawns times [`FULL_PHASE`].
    pub fn shares(&self, state: &State, phase: i32) -> [i32; 2] {
        let factor = match self.stage {
            Stage::All => FULL_PHASE,
            Stage::Opening => phase,
            Stage::Ending => FULL_PHASE - phase,
        };
        Color::each(|us| self.worth * (self.count)(&ThesisSide { state, us }) * factor)
    }
}

/// The sum of terms in centipawns, from White's side.
pub fn total(terms: &[ThesisTerm], state: &State, accumulator: &Accumulator) -> i32 {
    let share = |term: &ThesisTerm| {
        let [white, black] = term.shares(state, accumulator.phase());
        white - black
    };
    terms.iter().map(share).sum::<i32>() / FULL_PHASE
}

/// A side of a position.
#[derive(Clone, Copy, Debug)]
pub struct ThesisSide<'a> {
    pub state: &'a State,
    pub us: Color,
}

impl ThesisSide<'_> {
    pub fn opponent(self) -> Self {
        Self { us: !self.us, ..self }
    }

    pub fn men(self) -> Bitboard {
        self.state.color(self.us)
    }

    pub fn own(self, piece: Piece) -> Bitboard {
        self.state.colored(self.us, piece)
    }

    pub fn has_two(self, piece: Piece) -> bool {
        self.own(piece).len() == 2
    }

    /// The pieces of a kind less those of the other side.
    pub fn lead(self, piece: Piece) -> i32 {
        self.own(piece).len() as i32 - self.opponent().own(piece).len() as i32
    }

    pub fn king(self) -> Square {
        self.state.king(self.us)
    }

    /// The sum of what its men in a set are worth by their kind.
    pub fn worth(self, set: Bitboard, by_kind: &[i32; Piece::COUNT]) -> i32 {
        let of = |piece: Piece| by_kind[piece.index()] * (set & self.own(piece)).len() as i32;
        Piece::ALL.into_iter().map(of).sum()
    }

    /// The squares of a rank as this side counts ranks.
    pub fn rank(self, rank: Rank) -> Bitboard {
        self.us.relative_ranks([rank])
    }

    /// The squares that the man on a square attacks.
    fn attacks_from(self, piece: Piece, square: Square) -> Bitboard {
        match piece {
            Piece::Pawn => attacks::pawn(self.us, square),
            _ => attacks::piece(piece, square, self.state.occupied()),
        }
    }

    /// The squares that a piece can go to, without regard to checks and pins.
    pub fn moves_from(self, piece: Piece, square: Square) -> Bitboard {
        self.attacks_from(piece, square).without(self.men())
    }

    /// The squares that any man attacks.
    pub fn attacked(self) -> Bitboard {
        let of = |piece: Piece| self.own(piece).iter().map(move |at| self.attacks_from(piece, at));
        Piece::ALL.into_iter().flat_map(of).fold(Bitboard::EMPTY, |all, set| all | set)
    }

    /// The squares that pieces of these kinds can go to, counted for each piece.
    pub fn mobility(self, pieces: &[Piece], on: impl Fn(Square) -> Bitboard) -> i32 {
        let of = |&piece: &Piece| {
            let moves = |at: Square| (self.moves_from(piece, at) & on(at)).len() as i32;
            self.own(piece).iter().map(moves).sum::<i32>()
        };
        pieces.iter().map(of).sum()
    }

    /// The rooks on files without own pawns, and without any.
    pub fn file_rooks(self) -> (i32, i32) {
        let clear = |pawns: Bitboard| self.own(Piece::Rook).without(pawns.file_fill()).len() as i32;
        (clear(self.own(Piece::Pawn)), clear(self.state.pieces(Piece::Pawn)))
    }

    /// The men that attack two of the other side that are worth more.
    pub fn forks(self) -> i32 {
        let mut forks = 0;
        for (index, piece) in Piece::ALL.into_iter().enumerate() {
            let worth_more = Piece::ALL[index + 1..].iter();
            let targets =
                worth_more.fold(Bitboard::EMPTY, |set, &victim| set | self.opponent().own(victim));
            for square in self.own(piece) {
                let attacked = self.attacks_from(piece, square) & targets;
                forks += i32::from(attacked.more_than_one());
            }
        }
        forks
    }

    /// Whether the king stands where it is after castling: at the edge of the first rank.
    pub fn king_is_placed(self) -> bool {
        let file = self.king().file();
        self.rank(Rank::First).contains(self.king()) && !(File::D..=File::F).contains(&file)
    }
}
