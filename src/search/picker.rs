//! Yields the moves of a node, the likely best first, generating as few as it
//! can: most nodes end with their first move or two.

use arrayvec::ArrayVec;

use crate::chess::movegen::{generate_direct_quiet_checks, generate_noisy, generate_quiets};
use crate::chess::moves::MAX_MOVES;
use crate::chess::see::{see_at_least, value};
use crate::chess::{Move, MoveList, Piece, State, Threats};
use crate::search::history::{Context, History};
use crate::search::params::{good_capture, order_check, order_escape, order_victim};

/// What is yielded, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    TtMove,
    GenerateNoisy,
    /// Captures and promotions that lose little or nothing.
    GoodNoisy,
    FirstKiller,
    SecondKiller,
    GenerateQuiets,
    GenerateChecks,
    Quiets,
    /// Captures that seem to lose material.
    BadNoisy,
    Done,
}

/// Which moves are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    All,
    Noisy,
    /// Those, and quiet checks that lose nothing.
    NoisyAndChecks,
    /// Captures and promotions whose exchange gains so many centipawns.
    Winning(i32),
}

/// A move and what it is ordered by.
struct Scored {
    m: Move,
    score: i32,
}

/// The moves of a stage. A score and the index of its move share one word, so
/// that the best is a maximum over words, which the compiler turns into vector
/// instructions: finding it anew for each move is cheaper than sorting what is
/// mostly not needed.
struct Scores {
    moves: MoveList,
    words: ArrayVec<i32, MAX_MOVES>,
}

impl Scores {
    const INDEX_BITS: u32 = MAX_MOVES.ilog2();
    const INDEX: i32 = (1 << Self::INDEX_BITS) - 1;
    /// In place of a move that is not to be yielded, or was.
    const TAKEN: i32 = i32::MIN;

    fn new() -> Self {
        Self { moves: MoveList::new(), words: ArrayVec::new() }
    }

    /// Scores the moves of a list; those without a score are left out.
    fn fill(&mut self, score: impl Fn(Move) -> Option<i32>) {
        let word = |(index, &m): (usize, &Move)| {
            let place = Self::INDEX - index as i32;
            score(m).map_or(Self::TAKEN, |score| score << Self::INDEX_BITS | place)
        };
        self.words.clear();
        self.words.extend(self.moves.iter().enumerate().map(word));
    }

    /// Leaves out the moves that are not wanted.
    fn retain(&mut self, wanted: impl Fn(Move) -> bool) {
        for (word, &m) in self.words.iter_mut().zip(&self.moves) {
            if !wanted(m) {
                *word = Self::TAKEN;
            }
        }
    }

    /// The move with the highest score, the first of equals.
    fn take_best(&mut self) -> Option<Scored> {
        let word = self.words.iter().copied().max().filter(|&word| word != Self::TAKEN)?;
        let index = (Self::INDEX - (word & Self::INDEX)) as usize;
        self.words[index] = Self::TAKEN;
        Some(Scored { m: self.moves[index], score: word >> Self::INDEX_BITS })
    }
}

/// Each legal move once, or each of those wanted.
pub(super) struct Picker {
    stage: Stage,
    wanted: Wanted,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// The moves of the current stage that are still to come.
    moves: Scores,
    bad_noisy: MoveList,
    next_bad: usize,
    /// Of the quiet moves only checks are wanted.
    only_checks: bool,
    /// What the last move of the quiet stage was ordered by.
    last_score: i32,
}

impl Picker {
    /// All moves of a position. The transposition table's move has to be legal, here
    /// and below; the killers need not be.
    #[inline]
    pub fn new(state: &State, tt_move: Option<Move>, killers: [Option<Move>; 2]) -> Self {
        Self::wanting(state, Wanted::All, tt_move, killers)
    }

    /// The moves for quiescence: all of them in check, otherwise the captures
    /// and promotions, with or without `checks`.
    #[inline]
    pub fn quiescence(state: &State, tt_move: Option<Move>, checks: bool) -> Self {
        let wanted = match (state.in_check(), checks) {
            (true, _) => Wanted::All,
            (false, true) => Wanted::NoisyAndChecks,
            (false, false) => Wanted::Noisy,
        };
        let wants = |m: &Move| wanted == Wanted::All || m.is_noisy();
        Self::wanting(state, wanted, tt_move.filter(wants), [None; 2])
    }

    /// Only the captures and promotions that gain at least `threshold`
    /// centipawns in the exchange.
    #[inline]
    pub fn winning(state: &State, tt_move: Option<Move>, threshold: i32) -> Self {
        let wants = |m: &Move| m.is_noisy() && see_at_least(state, *m, threshold);
        Self::wanting(state, Wanted::Winning(threshold), tt_move.filter(wants), [None; 2])
    }

    /// The one place where a picker is put together, so that it need not be
    /// moved about: its lists are large.
    #[inline]
    fn wanting(
        state: &State,
        wanted: Wanted,
        tt_move: Option<Move>,
        killers: [Option<Move>; 2],
    ) -> Self {
        debug_assert!(tt_move.is_none_or(|m| state.is_legal(m)));
        Self {
            stage: Stage::TtMove,
            wanted,
            tt_move,
            killers,
            moves: Scores::new(),
            bad_noisy: MoveList::new(),
            next_bad: 0,
            only_checks: false,
            last_score: 0,
        }
    }

    /// The next move.
    pub fn next(&mut self, state: &State, history: &History, context: &Context) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate(state, generate_noisy, |m| Some(noisy_score(state, history, m)));
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.moves.take_best() {
                    Some(Scored { m, score }) if self.is_good(state, m, score) => return Some(m),
                    Some(Scored { m, .. }) => self.bad_noisy.push(m),
                    None => {
                        self.stage = match self.wanted {
                            Wanted::All => Stage::FirstKiller,
                            Wanted::Noisy => Stage::BadNoisy,
                            Wanted::NoisyAndChecks => Stage::GenerateChecks,
                            Wanted::Winning(_) => Stage::Done,
                        }
                    }
                },
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if let Some(m) = self.killer(state, 0) {
                        return Some(m);
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::GenerateQuiets;
                    if let Some(m) = self.killer(state, 1) {
                        return Some(m);
                    }
                }
                Stage::GenerateQuiets => {
                    let checking = state.checking_squares();
                    let generate = if self.only_checks {
                        generate_direct_quiet_checks
                    } else {
                        generate_quiets
                    };
                    self.generate(state, generate, |m| {
                        let piece = state.moved_piece(m);
                        let checks = checking[piece.index()].contains(m.to());
                        let score = quiet_score(state, history, context, m, checks);
                        Some(score + escape_score(&context.threats, piece, m))
                    });
                    self.stage = Stage::Quiets;
                }
                Stage::GenerateChecks => {
                    self.generate(state, generate_direct_quiet_checks, |m| {
                        let loses_nothing = see_at_least(state, m, 0);
                        loses_nothing.then(|| history.quiet.score(state, context, m))
                    });
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.moves.take_best() {
                    Some(Scored { m, .. }) if self.killers.contains(&Some(m)) => {}
                    Some(Scored { m, score }) => {
                        self.last_score = score;
                        return Some(m);
                    }
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

    /// Yields no more quiet moves.
    pub fn skip_quiets(&mut self) {
        if (Stage::FirstKiller..=Stage::Quiets).contains(&self.stage) {
            self.stage = Stage::BadNoisy;
        }
    }

    /// Yields of the quiet moves only those that give check themselves.
    pub fn skip_quiets_but_checks(&mut self, state: &State) {
        if !self.only_checks {
            self.only_checks = true;
            let checking = state.checking_squares();
            let checks = |m: Move| checking[state.moved_piece(m).index()].contains(m.to());
            if self.stage == Stage::Quiets {
                self.moves.retain(checks);
            }
        }
    }

    /// What the histories said of the move just yielded, if they were asked.
    pub fn quiet_score(&self) -> Option<i32> {
        (self.stage == Stage::Quiets).then_some(self.last_score)
    }

    /// Whether the moves that come now are captures that seem to lose material.
    pub fn is_past_quiets(&self) -> bool {
        self.stage >= Stage::BadNoisy
    }

    /// Whether a capture is tried before the quiet moves. One with a good
    /// record may lose a little.
    #[inline]
    fn is_good(&self, state: &State, m: Move, score: i32) -> bool {
        let threshold = match self.wanted {
            Wanted::All => -score / good_capture(),
            Wanted::Noisy | Wanted::NoisyAndChecks => 0,
            Wanted::Winning(threshold) => threshold,
        };
        see_at_least(state, m, threshold)
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

    /// A killer that can be played here and was not yet yielded. One that
    /// cannot be is forgotten, so that the quiet stage need not know.
    fn killer(&mut self, state: &State, index: usize) -> Option<Move> {
        let killer = self.killers[index].filter(|&m| Some(m) != self.tt_move && state.is_legal(m));
        self.killers[index] = killer;
        killer
    }
}

/// The most valuable victim first, tempered by experience; promotions count as
/// winning the difference.
#[inline]
fn noisy_score(state: &State, history: &History, m: Move) -> i32 {
    let victim = state.captured(m).map_or(0, value);
    let gain = m.promotion().map_or(0, |piece| value(piece) - value(Piece::Pawn));
    (victim + gain) * order_victim() / 100 + history.capture.score(state, m)
}

/// What experience says; checks that cost nothing come before.
#[inline]
fn quiet_score(state: &State, history: &History, context: &Context, m: Move, checks: bool) -> i32 {
    let score = history.quiet.score(state, context, m);
    if checks && see_at_least(state, m, 0) { score + order_check() } else { score }
}

/// A piece that a lesser man attacks wants to leave, and none wants to go where
/// one does.
#[inline]
fn escape_score(threats: &Threats, piece: Piece, m: Move) -> i32 {
    let attacked = threats.by_less_valuable_than(piece);
    let leaves = i32::from(attacked.contains(m.from()));
    let enters = i32::from(attacked.contains(m.to()));
    (leaves - enters) * value(piece) * order_escape() / 100
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::Picker;
    use crate::chess::see::see_at_least;
    use crate::chess::{Move, MoveList, Position};
    use crate::eval::Accumulator;
    use crate::search::history::{Context, History};
    use crate::search::stack::Stack;

    fn picked(mut picker: Picker, position: &Position, history: &History) -> Vec<u16> {
        let context = Context::new(position, &Stack::new(Accumulator::default()), 0);
        let mut moves: Vec<u16> = std::iter::from_fn(|| picker.next(position, history, &context))
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

    /// Plays random games and hands every position to `check`, with a move of the
    /// transposition table and killers that may or may not be legal there.
    fn wander(mut check: impl FnMut(&Position, [Option<Move>; 3])) {
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
                let _ = seen.try_push(m);
                position.make(m);
            }
        }
    }

    fn checks_itself(position: &Position, m: Move) -> bool {
        let squares = position.checking_squares()[position.moved_piece(m).index()];
        !m.is_castle() && squares.contains(m.to())
    }

    #[test]
    fn every_legal_move_is_yielded_exactly_once() {
        let history = History::new().unwrap();
        wander(|position, [tt_move, first, second]| {
            // Killers are quiet, and differ from each other.
            let first = first.filter(|m| m.is_quiet());
            let second = second.filter(|m| m.is_quiet() && Some(*m) != first);
            let picker = Picker::new(position, tt_move, [first, second]);
            assert_eq!(
                picked(picker, position, &history),
                sorted(position.legal_moves().into_iter())
            );
        });
    }

    #[test]
    fn quiescence_looks_at_evasions_or_captures_and_perhaps_checks() {
        let history = History::new().unwrap();
        for checks in [false, true] {
            wander(|position, [tt_move, ..]| {
                let is_check = |m: Move| checks_itself(position, m) && see_at_least(position, m, 0);
                let wanted =
                    |m: &Move| position.in_check() || m.is_noisy() || checks && is_check(*m);
                let moves = position.legal_moves().into_iter().filter(wanted);
                let picker = Picker::quiescence(position, tt_move, checks);
                assert_eq!(picked(picker, position, &history), sorted(moves));
            });
        }
    }

    #[test]
    fn quiet_moves_can_be_cut_down_to_checks_at_any_time() {
        let history = History::new().unwrap();
        for after in [0, 1, 5, 12] {
            wander(|position, [tt_move, ..]| {
                let context = Context::new(position, &Stack::new(Accumulator::default()), 0);
                let mut picker = Picker::new(position, tt_move, [None; 2]);
                let before: Vec<u16> =
                    std::iter::from_fn(|| picker.next(position, &history, &context))
                        .take(after)
                        .map(Move::bits)
                        .collect();
                picker.skip_quiets_but_checks(position);
                let rest = picked(picker, position, &history);
                let wanted = |m: &Move| {
                    let first = Some(*m) == tt_move || m.is_noisy() || checks_itself(position, *m);
                    first && !before.contains(&m.bits())
                };
                assert_eq!(rest, sorted(position.legal_moves().into_iter().filter(wanted)));
            });
        }
    }

    #[test]
    fn a_winning_picker_yields_what_gains_enough() {
        let history = History::new().unwrap();
        for threshold in [-100, 0, 150, 400] {
            wander(|position, [tt_move, ..]| {
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
