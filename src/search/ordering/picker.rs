//! The move picker: yields the moves of a node in the order of their promise.
//!
//! Moves are generated and scored in stages, since most nodes end after one or two
//! moves: the move of the transposition table, good captures by most valuable victim
//! and history, killers (S. Akl and M. Newborn, "The principal continuation and the
//! killer heuristic", 1977) and the countermove, quiet moves by history, bad captures.

use crate::chess::movegen::{generate_direct_quiet_checks, generate_noisy, generate_quiets};
use crate::chess::moves::MAX_MOVES;
use crate::chess::see::{see_at_least, value};
use crate::chess::{Bitboard, Move, MoveList, Piece, State};
use crate::search::ordering::history::{ContinuationRows, History};
use crate::search::params as p;
use crate::util::array_list::ArrayList;

/// The stages, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    TtMove,
    GenerateNoisy,
    /// Captures and promotions that lose little or no material.
    GoodNoisy,
    Refutations,
    GenerateQuiets,
    GenerateChecks,
    Quiets,
    /// Captures that lose material by static exchange evaluation.
    BadNoisy,
    Done,
}

/// Which moves to yield. Noisy moves are captures and promotions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MoveFilter {
    All,
    Noisy,
    /// Noisy moves and quiet checks that lose no material.
    NoisyAndChecks,
    /// Noisy moves that gain at least this many centipawns in the exchange.
    Winning(i32),
}

/// A move and its score.
struct Scored {
    m: Move,
    score: i32,
}

/// The moves of a stage. A score and the index of its move share one word, so that the
/// best move is a maximum over words, which the compiler vectorises. One maximum for
/// each move yielded is cheaper than sorting all moves.
struct Scores {
    moves: MoveList,
    words: ArrayList<i32, MAX_MOVES>,
}

impl Scores {
    const INDEX_BITS: u32 = MAX_MOVES.ilog2();
    const INDEX: i32 = (1 << Self::INDEX_BITS) - 1;
    /// The word of a move that is excluded or already yielded.
    const TAKEN: i32 = i32::MIN;

    fn new() -> Self {
        Self { moves: MoveList::new(), words: ArrayList::new() }
    }

    /// Scores the moves; moves without a score are excluded.
    fn fill(&mut self, score: impl Fn(Move) -> Option<i32>) {
        let moves = &*self.moves;
        self.words.refill(moves.len(), |index| {
            let place = Self::INDEX - index as i32;
            score(moves[index]).map_or(Self::TAKEN, |score| score << Self::INDEX_BITS | place)
        });
    }

    /// The move with the highest score, the first of equals.
    fn take_best(&mut self) -> Option<Scored> {
        let mut word = Self::TAKEN;
        for &other in &self.words {
            word = word.max(other);
        }
        if word == Self::TAKEN {
            return None;
        }
        let index = (Self::INDEX - (word & Self::INDEX)) as usize;
        self.words[index] = Self::TAKEN;
        Some(Scored { m: self.moves[index], score: word >> Self::INDEX_BITS })
    }
}

/// Quiet moves that refuted others: two killers and the countermove. `None` where there is
/// none.
pub type Refutations = [Option<Move>; 3];

/// Yields each legal move once, or each move that passes the filter.
pub struct Picker {
    stage: Stage,
    filter: MoveFilter,
    tt_move: Option<Move>,
    refutations: Refutations,
    next_refutation: usize,
    /// The remaining moves of the current stage.
    moves: Scores,
    bad_noisy: MoveList,
    next_bad: usize,
    skips_quiets: bool,
}

impl Picker {
    /// Yields all moves of a position. In all constructors `tt_move` has to be legal;
    /// the refutations may be illegal.
    #[inline]
    pub fn new(state: &State, tt_move: Option<Move>, refutations: Refutations) -> Self {
        Self::with_filter(state, MoveFilter::All, tt_move, refutations)
    }

    /// Yields the moves of a quiescence node: all of them in check, otherwise the move of
    /// the transposition table, captures and promotions, and quiet checks if `checks`.
    #[inline]
    pub fn quiescence(state: &State, tt_move: Option<Move>, checks: bool) -> Self {
        let filter = match (state.in_check(), checks) {
            (true, _) => MoveFilter::All,
            (false, true) => MoveFilter::NoisyAndChecks,
            (false, false) => MoveFilter::Noisy,
        };
        Self::with_filter(state, filter, tt_move, [None; 3])
    }

    /// Yields the captures and promotions that gain at least `threshold` centipawns in
    /// the exchange.
    #[inline]
    pub fn winning(state: &State, tt_move: Option<Move>, threshold: i32) -> Self {
        let passes = |m: &Move| m.is_noisy() && see_at_least(state, *m, threshold);
        Self::with_filter(state, MoveFilter::Winning(threshold), tt_move.filter(passes), [None; 3])
    }

    /// The only place that builds a picker, so that its large lists are not copied.
    #[inline]
    fn with_filter(
        state: &State,
        filter: MoveFilter,
        tt_move: Option<Move>,
        refutations: Refutations,
    ) -> Self {
        debug_assert!(tt_move.is_none_or(|m| state.is_legal(m)));
        Self {
            stage: Stage::TtMove,
            filter,
            tt_move,
            refutations,
            next_refutation: 0,
            moves: Scores::new(),
            bad_noisy: MoveList::new(),
            next_bad: 0,
            skips_quiets: false,
        }
    }

    /// The next move; `None` after the last.
    #[inline]
    pub fn next(
        &mut self,
        state: &State,
        history: &History,
        previous: &ContinuationRows,
    ) -> Option<Move> {
        if self.stage == Stage::TtMove {
            self.stage = Stage::GenerateNoisy;
            if self.tt_move.is_some() {
                return self.tt_move;
            }
        }
        self.next_generated(state, history, previous)
    }

    /// The next move after the move of the transposition table.
    #[inline(never)]
    fn next_generated(
        &mut self,
        state: &State,
        history: &History,
        previous: &ContinuationRows,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove | Stage::GenerateNoisy => {
                    self.generate_scored_noisy(state, history);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.moves.take_best() {
                    Some(Scored { m, score }) if self.is_good(state, m, score) => return Some(m),
                    Some(Scored { m, .. }) => self.bad_noisy.push(m),
                    None => {
                        self.stage = match self.filter {
                            MoveFilter::All => Stage::Refutations,
                            MoveFilter::Noisy => Stage::BadNoisy,
                            MoveFilter::NoisyAndChecks => Stage::GenerateChecks,
                            MoveFilter::Winning(_) => Stage::Done,
                        }
                    }
                },
                Stage::Refutations => match self.next_refutation(state) {
                    Some(m) => return Some(m),
                    None => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets | Stage::Quiets if self.skips_quiets => {
                    self.stage = Stage::BadNoisy;
                }
                Stage::GenerateQuiets => {
                    self.generate_scored_quiets(state, history, previous);
                    self.stage = Stage::Quiets;
                }
                Stage::GenerateChecks => {
                    self.generate_scored_checks(state, history, previous);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.moves.take_best() {
                    Some(Scored { m, .. }) if self.is_refutation(m) => {}
                    Some(Scored { m, .. }) => return Some(m),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => {
                    if let Some(&m) = self.bad_noisy.get(self.next_bad) {
                        self.next_bad += 1;
                        return Some(m);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    // The generators are no part of `next`, whose every call would pay for what they keep
    // in registers.

    #[inline(never)]
    fn generate_scored_noisy(&mut self, state: &State, history: &History) {
        if state.in_check() {
            self.generate(state, generate_noisy, |m| Some(evasion_capture_score(state, m)));
            return;
        }
        self.generate(state, generate_noisy, |m| Some(noisy_score(state, history, m)));
    }

    /// By the quiet histories, with a bonus for direct checks and for pieces that leave squares
    /// attacked by less valuable ones; evasions of a check by two of the histories (as in
    /// Stockfish 16).
    #[inline(never)]
    fn generate_scored_quiets(
        &mut self,
        state: &State,
        history: &History,
        previous: &ContinuationRows,
    ) {
        let rows = history.quiet.rows(state.side_to_move(), previous);
        if state.in_check() {
            self.generate(state, generate_quiets, |m| {
                Some(rows.evasion_score(state.moved_piece(m), m))
            });
            return;
        }
        let checking = state.checking_squares();
        let us = state.side_to_move();
        let threats = state.threats(!us);
        let endangered = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
            .into_iter()
            .map(|piece| state.colored(us, piece) & threats.by_less_valuable_than(piece))
            .fold(Bitboard::EMPTY, |set, pieces| set | pieces);
        self.generate(state, generate_quiets, |m| {
            let piece = state.moved_piece(m);
            let mut score = rows.score(piece, m);
            if checking[piece.index()].contains(m.to()) {
                score += p::order_check();
            }
            if endangered.contains(m.from())
                && !threats.by_less_valuable_than(piece).contains(m.to())
            {
                score += escape_bonus(piece);
            }
            Some(score)
        });
    }

    /// The direct checks that lose no material.
    #[inline(never)]
    fn generate_scored_checks(
        &mut self,
        state: &State,
        history: &History,
        previous: &ContinuationRows,
    ) {
        let rows = history.quiet.rows(state.side_to_move(), previous);
        self.generate(state, generate_direct_quiet_checks, |m| {
            see_at_least(state, m, 0).then(|| rows.score(state.moved_piece(m), m))
        });
    }

    /// Skips the remaining quiet moves, but not the refutations.
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    /// Whether a capture comes before the quiet moves. With a high score it may lose some
    /// material. In check, and in quiescence, captures are ordered by their score alone.
    #[inline]
    fn is_good(&self, state: &State, m: Move, score: i32) -> bool {
        let threshold = match self.filter {
            MoveFilter::All if !state.in_check() => -score / p::good_capture(),
            MoveFilter::Winning(threshold) => threshold,
            _ => return true,
        };
        see_at_least(state, m, threshold)
    }

    /// Whether the stage of the refutations has yielded the move.
    #[inline]
    fn is_refutation(&self, m: Move) -> bool {
        let [first, second, counter] = self.refutations;
        Some(m) == first || Some(m) == second || Some(m) == counter
    }

    fn generate(
        &mut self,
        state: &State,
        generate: impl Fn(&State, &mut MoveList),
        score: impl Fn(Move) -> Option<i32>,
    ) {
        let Self { moves, tt_move, .. } = self;
        moves.moves.clear();
        generate(state, &mut moves.moves);
        moves.fill(|m| if Some(m) == *tt_move { None } else { score(m) });
    }

    /// The next refutation that is legal here and not yet yielded. The others are removed,
    /// so that the quiet stage may yield the move.
    fn next_refutation(&mut self, state: &State) -> Option<Move> {
        while let Some(&refutation) = self.refutations.get(self.next_refutation) {
            let (earlier, _) = self.refutations.split_at(self.next_refutation);
            let found = refutation.filter(|&m| {
                Some(m) != self.tt_move && !earlier.contains(&refutation) && state.is_legal(m)
            });
            self.refutations[self.next_refutation] = found;
            self.next_refutation += 1;
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// The value of the victim, the gain of a promotion, and the capture history.
#[inline]
fn noisy_score(state: &State, history: &History, m: Move) -> i32 {
    material_gain(state, m) * p::order_victim() / 100 + history.capture.score(state, m)
}

/// The value of the victim, then the least valuable attacker.
#[inline]
fn evasion_capture_score(state: &State, m: Move) -> i32 {
    material_gain(state, m) * 2 - state.moved_piece(m).index() as i32
}

/// The values of the victim and of a promotion.
#[inline]
fn material_gain(state: &State, m: Move) -> i32 {
    let victim = state.captured(m).map_or(0, value);
    victim + m.promotion().map_or(0, |piece| value(piece) - value(Piece::Pawn))
}

/// For a piece that leaves the squares attacked by less valuable ones.
#[inline]
fn escape_bonus(piece: Piece) -> i32 {
    match piece {
        Piece::Queen => 50_000,
        Piece::Rook => 25_000,
        _ => 15_000,
    }
}

#[cfg(test)]
mod tests {
    use bytemuck::zeroed_box;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::Picker;
    use crate::chess::see::see_at_least;
    use crate::chess::{Move, MoveList, Position};
    use crate::search::ordering::history::{ContinuationRow, History};

    fn picked(mut picker: Picker, position: &Position, history: &History) -> Vec<u16> {
        let previous = [ContinuationRow::NONE; 4];
        let mut moves: Vec<u16> = std::iter::from_fn(|| picker.next(position, history, &previous))
            .map(Move::bits)
            .collect();
        moves.sort_unstable();
        moves
    }

    fn sorted(moves: impl Iterator<Item = Move>) -> Vec<u16> {
        let mut moves: Vec<u16> = moves.map(Move::bits).collect();
        moves.sort_unstable();
        moves
    }

    /// Calls `check` for every position of random games, with a legal move of the
    /// transposition table and two killers that may be illegal, or without them.
    fn for_random_positions(mut check: impl FnMut(&Position, [Option<Move>; 3])) {
        let mut random = StdRng::seed_from_u64(7);
        for _ in 0..40 {
            let mut position = Position::startpos();
            let mut seen = MoveList::new();
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut any = || match random.random_range(0..3) {
                    0 => None,
                    1 => Some(moves[random.random_range(0..moves.len())]),
                    _ => seen.get(random.random_range(0..seen.len().max(1))).copied(),
                };
                let tt_move = any().filter(|&m| position.is_legal(m));
                check(&position, [tt_move, any(), any()]);
                let m = moves[random.random_range(0..moves.len())];
                seen.try_push(m);
                position.make(m);
            }
        }
    }

    fn is_direct_check(position: &Position, m: Move) -> bool {
        let squares = position.checking_squares()[position.moved_piece(m).index()];
        !m.is_castle() && squares.contains(m.to())
    }

    #[test]
    fn every_legal_move_is_yielded_exactly_once() {
        let history = zeroed_box::<History>();
        for_random_positions(|position, [tt_move, first, second]| {
            let [first, second] = [first, second].map(|killer| killer.filter(|m| m.is_quiet()));
            let picker = Picker::new(position, tt_move, [first, second, first]);
            assert_eq!(
                picked(picker, position, &history),
                sorted(position.legal_moves().into_iter())
            );
        });
    }

    #[test]
    fn quiescence_yields_evasions_or_captures_and_optional_checks() {
        let history = zeroed_box::<History>();
        for checks in [false, true] {
            for_random_positions(|position, [tt_move, ..]| {
                let is_check =
                    |m: Move| is_direct_check(position, m) && see_at_least(position, m, 0);
                let wanted = |m: &Move| {
                    position.in_check()
                        || m.is_noisy()
                        || checks && is_check(*m)
                        || tt_move == Some(*m)
                };
                let moves = position.legal_moves().into_iter().filter(wanted);
                let picker = Picker::quiescence(position, tt_move, checks);
                assert_eq!(picked(picker, position, &history), sorted(moves));
            });
        }
    }

    #[test]
    fn a_winning_picker_yields_the_captures_that_gain_enough() {
        let history = zeroed_box::<History>();
        for threshold in [-100, 0, 150, 400] {
            for_random_positions(|position, [tt_move, ..]| {
                let winning = position
                    .legal_moves()
                    .into_iter()
                    .filter(|&m| m.is_noisy() && see_at_least(position, m, threshold));
                let picker = Picker::winning(position, tt_move, threshold);
                assert_eq!(picked(picker, position, &history), sorted(winning));
            });
        }
    }
}
