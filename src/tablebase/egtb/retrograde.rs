//! Solves an ending by retrograde analysis: from the mates backwards, ply by ply.
//!
//! Wave `n` holds the positions that are decided in exactly `n` plies. A position is won
//! in `n` plies if a move leads to a loss in `n - 1` and none to a quicker loss, so it is a
//! predecessor of such a loss. It is lost in `n` plies if all its moves lead to wins and
//! the longest takes `n - 1`, so it is a predecessor of such a win whose other moves must
//! be checked too.
//!
//! Captures and promotions lead to other endings, which are solved already. They are
//! generated once for every position: a position that they decide is scheduled for the
//! wave of its distance, and one with a conversion that does not lose is never lost.
//!
//! A double step that allows an en-passant capture leads to no position of the table. The
//! few positions with such a step are evaluated again in every wave.

use std::ops::ControlFlow::{Break, Continue};

use rayon::prelude::*;
use thiserror::Error;

use crate::tablebase::egtb::collection::Collection;
use crate::tablebase::egtb::dtm::{
    Code, DRAW, DtmValue, FIRST_SPECIAL, NO_POSITION, code_of, decode, is_loss, is_win,
};
use crate::tablebase::egtb::ending::{Ending, QuietMove};
use crate::tablebase::egtb::material::Material;
use crate::tablebase::egtb::table::DtmTable;
use crate::util::pool::on_all_cores;

/// Not decided yet; drawn if it never is.
const OPEN: Code = DRAW;
/// Not decided yet, but not lost.
const NOT_LOST: Code = FIRST_SPECIAL;

/// Positions per parallel task.
const CHUNK: usize = 1 << 12;

/// Why an ending was not solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    #[error("{material} can turn into {missing}, whose table is missing")]
    Missing { material: Material, missing: Material },
    /// No ending of four pieces has such a long mate.
    #[error("{0} has a longer mate than a table can hold")]
    TooLong(Material),
}

/// Solves an ending on all cores.
///
/// # Errors
///
/// If the collection lacks the table of a conversion; see [`Material::build_order`].
pub fn build(material: &Material, tables: &Collection) -> Result<DtmTable, BuildError> {
    for missing in material.conversions() {
        if tables.table(&missing).is_none() {
            return Err(BuildError::Missing { material: material.clone(), missing });
        }
    }
    on_all_cores(|| solve(material, tables))
}

fn solve(material: &Material, tables: &Collection) -> Result<DtmTable, BuildError> {
    let mut analysis = Analysis::new(Ending::new(material, tables));
    let mut wave = Vec::new();
    let mut plies = 0;
    while !wave.is_empty() || usize::from(plies) < analysis.due.len() {
        if plies >= FIRST_SPECIAL - 1 {
            return Err(BuildError::TooLong(material.clone()));
        }
        wave = analysis.next_wave(&wave, plies);
        plies += 1;
    }
    Ok(DtmTable::new(material.clone(), analysis.finish()))
}

struct Analysis<'a> {
    ending: Ending<'a>,
    /// The codes found so far.
    codes: Vec<Code>,
    /// By distance in plies, the positions that conversions decide unless a quiet move
    /// decides them earlier.
    due: Vec<Vec<u32>>,
    /// Positions with a double step that allows an en-passant capture.
    special: Vec<u32>,
}

/// The results of one parallel task.
#[derive(Default)]
struct Found {
    /// Positions won or lost in at most this many plies.
    decided: Vec<(u8, u32)>,
    special: Vec<u32>,
    /// The longest distance that can result from en-passant captures.
    longest: u8,
}

impl<'a> Analysis<'a> {
    /// Evaluates the conversions of every position.
    fn new(ending: Ending<'a>) -> Self {
        let mut codes = vec![OPEN; ending.layout.len()];
        let tasks: Vec<Found> = codes
            .par_chunks_mut(CHUNK)
            .enumerate()
            .map(|(chunk, codes)| {
                let mut found = Found::default();
                for (at, code) in codes.iter_mut().enumerate() {
                    *code = initial_code(&ending, chunk * CHUNK + at, &mut found);
                }
                found
            })
            .collect();
        let mut analysis = Self { ending, codes, due: Vec::new(), special: Vec::new() };
        for found in tasks {
            for (plies, number) in found.decided {
                analysis.schedule(plies, number);
            }
            analysis.special.extend(found.special);
            analysis.expect(found.longest);
        }
        analysis
    }

    /// Ensures that there will be a wave of this distance.
    fn expect(&mut self, plies: u8) {
        let length = self.due.len().max(usize::from(plies) + 1);
        self.due.resize(length, Vec::new());
    }

    fn schedule(&mut self, plies: u8, number: u32) {
        self.expect(plies);
        self.due[usize::from(plies)].push(number);
    }

    /// The positions decided in `plies`, from the wave of one ply less.
    fn next_wave(&mut self, wave: &[u32], plies: u8) -> Vec<u32> {
        let won = plies % 2 == 1;
        let before: Vec<Vec<(u8, u32)>> = wave
            .par_chunks(CHUNK)
            .map(|part| if won { self.won_before(part, plies) } else { self.lost_before(part) })
            .collect();
        let special: Vec<(u8, u32)> = self
            .special
            .par_iter()
            .filter_map(|&number| Some((self.special_distance(number, plies)?, number)))
            .collect();

        let due = self.due.get_mut(usize::from(plies)).map(std::mem::take).unwrap_or_default();
        let due = due.into_iter().map(|number| (plies, number));
        let mut next = Vec::new();
        for (distance, number) in due.chain(before.into_iter().flatten()).chain(special) {
            let code = &mut self.codes[number as usize];
            if *code != OPEN && *code != NOT_LOST {
                continue;
            }
            if distance == plies {
                *code = code_of(plies);
                next.push(number);
            } else {
                self.schedule(distance, number);
            }
        }
        next
    }

    /// Undecided positions with a move to one of these lost positions.
    fn won_before(&self, lost: &[u32], plies: u8) -> Vec<(u8, u32)> {
        let mut found = Vec::new();
        for &number in lost {
            self.ending.predecessors(&self.ending.layout.placement(number as usize), |before| {
                if matches!(self.codes[before], OPEN | NOT_LOST) {
                    found.push((plies, before as u32));
                }
            });
        }
        found
    }

    /// The positions with a move to one of these won positions that are lost, with their
    /// distances.
    fn lost_before(&self, won: &[u32]) -> Vec<(u8, u32)> {
        let mut found = Vec::new();
        for &number in won {
            self.ending.predecessors(&self.ending.layout.placement(number as usize), |before| {
                if self.codes[before] == OPEN
                    && let Some(plies) = self.loss_distance(before)
                {
                    found.push((plies, before as u32));
                }
            });
        }
        found
    }

    /// The distance of a position all of whose moves are known to lose. Positions in
    /// `special` are left to [`Analysis::special_distance`].
    fn loss_distance(&self, number: usize) -> Option<u8> {
        let placement = self.ending.layout.placement(number);
        let mut longest = 0;
        let flow = self.ending.quiet_moves(&placement, |QuietMove { after, en_passant }| {
            let code = self.ending.layout.index(&after).map_or(OPEN, |after| self.codes[after]);
            if en_passant.is_some() || !is_win(code) {
                return Break(());
            }
            longest = longest.max(code);
            Continue(())
        });
        if flow.is_break() {
            return None;
        }
        let mut lost = true;
        self.ending.conversions(&placement, |code| {
            lost &= is_win(code);
            longest = longest.max(code);
        });
        // The code, the distance plus one, is the distance with the move to it.
        lost.then_some(longest)
    }

    /// The distance of an undecided position in `special`, if it is decided in this wave
    /// or known to be lost in a later one.
    fn special_distance(&self, number: u32, plies: u8) -> Option<u8> {
        let known = self.codes[number as usize];
        if known != OPEN && known != NOT_LOST {
            return None;
        }
        let placement = self.ending.layout.placement(number as usize);
        let (mut won, mut open) = (false, false);
        let mut longest = 0;
        let _ = self.ending.quiet_moves(&placement, |inner| {
            match self.quiet_value(&inner, plies) {
                Some(DtmValue::Win(distance)) => longest = longest.max(distance + 1),
                Some(DtmValue::Loss(distance)) if distance + 1 == plies => won = true,
                _ => open = true,
            }
            Continue::<()>(())
        });
        if won {
            return Some(plies);
        }
        // A position with a conversion that does not lose is not open.
        self.ending.conversions(&placement, |code| {
            longest = longest.max(if is_win(code) { code } else { 0 });
        });
        let lost = known == OPEN && !open && longest > 0 && longest % 2 == 0;
        lost.then_some(longest).filter(|&distance| distance >= plies)
    }

    /// The value of a move for the other side, if it is known before this wave, including
    /// the en-passant capture that the move may allow.
    fn quiet_value(&self, inner: &QuietMove, plies: u8) -> Option<DtmValue> {
        let after = &inner.after;
        let code = self.ending.layout.index(after).map_or(OPEN, |number| self.codes[number]);
        let quiet = Some(code).filter(|&code| is_win(code) || is_loss(code)).and_then(decode);
        let Some(capture) = inner.en_passant.and_then(decode).map(DtmValue::for_mover) else {
            return quiet;
        };
        let others = self.ending.quiet_moves(after, |_| Break(()));
        let mut converts = false;
        self.ending.conversions(after, |_| converts = true);
        if others.is_continue() && !converts {
            return Some(capture);
        }
        match (quiet, capture) {
            (Some(quiet), capture) if quiet.preference() > capture.preference() => Some(quiet),
            (Some(_), capture) => Some(capture),
            // No other reply wins as quickly.
            (None, DtmValue::Win(distance)) if distance < plies => Some(capture),
            (None, _) => None,
        }
    }

    /// The codes, with undecided positions drawn.
    fn finish(mut self) -> Box<[Code]> {
        for code in &mut self.codes {
            if *code == NOT_LOST {
                *code = DRAW;
            }
        }
        self.codes.into_boxed_slice()
    }
}

/// The first code of a position, by its conversions or by its lack of any move. What they
/// decide is added to `found`.
fn initial_code(ending: &Ending, number: usize, found: &mut Found) -> Code {
    let placement = ending.layout.placement(number);
    if ending.layout.index(&placement) != Some(number) || !ending.is_legal(&placement) {
        return NO_POSITION;
    }
    let (mut quickest, mut longest) = (None::<Code>, None::<Code>);
    let mut drawn = false;
    ending.conversions(&placement, |code| {
        if is_loss(code) {
            quickest = Some(quickest.map_or(code, |quickest| quickest.min(code)));
        } else if is_win(code) {
            longest = longest.max(Some(code));
        } else {
            drawn = true;
        }
    });
    let all = ending.has_en_passant();
    let (mut inner, mut special) = (false, false);
    let _ = ending.quiet_moves(&placement, |QuietMove { en_passant, .. }| {
        inner = true;
        if let Some(code) = en_passant {
            special = true;
            // The step and the capture take a ply each.
            found.longest = found.longest.max(code.saturating_add(2));
        }
        if all { Continue(()) } else { Break(()) }
    });
    if special {
        found.special.push(number as u32);
    }
    // The code, the distance plus one, is the distance with the move to it.
    let plies = match (quickest, drawn, longest) {
        (Some(code), ..) => code,
        (None, true, _) => return NOT_LOST,
        (None, false, _) if inner => return OPEN,
        (None, false, Some(code)) => code,
        (None, false, None) if ending.in_check(&placement) => 0,
        (None, false, None) => return NOT_LOST,
    };
    found.decided.push((plies, number as u32));
    if plies % 2 == 1 { NOT_LOST } else { OPEN }
}
