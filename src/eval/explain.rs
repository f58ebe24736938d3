//! Why a position is worth what it is: the evaluation as a table.
//!
//! The rows come from the trace of the evaluation itself, so that their sum is
//! the score: what the search sees is what the table shows.

use std::fmt;

use serde_json::{Value, json};

use crate::chess::{Color, State};
use crate::eval::score::Score;
use crate::eval::tapered::{FULL_PHASE, FULL_SCALE, Tapered};
use crate::eval::terms::Terms;
use crate::eval::trace::Trace;
use crate::eval::weights::WEIGHTS;
use crate::eval::{evaluate_fresh, trace};

/// One term, for both sides.
#[derive(Clone, Debug)]
pub struct Row {
    pub group: &'static str,
    pub name: &'static str,
    pub white: Tapered,
    pub black: Tapered,
}

impl Row {
    fn total(&self) -> Tapered {
        self.white - self.black
    }
}

/// The evaluation of one position, taken apart.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Every term, in the order of declaration.
    pub rows: Vec<Row>,
    /// From 0, with kings and pawns only, to [`FULL_PHASE`].
    pub phase: i32,
    /// What is left of the endgame value, of [`FULL_SCALE`].
    pub scale: i32,
    /// The name of the ending, if the material alone decided the score.
    pub known_ending: Option<&'static str>,
    /// The score that the search would see, from White's side.
    pub white_score: Score,
    pub side_to_move: Color,
}

/// Takes the evaluation of a position apart.
pub fn explain(state: &State) -> Explanation {
    let trace = trace(state);
    let side_to_move = state.side_to_move();
    Explanation {
        rows: rows(&trace),
        phase: trace.phase,
        scale: trace.scale,
        known_ending: trace.known_ending,
        white_score: evaluate_fresh(state) * side_to_move.sign(),
        side_to_move,
    }
}

fn rows(trace: &Trace) -> Vec<Row> {
    let [white, black] = Color::ALL.map(|color| totals(trace.counts(color)));
    WEIGHTS
        .tables()
        .into_iter()
        .zip(white.into_iter().zip(black))
        .map(|(table, (white, black))| Row { group: table.group, name: table.name, white, black })
        .collect()
}

/// What each term amounts to for one side.
fn totals(counts: &Terms<i16>) -> Vec<Tapered> {
    let sum = |values: &[Tapered], counts: &[i16]| {
        values
            .iter()
            .zip(counts)
            .fold(Tapered::ZERO, |sum, (&weight, &count)| sum + weight * i32::from(count))
    };
    WEIGHTS
        .tables()
        .iter()
        .zip(counts.tables())
        .map(|(weights, counts)| sum(weights.values, counts.values))
        .collect()
}

impl Explanation {
    /// The sum of all rows, White's side.
    pub fn total(&self) -> Tapered {
        self.rows.iter().fold(Tapered::ZERO, |sum, row| sum + row.total())
    }

    /// The share of a value in the final score, in centipawns.
    fn share(&self, value: Tapered) -> f64 {
        let middlegame = value.middlegame() * self.phase * FULL_SCALE;
        let endgame = value.endgame() * (FULL_PHASE - self.phase) * self.scale;
        f64::from(middlegame + endgame) / f64::from(FULL_PHASE * FULL_SCALE)
    }

    /// The headings and their rows, in order.
    fn groups(&self) -> impl Iterator<Item = &[Row]> {
        self.rows.chunk_by(|left, right| left.group == right.group)
    }

    /// The same as data. Values are centipawns from White's side unless a key
    /// says otherwise.
    pub fn to_json(&self) -> Value {
        let pair = |value: Tapered| json!({ "mg": value.middlegame(), "eg": value.endgame() });
        let row = |row: &Row| {
            json!({
                "group": row.group,
                "term": row.name,
                "white": pair(row.white),
                "black": pair(row.black),
                "total": pair(row.total()),
                "tapered": self.share(row.total()),
            })
        };
        json!({
            "terms": self.rows.iter().map(row).collect::<Vec<_>>(),
            "total": pair(self.total()),
            "phase": self.phase,
            "full_phase": FULL_PHASE,
            "scale": self.scale,
            "full_scale": FULL_SCALE,
            "known_ending": self.known_ending,
            "white_score": self.white_score.cp(),
            "side_to_move": self.side_to_move.to_string(),
            "score": (self.white_score * self.side_to_move.sign()).cp(),
        })
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, cells: [Tapered; 3], share: f64) -> fmt::Result {
    write!(f, "{name:<26}")?;
    for cell in cells {
        write!(f, " | {:>6} {:>6}", cell.middlegame(), cell.endgame())?;
    }
    writeln!(f, " | {share:>8.1}")
}

/// A table of the terms that count here, by group.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.known_ending {
            writeln!(f, "Known ending: {name}")?;
        } else {
            self.write_table(f)?;
        }
        writeln!(f, "Score (White)        {:+} cp", self.white_score.cp())?;
        let own = self.white_score * self.side_to_move.sign();
        write!(f, "Score (side to move) {:+} cp", own.cp())
    }
}

impl Explanation {
    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<26} | {:^13} | {:^13} | {:^13} | {:>8}",
            "Term", "White mg eg", "Black mg eg", "Total mg eg", "Tapered"
        )?;
        for group in self.groups() {
            let sum = |pick: fn(&Row) -> Tapered| {
                group.iter().fold(Tapered::ZERO, |sum, row| sum + pick(row))
            };
            let cells = [sum(|row| row.white), sum(|row| row.black), sum(Row::total)];
            line(f, group[0].group, cells, self.share(cells[2]))?;
            let shown = |row: &&Row| row.white != Tapered::ZERO || row.black != Tapered::ZERO;
            for row in group.iter().filter(shown).filter(|_| group.len() > 1) {
                let name = format!("  {}", row.name.replace('_', " "));
                line(f, &name, [row.white, row.black, row.total()], self.share(row.total()))?;
            }
        }
        let total = self.total();
        let blank = Tapered::ZERO;
        let sides = self
            .rows
            .iter()
            .fold((blank, blank), |(white, black), row| (white + row.white, black + row.black));
        line(f, "Total", [sides.0, sides.1, total], self.share(total))?;
        writeln!(f, "Phase                {} of {FULL_PHASE}", self.phase)?;
        writeln!(f, "Endgame scale        {} of {FULL_SCALE}", self.scale)
    }
}
