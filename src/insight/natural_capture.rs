//! A capture that a line does not play although it seems to win back what has fallen, and the
//! move that answers it.

use std::cmp::Reverse;

use serde::{Serialize, Serializer};

use crate::chess::{Move, State, see};
use crate::insight::balance::Capture;
use crate::insight::exchange::{exchanges_reach, points};
use crate::insight::line::Line;

/// A capture that one move answers, so that all that was won stays won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AnsweredCapture {
    /// The ply of the line at which the capture is possible.
    pub ply: usize,
    /// From and to.
    #[serde(serialize_with = "squares")]
    pub capture: Move,
    #[serde(serialize_with = "squares")]
    pub answer: Move,
}

fn squares<S: Serializer>(m: &Move, serializer: S) -> Result<S::Ok, S::Error> {
    [m.from(), m.to()].serialize(serializer)
}

/// The natural capture after a fall, if the line does not play it, and the only move after which,
/// whatever follows, exchanges leave the winner at least `least` points more than the other side.
pub fn answered(line: &Line, fall: &Capture, least: i32) -> Option<AnsweredCapture> {
    let ply = fall.ply + 1;
    let state = &line.states()[ply];
    let capture = natural_capture(state, line.moves()[fall.ply], fall)?;
    if line.moves().get(ply).is_some_and(|played| played.to() == capture.to()) {
        return None;
    }
    let next = state.after(capture);
    let answer = only_answer(&next, least)?;
    Some(AnsweredCapture { ply, capture, answer })
}

/// The capture of the most valuable piece, if that is worth what has fallen and the exchange wins
/// material: of equals the one that takes back, with the least piece. `None` if there are several.
fn natural_capture(state: &State, last: Move, fall: &Capture) -> Option<Move> {
    let value = |m: Move| state.captured(m).map_or(0, points);
    let takes_back = |m: Move| m.to() == last.to();
    let rank = |m: Move| (value(m), takes_back(m), Reverse(points(state.moved_piece(m))));
    let mut captures: Vec<Move> = state.legal_moves().iter().copied().collect();
    let fallen = points(fall.piece);
    captures.retain(|&m| value(m) >= fallen && !m.is_promotion() && see::see_at_least(state, m, 1));
    let most = captures.iter().map(|&m| rank(m)).max()?;
    only(captures.into_iter().filter(|&m| rank(m) == most))
}

/// The only move that keeps these points for its side, if it is no promotion.
fn only_answer(state: &State, least: i32) -> Option<Move> {
    let moves = state.legal_moves();
    let answer = only(moves.iter().copied().filter(|&m| keeps(state, m, least)))?;
    (!answer.is_promotion()).then_some(answer)
}

/// Whether a move mates, or its side has these points by exchanges after each reply.
fn keeps(state: &State, m: Move, least: i32) -> bool {
    let next = state.after(m);
    let replies = next.legal_moves();
    if replies.is_empty() {
        return next.is_checkmate();
    }
    replies.iter().all(|&reply| {
        let after = next.after(reply);
        !after.legal_moves().is_empty() && exchanges_reach(&after, least)
    })
}

fn only(mut moves: impl Iterator<Item = Move>) -> Option<Move> {
    let first = moves.next()?;
    moves.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::san;
    use crate::insight::balance::captures;
    use crate::insight::exchange::material;
    use crate::insight::line::tests::line;

    const CAMBRIDGE_SPRINGS: &str =
        "r1b1kb1r/pp1n1ppp/2p1p3/q2p2B1/2PPn3/2NBPN2/PP3PPP/R2QK2R w KQkq - 4 8";
    const ELEPHANT_TRAP: &str = "r1bqkb1r/pppn1ppp/5n2/3p2B1/3P4/2N5/PP2PPPP/R2QKBNR w KQkq - 0 6";

    /// In SAN, after the last capture of a line that wins so many points.
    fn answered_after(fen: &str, moves: &[&str], won: i32) -> Option<[String; 2]> {
        let line = line(fen, moves);
        let fall = *captures(&line).iter().rfind(|fall| fall.color == line.attacker())?;
        let least = material(&line.states()[0], !fall.color) + won;
        let AnsweredCapture { ply, capture, answer } = answered(&line, &fall, least)?;
        let state = line.states()[ply];
        let next = state.after(capture);
        Some([san::format(&state, capture), san::format(&next, answer)])
    }

    #[test]
    fn a_natural_capture_has_an_answer() {
        let texts = |texts: [&str; 2]| Some(texts.map(String::from));
        let springs = |moves: &[&str], won| answered_after(CAMBRIDGE_SPRINGS, moves, won);
        assert_eq!(springs(&["Qc2", "Nxg5", "Nd2"], 2), texts(["Nxg5", "dxc4"]));
        let elephant = answered_after(ELEPHANT_TRAP, &["Nxd5", "Nxd5", "Bd2"], 2);
        assert_eq!(elephant, texts(["Bxd8", "Bb4+"]));
        // The line plays it; more is not won; nothing seems to win a piece; the exchange is even.
        assert_eq!(springs(&["Qc2", "Nxg5", "Nxg5"], 2), None);
        assert_eq!(springs(&["Qc2", "Nxg5", "Nd2"], 4), None);
        let loose = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        assert_eq!(answered_after(loose, &["Nxe5", "Nxe5", "Bb3"], 2), None);
        let defended = "6k1/8/2n5/4p3/3N4/5N2/8/6K1 w - - 0 1";
        assert_eq!(answered_after(defended, &["Kh1", "Nxd4", "Kg1"], 3), None);
    }
}
