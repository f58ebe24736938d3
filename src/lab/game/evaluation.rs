//! The evaluations of chess positions.

use std::cell::RefCell;
use std::rc::Rc;

use crate::chess::{Color, Piece, State};
use crate::eval::wdl::{MODEL, material};
use crate::eval::{Accumulator, PawnTable, Tapered, WEIGHTS, Weights, evaluate, trace};
use crate::lab::game::DECISIVE;
use crate::util::memory::MemoryError;

/// A pawn, knight, bishop, rook, queen in centipawns.
const PIECES: [i32; 5] = [100, 300, 300, 500, 900];

/// How chess positions are evaluated.
#[derive(Clone)]
pub enum Evaluation {
    /// As in the playing search. Copies share the cache of pawn structures.
    Lovec(Rc<RefCell<Box<PawnTable>>>),
    /// Material alone.
    Material,
    /// The chance to win less the chance to lose, in permille.
    Chance,
    /// The evaluation with other weights.
    Weights(Rc<Weights>),
}

impl Evaluation {
    /// The evaluation of the playing search.
    ///
    /// # Errors
    ///
    /// If there is no memory for the cache.
    pub fn lovec() -> Result<Self, MemoryError> {
        Ok(Self::Lovec(Rc::new(RefCell::new(PawnTable::new()?))))
    }

    /// The value of a position for the side to move.
    #[inline]
    pub fn value(&self, state: &State, accumulator: &Accumulator) -> i32 {
        let value = match self {
            Self::Lovec(pawns) => evaluate(state, accumulator, &mut pawns.borrow_mut()).cp(),
            Self::Material => balance(state) * state.side_to_move().sign(),
            Self::Chance => chance(state) * state.side_to_move().sign(),
            Self::Weights(weights) => weighted(state, weights) * state.side_to_move().sign(),
        };
        value.clamp(1 - DECISIVE, DECISIVE - 1)
    }
}

/// White's material less Black's.
fn balance(state: &State) -> i32 {
    let count = |color, piece| state.colored(color, piece).len() as i32;
    let pieces = Piece::ALL.into_iter().zip(PIECES);
    pieces.map(|(p, value)| value * (count(Color::White, p) - count(Color::Black, p))).sum()
}

/// The sum of the terms with these weights, from White's side.
fn weighted(state: &State, weights: &Weights) -> i32 {
    let trace = trace(state);
    match trace.known_endgame {
        Some(_) => known(state),
        None => trace.total(weights).taper(trace.factors).clamp_eval().cp(),
    }
}

/// The score of a known endgame, which has no terms, from White's side.
fn known(state: &State) -> i32 {
    crate::eval::evaluate_fresh(state).cp() * state.side_to_move().sign()
}

/// White's chance to win less Black's, in permille: the game is decided in the middlegame,
/// or else in the endgame. Each part has the chances of its half of the score, and the
/// middlegame a share by the material on the board.
fn chance(state: &State) -> i32 {
    let trace = trace(state);
    let material = material(state);
    let win = |score: i32| MODEL.probabilities(f64::from(score), material).win;
    let (middlegame, endgame, share) = match trace.known_endgame {
        Some(_) => (0, known(state), 0.0),
        None => {
            let total = trace.total(&WEIGHTS);
            let share =
                f64::from(trace.factors.phase) / f64::from(crate::eval::tapered::FULL_PHASE);
            (total.middlegame(), total.endgame(), share)
        }
    };
    let decided = [share * win(middlegame), share * win(-middlegame)];
    let open = 1.0 - decided[0] - decided[1];
    let white = decided[0] + open * win(endgame);
    let black = decided[1] + open * win(-endgame);
    (1000.0 * (white - black)).round() as i32
}

/// Reads the weights from the text of a file as `lovec tune` writes it; `None` if a term is
/// missing or has too few values.
pub fn parse_weights(text: &str) -> Option<Weights> {
    let mut weights = Weights::filled(Tapered::ZERO);
    for table in weights.tables_mut() {
        let start = text.find(&format!("\n    {}: ", table.name))?;
        let mut values = text[start..].split("s(").skip(1);
        for value in table.values {
            let (numbers, _) = values.next()?.split_once(')')?;
            let (middlegame, endgame) = numbers.split_once(',')?;
            let [middlegame, endgame] =
                [middlegame, endgame].map(|text| text.trim().parse::<i16>());
            *value = Tapered::new(middlegame.ok()?.into(), endgame.ok()?.into());
        }
    }
    Some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::eval::writer::source;
    use crate::suite::bench::POSITIONS;

    #[test]
    fn weights_are_read_as_they_are_written() {
        let text = source(&WEIGHTS);
        assert_eq!(source(&parse_weights(&text).unwrap()), text);
        assert!(parse_weights(&text.replace("    tempo: ", "    tempi: ")).is_none());
    }

    #[test]
    fn the_weights_of_the_program_are_its_evaluation() {
        let weights = Evaluation::Weights(Rc::new(WEIGHTS.clone()));
        let lovec = Evaluation::lovec().unwrap();
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            let accumulator = Accumulator::from_state(&position);
            let values = [&weights, &lovec].map(|it| it.value(&position, &accumulator));
            assert_eq!(values[0], values[1], "{fen}");
        }
    }

    #[test]
    fn a_better_position_has_a_better_chance() {
        let value = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            let accumulator = Accumulator::from_state(&position);
            Evaluation::Chance.value(&position, &accumulator)
        };
        let start = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let rook_up = value("rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1");
        assert!(start.abs() < 200 && (700..=1000).contains(&rook_up), "{start} {rook_up}");
    }
}
