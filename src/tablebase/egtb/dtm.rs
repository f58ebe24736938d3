//! The distance to mate, and its encoding in a byte.

/// The value of a position for the side to move with best play, without the fifty-move
/// rule. Distances are in plies to mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DtmValue {
    /// The number of plies is odd.
    Win(u8),
    Draw,
    /// The number of plies is even; `Loss(0)` is checkmate.
    Loss(u8),
}

impl DtmValue {
    /// The value of a move for its mover, if this is the value of the position after it.
    #[must_use]
    pub fn for_mover(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies.saturating_add(1)),
            Self::Draw => Self::Draw,
            Self::Loss(plies) => Self::Win(plies.saturating_add(1)),
        }
    }

    /// A sort key that is greater for better values: quick wins first, quick losses last.
    pub fn preference(self) -> i16 {
        match self {
            Self::Win(plies) => 1000 - i16::from(plies),
            Self::Draw => 0,
            Self::Loss(plies) => i16::from(plies) - 1000,
        }
    }
}

/// A value in a byte: 0 is a draw, and otherwise the distance plus one. Wins take an odd
/// number of plies and losses an even one, so the distance distinguishes them.
pub(super) type Code = u8;

pub(super) const DRAW: Code = 0;
/// Codes from here on are not distances.
pub(super) const FIRST_SPECIAL: Code = 254;
/// The code of a number without a position.
pub(super) const NO_POSITION: Code = 255;

/// The code of a position that is won or lost in `plies`.
pub(super) const fn code_of(plies: u8) -> Code {
    plies + 1
}

pub(super) const fn is_win(code: Code) -> bool {
    code != DRAW && code < FIRST_SPECIAL && code.is_multiple_of(2)
}

pub(super) const fn is_loss(code: Code) -> bool {
    code < FIRST_SPECIAL && !code.is_multiple_of(2)
}

/// `None` for codes that are not values.
pub(super) const fn decode(code: Code) -> Option<DtmValue> {
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
    fn codes_and_values_correspond() {
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
    fn values_are_ordered_and_negated() {
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
