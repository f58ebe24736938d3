//! Changes of the engine's tables, threads and book.
//!
//! They take long, so that the engine thread makes them between two searches. Changes
//! that wait together are made together: a client that tries many sizes of the hash in
//! a row gets the last size that the memory allows, without a wait for the others.

use std::mem;

/// One change. [`options`](crate::engine::options) declares which option causes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The size of the transposition table in MiB.
    HashSize(usize),
    /// The number of threads that search.
    Threads(usize),
    /// The folders of the Syzygy tables; empty for none.
    SyzygyPath(String),
    /// The folder of Lovec's own endgame tables; empty for the embedded ones alone.
    EgtbPath(String),
    /// Empty transposition table and histories.
    Clear,
    /// The name of the opening book; empty for the one inside Lovec.
    BookFile(String),
}

/// How an error of a path ends.
pub(super) const PREVIOUS_STAYS: &str = "the previous setting stays in use";

/// How many earlier changes wait as a substitute for a change that can fail.
const MAX_FALLBACKS: usize = 100;

impl Change {
    /// Whether this change, once made, makes an earlier one pointless.
    fn supersedes(&self, earlier: &Self) -> bool {
        mem::discriminant(self) == mem::discriminant(earlier)
    }

    /// How many earlier changes of its kind to keep in case this one fails.
    fn fallbacks(&self) -> usize {
        match self {
            Self::HashSize(_) | Self::BookFile(_) | Self::SyzygyPath(_) | Self::EgtbPath(_) => {
                MAX_FALLBACKS
            }
            Self::Threads(_) | Self::Clear => 0,
        }
    }
}

/// Changes without a search between them, oldest first. Different kinds do not depend
/// on each other.
#[derive(Debug, Default)]
pub(super) struct Changes(Vec<Change>);

impl Changes {
    /// Adds a change, and drops a superseded change if more wait than are kept.
    pub fn push(&mut self, change: Change) {
        let superseded = |earlier: &Change| change.supersedes(earlier);
        let count = self.0.iter().filter(|&earlier| superseded(earlier)).count();
        if count > change.fallbacks()
            && let Some(oldest) = self.0.iter().position(superseded)
        {
            self.0.remove(oldest);
        }
        self.0.push(change);
    }

    /// Makes the changes, the latest first. A change that a successful later one supersedes
    /// is skipped. `make` returns whether the change succeeded.
    pub fn make(&self, mut make: impl FnMut(&Change) -> bool) {
        let mut made: Vec<&Change> = Vec::new();
        for change in self.0.iter().rev() {
            if !made.iter().any(|later| later.supersedes(change)) && make(change) {
                made.push(change);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(list: impl IntoIterator<Item = Change>) -> Changes {
        let mut changes = Changes::default();
        list.into_iter().for_each(|change| changes.push(change));
        changes
    }

    /// The changes that are attempted if all of `failing` fail.
    fn attempted(changes: &Changes, failing: &[Change]) -> Vec<Change> {
        let mut attempted = Vec::new();
        changes.make(|change| {
            attempted.push(change.clone());
            !failing.contains(change)
        });
        attempted
    }

    #[test]
    fn the_last_change_of_a_kind_that_succeeds_counts() {
        use Change::{Clear, HashSize, Threads};
        let changes =
            changes([HashSize(1), Threads(2), HashSize(4), Clear, HashSize(8), Threads(3)]);
        let all = [Threads(3), HashSize(8), Clear];
        assert_eq!(attempted(&changes, &[]), all);
        let without_last = [Threads(3), HashSize(8), Clear, HashSize(4)];
        assert_eq!(attempted(&changes, &[HashSize(8)]), without_last);
    }

    #[test]
    fn a_flood_of_changes_is_bounded() {
        let book = |number: usize| Change::BookFile(number.to_string());
        let mut list = vec![Change::Threads(2)];
        list.extend((0..5 * MAX_FALLBACKS).flat_map(|number| [Change::Clear, book(number)]));
        let changes = changes(list);
        assert_eq!(changes.0.len(), 2 + MAX_FALLBACKS + 1);
        assert_eq!(changes.0[0], Change::Threads(2));
    }
}
