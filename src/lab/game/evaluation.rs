//! The evaluations of chess positions.

use std::cell::RefCell;
use std::sync::Arc;

use crate::chess::{Color, State};
use crate::eval::tapered::{FULL_PHASE, TaperFactors};
use crate::eval::wdl::{MODEL, material};
use crate::eval::{
    Accumulator, EvalTables, Tapered, WEIGHTS, Weights, evaluate, evaluate_fresh, evaluate_with,
    trace,
};
use crate::lab::game::DECISIVE;
use crate::lab::game::croatian::croatian;
use crate::lab::game::czech::czech;
use crate::lab::game::mop_up::{self, mop_up};

/// The evaluations that have a name.
pub static EVALUATIONS: [(&str, &str, Evaluation); 8] = [
    ("lovec", "as in the playing search", Evaluation::Lovec),
    ("material", "material alone, with the values of exchanges", Evaluation::Material),
    ("chance", "the chance to win less the chance to lose, in permille", Evaluation::Chance),
    ("phases", "as lovec, but with three phases in place of a taper", Evaluation::Phases),
    (
        "mop-up",
        "as lovec; a side that leads by 400 against at most 700, and can mate, drives the king to \
         the edge; below 1500 in all two plies deeper",
        Evaluation::MopUp,
    ),
    (
        "croatian",
        "of a Croatian thesis: material, tables, the king's defence, rooks, mobility",
        Evaluation::Thesis(croatian),
    ),
    (
        "czech",
        "of a Czech thesis: 33 terms, which `lovec eval --thesis czech` shows",
        Evaluation::Thesis(czech),
    ),
    (
        "plan",
        "material in the tree, and what each move of the root gains other than material",
        Evaluation::RootPlan,
    ),
];

/// The phases in place of a taper: endgame, in between, middlegame.
const PHASES: i32 = 3;

thread_local! {
    /// The tables of the playing search's evaluation. Where there is no memory for them, there
    /// are none, and an evaluation takes longer.
    static TABLES: RefCell<Option<Box<EvalTables>>> = RefCell::new(EvalTables::new().ok());
}

/// How chess positions are evaluated.
#[derive(Clone)]
pub enum Evaluation {
    /// As in the playing search.
    Lovec,
    /// Material alone: a pawn, knight, bishop, rook and queen as in an exchange.
    Material,
    /// The chance to win less the chance to lose, in permille.
    Chance,
    /// The terms of a thesis, in centipawns from White's side.
    Thesis(fn(&State, &Accumulator) -> i32),
    /// The evaluation with other weights.
    Weights(Arc<Weights>),
    /// The evaluation with three phases in place of a taper, as in a Czech thesis.
    Phases,
    /// Mop-up where one side only has to mate, and as in the playing search elsewhere.
    MopUp,
    /// Material in the tree; each move of the root has a bonus, which the game adds.
    RootPlan,
}

impl Evaluation {
    /// The evaluation of a name in [`EVALUATIONS`]; `None` for another name.
    pub fn named(name: &str) -> Option<Self> {
        EVALUATIONS.iter().find(|it| it.0 == name).map(|it| it.2.clone())
    }

    /// The value of a position for the side to move.
    #[inline]
    pub fn value(&self, state: &State, accumulator: &Accumulator) -> i32 {
        let value = match self {
            Self::Lovec => playing(state, accumulator),
            Self::Material | Self::RootPlan => balance(state) * state.side_to_move().sign(),
            Self::Chance => chance(state) * state.side_to_move().sign(),
            Self::Thesis(of) => of(state, accumulator) * state.side_to_move().sign(),
            Self::Weights(weights) => evaluate_with(weights, state).cp(),
            Self::Phases => by_phases(state) * state.side_to_move().sign(),
            Self::MopUp => match mop_up(state) {
                Some(value) => value * state.side_to_move().sign(),
                None => playing(state, accumulator),
            },
        };
        value.clamp(1 - DECISIVE, DECISIVE - 1)
    }

    /// The plies that a search from a position goes deeper.
    pub fn extra_plies(&self, state: &State) -> u32 {
        match self {
            Self::MopUp => mop_up::extra_plies(state),
            _ => 0,
        }
    }

    /// What a move of the root adds to all values below it, from White's side: what the
    /// position after it is worth other than its material. 0 unless it is planned at the root.
    pub fn root_bonus(&self, state: &State) -> i32 {
        match self {
            Self::RootPlan => lovec(state) - balance(state),
            _ => 0,
        }
    }
}

/// The value of the playing search for the side to move.
#[inline]
fn playing(state: &State, accumulator: &Accumulator) -> i32 {
    let score = TABLES.with_borrow_mut(|tables| match tables {
        Some(tables) => evaluate(state, accumulator, tables),
        None => evaluate_fresh(state),
    });
    score.cp()
}

/// White's material less Black's.
fn balance(state: &State) -> i32 {
    mop_up::material(state, Color::White) - mop_up::material(state, Color::Black)
}

/// The evaluation with three phases in place of a taper, from White's side.
fn by_phases(state: &State) -> i32 {
    let trace = trace(state);
    match trace.known_endgame {
        Some(_) => lovec(state),
        None => trace.total(&WEIGHTS).taper(in_phases(trace.factors)).clamp_eval().cp(),
    }
}

/// The factors with the phase in three steps: none of the middlegame, half or all of it.
fn in_phases(factors: TaperFactors) -> TaperFactors {
    let step = (factors.phase * PHASES / (FULL_PHASE + 1)).min(PHASES - 1);
    TaperFactors { phase: FULL_PHASE * step / (PHASES - 1), ..factors }
}

/// The score of the playing search, from White's side; a known endgame has no terms.
fn lovec(state: &State) -> i32 {
    evaluate_fresh(state).cp() * state.side_to_move().sign()
}

/// White's chance to win less Black's, in permille. With chances w and b of White and Black in
/// the opening (s), the middlegame (m) and the endgame (e), White's is
/// ws + (1 - bs - ws) wm + (1 - bs - ws - bm - wm) we, as a Slovene thesis composes it.
///
/// The opening has the chances of the middlegame half of the score, the endgame those of the
/// other half, and the middlegame those of their mean. The opening and the middlegame decide as
/// much of the game as there is left of their thirds of the material; that is our reading.
fn chance(state: &State) -> i32 {
    let trace = trace(state);
    let material = material(state);
    let chances = |score: f64, share: f64| {
        [score, -score].map(|score| share * MODEL.probabilities(score, material).win)
    };
    let (middlegame, endgame, phase) = match trace.known_endgame {
        Some(_) => (0.0, f64::from(lovec(state)), 0.0),
        None => {
            let total = trace.total(&WEIGHTS);
            let phase = f64::from(trace.factors.phase) / f64::from(FULL_PHASE);
            (total.middlegame(), total.endgame(), phase)
        }
    };
    let third = |above: f64| (phase - above).clamp(0.0, 1.0 / 3.0);
    let stages = [
        chances(middlegame, third(2.0 / 3.0)),
        chances(f64::midpoint(middlegame, endgame), third(1.0 / 3.0)),
        chances(endgame, 1.0),
    ];
    let [white, black] = composed(stages);
    (1000.0 * (white - black)).round() as i32
}

/// The chances of White and Black in a game that is decided in one of three stages.
fn composed([opening, middlegame, endgame]: [[f64; 2]; 3]) -> [f64; 2] {
    let sum = |chances: [f64; 2]| chances[0] + chances[1];
    let after_opening = 1.0 - sum(opening);
    let after_middlegame = after_opening - sum(middlegame);
    [0, 1].map(|side| {
        opening[side] + after_opening * middlegame[side] + after_middlegame * endgame[side]
    })
}

/// Reads the weights from the text of a file as `lovec tune` writes it; `None` if a term is
/// missing or has another number of values.
pub fn parse_weights(text: &str) -> Option<Weights> {
    let mut weights = Weights::filled(Tapered::ZERO);
    for table in weights.tables_mut() {
        let (_, text) = text.split_once(&format!("\n    {}: ", table.name))?;
        // Up to the name of the next term.
        let mut values = text.split(':').next()?.split("s(").skip(1);
        for value in table.values {
            let (numbers, _) = values.next()?.split_once(')')?;
            let (middlegame, endgame) = numbers.split_once(',')?;
            let [middlegame, endgame] =
                [middlegame, endgame].map(|text| text.trim().parse::<f64>());
            *value = Tapered::new(middlegame.ok()?, endgame.ok()?);
        }
        if values.next().is_some() {
            return None;
        }
    }
    Some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::eval::writer::source;
    use crate::lab::Limit;
    use crate::lab::game::{Chess, Draws};
    use crate::lab::test_run::run;
    use crate::suite::bench::POSITIONS;

    #[test]
    fn weights_are_read_as_they_are_written() {
        let text = source(&WEIGHTS);
        assert_eq!(source(&parse_weights(&text).unwrap()), text);
        for (written, wrong) in [
            ("    tempo: ", "    tempi: "),
            ("    tempo: s(", "    tempo: s(1, 2), s("),
            // A value less, not the first one of the next term.
            ("    material: [\n        s(", "    material: [\n        ("),
        ] {
            assert!(parse_weights(&text.replace(written, wrong)).is_none(), "{wrong}");
        }
    }

    #[test]
    fn the_weights_of_the_program_are_its_evaluation() {
        let weights = Evaluation::Weights(Arc::new(WEIGHTS.clone()));
        let lovec = Evaluation::Lovec;
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

    /// Half of the games are decided in the opening, a quarter after that.
    #[test]
    fn chances_of_three_stages() {
        let [white, black] = composed([[0.3, 0.2], [0.2, 0.2], [0.5, 0.4]]);
        assert!((white - (0.3 + 0.5 * 0.2 + 0.1 * 0.5)).abs() < 1e-12);
        assert!((black - (0.2 + 0.5 * 0.2 + 0.1 * 0.4)).abs() < 1e-12);
        assert_eq!(composed([[0.0; 2], [0.0; 2], [0.6, 0.3]]), [0.6, 0.3]);
    }

    fn value_of(row: &str, fen: &str, evaluation: Evaluation, depth: u32) -> i32 {
        let mut game = Chess::new(Position::from_fen(fen).unwrap(), evaluation, Draws::Path);
        run(row, &mut game, depth, Limit::NONE).0.answer.unwrap().value
    }

    /// At depth 1 nothing but the move of the root is played, so that material and the bonus
    /// are the whole value; deeper the algorithms agree, with a table or without.
    #[test]
    fn a_plan_is_made_at_the_root() {
        for fen in POSITIONS.iter().take(8) {
            let value = |row, evaluation, depth| value_of(row, fen, evaluation, depth);
            let lovec = value("ab", Evaluation::Lovec, 1);
            assert_eq!(value("ab", Evaluation::RootPlan, 1), lovec, "{fen}");
            let planned = value("negamax", Evaluation::RootPlan, 2);
            for row in ["ab:table=10000:order=tt", "mtdf:table=1000", "sss", "best-first"] {
                assert_eq!(value(row, Evaluation::RootPlan, 2), planned, "{row} {fen}");
            }
        }
    }
}
