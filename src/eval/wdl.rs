//! The probabilities of a win, a draw and a loss for a score.
//!
//! The same score means different probabilities with a full board and with few pieces.
//! The model therefore has two numbers that depend on the material (its form is
//! that of Stockfish 17): at the margin a win is as likely as not, and the spread is how
//! slowly the odds change around it. Both are cubic polynomials, and `lovec wdl` fits them
//! to Lovec's own games.
//!
//! A loss is a win of the other side; the rest is draws.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::{Piece, State};
use crate::eval::score::Score;

/// The probabilities for the side to move, in permille. They add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "[u16; 3]", try_from = "[u16; 3]")]
pub struct WinDrawLoss {
    win: u16,
    draw: u16,
    loss: u16,
}

impl WinDrawLoss {
    pub const WON: Self = Self { win: 1000, draw: 0, loss: 0 };
    pub const DRAWN: Self = Self { win: 0, draw: 1000, loss: 0 };
    pub const LOST: Self = Self { win: 0, draw: 0, loss: 1000 };

    /// The probabilities for the other side.
    pub const fn reversed(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }

    /// The expected score from 0 for a loss to 1 for a win.
    pub fn expected(self) -> f64 {
        f64::from(2 * self.win + self.draw) / 2000.0
    }
}

/// `win draw loss`, as UCI writes them.
impl fmt::Display for WinDrawLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { win, draw, loss } = self;
        write!(f, "{win} {draw} {loss}")
    }
}

/// `[win, draw, loss]`.
impl From<WinDrawLoss> for [u16; 3] {
    fn from(WinDrawLoss { win, draw, loss }: WinDrawLoss) -> Self {
        [win, draw, loss]
    }
}

impl TryFrom<[u16; 3]> for WinDrawLoss {
    type Error = &'static str;

    fn try_from([win, draw, loss]: [u16; 3]) -> Result<Self, Self::Error> {
        if [win, draw, loss].into_iter().map(u32::from).sum::<u32>() != 1000 {
            return Err("the probabilities do not add up to 1000");
        }
        Ok(Self { win, draw, loss })
    }
}

/// Probabilities that add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probabilities {
    pub win: f64,
    pub draw: f64,
    pub loss: f64,
}

/// Less material counts as this: there are too few games to fit, and the kind of
/// pieces matters more than their sum.
pub const MIN_MATERIAL: u32 = 10;
/// The material of the initial position. More, after promotions, counts as this.
pub const MAX_MATERIAL: u32 = 78;

/// The pieces of both sides, at 1, 3, 3, 5 and 9.
pub fn material(state: &State) -> u32 {
    Piece::ALL.into_iter().map(|piece| piece.points() * state.pieces(piece).len()).sum()
}

/// Material as the polynomials take it: from −1 for [`MIN_MATERIAL`] or less to 1
/// for [`MAX_MATERIAL`] or more, so that each of their terms is of a size.
pub fn normalised_material(material: u32) -> f64 {
    let middle = f64::from(MIN_MATERIAL + MAX_MATERIAL) / 2.0;
    let held = f64::from(material.clamp(MIN_MATERIAL, MAX_MATERIAL));
    (held - middle) / (f64::from(MAX_MATERIAL) - middle)
}

/// The coefficients of a polynomial, from the constant up.
pub type Cubic = [f64; 4];

/// How scores become probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// The score in centipawns at which a win is as likely as not.
    pub margin: Cubic,
    /// Centipawns over which the odds of a win grow e-fold.
    pub spread: Cubic,
}

/// The model of Lovec's games against itself, fitted to 54 732 positions of 1 838
/// games at 5 000 nodes a move.
#[rustfmt::skip]
pub const MODEL: Model = Model {
    margin: [105.15, -53.44, 23.38, -15.95],
    spread: [76.23, 8.76, -6.91, 6.05],
};

impl Model {
    /// The margin in centipawns for `material`.
    pub fn margin(&self, material: u32) -> f64 {
        cubic(&self.margin, normalised_material(material))
    }

    /// The spread in centipawns for `material`.
    pub fn spread(&self, material: u32) -> f64 {
        cubic(&self.spread, normalised_material(material))
    }

    /// The probabilities for the side whose score is `centipawns`.
    pub fn probabilities(&self, centipawns: f64, material: u32) -> Probabilities {
        let (margin, spread) = (self.margin(material), self.spread(material));
        let [win, loss] = [centipawns, -centipawns].map(|cp| sigmoid((cp - margin) / spread));
        // One less the likelier of the two, which would have no digits left near 1.
        let rest = sigmoid((margin - centipawns.abs()) / spread);
        Probabilities { win, draw: rest - win.min(loss), loss }
    }

    /// The permille of a score for the side to move. A mate is certain.
    pub fn wdl(&self, score: Score, material: u32) -> WinDrawLoss {
        if score.is_mate() {
            return if score > Score::ZERO { WinDrawLoss::WON } else { WinDrawLoss::LOST };
        }
        let expected = self.probabilities(f64::from(score.cp()), material);
        let [win, loss] = [expected.win, expected.loss].map(|chance| (1000.0 * chance).round());
        // Where there is hardly a draw, both may have been rounded up.
        let (win, loss) = (win as u16, (loss as u16).min(1000 - win as u16));
        WinDrawLoss { win, draw: 1000 - win - loss, loss }
    }
}

/// The model as this file defines it.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |curve: &Cubic| curve.map(|c| format!("{c:.2}")).join(", ");
        let (margin, spread) = (list(&self.margin), list(&self.spread));
        write!(f, "Model {{\n    margin: [{margin}],\n    spread: [{spread}],\n}}")
    }
}

fn cubic(&[constant, linear, square, cube]: &Cubic, x: f64) -> f64 {
    constant + x * (linear + x * (square + x * cube))
}

/// From 0 to 1; a number too large for its exponential gives the end of the range.
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: std::ops::RangeInclusive<i32> = -3_000..=3_000;

    fn wdl(centipawns: i32, material: u32) -> WinDrawLoss {
        MODEL.wdl(Score::new(centipawns), material)
    }

    #[test]
    fn the_model_makes_sense_for_every_material() {
        for material in 0..=120 {
            assert!(MODEL.margin(material) > 20.0, "margin at {material}");
            assert!(MODEL.spread(material) > 20.0, "spread at {material}");
        }
    }

    #[test]
    fn probabilities_add_up() {
        for material in 0..=120 {
            for cp in SCORES.chain([-30_000, -9_000, 9_000, 30_000]) {
                let WinDrawLoss { win, draw, loss } = wdl(cp, material);
                assert_eq!(win + draw + loss, 1000, "{cp} with {material}");
            }
        }
    }

    #[test]
    fn a_better_score_promises_more() {
        for material in MIN_MATERIAL..=MAX_MATERIAL {
            for cp in SCORES {
                let (less, more) = (wdl(cp, material), wdl(cp + 1, material));
                assert!(less.win <= more.win && less.loss >= more.loss, "{cp} with {material}");
            }
            assert!(wdl(0, material).draw > 0);
            assert_eq!((wdl(8_999, material).win, wdl(-8_999, material).loss), (1000, 1000));
        }
    }

    #[test]
    fn whatever_is_possible_has_a_chance() {
        for material in MIN_MATERIAL..=MAX_MATERIAL {
            for cp in 1..9_000 {
                let Probabilities { win, draw, loss } = MODEL.probabilities(cp.into(), material);
                assert!(loss > 0.0 && draw > 0.0, "{cp} with {material}");
                assert!((win + draw + loss - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn a_loss_is_a_win_of_the_other_side() {
        for material in MIN_MATERIAL..=MAX_MATERIAL {
            for cp in SCORES {
                let (here, there) = (wdl(cp, material), wdl(-cp, material));
                assert_eq!((here.win, here.loss), (there.loss, there.win), "{cp} with {material}");
            }
        }
    }

    #[test]
    fn mates_are_certain() {
        for ply in [0, 1, 2, 99] {
            assert_eq!(MODEL.wdl(Score::mate_in(ply), 30), WinDrawLoss::WON);
            assert_eq!(MODEL.wdl(Score::mated_in(ply), 30), WinDrawLoss::LOST);
        }
        assert_eq!(WinDrawLoss::DRAWN.to_string(), "0 1000 0");
    }

    #[test]
    fn material_counts_both_sides() {
        let count = |fen| material(&crate::chess::Position::from_fen(fen).unwrap());
        assert_eq!(count("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 78);
        assert_eq!(count("4k3/8/8/8/8/8/4Pr2/4KQ1n w - - 0 1"), 18);
        let ends = [0, MIN_MATERIAL, MAX_MATERIAL, 103].map(normalised_material);
        assert_eq!(ends, [-1.0, -1.0, 1.0, 1.0]);
    }

    #[test]
    fn the_model_is_printed_as_defined_here() {
        let source = include_str!("wdl.rs");
        assert!(source.contains(&format!("pub const MODEL: Model = {MODEL};\n")), "{MODEL}");
    }
}
