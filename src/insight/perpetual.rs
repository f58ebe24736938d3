//! Perpetual check.

use serde::Serialize;

use crate::chess::{Color, State};
use crate::insight::line::Line;

/// The checks until a position occurs again, at most.
const MAX_CHECKS: usize = 6;
/// The positions that are looked at, at most.
const MAX_NODES: u32 = 10_000;

/// From a move of a line on a side can give check with each move, whatever is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PerpetualCheck {
    pub by: Color,
    /// The ply of the first check.
    pub ply: usize,
}

/// The perpetual check in which a line ends: the last moves of a side are checks, and after the
/// first of them each answer allows checks until a position occurs again.
pub fn perpetual_check(line: &Line) -> Option<PerpetualCheck> {
    let (states, plies) = (line.states(), line.moves().len());
    let of_side = |end: usize| {
        let checks = (0..=end).rev().step_by(2).take_while(|&ply| states[ply + 1].in_check());
        let ply = checks.last()?;
        let mut prover = Prover { path: vec![states[ply].key()], nodes: 0 };
        let repeats = (1..=MAX_CHECKS).any(|checks| prover.repeats(&states[ply + 1], checks));
        repeats.then(|| PerpetualCheck { by: states[ply].side_to_move(), ply })
    };
    (plies.saturating_sub(2)..plies).rev().find_map(of_side)
}

/// Proves that a side can repeat a position by checks.
struct Prover {
    /// The keys of the positions before the checks.
    path: Vec<u64>,
    nodes: u32,
}

impl Prover {
    /// Whether after each answer to a check the side can give check again, until a position
    /// occurs again after this number of checks at most.
    fn repeats(&mut self, checked: &State, checks: usize) -> bool {
        let answers = checked.legal_moves();
        answers.iter().all(|&answer| self.checks_again(&checked.after(answer), checks - 1))
    }

    fn checks_again(&mut self, state: &State, checks: usize) -> bool {
        let key = state.key();
        if self.path.contains(&key) {
            return true;
        }
        if checks == 0 || self.nodes == MAX_NODES {
            return false;
        }
        self.nodes += 1;
        self.path.push(key);
        let found = state.legal_moves().iter().any(|&m| {
            let next = state.after(m);
            next.in_check() && self.repeats(&next, checks)
        });
        self.path.pop();
        found
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
        for (fen, moves, perpetual) in [
            (queen, &["Qf6+", "Ke8", "Qh8+", "Ke7"][..], Some((Color::White, 0))),
            (queen, &["b3", "Re2", "Qf6+", "Ke8", "Qh8+"], Some((Color::White, 2))),
            (queen, &["b3", "Bg3"], None),
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
