//! Perft: how many sequences of legal moves have a given length.
//!
//! The counts are known for many positions, which tests move generation (Chess Programming
//! Wiki, "Perft"), and the time measures its speed. The moves of the last ply are counted
//! and not made. Several threads only change the time.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;

use crate::chess::movegen;
use crate::chess::moves::{Move, MoveList};
use crate::chess::position::{Position, State};
use crate::util::thread::start_scoped;

/// The stack of a thread that counts, in bytes: some kilobytes for each ply.
const STACK_BYTES: usize = 2 << 20;

/// The greatest depth to ask for: too deep to finish, and shallow enough for any stack.
pub const MAX_DEPTH: u32 = 32;

/// How to count. The default is one thread.
#[derive(Clone, Copy, Default)]
pub struct PerftOptions<'a> {
    /// Threads to count with; 0 counts as 1.
    pub threads: usize,
    /// Set by another thread to end the count early.
    pub abort: Option<&'a AtomicBool>,
    /// Called from the counting threads for each counted part, the leaves behind a reply to a
    /// legal move, with their number and the number of parts. Counts of two plies and fewer have
    /// no parts.
    pub progress: Option<&'a (dyn Fn(u64, usize) + Sync)>,
}

/// The number of move sequences of `depth` plies, at most [`MAX_DEPTH`], `None` if the count
/// was aborted. There is one sequence of no moves.
///
/// ```
/// use lovec::chess::Position;
/// use lovec::chess::perft::{PerftOptions, perft};
/// assert_eq!(perft(&Position::startpos(), 3, &PerftOptions::default()), Some(8_902));
/// ```
pub fn perft(position: &Position, depth: u32, options: &PerftOptions<'_>) -> Option<u64> {
    match depth {
        0 => Some(1),
        1 => Some(count_moves(position)),
        _ => {
            let counts = perft_divide(position, depth, options)?;
            Some(counts.iter().map(|(_, nodes)| nodes).sum())
        }
    }
}

/// The count behind each legal move, in the generator's order, `None` if it was
/// aborted. At depth 0 no move is played and the list is empty.
pub fn perft_divide(
    position: &Position,
    depth: u32,
    options: &PerftOptions<'_>,
) -> Option<Vec<(Move, u64)>> {
    let Some(depth) = depth.checked_sub(1) else { return Some(Vec::new()) };
    let moves = position.legal_moves();
    let counts = if (options.threads > 1 || options.progress.is_some()) && depth >= 2 {
        count_in_threads(position, &moves, depth, options)?
    } else {
        let count = |&m: &Move| count(&position.after(m), depth, options.abort);
        moves.iter().map(count).collect::<Option<_>>()?
    };
    Some(moves.into_iter().zip(counts).collect())
}

#[inline]
fn count_moves(state: &State) -> u64 {
    movegen::count_legal(state) as u64
}

/// The leaves `depth` plies below a position, `None` if `abort` is raised.
fn count(state: &State, depth: u32, abort: Option<&AtomicBool>) -> Option<u64> {
    if depth <= 1 {
        return Some(if depth == 0 { 1 } else { count_moves(state) });
    }
    let mut moves = MoveList::new();
    movegen::generate_legal(state, &mut moves);
    // Two plies take microseconds.
    if depth == 2 {
        return Some(moves.into_iter().map(|m| count_moves(&state.after(m))).sum());
    }
    if abort.is_some_and(|abort| abort.load(Ordering::Relaxed)) {
        return None;
    }
    moves.into_iter().map(|m| count(&state.after(m), depth - 1, abort)).sum()
}

/// Counts behind each of `moves`, `depth` plies deep. The threads share the positions two
/// plies from the root, usually several hundred, so that all finish at about the same time.
fn count_in_threads(
    root: &State,
    moves: &MoveList,
    depth: u32,
    options: &PerftOptions<'_>,
) -> Option<Vec<u64>> {
    let mut jobs = Vec::new();
    for (index, &m) in moves.iter().enumerate() {
        let state = root.after(m);
        jobs.extend(state.legal_moves().into_iter().map(|reply| (index, state.after(reply))));
    }
    let totals: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let work = || -> Option<()> {
        while let Some((index, state)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let nodes = count(state, depth - 1, options.abort)?;
            totals[*index].fetch_add(nodes, Ordering::Relaxed);
            if let Some(progress) = options.progress {
                progress(nodes, jobs.len());
            }
        }
        Some(())
    };
    thread::scope(|scope| {
        // If the system refuses a thread, the others do its work.
        let helpers: Vec<_> = (1..options.threads.min(jobs.len()))
            .map_while(|_| start_scoped(scope, "perft", STACK_BYTES, work).ok())
            .collect();
        let mut finished = work();
        for helper in helpers {
            finished = finished.and(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        finished
    })?;
    Some(totals.into_iter().map(AtomicU64::into_inner).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use crate::chess::perft::{PerftOptions, perft};
    use crate::chess::position::Position;

    #[test]
    fn a_finished_game_has_nothing_to_count() {
        let mated = Position::from_fen("7k/5KQ1/8/8/8/8/8/8 b - - 0 1").unwrap();
        for depth in 1..4 {
            assert_eq!(perft(&mated, depth, &PerftOptions::default()), Some(0));
        }
    }

    #[test]
    fn the_flag_ends_a_count() {
        let position = Position::startpos();
        let abort = AtomicBool::new(true);
        for threads in [1, 3] {
            let options = PerftOptions { threads, abort: Some(&abort), progress: None };
            assert_eq!(perft(&position, 12, &options), None);
        }
    }
}
