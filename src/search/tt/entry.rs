//! One entry of the transposition table, and its 64 bits.

use crate::chess::Move;
use crate::eval::Score;

/// How many plies an entry of a principal variation is worth beyond its depth.
pub(super) const PV_WEIGHT: i32 = 2;
/// A shallower result replaces a deeper one of the same position if it lacks at most
/// this many plies.
const DEPTH_TOLERANCE: i32 = 3;

/// The depth of an entry that has only a static evaluation: less than that of quiescence.
const EVALUATION_DEPTH: i32 = -6;

/// What a score means for the true value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The value is at most the score: no move reached alpha.
    Upper = 1,
    /// The value is at least the score: a move reached beta.
    Lower = 2,
    Exact = 3,
}

impl Bound {
    /// Whether a score with this bound ends a node in a null window below `beta`: the
    /// value is exact, or known to lie on one side of `beta`.
    #[inline]
    pub fn is_cutoff(self, score: Score, beta: Score) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= beta,
            Self::Upper => score < beta,
        }
    }

    /// Whether a score with this bound is closer to the true value than a static
    /// evaluation. Mates are excluded.
    #[inline]
    pub fn improves_on(self, score: Score, eval: Score) -> bool {
        !score.is_mate()
            && match self {
                Self::Exact => true,
                Self::Lower => score > eval,
                Self::Upper => score < eval,
            }
    }
}

/// The table's knowledge of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    pub best: Option<Move>,
    pub(super) stored_score: i16,
    /// The static evaluation; `None` in check and for a value of endgame tables.
    pub eval: Option<Score>,
    /// Plies searched; negative for quiescence without checks and for an evaluation alone.
    pub depth: i8,
    pub bound: Bound,
    /// The node is, or once was, part of a principal variation.
    pub pv: bool,
    pub(super) generation: u8,
}

/// The result of a node, to be stored.
#[derive(Clone, Copy, Debug)]
pub struct TtData {
    /// Plies searched; at most 127 are kept.
    pub depth: i32,
    pub bound: Bound,
    pub score: Score,
    /// The static evaluation; `None` in check and for a value of endgame tables.
    pub eval: Option<Score>,
    /// The best move; if `None`, the move of an older entry is kept.
    pub best: Option<Move>,
    /// Whether the node is, or once was, part of a principal variation.
    pub pv: bool,
}

impl TtData {
    /// Only a static evaluation: its bound holds for every score, and proves nothing of a
    /// mate, as which the score would be read.
    pub fn evaluation(eval: Score) -> Self {
        Self {
            depth: EVALUATION_DEPTH,
            bound: Bound::Lower,
            score: -Score::INFINITE,
            eval: Some(eval),
            best: None,
            pv: false,
        }
    }
}

/// Marks the absence of an evaluation.
const NO_EVAL: i16 = i16::MIN;

impl TtEntry {
    pub(super) const GENERATION_MASK: u8 = 0x1F;

    /// A result at a node `ply` plies from the root, or the entry that is already `known`
    /// where that is worth more.
    #[inline]
    pub(super) fn new(ply: usize, data: TtData, generation: u8, known: Option<Self>) -> Self {
        let entry = Self {
            best: data.best.or_else(|| known.and_then(|old| old.best)),
            stored_score: data.score.to_tt(ply),
            eval: data.eval,
            depth: data.depth.clamp(EVALUATION_DEPTH, i32::from(i8::MAX)) as i8,
            bound: data.bound,
            pv: data.pv,
            generation,
        };
        match known {
            Some(old) if old.is_kept_over(&entry) => Self { generation, ..old },
            _ => entry,
        }
    }

    /// The score, at a node `ply` plies from the root.
    #[inline]
    pub fn score(&self, ply: usize) -> Score {
        Score::from_tt(self.stored_score, ply)
    }

    /// The static evaluation, replaced by the entry's score if its bound makes that
    /// more accurate.
    #[inline]
    pub fn adjust(&self, eval: Score, ply: usize) -> Score {
        let score = self.score(ply);
        if self.bound.improves_on(score, eval) { score } else { eval }
    }

    /// The plies to a mate that the entry proves, for either side, at most.
    #[inline]
    pub fn plies_to_mate(&self) -> Option<usize> {
        let score = self.score(0);
        let plies = score.plies_to_mate()?;
        let proved = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score > Score::ZERO,
            Bound::Upper => score < Score::ZERO,
        };
        proved.then_some(plies)
    }

    /// Whether this entry is kept when a newer one of the same position arrives: it
    /// proves a quicker mate, or is much deeper.
    #[inline]
    pub(super) fn is_kept_over(&self, newer: &Self) -> bool {
        if let Some(plies) = self.plies_to_mate() {
            return newer.plies_to_mate().is_none_or(|others| others > plies);
        }
        let reach = i32::from(newer.depth) + DEPTH_TOLERANCE + PV_WEIGHT * i32::from(newer.pv);
        newer.bound != Bound::Exact && i32::from(self.depth) > reach
    }

    /// Searches started since this entry was written or last probed.
    #[inline]
    pub(super) fn age(&self, generation: u8) -> u8 {
        generation.wrapping_sub(self.generation) & Self::GENERATION_MASK
    }

    /// From low to high: move 16, score 16, evaluation 16, depth 8, bound 2,
    /// variation flag 1, generation 5 bits. Never zero, since no bound is.
    #[inline]
    pub(super) fn pack(self) -> u64 {
        let best = self.best.map_or(0, Move::bits);
        let eval = self.eval.map_or(NO_EVAL, |eval| eval.cp() as i16);
        u64::from(best)
            | u64::from(self.stored_score as u16) << 16
            | u64::from(eval as u16) << 32
            | u64::from(self.depth as u8) << 48
            | (self.bound as u64) << 56
            | u64::from(self.pv) << 58
            | u64::from(self.generation) << 59
    }

    /// The inverse of [`TtEntry::pack`]; `None` for an empty slot.
    #[inline]
    pub(super) fn unpack(data: u64) -> Option<Self> {
        // A table of bounds instead of a jump that depends on the entry.
        const BOUNDS: [Option<Bound>; 4] =
            [None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)];
        let bound = BOUNDS[(data >> 56) as usize & 3]?;
        let eval = (data >> 32) as i16;
        Some(Self {
            best: Move::from_bits(data as u16),
            stored_score: (data >> 16) as i16,
            eval: if eval == NO_EVAL { None } else { Some(Score::new(i32::from(eval))) },
            depth: (data >> 48) as i8,
            bound,
            pv: data >> 58 & 1 != 0,
            generation: (data >> 59) as u8,
        })
    }
}
