//! Perpetual check.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::chess::{Color, Move, State};
use crate::insight::line::Line;

/// The positions that are looked at, at most.
const MAX_POSITIONS: usize = 5_000;

/// From a move of a line on a side can give check with each move, whatever is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PerpetualCheck {
    pub by: Color,
    /// The ply of the first check that shows it.
    pub ply: usize,
}

/// The perpetual check in which a line ends: the last moves of a side are checks, and after one
/// of them, the first that shows it, the side can check for ever.
pub fn perpetual_check(line: &Line) -> Option<PerpetualCheck> {
    let (states, plies) = (line.states(), line.moves().len());
    let of_side = |end: usize| {
        let checks = (0..=end).rev().step_by(2).take_while(|&ply| states[ply + 1].in_check());
        let mut checks = (checks.last()?..=end).step_by(2);
        let ply = checks.find(|&ply| checks_for_ever(&states[ply + 1]))?;
        Some(PerpetualCheck { by: states[ply].side_to_move(), ply })
    };
    (plies.saturating_sub(2)..plies).rev().find_map(of_side)
}

/// Whether a side that has given check can go on with checks, whatever is answered. The positions
/// after the answers are looked at in layers, each one check deeper than the one before; a layer
/// that would be too large is left out as a whole. So are checks by a piece that can be taken.
fn checks_for_ever(checked: &State) -> bool {
    let mut layer = after_answers(checked);
    let first = keys(&layer);
    let mut checks = Checks::new();
    while !layer.is_empty() && checks.len() + layer.len() <= MAX_POSITIONS {
        let mut next = HashMap::new();
        for (&key, state) in &layer {
            let moves = state.legal_moves();
            let checked = moves.iter().map(|&m| state.after(m)).filter(is_lasting_check);
            let answers: Vec<_> = checked.map(|checked| after_answers(&checked)).collect();
            checks.insert(key, answers.iter().map(keys).collect());
            next.extend(answers.into_iter().flatten());
        }
        if first.is_subset(&safe(&checks)) {
            return true;
        }
        next.retain(|key, _| !checks.contains_key(key));
        layer = next;
    }
    false
}

/// Whether the side to move is in check by pieces that it cannot take.
fn is_lasting_check(state: &State) -> bool {
    let takes = |answer: &Move| state.checkers().contains(answer.to());
    state.in_check() && !state.legal_moves().iter().any(takes)
}

/// Positions with their keys.
type Layer = HashMap<u64, State>;
/// The keys of positions, and for each check there those of the positions after the answers.
type Checks = HashMap<u64, Vec<HashSet<u64>>>;

fn after_answers(checked: &State) -> Layer {
    let answers = checked.legal_moves();
    let after = answers.iter().map(|&answer| checked.after(answer));
    after.map(|state| (state.key(), state)).collect()
}

fn keys(layer: &Layer) -> HashSet<u64> {
    layer.keys().copied().collect()
}

/// The positions in which a check leads only to such positions.
fn safe(checks: &Checks) -> HashSet<u64> {
    let mut safe: HashSet<u64> = checks.keys().copied().collect();
    loop {
        let leads_to_safe = |key: &&u64| checks[key].iter().any(|answers| answers.is_subset(&safe));
        let kept: HashSet<u64> = safe.iter().filter(leads_to_safe).copied().collect();
        if kept.len() == safe.len() {
            return safe;
        }
        safe = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::line::tests::line;

    #[test]
    fn checks_are_perpetual_if_no_answer_escapes() {
        let queen = "8/2q1kp2/p1P1b3/8/4r3/2Q4p/PP5b/2R2R1K w - - 0 32";
        let rooks = "8/2R5/6pk/7p/4r3/1P3RKP/P1Pr2P1/8 w - - 2 42";
        let wide = "4N1k1/p4p1p/1p3Qp1/2p1pn2/2P1P1PP/4q3/PP4K1/3B4 w - - 7 29";
        for (fen, moves, perpetual) in [
            (queen, &["Qf6+", "Ke8", "Qh8+", "Ke7"][..], Some((Color::White, 0))),
            (queen, &["b3", "Re2", "Qf6+", "Ke8", "Qh8+"], Some((Color::White, 2))),
            (queen, &["b3", "Bg3"], None),
            (wide, &["exf5", "Qd2+", "Kg3", "Qf4+", "Kh3", "Qe3+"], Some((Color::Black, 3))),
            // The king escapes to f1.
            (
                rooks,
                &["Rc6", "h4+", "Kh2", "Ree2", "Rc4", "Rxg2+", "Kh1", "Rh2+", "Kg1", "Rhg2+"],
                None,
            ),
        ] {
            let found = perpetual_check(&line(fen, moves));
            assert_eq!(found.map(|check| (check.by, check.ply)), perpetual, "{moves:?}");
        }
    }
}
