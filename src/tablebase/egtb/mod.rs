//! Lovec's own endgame tables: how far away the mate is, for every position of up
//! to four men.
//!
//! A table is made by retrograde analysis: from the mates backwards, each wave of
//! positions a ply further away, until a wave finds none; what is left is drawn. It
//! goes back to R. Bellman ("On the application of dynamic programming to the
//! determination of optimal play in chess and checkers", 1965) and T. Ströhlein
//! (1970); K. Thompson ("Retrograde analysis of certain endgames", 1986), L. Stiller
//! and E. Nalimov brought it to more men. Tables that count moves to the next capture
//! or pawn move, such as Syzygy's, are smaller and respect the fifty-move rule; these
//! tell the distance to mate, need nothing but this program, and are few enough to
//! be kept in memory, a byte a position.
//!
//! - A [`Material`] names an ending, such as `KRvKP`; the stronger side is White.
//! - `index` numbers its positions, like ones alike; `ending` moves its men, forwards
//!   and back.
//! - [`build`] makes a [`DtmTable`]; [`file`] keeps it; [`verify`] holds it against the
//!   rules of the game.
//! - A [`Collection`] has the tables at hand and answers the search. King and pawn
//!   against king, and what its pawn becomes, are part of the program.
//!
//! Castling is never possible in a table, and neither is an en-passant capture, though
//! building one takes the captures after a double step into account.

pub mod collection;
mod ending;
pub mod file;
mod index;
pub mod material;
pub mod retrograde;
pub mod table;
pub mod verify;

pub use collection::Collection;
pub use file::FileError;
pub use material::Material;
pub use retrograde::build;
pub use table::DtmTable;
pub use verify::verify;

/// The most men of a table, kings included.
pub const MAX_PIECES: u32 = 4;

/// The most men of a table besides the kings.
const MAX_NON_KINGS: usize = MAX_PIECES as usize - 2;

/// What best play leads to from the point of view of the side to move, without the
/// fifty-move rule. Distances are in plies to the mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DtmValue {
    /// Always an odd number of plies.
    Win(u8),
    Draw,
    /// Always an even number of plies; `Loss(0)` is checkmate.
    Loss(u8),
}

impl DtmValue {
    /// What a move is worth to the side that makes it, if this is what it brings the
    /// other one.
    #[must_use]
    pub fn for_mover(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies.saturating_add(1)),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies.saturating_add(1)),
        }
    }

    /// The better the outcome, the greater: quick wins first, slow losses before
    /// quick ones.
    pub fn preference(self) -> i16 {
        match self {
            Self::Win(plies) => 1000 - i16::from(plies),
            Self::Draw => 0,
            Self::Loss(plies) => i16::from(plies) - 1000,
        }
    }
}

/// An outcome in a byte: since wins take an odd number of plies and losses an even
/// one, the distance tells them apart. One more than it is stored, and 0 is a draw.
type Code = u8;

const DRAW: Code = 0;
/// No distance reaches as far: the codes from here on have other meanings.
const FIRST_SPECIAL: Code = 254;
/// The number belongs to no position.
const NO_POSITION: Code = 255;

/// The code of the position that is won or lost in so many plies.
const fn code_of(plies: u8) -> Code {
    plies + 1
}

const fn is_win(code: Code) -> bool {
    code != DRAW && code < FIRST_SPECIAL && code.is_multiple_of(2)
}

const fn is_loss(code: Code) -> bool {
    code < FIRST_SPECIAL && !code.is_multiple_of(2)
}

/// `None` for the codes that stand for no outcome.
const fn decode(code: Code) -> Option<DtmValue> {
    if code == DRAW {
        Some(DtmValue::Draw)
    } else if is_win(code) {
        Some(DtmValue::Win(code - 1))
    } else if is_loss(code) {
        Some(DtmValue::Loss(code - 1))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_outcomes_are_one_to_one() {
        for code in 1..FIRST_SPECIAL {
            let plies = code - 1;
            assert_eq!(code_of(plies), code);
            let expected =
                if plies % 2 == 1 { DtmValue::Win(plies) } else { DtmValue::Loss(plies) };
            assert_eq!(decode(code), Some(expected));
        }
        assert_eq!(decode(DRAW), Some(DtmValue::Draw));
        assert_eq!(decode(FIRST_SPECIAL), None);
        assert_eq!(decode(NO_POSITION), None);
    }

    #[test]
    fn quick_wins_and_slow_losses_are_preferred() {
        let order = [
            DtmValue::Win(1),
            DtmValue::Win(3),
            DtmValue::Draw,
            DtmValue::Loss(8),
            DtmValue::Loss(0),
        ];
        assert!(order.is_sorted_by(|a, b| a.preference() > b.preference()));
        assert_eq!(DtmValue::Loss(0).for_mover(), DtmValue::Win(1));
        assert_eq!(DtmValue::Win(1).for_mover(), DtmValue::Loss(2));
    }
}
