//! The evaluation of a position as text: a table of its terms, the reasons for either
//! side and the value of each piece. UCI and the command line print the same text.

use std::fmt;

use crate::chess::{Color, File, Rank, Square, State};
use crate::eval::explain::{ExplainRow, Explanation, Standing, Tenths, explain};
use crate::eval::piece_values::PieceValues;
use crate::eval::tapered::{FULL_FIFTY_MOVE_SCALE, FULL_PHASE, FULL_SCALE, TaperFactors, Tapered};

/// The evaluation as a table with the value of each piece, or the result if the game is
/// over.
pub fn describe(state: &State) -> String {
    let explanation = explain(state);
    if explanation.standing.is_game_over() {
        return explanation.to_string();
    }
    format!("{explanation}\n\n{}", PieceValues::of(state))
}

/// The terms that are not zero, by group, or the result of the game.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.side_to_move.name();
        match self.standing {
            Standing::Checkmate => return write!(f, "checkmate: {side} is mated"),
            Standing::Stalemate => return write!(f, "stalemate: draw"),
            Standing::Quiet | Standing::Check => {}
        }
        if let Some(name) = self.known_endgame {
            writeln!(f, "Known endgame: {name}")?;
        } else {
            self.write_table(f)?;
        }
        writeln!(f, "Score (White)        {:+} cp", self.white_score.cp())?;
        let own = self.white_score * self.side_to_move.sign();
        write!(f, "Score (side to move) {:+} cp", own.cp())?;
        if self.standing == Standing::Check {
            write!(f, "\n{side} is in check: the search evaluates only quiet positions, ")?;
            write!(f, "and does not use this score")?;
        }
        Ok(())
    }
}

impl Explanation {
    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<26} | {:^15} | {:^15} | {:^15} | {:>8}",
            "Term", "White mg eg", "Black mg eg", "Total mg eg", "Tapered"
        )?;
        for group in self.groups() {
            let share = Tenths(group.iter().map(|row| self.shown_share(row).0).sum());
            line(f, group[0].group, sums(group), Some(share))?;
            let units = [&self.danger, &self.initiative]
                .into_iter()
                .find(|units| units.first().is_some_and(|unit| unit.group == group[0].group));
            let rows = units.map_or(group, |units| units.as_slice());
            let shown =
                |row: &&ExplainRow| row.white != Tapered::ZERO || row.black != Tapered::ZERO;
            for row in rows.iter().filter(shown).filter(|_| rows.len() > 1) {
                let name = format!("  {}", row.title());
                let share = units.is_none().then(|| self.shown_share(row));
                line(f, &name, [row.white, row.black, row.total()], share)?;
            }
        }
        let rounding = self.rounding();
        if rounding != Tenths(0) {
            line(f, "Rounding", [Tapered::ZERO; 3], Some(rounding))?;
        }
        line(f, "Total", sums(&self.rows), Some(self.score_in_tenths()))?;
        let TaperFactors { phase, scale, fifty_move_scale } = self.factors;
        writeln!(f, "Phase                {phase} of {FULL_PHASE}")?;
        writeln!(f, "Endgame scale        {scale} of {FULL_SCALE}")?;
        writeln!(f, "Fifty-move rule      {fifty_move_scale} of {FULL_FIFTY_MOVE_SCALE}")?;
        for color in Color::ALL {
            let reasons = self.reasons(color).into_iter();
            let reasons: Vec<String> =
                reasons.map(|(row, share)| format!("{} {share:+.0}", row.title())).collect();
            let reasons =
                if reasons.is_empty() { "nothing".to_owned() } else { reasons.join(", ") };
            writeln!(f, "For {}            {reasons}", color.name())?;
        }
        Ok(())
    }
}

/// The sums of some rows: White's, Black's and the whole.
fn sums(rows: &[ExplainRow]) -> [Tapered; 3] {
    let sum = |part: fn(&ExplainRow) -> Tapered| rows.iter().map(part).sum::<Tapered>();
    [sum(|row| row.white), sum(|row| row.black), sum(ExplainRow::total)]
}

/// A line of the table; without a share its cells are in units.
fn line(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    cells: [Tapered; 3],
    share: Option<Tenths>,
) -> fmt::Result {
    write!(f, "{name:<26}")?;
    for cell in cells {
        write!(f, " | {:>7.1} {:>7.1}", shown(cell.middlegame()), shown(cell.endgame()))?;
    }
    match share {
        Some(share) => writeln!(f, " | {:>8.1}", share.centipawns()),
        None => writeln!(f, " | {:>8}", "units"),
    }
}

/// A value as it is shown, without the sign of a zero.
fn shown(value: f64) -> f64 {
    if value.abs() < 0.05 { 0.0 } else { value }
}

/// The board, with the value of each piece in pawns after its letter.
impl fmt::Display for PieceValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "What each piece is worth: the pawns that its side would lose with it")?;
        let cell = |square| {
            let Some(piece) = self.pieces.iter().find(|piece| piece.square == square) else {
                return ".".to_owned();
            };
            let value = piece.value.map(|value| format!("{:.2}", f64::from(value) / 100.0));
            format!("{}{}", piece.piece.letter(piece.color), value.unwrap_or_default())
        };
        for rank in Rank::ALL.into_iter().rev() {
            let cells = File::ALL.map(|file| format!("  {:<6}", cell(Square::at(file, rank))));
            writeln!(f, "{}{}", rank.index() + 1, cells.concat().trim_end())?;
        }
        write!(f, "   a       b       c       d       e       f       g       h")
    }
}
