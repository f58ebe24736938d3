//! The unit of margins.
//!
//! The evaluation predicts results, and the same piece decides more games the fewer pieces
//! are left: a rook is worth twice as many centipawns in the endgame as in the opening.
//! The values of an exchange ([`see`](crate::chess::see)) are the same in both. A margin in
//! centipawns is therefore narrower in the endgame, measured by pieces, unless it grows.

use crate::chess::Piece;
use crate::chess::see::value;
use crate::eval::tapered::{FULL_PHASE, TaperFactors};
use crate::eval::{Tapered, WEIGHTS};
use crate::search::params as p;
use crate::search::thread::worker::Worker;

/// A margin at a phase of the game, from 0 to [`FULL_PHASE`].
#[inline(always)]
pub fn by_phase(margin: i32, phase: i32) -> i32 {
    let percent = p::unit_endgame() + (p::unit_opening() - p::unit_endgame()) * phase / FULL_PHASE;
    // In this form nothing is left of a constant 100.
    margin + margin * (percent - 100) / 100
}

/// What a piece gains in delta pruning: a mix of its value in an exchange and its value in
/// the evaluation.
#[inline(always)]
pub fn delta_value(piece: Piece, phase: i32) -> i32 {
    let exchange = value(piece);
    exchange + (evaluated(piece, phase) - exchange) * p::delta_phase() / 100
}

/// The gain of an exchange that raises the evaluation by `centipawns`: a mix of the same
/// number and of the one that is the same share of a rook.
#[inline(always)]
pub fn probcut_gain(centipawns: i32, phase: i32) -> i32 {
    let converted = centipawns * value(Piece::Rook) / evaluated(Piece::Rook, phase).max(1);
    centipawns + (converted - centipawns) * p::probcut_phase() / 100
}

/// The material value of a piece in the evaluation.
#[inline(always)]
fn evaluated(piece: Piece, phase: i32) -> i32 {
    let factors = TaperFactors { phase, ..TaperFactors::FULL };
    MATERIAL[piece.index()].taper(factors).cp()
}

/// The material values of the evaluation; none for the king, which is never captured.
static MATERIAL: [Tapered; Piece::COUNT] = {
    let [pawn, knight, bishop, rook, queen] = WEIGHTS.material;
    [pawn, knight, bishop, rook, queen, Tapered::ZERO]
};

impl Worker<'_> {
    /// The phase of the position at `ply`.
    #[inline(always)]
    pub fn phase(&self, ply: usize) -> i32 {
        self.line.stack[ply].accumulator.phase()
    }

    /// A margin at `ply`.
    #[inline(always)]
    pub fn margin(&self, margin: i32, ply: usize) -> i32 {
        by_phase(margin, self.phase(ply))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_the_evaluation_are_worth_more_in_the_endgame() {
        for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            assert!(evaluated(piece, 0) > evaluated(piece, FULL_PHASE), "{piece:?}");
        }
        assert_eq!(evaluated(Piece::Rook, FULL_PHASE), WEIGHTS.material[3].middlegame() as i32);
    }

    #[cfg(feature = "spsa")]
    #[test]
    fn margins_follow_the_phase() {
        use crate::search::params::{PARAMETERS, PARAMETERS_IN_TEST};

        let _lock = crate::util::sync::lock(&PARAMETERS_IN_TEST);
        let set = |name: &str, value: Option<i32>| {
            let parameter = PARAMETERS.iter().find(|parameter| parameter.name == name).unwrap();
            assert!(parameter.set(value.unwrap_or(parameter.default)));
        };
        let phases = [0, FULL_PHASE / 2, FULL_PHASE];
        assert_eq!(phases.map(|phase| by_phase(-40, phase)), [-40; 3]);
        set("unit_opening", Some(75));
        set("unit_endgame", Some(125));
        assert_eq!(phases.map(|phase| by_phase(-40, phase)), [-50, -40, -30]);
        set("unit_opening", None);
        set("unit_endgame", None);

        let queen = |phase| [delta_value(Piece::Queen, phase), evaluated(Piece::Queen, phase)];
        assert_eq!(queen(0)[0], value(Piece::Queen));
        set("delta_phase", Some(100));
        assert_eq!(queen(0)[0], queen(0)[1]);
        set("delta_phase", None);

        assert_eq!(probcut_gain(1000, 0), 1000);
        set("probcut_phase", Some(100));
        assert!(probcut_gain(1000, 0) < 500 && probcut_gain(1000, FULL_PHASE) > 1000);
        set("probcut_phase", None);
    }
}
