//! Which moves keep what the tables promise.
//!
//! A table of who wins does not say how: of two winning positions the game may go
//! back and forth between until fifty moves are over. So the moves of the position on
//! the board are ranked by the distance to the next capture or pawn move, counted
//! together with the moves already made without one (after the root probing of
//! R. de Man's code and of Stockfish, by its authors).

use crate::chess::{Move, Position};
use crate::tablebase::{Syzygy, Wdl};

/// The rank of a move that wins for certain; the negative one is that of a loss.
const MAX_RANK: i32 = 1 << 16;
/// Plies without a capture or pawn move that make a draw.
pub const FIFTY_MOVES: i32 = 100;

/// A legal move and how well it does by the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    pub m: Move,
    /// A move of higher rank is to be preferred, whatever a search thinks. All moves
    /// that win in time for certain share one rank.
    pub rank: i32,
    /// What it leads to, for the side that plays it.
    pub wdl: Wdl,
    /// The plies to the next capture or pawn move of the winner, this move
    /// included; 0 for a draw, or if only the outcome is known.
    pub plies: u32,
}

/// Ranks every legal move; with `fifty_moves` a win has to come in time. The flag
/// says whether the distances are known too: without them a search has to find the
/// way. `None` unless the tables know the outcome of every move.
pub fn rank_moves(
    syzygy: &Syzygy,
    position: &Position,
    fifty_moves: bool,
) -> Option<(Vec<RankedMove>, bool)> {
    let men = position.occupied().len();
    if men > syzygy.max_pieces() || !position.castling().is_empty() {
        return None;
    }
    let by_distance = each_move(position, |m, after| {
        let dtz = distance(syzygy, after, fifty_moves)?;
        Some(ranked_by_distance(m, dtz, position, fifty_moves))
    });
    if let Some(ranked) = by_distance {
        return Some((ranked, true));
    }
    let by_outcome = each_move(position, |m, after| {
        let drawn = is_drawn_by_history(after, fifty_moves);
        let wdl = if drawn { Wdl::Draw } else { -syzygy.wdl(after)? };
        let wdl = wdl.with_fifty_move_rule(fifty_moves);
        Some(RankedMove { m, rank: rank_of_outcome(wdl), wdl, plies: 0 })
    });
    by_outcome.map(|ranked| (ranked, false))
}

/// What is said of each legal move and the position after it, if it is of all.
fn each_move(
    position: &Position,
    say: impl Fn(Move, &Position) -> Option<RankedMove>,
) -> Option<Vec<RankedMove>> {
    let mut after = position.clone();
    position
        .legal_moves()
        .into_iter()
        .map(|m| {
            after.make(m);
            let said = say(m, &after);
            after.unmake();
            said
        })
        .collect()
}

/// The distance to the next zeroing move, that one and the move just made included,
/// for the side that made it; 0 for a draw.
fn distance(syzygy: &Syzygy, after: &Position, fifty_moves: bool) -> Option<i32> {
    if after.is_checkmate() {
        return Some(1);
    }
    if after.halfmove_clock() == 0 {
        // The move itself was it, so that only the outcome counts.
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

/// Whether the game ends with this position, whatever the tables say of it.
fn is_drawn_by_history(position: &Position, fifty_moves: bool) -> bool {
    position.is_repetition(1) || fifty_moves && position.is_fifty_move_draw()
}

fn ranked_by_distance(m: Move, dtz: i32, position: &Position, fifty_moves: bool) -> RankedMove {
    let made = i32::from(position.halfmove_clock());
    // Whoever has repeated a position before the next capture or pawn move has not
    // made progress, and is held to the shortest way.
    let plies = dtz.abs();
    let in_time = plies + made < FIFTY_MOVES && !position.has_repeated();
    let rank = match dtz {
        0 => 0,
        1.. if in_time => MAX_RANK,
        1.. => MAX_RANK - (plies + made),
        // The loser lives longest where the fifty moves may come to his help.
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
