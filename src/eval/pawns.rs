//! Pawn structure (Chess Programming Wiki, "Pawn Structure").
//!
//! It depends on the pawns alone, which rarely move, so that [`PawnStructure`] is cached
//! ([`PawnTable`]), with the [shelters](crate::eval::king) of
//! both kings. Most terms are computed for all pawns of a side at once, with shifts and
//! fills (Chess Programming Wiki, "Pawn Pattern and Properties").

use bytemuck::Zeroable;

use crate::chess::{Bitboard, Color, Piece, Rank, Square, State};
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
            let pawns = Pawns::seen_by(us, state);
            let mut sum = TermSum::new(us, tracer);
            score(&pawns, &mut sum);
            passed::among_pawns(&pawns, &mut sum);
            structure.score += sum.score * us.sign();
            structure.passed |= pawns.passed.seen_by(us);
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

/// The pawns as a side sees the board: its own move up, as White's do, so that one code
/// without cases serves both colours.
pub(super) struct Pawns {
    pub(super) own: Bitboard,
    pub(super) enemy: Bitboard,
    /// The own passed pawns.
    pub(super) passed: Bitboard,
}

impl Pawns {
    /// The side that sees the board, and the other.
    pub(super) const US: Color = Color::White;
    const THEM: Color = Color::Black;

    fn seen_by(us: Color, state: &State) -> Self {
        let own = state.colored(us, Piece::Pawn).seen_by(us);
        let enemy = state.colored(!us, Piece::Pawn).seen_by(us);
        let front = enemy.forward_fill(Self::THEM);
        let passed = own.without(front | front.beside() | own.forward_fill(Self::THEM));
        Self { own, enemy, passed }
    }
}

fn score<T: Tracer>(pawns: &Pawns, sum: &mut TermSum<'_, T>) {
    const US: Color = Pawns::US;
    const THEM: Color = Pawns::THEM;
    let &Pawns { own, enemy, .. } = pawns;
    let opposed = own & enemy.forward_fill(THEM);

    let isolated = own.without(own.file_fill().beside());
    add!(sum, pawn_isolated[0] * isolated.without(opposed).len());
    add!(sum, pawn_isolated[1] * (isolated & opposed).len());

    let backward = backward(US, own, enemy).without(isolated);
    add!(sum, pawn_backward[0] * backward.without(opposed).len());
    add!(sum, pawn_backward[1] * (backward & opposed).len());

    let doubled = own & own.forward_fill(US);
    add!(sum, pawn_doubled * doubled.len());
    add!(sum, pawn_tripled * (doubled & doubled.forward_fill(US)).len());

    let files = own.file_fill().on_rank(Rank::First);
    add!(sum, pawn_islands * (files & !(files << 1)).count_ones());

    for pawn in own & enemy.pawn_attacks(THEM) {
        add!(sum, pawn_lever[pawn.rank().index()]);
    }
    let torn = own & enemy.pawn_double_attacks(THEM);
    add!(sum, pawn_double_lever * torn.without(own.pawn_attacks(US)).len());

    for pawn in own & own.beside() {
        add!(sum, pawn_phalanx[pawn.rank().index()]);
    }
    for pawn in own & own.pawn_attacks(US) {
        add!(sum, pawn_supported[pawn.rank().index()]);
    }

    let rams = own & enemy.backward(US);
    add!(sum, pawn_ram[0] * (rams & Rank::Fifth.bitboard()).len());
    add!(sum, pawn_ram[1] * (rams & Rank::Sixth.bitboard()).len());

    // Of several pawns on a file the foremost.
    for pawn in own.without(pawns.passed | own.forward_fill(THEM)) {
        candidate(pawns, pawn, opposed, sum);
        nearly_passed(pawns, pawn, sum);
    }
}

/// A pawn with no enemy pawn in front, and with as many helpers beside and behind it as
/// enemy pawns ahead on the neighbouring files.
#[inline(always)]
fn candidate<T: Tracer>(pawns: &Pawns, pawn: Square, opposed: Bitboard, sum: &mut TermSum<'_, T>) {
    if opposed.contains(pawn) {
        return;
    }
    let ahead = pawn.bitboard().forward_fill(Pawns::US).beside();
    let guards = pawns.enemy & ahead;
    let helpers = pawns.own & pawn.file().adjacent().without(ahead);
    if helpers.len() >= guards.len() {
        add!(sum, pawn_candidate[pawn.rank().index()]);
    }
}

/// A pawn that is not passed, but that levers can make passed (after Stockfish 11).
#[inline(always)]
fn nearly_passed<T: Tracer>(pawns: &Pawns, pawn: Square, sum: &mut TermSum<'_, T>) {
    const US: Color = Pawns::US;
    let &Pawns { own, enemy, .. } = pawns;
    let pawn_set = pawn.bitboard();
    let front = pawn_set.forward_fill(US);
    let stoppers = enemy & (front | front.beside());
    let levers = stoppers & pawn_set.pawn_attacks(US);
    let levers_after_push = stoppers & pawn_set.forward(US).pawn_attacks(US);
    let phalanx = own & pawn_set.beside();
    if stoppers == levers
        || stoppers == levers | levers_after_push && phalanx.len() >= levers_after_push.len()
    {
        add!(sum, pawn_lever_passed[pawn.rank().index()]);
    } else if stoppers == pawn_set.forward(US) && pawn.rank() >= Rank::Fifth {
        let steps = (own & pawn_set.beside().backward(US)).forward(US).without(enemy);
        if steps.without(enemy.pawn_double_attacks(Pawns::THEM)).any() {
            add!(sum, pawn_break_passed[pawn.rank().index()]);
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
    Pawns::seen_by(us, state).passed.seen_by(us)
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
