//! Ranks the root moves by the tables.
//!
//! A table of winners does not show progress: the game may go back and forth between won
//! positions until fifty moves are over. So the root moves are ranked by the distance to
//! the next capture or pawn move, plus the moves already made without one (as `root_probe`
//! in Stockfish's `tbprobe.cpp`, by R. de Man and others).
//!
//! Most tables round the distance, so that it may be a ply longer. Where that ply decides
//! whether the win comes in time, a search of the moves that keep the distance finds out.

use std::collections::HashMap;

use crate::chess::{self, Move, Position};
use crate::tablebase::Wdl;
use crate::tablebase::syzygy::{Dtz, Syzygy};

/// The rank of a move that certainly wins within the fifty-move rule; a certain loss
/// has the negative of it.
const MAX_RANK: i32 = 1 << 16;
/// [`chess::FIFTY_MOVES`] as a number to count with.
pub const FIFTY_MOVES: i32 = chess::FIFTY_MOVES as i32;
/// How many positions a search for the last ply may visit.
const MAX_POSITIONS: u32 = 2_000;

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
    let made = i32::from(position.halfmove_clock());
    let mut last_ply = LastPly { syzygy, known: HashMap::new(), positions_left: MAX_POSITIONS };
    let by_distance = rank_each(position, |m, after| {
        let Dtz { mut plies, is_exact } = distance(syzygy, after, fifty_moves)?;
        // Without an answer the win is not certain.
        if fifty_moves
            && !is_exact
            && plies.abs() + made == FIFTY_MOVES
            && last_ply.wins_in(after, plies.abs() - 1, plies < 0) != Some(true)
        {
            plies += plies.signum();
        }
        Some(ranked_by_distance(m, plies, position, fifty_moves))
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
    mut rank: impl FnMut(Move, &mut Position) -> Option<RankedMove>,
) -> Option<Vec<RankedMove>> {
    let mut after = position.clone();
    let ranked = position.legal_moves().into_iter().map(|m| {
        after.make(m);
        let ranked = rank(m, &mut after);
        after.unmake();
        ranked
    });
    ranked.collect()
}

/// The distance to the next zeroing move for the side that made the last move, both
/// moves included; 0 for a draw.
fn distance(syzygy: &Syzygy, after: &Position, fifty_moves: bool) -> Option<Dtz> {
    let exact = |plies| Some(Dtz { plies, is_exact: true });
    if after.is_checkmate() {
        return exact(1);
    }
    if after.halfmove_clock() == 0 {
        // The move itself was zeroing, so only the outcome counts.
        return exact(match -syzygy.wdl(after)? {
            Wdl::Win => 1,
            Wdl::CursedWin => FIFTY_MOVES + 1,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -FIFTY_MOVES - 1,
            Wdl::Loss => -1,
        });
    }
    if is_drawn_by_history(after, fifty_moves) {
        return exact(0);
    }
    let Dtz { plies, is_exact } = syzygy.dtz(after)?;
    Some(Dtz { plies: -plies - plies.signum(), is_exact })
}

/// Whether a win whose distance is rounded comes in time.
///
/// Only moves after which the rounding still decides are searched: the winner's that keep the
/// distance, and all of the loser's.
struct LastPly<'a> {
    syzygy: &'a Syzygy,
    /// By the key of the position and the plies left.
    known: HashMap<(u64, i32), bool>,
    positions_left: u32,
}

impl LastPly<'_> {
    /// Whether the winner, who is to move if `winner_moves`, mates or makes a winning capture
    /// or pawn move within `left` plies. `None` if a table is missing or the search is too
    /// long.
    fn wins_in(&mut self, position: &mut Position, left: i32, winner_moves: bool) -> Option<bool> {
        let key = (position.key(), left);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        self.positions_left = self.positions_left.checked_sub(1)?;
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Some(!winner_moves && position.in_check());
        }
        // The winner needs one good move; every move of the loser has to be met.
        let mut wins = !winner_moves;
        for m in moves {
            position.make(m);
            let after = self.wins_after(position, left - 1, !winner_moves);
            position.unmake();
            if after? == winner_moves {
                wins = winner_moves;
                break;
            }
        }
        self.known.insert(key, wins);
        Some(wins)
    }

    /// The same after a move, by the tables where they know it.
    fn wins_after(
        &mut self,
        position: &mut Position,
        left: i32,
        winner_moves: bool,
    ) -> Option<bool> {
        if left < 0 {
            return Some(false);
        }
        if position.is_checkmate() {
            return Some(!winner_moves);
        }
        let winning = if winner_moves { Wdl::Win } else { Wdl::Loss };
        if position.halfmove_clock() == 0 {
            return Some(self.syzygy.wdl(position)? == winning);
        }
        let Dtz { plies, is_exact } = self.syzygy.dtz(position)?;
        let least = if winner_moves { plies } else { -plies };
        match least {
            ..=0 => Some(false),
            _ if least > left => Some(false),
            _ if is_exact || least < left => Some(true),
            _ => self.wins_in(position, left, winner_moves),
        }
    }
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
