//! Ranks the root moves by the tables.
//!
//! A table of winners does not show progress: the game may go back and forth between won
//! positions until fifty moves are over. So the root moves are ranked by the distance to
//! the next capture or pawn move, plus the moves already made without one (as `root_probe`
//! in Stockfish's `tbprobe.cpp`, by R. de Man and others).

use crate::chess::{Move, Position};
use crate::tablebase::syzygy::Syzygy;
use crate::tablebase::wdl::Wdl;

/// The rank of a move that certainly wins within the fifty-move rule; a certain loss
/// has the negative of it.
const MAX_RANK: i32 = 1 << 16;
/// Plies without a capture or pawn move that make a draw.
pub const FIFTY_MOVES: i32 = 100;

/// A legal move with its rank by the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    pub m: Move,
    /// A move of higher rank is better, whatever its search score. All moves that
    /// certainly win in time share one rank.
    pub rank: i32,
    /// The outcome for the side that plays the move.
    pub wdl: Wdl,
    /// The plies to the winner's next capture or pawn move, this move included; 0 for
    /// a draw, or if only the outcome is known.
    pub plies: u32,
}

/// Ranks every legal move; with `fifty_moves` a win must come in time. The flag
/// returned is true if the distances are known too: without them a search has to find
/// the way. `None` unless the tables hold every move's outcome.
pub fn rank_moves(
    syzygy: &Syzygy,
    position: &Position,
    fifty_moves: bool,
) -> Option<(Vec<RankedMove>, bool)> {
    if position.occupied().len() > syzygy.max_pieces() || !position.castling().is_empty() {
        return None;
    }
    let by_distance = rank_each(position, |m, after| {
        let dtz = distance(syzygy, after, fifty_moves)?;
        Some(ranked_by_distance(m, dtz, position, fifty_moves))
    });
    if let Some(ranked) = by_distance {
        return Some((ranked, true));
    }
    let by_outcome = rank_each(position, |m, after| {
        let drawn = is_drawn_by_history(after, fifty_moves);
        let wdl = if drawn { Wdl::Draw } else { -syzygy.wdl(after)? };
        let wdl = wdl.with_fifty_move_rule(fifty_moves);
        Some(RankedMove { m, rank: rank_of_outcome(wdl), wdl, plies: 0 })
    });
    by_outcome.map(|ranked| (ranked, false))
}

/// Calls `rank` for each legal move with the position after it; `None` if it fails for
/// any of them.
fn rank_each(
    position: &Position,
    rank: impl Fn(Move, &Position) -> Option<RankedMove>,
) -> Option<Vec<RankedMove>> {
    let mut after = position.clone();
    let ranked = position.legal_moves().into_iter().map(|m| {
        after.make(m);
        let ranked = rank(m, &after);
        after.unmake();
        ranked
    });
    ranked.collect()
}

/// The distance to the next zeroing move for the side that made the last move, both
/// moves included; 0 for a draw.
fn distance(syzygy: &Syzygy, after: &Position, fifty_moves: bool) -> Option<i32> {
    if after.is_checkmate() {
        return Some(1);
    }
    if after.halfmove_clock() == 0 {
        // The move itself was zeroing, so only the outcome counts.
        return Some(match -syzygy.wdl(after)? {
            Wdl::Win => 1,
            Wdl::CursedWin => FIFTY_MOVES + 1,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -FIFTY_MOVES - 1,
            Wdl::Loss => -1,
        });
    }
    if is_drawn_by_history(after, fifty_moves) {
        return Some(0);
    }
    let dtz = -syzygy.dtz(after)?;
    Some(dtz + dtz.signum())
}

/// Whether the position is drawn by repetition or the fifty-move rule, which the
/// tables do not see.
fn is_drawn_by_history(position: &Position, fifty_moves: bool) -> bool {
    position.is_repetition(1) || fifty_moves && position.is_fifty_move_draw()
}

fn ranked_by_distance(m: Move, dtz: i32, position: &Position, fifty_moves: bool) -> RankedMove {
    let made = i32::from(position.halfmove_clock());
    let plies = dtz.abs();
    // After a repetition since the last zeroing move, only the shortest way is good
    // enough: the winner has made no progress.
    let in_time = plies + made < FIFTY_MOVES && !position.has_repeated();
    let rank = match dtz {
        0 => 0,
        1.. if in_time => MAX_RANK,
        1.. => MAX_RANK - (plies + made),
        // The losing side prefers the longest way where the fifty-move rule may save it.
        _ if 2 * plies + made < FIFTY_MOVES => -MAX_RANK,
        _ => -MAX_RANK + plies + made,
    };
    let bound = if fifty_moves { MAX_RANK - FIFTY_MOVES } else { 1 };
    let wdl = match rank {
        0 => Wdl::Draw,
        _ if rank >= bound => Wdl::Win,
        1.. => Wdl::CursedWin,
        _ if rank <= -bound => Wdl::Loss,
        _ => Wdl::BlessedLoss,
    };
    RankedMove { m, rank, wdl, plies: plies as u32 }
}

fn rank_of_outcome(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Loss => -MAX_RANK,
        Wdl::BlessedLoss => -MAX_RANK + FIFTY_MOVES + 1,
        Wdl::Draw => 0,
        Wdl::CursedWin => MAX_RANK - FIFTY_MOVES - 1,
        Wdl::Win => MAX_RANK,
    }
}
