//! A cache of pawn structures.
//!
//! Most moves leave the pawns alone, so that the structure of nearly every position of a
//! search is in the table (Chess Programming Wiki, "Pawn Hash Table"). Each thread has one.

use bytemuck::Zeroable;

use crate::chess::State;
use crate::eval::pawns::PawnStructure;
use crate::util::memory::MemoryError;
use crate::util::prefetch::{prefetch, zeroed_in_huge_pages};

/// Entries; a power of two. They take 512 KB, which the cache of a core holds.
const ENTRIES: usize = 1 << 13;

/// A table of pawn structures by the key of the pawns. A newer structure takes the
/// place of an older one.
#[derive(Zeroable)]
pub struct PawnTable {
    entries: [PawnEntry; ENTRIES],
}

/// One cache line.
#[derive(Clone, Copy, Default, Zeroable)]
#[repr(align(64))]
struct PawnEntry {
    /// The key of no pawns is 0 and its structure is all zeros: an empty entry is valid.
    key: u64,
    structure: PawnStructure,
}

const _: () = assert!(size_of::<PawnEntry>() == 64, "an entry is longer than a cache line");

impl PawnTable {
    /// An empty table.
    ///
    /// # Errors
    ///
    /// If the system refuses the allocation.
    pub fn new() -> Result<Box<Self>, MemoryError> {
        Ok(zeroed_in_huge_pages()?)
    }

    /// Loads the entry of a position into the cache, for an evaluation that follows soon.
    #[inline]
    pub fn prefetch(&self, state: &State) {
        prefetch(&self.entries[state.pawn_key() as usize % ENTRIES]);
    }

    /// The structure of a position's pawns.
    #[inline]
    pub(super) fn get(&mut self, state: &State) -> &PawnStructure {
        let key = state.pawn_key();
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.key != key {
            *entry = PawnEntry { key, structure: PawnStructure::new(state, &mut ()) };
        }
        entry.structure.update_shelters(state, &mut ());
        &entry.structure
    }
}
