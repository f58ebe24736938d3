//! The memory-enhanced test (Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth
//! minimax algorithms", 1996): alpha-beta with a null window, which tests whether a value
//! is at least `beta`, and keeps both bounds of every node that it visits.
//!
//! A test is not the whole answer, so that this is no row of its own: [`mtdf`](super::mtdf)
//! and [`mtd`](super::mtd) repeat it with other values until the bounds of the root meet.
//! The bounds in memory let each pass continue the passes before it.

use std::collections::HashMap;

use crate::lab::algorithm::alpha_beta;
use crate::lab::game::{DECISIVE, GameMove, INFINITE};
use crate::lab::search::leaf::leaf;
use crate::lab::table::ValueBounds;
use crate::lab::{Answer, LawSample, Proof, Search, Searched, SettingInfo, ensure};

/// A setting of all drivers.
pub const GRAIN: SettingInfo = SettingInfo::number(
    "grain",
    [1, 1000],
    1,
    "round the values of leaves towards zero, to multiples of N, for fewer passes",
);

/// What is known of the root before a pass.
#[derive(Clone, Copy, Debug)]
pub struct PassStart {
    pub low: i32,
    pub high: i32,
    /// The value that the last pass has returned; `None` before the first one.
    pub last: Option<i32>,
}

/// Repeats the test until the bounds of the root meet, or cross, as they may where a value
/// depends on the path to a position. `next_beta` chooses what each pass tests; each moves a
/// bound.
pub fn converge(
    s: &mut Search<'_>,
    grain: i32,
    next_beta: impl Fn(PassStart) -> i32,
) -> Searched<Answer> {
    let (alpha, beta) = s.window;
    let mut root = PassStart { low: alpha, high: beta, last: None };
    let mut mt = MemoryTest { memory: Memory::new(s), grain };
    let mut line = Vec::new();
    while root.low < root.high {
        let beta = next_beta(root).clamp(root.low + 1, root.high);
        let value = mt.test(s, s.depth, beta)?;
        if value < beta {
            root.high = value;
        } else {
            root.low = value;
            line = s.line().to_vec();
        }
        root.last = Some(value);
    }
    let is_outside = root.high <= alpha || root.low >= beta;
    let is_stable = root.low == root.high || is_outside;
    let known_line = mt.memory.line(s);
    if let Memory::All(nodes) = &mt.memory {
        s.drop_kept(nodes.len(), Memory::ENTRY_BYTES);
    }
    Ok(Answer {
        value: root.last.unwrap_or(alpha),
        line: if known_line.is_empty() { line } else { known_line },
        proof: match is_stable {
            true if grain > 1 => Proof::Estimate,
            true => s.proof(true),
            false => Proof::Unstable,
        },
    })
}

struct MemoryTest {
    memory: Memory,
    grain: i32,
}

impl MemoryTest {
    /// Tests whether the value is at least `beta`. A result below `beta` is an upper bound
    /// of the value, any other one a lower bound.
    fn test(&mut self, s: &mut Search<'_>, depth: u32, beta: i32) -> Searched<i32> {
        s.enter()?;
        let is_in_memory = !s.game.is_ended_by_path();
        if let Some(bounds) = self.memory.bounds(s, depth).filter(|_| is_in_memory) {
            let cut = bounds.cut(beta - 1, beta);
            s.hit(cut.is_some());
            if let Some(value) = cut {
                return Ok(value);
            }
        }
        let least = least_rounded(beta, self.grain);
        if let Some(value) = leaf(s, depth, least - 1, least)? {
            let value = rounded(value, self.grain);
            let bounds = match s.switches.leaf.is_exact() || s.game.end().is_some() {
                true => ValueBounds { low: value, high: value },
                false => ValueBounds::of(value, beta - 1, beta),
            };
            if is_in_memory {
                self.memory.store(s, depth, bounds, None)?;
            }
            return Ok(value);
        }
        let mut best = -INFINITE;
        let mut best_move = None;
        for (index, m) in s.moves().into_iter().enumerate() {
            s.play(m);
            let value = -self.test(s, depth - 1, 1 - beta)?;
            s.undo();
            best = best.max(value);
            if best >= beta {
                best_move = Some(m);
                s.improve(m);
                s.cutoff(index, m, depth);
                break;
            }
        }
        self.memory.store(s, depth, ValueBounds::of(best, beta - 1, beta), best_move)?;
        Ok(best)
    }
}

/// A value rounded towards zero to a multiple of the grain, unless the game is decided.
pub fn rounded(value: i32, grain: i32) -> i32 {
    if value.abs() < DECISIVE { value / grain * grain } else { value }
}

/// The least value that is rounded to `beta` or more.
fn least_rounded(beta: i32, grain: i32) -> i32 {
    let multiple = -(-beta).div_euclid(grain) * grain;
    let least = if multiple > 0 { multiple } else { multiple + 1 - grain };
    if beta.abs() < DECISIVE { least.clamp(1 - DECISIVE, DECISIVE) } else { beta }
}

/// The bounds of the nodes: the table of the row, or without one a list of all nodes.
enum Memory {
    Table,
    All(HashMap<(u64, u32), (ValueBounds, Option<GameMove>)>),
}

impl Memory {
    /// A hash map has about twice the places that it uses.
    const ENTRY_BYTES: usize = 2 * size_of::<((u64, u32), (ValueBounds, Option<GameMove>))>();

    fn new(s: &Search<'_>) -> Self {
        if s.table.is_some() { Self::Table } else { Self::All(HashMap::new()) }
    }

    fn bounds(&self, s: &Search<'_>, depth: u32) -> Option<ValueBounds> {
        match self {
            Self::Table => s.bounds(depth),
            Self::All(nodes) => {
                let (bounds, _) = nodes.get(&(s.game.key(), depth))?;
                Some(bounds.at_ply(s.ply() as i32))
            }
        }
    }

    /// The move that has proved the lower bound.
    fn best(&self, s: &Search<'_>, depth: u32) -> Option<GameMove> {
        match self {
            Self::Table => s.table_move(),
            Self::All(nodes) => nodes.get(&(s.game.key(), depth))?.1,
        }
    }

    fn store(
        &mut self,
        s: &mut Search<'_>,
        depth: u32,
        bounds: ValueBounds,
        best: Option<GameMove>,
    ) -> Searched<()> {
        // In the tables of the row; of those, a list of all nodes leaves the one of best moves.
        s.store_bounds(depth, bounds);
        let Self::All(nodes) = self else { return Ok(()) };
        let ValueBounds { low, high } = bounds.at_ply(-(s.ply() as i32));
        let entry = nodes.entry((s.game.key(), depth));
        if matches!(entry, std::collections::hash_map::Entry::Vacant(_)) {
            s.keep(1, Self::ENTRY_BYTES)?;
        }
        let (known, known_best) = entry.or_insert((ValueBounds::UNKNOWN, None));
        *known = ValueBounds { low: known.low.max(low), high: known.high.min(high) };
        *known_best = best.or(*known_best);
        Ok(())
    }

    /// The best line as far as its values are exact. Its moves are the ones that have
    /// proved the lower bounds.
    fn line(&self, s: &mut Search<'_>) -> Vec<GameMove> {
        let mut line = Vec::new();
        for depth in (1..=s.depth).rev() {
            let is_exact = self.bounds(s, depth).is_some_and(|bounds| bounds.low == bounds.high);
            let Some(m) = self.best(s, depth).filter(|_| is_exact) else { break };
            if s.game.end().is_some() || !s.game.moves().contains(&m) {
                break;
            }
            s.play(m);
            line.push(m);
        }
        s.rewind();
        line
    }
}

/// Checks what holds for every driver: its value, bounds and line, and its leaves in a tree
/// without transpositions.
pub fn is_alpha_beta(sample: &LawSample, row: &str) -> Result<(), String> {
    let truth = sample.minimax()?.value;
    sample.expect_value(&format!("{row}:table=9999:order=tt+value"), truth)?;
    let value = alpha_beta::is_alpha_beta(sample, row)?.line_value;
    ensure(value == truth, || format!("{row}: line to {value}, not {truth}"))
}
