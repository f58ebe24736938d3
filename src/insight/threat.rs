//! What the other side would do if it could move twice.

use serde::Serialize;

use crate::chess::{Move, Position, State, attacks};
use crate::insight::balance::{balance, near};
use crate::insight::examine::{Examiner, SearchedLine};
use crate::insight::exchange::{after_exchanges, attackers, attacks_from, material};
use crate::insight::line::Line;
use crate::insight::study::{StudiedLine, Study};
use crate::search::Limits;

/// The expected score that a threat gains at least.
const LEAST_GAIN: f64 = 0.10;
/// The share of the nodes for the question whether a move meets the threat.
const SHARE: u64 = 4;

/// A threat: if the side to move passed, the other side would win material or mate, and
/// `LEAST_GAIN` of the expected score.
#[derive(Clone, Debug)]
pub struct Threat {
    /// The line of the threatening side, from the position after the pass.
    pub searched: SearchedLine,
    /// The line followed to a quiet position.
    pub line: Line,
    /// How the best move meets the threat; `None` if it does not.
    pub met_by_best: Option<Defence>,
    /// How the other move of the study meets it.
    pub met_by_other: Option<Defence>,
}

/// How a move meets a threat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Defence {
    /// It takes the threatening piece.
    Captures,
    /// The threatened piece leaves.
    MovesAway,
    /// The moved piece blocks the way of the threatening piece.
    Blocks,
    /// The moved piece defends the threatened one.
    Defends,
    /// After the move the threat gains no longer.
    Otherwise,
}

/// The position after a pass. `None` in check, and with bare pawns, where to pass may be an
/// advantage.
pub fn passed(position: &Position) -> Option<Position> {
    let can_pass = !position.in_check() && position.has_non_pawn_material(position.side_to_move());
    can_pass.then(|| {
        let mut passed = position.clone();
        passed.make_null();
        passed
    })
}

/// Searches for a threat, which gains enough against the best line without it, and how the two
/// moves of a study meet it.
pub fn find(examiner: &mut Examiner, study: &Study, limits: &Limits) -> Option<Threat> {
    let Study { position, best, other, level, .. } = study;
    let passed = passed(position).filter(|_| !best.searched.moves.is_empty())?;
    let least = 1.0 - level.expected(&best.searched) + LEAST_GAIN;
    let searched = examiner.examine(&passed, 1, limits).lines.into_iter().next()?;
    if level.expected(&searched) < least {
        return None;
    }
    let line = Line::new(&passed, &searched.moves).settled();
    let first = *line.moves().first()?;
    let begins = passed.captured(first).is_some() || first.is_promotion();
    let mates = line.end().is_checkmate() && line.moves().len() % 2 == 1;
    let won = balance(&near(&line), passed.side_to_move()).points();
    if !(mates || begins && won > 0) {
        return None;
    }
    let mut meets = |answer: &StudiedLine| {
        let m = *answer.searched.moves.first()?;
        let is_met = match after(position, m, first) {
            None => true,
            Some((next, carried)) => {
                let limits = Limits { search_moves: Some(vec![carried]), ..share(limits) };
                let reply = examiner.examine(&next, 1, &limits);
                let gains = level.expected(&reply.lines[0]) >= least;
                !gains && (mates || exchanged(position, &next, carried) < won)
            }
        };
        is_met.then(|| defence(position, m, first))
    };
    let (met_by_best, met_by_other) = (meets(best), other.as_ref().and_then(meets));
    Some(Threat { searched, line, met_by_best, met_by_other })
}

/// The position after a move, and the move that carries the threat out there. It may be no
/// capture any more.
fn after(position: &Position, m: Move, threat: Move) -> Option<(Position, Move)> {
    let mut next = position.clone();
    next.make(m);
    let from_to = |m: Move| (m.from(), m.to(), m.promotion());
    let carried = next.legal_moves().iter().copied().find(|&m| from_to(m) == from_to(threat))?;
    Some((next, carried))
}

/// The points that the side of a move `m` in `next` wins by it since `before`, if exchanges
/// follow.
fn exchanged(before: &State, next: &State, m: Move) -> i32 {
    let side = next.side_to_move();
    let end = next.after(m);
    after_exchanges(&end, side) - material(before, side)
}

fn share(limits: &Limits) -> Limits {
    Limits { nodes: limits.nodes.map(|nodes| (nodes / SHARE).max(1)), ..limits.clone() }
}

/// How a move meets a threat, as the board shows it.
fn defence(position: &Position, m: Move, threat: Move) -> Defence {
    let defender = position.side_to_move();
    if m.to() == threat.from() && position.captured(m).is_some() {
        return Defence::Captures;
    }
    if m.is_castle() {
        return Defence::Otherwise;
    }
    let target = threat.to();
    if m.from() == target {
        return Defence::MovesAway;
    }
    if attacks::between(threat.from(), target).contains(m.to()) {
        return Defence::Blocks;
    }
    let next = position.state().after(m);
    let is_own = next.color_on(target) == Some(defender);
    let defended_before = attackers(position, defender, target).contains(m.from());
    if is_own && attacks_from(&next, m.to()).contains(target) && !defended_before {
        return Defence::Defends;
    }
    Defence::Otherwise
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::san;

    #[test]
    fn a_threat_may_be_carried_out_without_a_capture() {
        let fen = "r1b1kbnr/2p1q1p1/n7/pp2p1pp/N3P3/5Q2/PPP2PPP/R1B1KB1R b Kkq - 1 14";
        let position = Position::from_fen(fen).unwrap();
        let passed = passed(&position).unwrap();
        let threat = san::parse(&passed, "Bxb5+").unwrap();
        let after = |m| after(&position, san::parse(&position, m).unwrap(), threat);
        // The pawn has gone, and the bishop still checks.
        let (next, same) = after("bxa4").unwrap();
        assert_eq!((same.to(), next.captured(same)), (threat.to(), None));
        assert_eq!(after("c6").unwrap().1, threat);
        // White has to answer the check.
        assert_eq!(after("Qb4+"), None);
    }
}
