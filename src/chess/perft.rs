//! Perft: how many sequences of legal moves have a given length.
//!
//! The counts are known for many positions, which tests move generation (Chess Programming
//! Wiki, "Perft"), and the time measures its speed. The moves of the last ply are counted
//! and not made. A table of subtree counts and several threads only change the time.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;

use crate::chess::movegen;
use crate::chess::moves::{Move, MoveList};
use crate::chess::position::{Position, State};
use crate::util::thread::start_scoped;
use crate::util::unsafe_ops::{fill_reserved, reserve_huge_pages};

/// The stack of a thread that counts, in bytes: some kilobytes for each ply.
const STACK_BYTES: usize = 2 << 20;

/// The greatest depth to ask for: too deep to finish, and shallow enough for any stack.
pub const MAX_DEPTH: u32 = 32;

/// How to count. The default is one thread without a table.
#[derive(Clone, Copy, Default)]
pub struct PerftOptions<'a> {
    /// Threads to count with; 0 counts as 1.
    pub threads: usize,
    /// Size of the table of subtree counts in MiB; 0 for none. Where there is
    /// not enough memory, none is used.
    pub hash_mib: usize,
    /// Set by another thread to end the count early.
    pub abort: Option<&'a AtomicBool>,
    /// Called for each counted part, from the counting threads.
    pub progress: Option<&'a (dyn Fn(PerftPart) + Sync)>,
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
            Some(counts.iter().fold(0, |sum: u64, (_, nodes)| sum.saturating_add(*nodes)))
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
    let table = PerftTable::new(options.hash_mib);
    let counter = Counter { table: table.as_ref(), abort: options.abort };
    let moves = position.legal_moves();
    let counts = if (options.threads > 1 || options.progress.is_some()) && depth >= 2 {
        counter.count_in_threads(position, &moves, depth, options)?
    } else {
        let count = |&m: &Move| counter.count(&position.after(m), depth);
        moves.iter().map(count).collect::<Option<_>>()?
    };
    Some(moves.into_iter().zip(counts).collect())
}

/// A part of a count: the leaves behind one reply to one of the legal moves. Counts
/// of two plies and fewer have no parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftPart {
    /// The place of the legal move in the generator's order.
    pub index: usize,
    /// The leaves behind it.
    pub nodes: u64,
    /// How many parts this move has.
    pub of_move: usize,
    /// How many parts all moves have.
    pub of_all: usize,
}

#[inline]
fn count_moves(state: &State) -> u64 {
    movegen::count_legal(state) as u64
}

/// The table and the stop flag of a count.
#[derive(Clone, Copy)]
struct Counter<'a> {
    table: Option<&'a PerftTable>,
    abort: Option<&'a AtomicBool>,
}

impl Counter<'_> {
    fn count(self, state: &State, depth: u32) -> Option<u64> {
        match (depth, self.table) {
            (0, _) => Some(1),
            (1, _) => Some(count_moves(state)),
            (_, None) => self.walk(state, depth),
            (_, Some(table)) => {
                if let Some(nodes) = table.get(state.key(), depth) {
                    return Some(nodes);
                }
                let nodes = self.walk(state, depth)?;
                table.put(state.key(), depth, nodes);
                Some(nodes)
            }
        }
    }

    /// Counts two or more plies. Two take microseconds and do not check the flag.
    fn walk(self, state: &State, depth: u32) -> Option<u64> {
        let mut moves = MoveList::new();
        movegen::generate_legal(state, &mut moves);
        if depth == 2 {
            return Some(moves.into_iter().map(|m| count_moves(&state.after(m))).sum());
        }
        if self.abort.is_some_and(|abort| abort.load(Ordering::Relaxed)) {
            return None;
        }
        let mut counts = moves.into_iter().map(|m| self.count(&state.after(m), depth - 1));
        counts.try_fold(0, |sum: u64, count| Some(sum.saturating_add(count?)))
    }

    /// Counts behind each of `moves`, `depth` plies deep. The threads share the positions two
    /// plies from the root, usually several hundred, so that all finish at about the same time.
    fn count_in_threads(
        self,
        root: &State,
        moves: &MoveList,
        depth: u32,
        options: &PerftOptions<'_>,
    ) -> Option<Vec<u64>> {
        let mut jobs = Vec::new();
        let mut replies = Vec::new();
        for (index, &m) in moves.iter().enumerate() {
            let state = root.after(m);
            let before = jobs.len();
            jobs.extend(state.legal_moves().into_iter().map(|reply| (index, state.after(reply))));
            replies.push(jobs.len() - before);
        }
        let totals: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
        let next = AtomicUsize::new(0);
        let work = || -> Option<()> {
            while let Some((index, state)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                let nodes = self.count(state, depth - 1)?;
                let add = |total: u64| Some(total.saturating_add(nodes));
                let _ = totals[*index].fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
                if let Some(progress) = options.progress {
                    let (of_move, of_all) = (replies[*index], jobs.len());
                    progress(PerftPart { index: *index, nodes, of_move, of_all });
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
}

/// Subtree counts by key and depth, shared by all threads (R. Hyatt and T. Mann, "A
/// lock-less transposition table implementation for parallel search chess engines", 2002):
/// the key is xored with the data, so that an entry torn by two writers matches neither key.
struct PerftTable {
    pairs: Vec<[CountEntry; 2]>,
}

#[derive(Default)]
struct CountEntry {
    /// The key, exclusive-or the data.
    check: AtomicU64,
    /// The count, above eight bits of depth.
    data: AtomicU64,
}

impl CountEntry {
    fn depth(&self) -> u32 {
        self.data.load(Ordering::Relaxed) as u8 as u32
    }
}

impl PerftTable {
    /// A table of `mib` MiB; `None` if that is 0 or cannot be allocated.
    fn new(mib: usize) -> Option<Self> {
        let len = mib.checked_mul(1 << 20)? / size_of::<[CountEntry; 2]>();
        let mut pairs = reserve_huge_pages(len).ok()?;
        fill_reserved(&mut pairs, len, Default::default);
        if pairs.is_empty() { None } else { Some(Self { pairs }) }
    }

    fn pair(&self, key: u64, depth: u32) -> &[CountEntry; 2] {
        let hash = key.wrapping_add(u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let place = (u128::from(hash) * self.pairs.len() as u128) >> 64;
        &self.pairs[place as usize]
    }

    fn get(&self, key: u64, depth: u32) -> Option<u64> {
        self.pair(key, depth).iter().find_map(|entry| {
            let data = entry.data.load(Ordering::Relaxed);
            let matches = entry.check.load(Ordering::Relaxed) ^ data == key;
            if matches && data as u8 as u32 == depth { Some(data >> 8) } else { None }
        })
    }

    /// The first of a pair keeps the deeper count, the second the newest.
    fn put(&self, key: u64, depth: u32, nodes: u64) {
        if nodes >> 56 != 0 {
            return;
        }
        let [deeper, newest] = self.pair(key, depth);
        let entry = if depth >= deeper.depth() { deeper } else { newest };
        let data = nodes << 8 | u64::from(depth);
        entry.check.store(key ^ data, Ordering::Relaxed);
        entry.data.store(data, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use crate::chess::perft::{CountEntry, PerftOptions, PerftTable, perft};
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
            let options =
                PerftOptions { threads, hash_mib: 1, abort: Some(&abort), progress: None };
            assert_eq!(perft(&position, 12, &options), None);
        }
    }

    #[test]
    fn a_table_that_cannot_be_allocated_is_not_used() {
        assert!(PerftTable::new(0).is_none());
        assert!(PerftTable::new(usize::MAX).is_none());
        let options = PerftOptions { hash_mib: usize::MAX, ..PerftOptions::default() };
        assert_eq!(perft(&Position::startpos(), 3, &options), Some(8_902));
    }

    #[test]
    fn a_table_gives_back_only_what_was_put_in() {
        let pairs = vec![<[CountEntry; 2]>::default()];
        let table = PerftTable { pairs };
        assert_eq!(table.get(0, 2), None);
        table.put(7, 3, 100);
        table.put(7, 2, 10);
        assert_eq!((table.get(7, 3), table.get(7, 2)), (Some(100), Some(10)));
        assert_eq!((table.get(8, 3), table.get(7, 4)), (None, None));
        table.put(9, 2, 20);
        assert_eq!((table.get(7, 3), table.get(7, 2)), (Some(100), None));
        table.put(11, 2, 1 << 56);
        assert_eq!(table.get(11, 2), None);
    }
}
