//! A score in centipawns, from the side to move's point of view.
//!
//! The ranges, by absolute value:
//!
//! | from | to | meaning |
//! |---|---|---|
//! | 0 | [`Score::KNOWN_WIN`] | an evaluation |
//! | [`Score::KNOWN_WIN`] | [`Score::TABLE_WIN`] | an ending that the evaluation counts as won |
//! | [`Score::TABLE_WIN`] less the ply | [`Score::TABLE_WIN`] | a win by an endgame table |
//! | [`Score::MAX_EVAL`] | [`Score::MATE`] | a forced mate, less a centipawn a ply |
//!
//! [`Score::INFINITE`] bounds every window and is never a result. Its distance to mate means
//! nothing.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use serde::{Serialize, Serializer};

/// Centipawns, or a distance to mate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    pub const ZERO: Self = Self(0);
    pub const DRAW: Self = Self(0);
    /// Outside every score: the open end of a window.
    pub const INFINITE: Self = Self(32_000);
    /// Mate on the board; mate in `n` plies is `MATE - n`.
    pub const MATE: Self = Self(31_000);
    /// From here on an ending counts as won, though no mate is known. Such evaluations
    /// leave room for a centipawn a ply of the longest line.
    pub const KNOWN_WIN: Self = Self(9_000);
    /// A win by an endgame table at the root; a centipawn less for each ply from there.
    pub const TABLE_WIN: Self = Self(20_000);
    /// A win by an endgame table that the fifty-move rule turns into a draw.
    pub const CURSED_WIN: Self = Self(2);
    /// No static evaluation reaches this, and every mate lies beyond it.
    pub const MAX_EVAL: Self = Self(30_000);

    #[inline]
    pub const fn new(centipawns: i32) -> Self {
        Self(centipawns)
    }

    #[inline]
    pub const fn cp(self) -> i32 {
        self.0
    }

    #[inline]
    pub const fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// The side to move mates in `ply` plies from the root.
    #[inline]
    pub const fn mate_in(ply: usize) -> Self {
        Self(Self::MATE.0 - ply as i32)
    }

    /// The side to move is mated in `ply` plies from the root.
    #[inline]
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - Self::MATE.0)
    }

    /// Whether this is a forced mate, for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() > Self::MAX_EVAL.0
    }

    /// Whether this is a known win, a win by an endgame table or a forced mate, for either
    /// side. Margins in centipawns do not apply to such scores.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= Self::KNOWN_WIN.0
    }

    /// The score clamped to the range of static evaluations.
    #[inline]
    pub const fn clamp_eval(self) -> Self {
        let limit = Self::MAX_EVAL.0 - 1;
        if self.0 > limit {
            Self(limit)
        } else if self.0 < -limit {
            Self(-limit)
        } else {
            self
        }
    }

    /// The score of a position that is reached after `ply` more plies: a win or mate loses a
    /// centipawn for each ply, so that quicker wins score more.
    #[inline]
    pub const fn after(self, ply: usize) -> Self {
        Self(if !self.is_decisive() {
            self.0
        } else if self.0 > 0 {
            self.0 - ply as i32
        } else {
            self.0 + ply as i32
        })
    }

    /// The score as the transposition table keeps it: wins are counted from the
    /// stored node, not from the root, since other paths lead there too.
    #[inline]
    pub const fn to_tt(self, ply: usize) -> i16 {
        (if !self.is_decisive() {
            self.0
        } else if self.0 > 0 {
            self.0 + ply as i32
        } else {
            self.0 - ply as i32
        }) as i16
    }

    /// The inverse of [`Score::to_tt`] at a node `ply` plies from the root.
    #[inline]
    pub const fn from_tt(stored: i16, ply: usize) -> Self {
        Self(stored as i32).after(ply)
    }

    /// Full moves to mate as in UCI, negative if the side to move is mated; `None` if this is
    /// no mate. They are the moves of the side that mates, so that the score of the other side
    /// has the same number.
    pub const fn mate_distance_moves(self) -> Option<i32> {
        match self.plies_to_mate() {
            Some(plies) => Some((plies as i32 + 1) / 2 * self.0.signum()),
            None => None,
        }
    }

    /// Plies to the mate, for either side; `None` if this is no mate.
    #[inline]
    pub const fn plies_to_mate(self) -> Option<usize> {
        if self.is_mate() { Some((Self::MATE.0 - self.0.abs()) as usize) } else { None }
    }
}

macro_rules! score_operators {
    ($($operator:ident $function:ident $assign:ident $assign_function:ident $symbol:tt,)*) => {$(
        impl $operator for Score {
            type Output = Self;
            #[inline]
            fn $function(self, other: Self) -> Self {
                Self(self.0 $symbol other.0)
            }
        }
        impl $assign for Score {
            #[inline]
            fn $assign_function(&mut self, other: Self) {
                self.0 = self.0 $symbol other.0;
            }
        }
    )*};
}

score_operators! {
    Add add AddAssign add_assign +,
    Sub sub SubAssign sub_assign -,
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Score {
    type Output = Self;

    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self(self.0 * factor)
    }
}

impl Div<i32> for Score {
    type Output = Self;

    #[inline]
    fn div(self, divisor: i32) -> Self {
        Self(self.0 / divisor)
    }
}

/// `{"cp": 31}`, or `{"mate": -3}` in moves.
impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([match self.mate_distance_moves() {
            Some(moves) => ("mate", moves),
            None => ("cp", self.cp()),
        }])
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_distance_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Score;

    #[test]
    fn mates_survive_the_table_at_another_ply() {
        let found = Score::mate_in(9);
        let stored = found.to_tt(4);
        assert_eq!(Score::from_tt(stored, 4), found);
        assert_eq!(Score::from_tt(stored, 6), Score::mate_in(11));
        let lost = Score::mated_in(8);
        assert_eq!(Score::from_tt(lost.to_tt(3), 3), lost);
        assert_eq!(Score::from_tt(Score::new(-123).to_tt(7), 2), Score::new(-123));
    }

    #[test]
    fn wins_are_worth_more_the_sooner_they_come() {
        for win in [Score::mate_in(5), Score::KNOWN_WIN + Score::new(500)] {
            assert!(win.after(1) < win && -win < (-win).after(1));
            assert_eq!(Score::from_tt(win.after(4).to_tt(4), 0), win);
        }
        assert_eq!(Score::new(300).after(9), Score::new(300));
    }

    #[test]
    fn mate_distances_are_in_moves() {
        assert_eq!(Score::mate_in(1).mate_distance_moves(), Some(1));
        assert_eq!(Score::mate_in(3).mate_distance_moves(), Some(2));
        assert_eq!(Score::mated_in(0).mate_distance_moves(), Some(0));
        assert_eq!(Score::mated_in(2).mate_distance_moves(), Some(-1));
        assert_eq!(Score::MAX_EVAL.mate_distance_moves(), None);
        for plies in 0..10 {
            let moves = Score::mate_in(plies).mate_distance_moves().unwrap();
            assert_eq!((-Score::mate_in(plies)).mate_distance_moves(), Some(-moves), "{plies}");
        }
    }

    #[test]
    fn evaluations_stay_below_mates() {
        assert!(!Score::INFINITE.clamp_eval().is_mate());
        assert!(!(-Score::INFINITE).clamp_eval().is_mate());
        assert!(Score::mate_in(246).is_mate() && Score::mated_in(246).is_mate());
    }
}
