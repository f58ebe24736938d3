//! Quiescence search: below a leaf only moves are played that change the static value, so
//! that no value is taken in the middle of an exchange (Harris, "The heuristic search and the
//! game of chess", 1975). A side need not play any of them, unless it is in check.

use std::cmp::Reverse;

use crate::lab::game::{INFINITE, at_ply};
use crate::lab::{Search, Searched};

/// What is played below a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuiescenceMoves {
    /// Captures and promotions.
    Noisy,
    /// Those, and in check all moves.
    Evasions,
    /// Captures and promotions that lose nothing by exchange, and in check all moves.
    Exchanges,
}

/// Checks are not answered more plies below the depth of the search than this.
const MAX_PLIES: usize = 40;

/// The value of a quiescence search.
pub fn quiescence(
    s: &mut Search<'_>,
    played: QuiescenceMoves,
    alpha: i32,
    beta: i32,
) -> Searched<i32> {
    if let Some(end) = s.game.end() {
        return Ok(at_ply(end, s.ply() as i32));
    }
    let answers_checks = played != QuiescenceMoves::Noisy && s.ply() < s.depth as usize + MAX_PLIES;
    let evades = answers_checks && s.game.in_check();
    let mut best = if evades { -INFINITE } else { s.game.value() };
    if best >= beta {
        return Ok(best);
    }
    let mut moves = s.game.moves();
    if !evades {
        let game = &*s.game;
        let loses = |m| played == QuiescenceMoves::Exchanges && game.exchange(m) < 0;
        moves.retain(|&m| game.is_noisy(m) && !loses(m));
    }
    moves.sort_by_key(|&m| Reverse(s.game.guess(m)));
    for m in moves {
        s.play(m);
        s.enter_quiescence()?;
        let value = -quiescence(s, played, -beta, -alpha.max(best))?;
        s.undo();
        best = best.max(value);
        if best >= beta {
            break;
        }
    }
    Ok(best)
}
