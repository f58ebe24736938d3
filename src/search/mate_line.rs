//! The line to a mate that was proved.
//!
//! A mate that the table proves counts even where the search has not found its
//! proof again, and the score then says more than the line shows. What is missing
//! is read back from the table, or from endgame tables, and its last two plies from the
//! board.

use crate::chess::{Move, Position};
use crate::search::probe::Probe;
use crate::search::pv::Line;
use crate::search::tt::TranspositionTable;

/// Positions to look at before giving up.
const PATIENCE: u32 = 10_000;

/// A line that begins with `first` and ends with mate after so many plies, if the
/// table knows one.
pub(super) fn mate_line(
    position: &mut Position,
    tt: &TranspositionTable,
    probe: &Probe,
    first: Move,
    plies: usize,
) -> Option<Line> {
    let mut reader = Reader { position, tt, probe, line: Line::new(), patience: PATIENCE };
    reader.ends_with(first, plies.checked_sub(1)?).then_some(reader.line)
}

struct Reader<'a> {
    position: &'a mut Position,
    tt: &'a TranspositionTable,
    probe: &'a Probe,
    line: Line,
    patience: u32,
}

impl Reader<'_> {
    /// Whether a move can be followed by so many plies, of which the last one
    /// mates. If so they are on the line.
    fn ends_with(&mut self, m: Move, plies: usize) -> bool {
        if self.patience == 0 || self.line.try_push(m).is_err() {
            return false;
        }
        self.patience -= 1;
        self.position.make(m);
        let found = match plies {
            0 => self.position.is_checkmate(),
            _ => {
                self.may_end_in(plies)
                    && self.position.legal_moves().into_iter().any(|m| self.ends_with(m, plies - 1))
            }
        };
        self.position.unmake();
        if !found {
            self.line.pop();
        }
        found
    }

    /// Whether the position is worth following: a table proves a mate in just so many
    /// plies, or the next ply has to be it.
    fn may_end_in(&self, plies: usize) -> bool {
        let proved = || {
            let solved = self.probe.plies_to_mate(self.position);
            solved.or_else(|| self.tt.probe_position(self.position)?.plies_to_mate())
        };
        !self.position.is_draw(self.line.len()) && (plies == 1 || proved() == Some(plies))
    }
}
