//! The evaluation as a table of its terms.
//!
//! The rows come from the trace of the evaluation, so that their sum is the score that the
//! search uses. King danger and initiative also list their units.
//!
//! The search does not evaluate positions in check, which the table notes. A finished game
//! has a result and no score.

use serde::Serialize;

use crate::chess::{Color, State};
use crate::eval::evaluate::{evaluate_fresh, trace};
use crate::eval::nonlinear;
use crate::eval::score::Score;
use crate::eval::tapered::{FULL_FIFTY_MOVE_SCALE, FULL_PHASE, FULL_SCALE, TaperFactors, Tapered};
use crate::eval::terms::Unit;
use crate::eval::trace::Trace;
use crate::eval::weights::WEIGHTS;

/// One term, for both sides.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainRow {
    pub group: &'static str,
    #[serde(rename = "term")]
    pub name: &'static str,
    pub white: Tapered,
    pub black: Tapered,
}

impl ExplainRow {
    pub fn total(&self) -> Tapered {
        self.white - self.black
    }

    /// The name with spaces.
    pub fn title(&self) -> String {
        self.name.replace('_', " ")
    }
}

/// Whether the search uses the score of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It does.
    Quiet,
    /// It does not: the side to move is in check.
    Check,
    /// There is no score.
    Checkmate,
    /// There is no score.
    Stalemate,
}

impl Standing {
    fn of(state: &State) -> Self {
        match (state.in_check(), state.legal_moves().is_empty()) {
            (false, false) => Self::Quiet,
            (true, false) => Self::Check,
            (true, true) => Self::Checkmate,
            (false, true) => Self::Stalemate,
        }
    }

    /// Whether the side to move has no move.
    pub fn is_game_over(self) -> bool {
        matches!(self, Self::Checkmate | Self::Stalemate)
    }
}

/// The evaluation of one position by terms.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Every term in the order of declaration; king danger and initiative have a
    /// row each.
    pub rows: Vec<ExplainRow>,
    /// The terms of king danger, in units.
    pub danger: Vec<ExplainRow>,
    /// The terms of initiative, in units, as White's.
    pub initiative: Vec<ExplainRow>,
    /// How the score is mixed from the sum.
    pub factors: TaperFactors,
    /// The name of the known endgame, if the position is one.
    pub known_endgame: Option<&'static str>,
    /// The score that the search would see, from White's side; meaningless if the
    /// game is over.
    pub white_score: Score,
    pub side_to_move: Color,
    pub standing: Standing,
}

/// The evaluation of a position by terms.
pub fn explain(state: &State) -> Explanation {
    let trace = trace(state);
    let side_to_move = state.side_to_move();
    Explanation {
        rows: rows(&trace),
        danger: terms(&trace, Unit::Danger),
        initiative: terms(&trace, Unit::Initiative),
        factors: trace.factors,
        known_endgame: trace.known_endgame,
        white_score: evaluate_fresh(state) * side_to_move.sign(),
        side_to_move,
        standing: Standing::of(state),
    }
}

/// A row for each term that is counted in centipawns, and one for each group
/// whose units make a score together.
fn rows(trace: &Trace) -> Vec<ExplainRow> {
    let mut rows = terms(trace, Unit::Centipawn);
    let [white, black] =
        Color::ALL.map(|color| nonlinear::danger(trace.sum(&WEIGHTS, color, Unit::Danger)));
    let danger = ExplainRow { group: "King danger", name: "king_danger", white, black };
    let rest = danger.total() + rows.iter().map(ExplainRow::total).sum::<Tapered>();
    let units = trace.sum(&WEIGHTS, Color::White, Unit::Initiative);
    let gain = nonlinear::initiative(rest, units);
    let (white, black) =
        if rest.endgame_steps() > 0 { (gain, Tapered::ZERO) } else { (Tapered::ZERO, -gain) };
    let initiative = ExplainRow { group: "Initiative", name: "initiative", white, black };
    let place =
        rows.iter().rposition(|row| row.group == "King").map_or(rows.len(), |last| last + 1);
    rows.insert(place, danger);
    rows.push(initiative);
    rows
}

/// The terms that are counted in `unit`.
fn terms(trace: &Trace, unit: Unit) -> Vec<ExplainRow> {
    let [white, black] = Color::ALL.map(|color| trace.counts(color).tables());
    WEIGHTS
        .tables()
        .iter()
        .zip(white.iter().zip(&black))
        .filter(|(weights, _)| weights.unit == unit)
        .map(|(weights, (white, black))| ExplainRow {
            group: weights.group,
            name: weights.name,
            white: weights.sum(white),
            black: weights.sum(black),
        })
        .collect()
}

impl Explanation {
    /// The sum of all rows, White's side.
    pub fn total(&self) -> Tapered {
        self.rows.iter().map(ExplainRow::total).sum()
    }

    /// The share of a value in the final score, in centipawns.
    pub fn share(&self, value: Tapered) -> f64 {
        let TaperFactors { phase, scale, fifty_move_scale } = self.factors;
        let middlegame = value.middlegame() * f64::from(phase * FULL_SCALE);
        let endgame = value.endgame() * f64::from((FULL_PHASE - phase) * scale);
        let fifty_move_scale = f64::from(fifty_move_scale) / f64::from(FULL_FIFTY_MOVE_SCALE);
        (middlegame + endgame) / f64::from(FULL_PHASE * FULL_SCALE) * fifty_move_scale
    }

    /// The share of a row in the final score, rounded to what is shown.
    pub fn shown_share(&self, row: &ExplainRow) -> Tenths {
        Tenths((10.0 * self.share(row.total())).round() as i32)
    }

    pub fn score_in_tenths(&self) -> Tenths {
        Tenths(10 * self.white_score.cp())
    }

    /// The score, which is in whole centipawns, less the sum of the rounded shares.
    pub fn rounding(&self) -> Tenths {
        if self.known_endgame.is_some() {
            return Tenths(0);
        }
        let shares: i32 = self.rows.iter().map(|row| self.shown_share(row).0).sum();
        Tenths(self.score_in_tenths().0 - shares)
    }

    /// The terms in favour of a side with their centipawns in the final score, the largest
    /// first.
    pub fn reasons(&self, color: Color) -> Vec<(&ExplainRow, f64)> {
        let sign = f64::from(color.sign());
        let shares = self.rows.iter().map(|row| (row, sign * self.share(row.total())));
        let mut reasons: Vec<_> = shares.filter(|(_, share)| *share >= LEAST_REASON).collect();
        reasons.sort_by(|(_, less), (_, more)| more.total_cmp(less));
        reasons.truncate(REASONS);
        reasons
    }

    /// The result of a finished game, as PGN writes it.
    pub fn result(&self) -> Option<&'static str> {
        match (self.standing, self.side_to_move) {
            (Standing::Checkmate, Color::White) => Some("0-1"),
            (Standing::Checkmate, Color::Black) => Some("1-0"),
            (Standing::Stalemate, _) => Some("1/2-1/2"),
            (Standing::Quiet | Standing::Check, _) => None,
        }
    }

    /// The headings and their rows, in order.
    pub fn groups(&self) -> impl Iterator<Item = &[ExplainRow]> {
        self.rows.chunk_by(|left, right| left.group == right.group)
    }
}

/// Tenths of a centipawn, the unit of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenths(pub(super) i32);

impl Tenths {
    pub fn centipawns(self) -> f64 {
        f64::from(self.0) / 10.0
    }
}

/// The most reasons named for each side, and the least centipawns of a reason.
const REASONS: usize = 6;
const LEAST_REASON: f64 = 5.0;
