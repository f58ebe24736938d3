//! The line to a proven mate.
//!
//! A mate that the transposition table proves counts even where the search has not
//! found the proof again, and the principal variation then ends before the mate. The
//! missing moves are read from the transposition table or from endgame tables; the last
//! two plies are found on the board.

use crate::chess::{Move, Position};
use crate::search::tables::Probe;
use crate::search::thread::pv::PvLine;
use crate::search::tt::table::TranspositionTable;

/// The largest number of positions to visit.
const MAX_POSITIONS: u32 = 10_000;

/// A line that starts with `first` and ends with mate after `plies` plies, if the tables
/// contain one.
pub fn mate_line(
    position: &mut Position,
    tt: &TranspositionTable,
    probe: &Probe,
    first: Move,
    plies: usize,
) -> Option<PvLine> {
    let mut reader =
        Reader { position, tt, probe, line: PvLine::new(), positions_left: MAX_POSITIONS };
    reader.extend_to_mate(first, plies.checked_sub(1)?).then_some(reader.line)
}

struct Reader<'a> {
    position: &'a mut Position,
    tt: &'a TranspositionTable,
    probe: &'a Probe,
    line: PvLine,
    positions_left: u32,
}

impl Reader<'_> {
    /// Extends the line by `m` and `plies` plies that end in mate. Returns whether there
    /// is such a continuation.
    fn extend_to_mate(&mut self, m: Move, plies: usize) -> bool {
        if self.positions_left == 0 || !self.line.try_push(m) {
            return false;
        }
        self.positions_left -= 1;
        self.position.make(m);
        let found = match plies {
            0 => self.position.is_checkmate(),
            _ => {
                self.may_mate_in(plies)
                    && self
                        .position
                        .legal_moves()
                        .into_iter()
                        .any(|m| self.extend_to_mate(m, plies - 1))
            }
        };
        self.position.unmake();
        if !found {
            self.line.pop();
        }
        found
    }

    /// Whether a table proves a mate in `plies` plies, or the next ply has to mate.
    fn may_mate_in(&self, plies: usize) -> bool {
        let proven = || {
            let distance = self.probe.plies_to_mate(self.position);
            distance.or_else(|| self.tt.probe_position(self.position)?.plies_to_mate())
        };
        !self.position.is_draw(self.line.len()) && (plies == 1 || proven() == Some(plies))
    }
}
