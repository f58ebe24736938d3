//! Pawn structure (Chess Programming Wiki, "Pawn Structure").
//!
//! It depends on the pawns alone, which rarely move, so that [`PawnStructure`] is cached
//! ([`PawnTable`]), with the [shelters](crate::eval::king) of
//! both kings. Most terms are computed for all pawns of a side at once, with shifts and
//! fills (Chess Programming Wiki, "Pawn Pattern and Properties").

use bytemuck::Zeroable;

use crate::chess::{Bitboard, Color, Piece, Rank, State};
use crate::eval::king::Shelter;
use crate::eval::passed;
use crate::eval::tapered::Tapered;
use crate::eval::trace::{TermSum, Tracer, add};
use crate::util::unsafe_ops::prefetch;

/// The score of the pawns, the passed pawns, and the pawns around both kings.
#[derive(Clone, Copy, Debug, Default, Zeroable)]
pub(super) struct PawnStructure {
    /// From White's side.
    pub(super) score: Tapered,
    /// The passed pawns of both sides.
    pub(super) passed: Bitboard,
    /// The king that each shelter belongs to: its square plus one, or 0 for none.
    kings: [u8; 2],
    shelters: [Shelter; 2],
}

impl PawnStructure {
    pub(super) fn new<T: Tracer>(state: &State, tracer: &mut T) -> Self {
        let mut structure = Self::default();
        for us in Color::ALL {
            let passed = passed(state, us);
            let mut sum = TermSum::new(us, tracer);
            score(state, passed, &mut sum);
            passed::among_pawns(state, passed, &mut sum);
            structure.score += sum.score * us.sign();
            structure.passed |= passed;
        }
        structure.update_shelters(state, tracer);
        structure
    }

    /// Computes the shelters of kings that have moved since the last time.
    #[inline(always)]
    pub(super) fn update_shelters<T: Tracer>(&mut self, state: &State, tracer: &mut T) {
        for us in Color::ALL {
            let king = 1 + state.king(us).index() as u8;
            if self.kings[us.index()] != king {
                self.kings[us.index()] = king;
                self.shelters[us.index()] = Shelter::new(state, us, tracer);
            }
        }
    }

    #[inline(always)]
    pub(super) fn shelter(&self, us: Color) -> Shelter {
        self.shelters[us.index()]
    }
}

fn score<T: Tracer>(state: &State, passed: Bitboard, sum: &mut TermSum<'_, T>) {
    let us = sum.color;
    let them = !us;
    let own = state.colored(us, Piece::Pawn);
    let enemy = state.colored(them, Piece::Pawn);
    let opposed = own & enemy.forward_fill(them);

    let isolated = own.without(own.file_fill().beside());
    add!(sum, pawn_isolated[0] * isolated.without(opposed).len());
    add!(sum, pawn_isolated[1] * (isolated & opposed).len());

    let backward = backward(us, own, enemy).without(isolated);
    add!(sum, pawn_backward[0] * backward.without(opposed).len());
    add!(sum, pawn_backward[1] * (backward & opposed).len());

    let doubled = own & own.forward_fill(us);
    add!(sum, pawn_doubled * doubled.len());
    add!(sum, pawn_tripled * (doubled & doubled.forward_fill(us)).len());

    let files = own.file_fill().on_rank(Rank::First);
    add!(sum, pawn_islands * (files & !(files << 1)).count_ones());

    let levers = own & enemy.pawn_attacks(them);
    for pawn in levers {
        add!(sum, pawn_lever[us.relative_rank(pawn.rank()).index()]);
    }
    let torn = own & enemy.pawn_double_attacks(them);
    add!(sum, pawn_double_lever * torn.without(own.pawn_attacks(us)).len());

    for pawn in own & own.beside() {
        add!(sum, pawn_phalanx[us.relative_rank(pawn.rank()).index()]);
    }
    for pawn in own & own.pawn_attacks(us) {
        add!(sum, pawn_supported[us.relative_rank(pawn.rank()).index()]);
    }

    let rams = own & enemy.backward(us);
    add!(sum, pawn_ram[0] * (rams & us.relative_ranks([Rank::Fifth])).len());
    add!(sum, pawn_ram[1] * (rams & us.relative_ranks([Rank::Sixth])).len());

    for pawn in own.without(opposed | passed | own.forward_fill(them)) {
        let neighbours = pawn.file().adjacent();
        let ahead = pawn.bitboard().forward_fill(us);
        let guards = enemy & ahead.beside();
        let helpers = own & neighbours.without(ahead.beside());
        if helpers.len() >= guards.len() {
            add!(sum, pawn_candidate[us.relative_rank(pawn.rank()).index()]);
        }
    }
    nearly_passed(own, enemy, passed, sum);
}

/// Pawns that are not passed, but that levers can make passed (after Stockfish 11).
fn nearly_passed<T: Tracer>(
    own: Bitboard,
    enemy: Bitboard,
    passed: Bitboard,
    sum: &mut TermSum<'_, T>,
) {
    let us = sum.color;
    for pawn in own.without(passed | own.forward_fill(!us)) {
        let pawn_set = pawn.bitboard();
        let front = pawn_set.forward_fill(us);
        let stoppers = enemy & (front | front.beside());
        let levers = stoppers & pawn_set.pawn_attacks(us);
        let levers_after_push = stoppers & pawn_set.forward(us).pawn_attacks(us);
        let phalanx = own & pawn_set.beside();
        let rank = us.relative_rank(pawn.rank());
        if stoppers == levers
            || stoppers == levers | levers_after_push && phalanx.len() >= levers_after_push.len()
        {
            add!(sum, pawn_lever_passed[rank.index()]);
        } else if stoppers == pawn_set.forward(us) && rank >= Rank::Fifth {
            let steps = (own & pawn_set.beside().backward(us)).forward(us).without(enemy);
            if steps.without(enemy.pawn_double_attacks(!us)).any() {
                add!(sum, pawn_break_passed[rank.index()]);
            }
        }
    }
}

/// Pawns that no neighbour can defend any more, and whose next square is attacked by an
/// enemy pawn.
#[inline(always)]
pub fn backward(us: Color, own: Bitboard, enemy: Bitboard) -> Bitboard {
    let support = (own | own.forward_fill(us)).pawn_attacks(us);
    let held = enemy.pawn_attacks(!us).without(support);
    (own & held.backward(us)).without(support)
}

/// The foremost pawn of each file, if no enemy pawn can block or capture it on its way.
pub fn passed(state: &State, us: Color) -> Bitboard {
    let own = state.colored(us, Piece::Pawn);
    let front = state.colored(!us, Piece::Pawn).forward_fill(!us);
    own.without(front | front.beside() | own.forward_fill(!us))
}

/// Entries; a power of two. They take 512 KB, which the cache of a core holds.
const ENTRIES: usize = 1 << 13;

/// A table of pawn structures by the key of the pawns (Chess Programming Wiki, "Pawn Hash
/// Table"), one for each thread. Most moves leave the pawns alone, so that it has the
/// structure of nearly every position of a search. A newer structure takes the place of an
/// older one.
#[derive(Zeroable)]
pub(super) struct PawnTable {
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

#[cfg(test)]
mod tests {
    use super::{backward, passed};
    use crate::chess::{Bitboard, Color, Piece, Position, Square};

    fn set(names: &[&str]) -> Bitboard {
        names.iter().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn passed_pawns() {
        let fen = "4k3/p4p2/7p/1P2P3/P6P/8/6P1/4K3 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(passed(&position, Color::White), set(&[]));
        let fen = "4k3/8/7p/1P2P3/P6P/p7/6P1/4K3 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(passed(&position, Color::White), set(&["b5", "a4", "e5"]));
        assert_eq!(passed(&position, Color::Black), set(&["a3"]));
    }

    #[test]
    fn backward_pawns() {
        let fen = "4k3/8/3p4/2p1p3/2P1P3/3P4/8/4K3 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let [white, black] = Color::ALL.map(|color| position.colored(color, Piece::Pawn));
        assert_eq!(backward(Color::White, white, black), set(&["d3"]));
        assert_eq!(backward(Color::Black, black, white), set(&["d6"]));
    }
}
