//! Yields the moves of a node, the likely best first, generating as few as it
//! can: most nodes end with their first move or two.

use arrayvec::ArrayVec;

use crate::chess::movegen::{generate_noisy, generate_quiets};
use crate::chess::moves::MAX_MOVES;
use crate::chess::see::{see_at_least, value};
use crate::chess::{Move, MoveList, Piece, State};
use crate::search::history::History;

/// What is yielded, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    TtMove,
    GenerateNoisy,
    /// Captures and promotions that lose nothing.
    GoodNoisy,
    FirstKiller,
    SecondKiller,
    GenerateQuiets,
    Quiets,
    /// Captures that seem to lose material.
    BadNoisy,
    Done,
}

struct Scored {
    m: Move,
    score: i32,
}

/// Each legal move once, or each noisy one.
pub(super) struct Picker {
    stage: Stage,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// The moves of the current stage that are still to come.
    moves: ArrayVec<Scored, MAX_MOVES>,
    bad_noisy: MoveList,
    next_bad: usize,
    noisy_only: bool,
}

impl Picker {
    /// All moves of a position.
    pub fn new(state: &State, tt_move: Option<Move>, killers: [Option<Move>; 2]) -> Self {
        Self {
            stage: Stage::TtMove,
            tt_move: tt_move.filter(|&m| state.is_legal(m)),
            killers,
            moves: ArrayVec::new(),
            bad_noisy: MoveList::new(),
            next_bad: 0,
            noisy_only: false,
        }
    }

    /// Only the captures and promotions.
    pub fn noisy(state: &State, tt_move: Option<Move>) -> Self {
        let tt_move = tt_move.filter(|m| m.is_noisy());
        Self { noisy_only: true, ..Self::new(state, tt_move, [None; 2]) }
    }

    /// The next move.
    pub fn next(&mut self, state: &State, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate(state, generate_noisy, |m| noisy_score(state, m));
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.take_best() {
                    Some(m) if see_at_least(state, m, 0) => return Some(m),
                    Some(m) => self.bad_noisy.push(m),
                    None if self.noisy_only => self.stage = Stage::BadNoisy,
                    None => self.stage = Stage::FirstKiller,
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
                    let us = state.side_to_move();
                    self.generate(state, generate_quiets, |m| history.quiet(us, m));
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.take_best() {
                    Some(m) if self.killers.contains(&Some(m)) => {}
                    Some(m) => return Some(m),
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

    /// Whether the moves that come now are captures that seem to lose material.
    pub fn is_past_quiets(&self) -> bool {
        self.stage >= Stage::BadNoisy
    }

    fn generate(
        &mut self,
        state: &State,
        generate: impl Fn(&State, &mut MoveList),
        score: impl Fn(Move) -> i32,
    ) {
        let mut list = MoveList::new();
        generate(state, &mut list);
        self.moves.clear();
        let fresh = list.into_iter().filter(|&m| Some(m) != self.tt_move);
        self.moves.extend(fresh.map(|m| Scored { m, score: score(m) }));
    }

    /// Takes the move with the highest score: selection is cheaper than sorting
    /// what is mostly not needed.
    fn take_best(&mut self) -> Option<Move> {
        let mut best = 0;
        for i in 1..self.moves.len() {
            if self.moves[i].score > self.moves[best].score {
                best = i;
            }
        }
        self.moves.swap_pop(best).map(|scored| scored.m)
    }

    /// A killer that can be played here and was not yet yielded. One that
    /// cannot be is forgotten, so that the quiet stage need not know.
    fn killer(&mut self, state: &State, index: usize) -> Option<Move> {
        let killer = self.killers[index].filter(|&m| Some(m) != self.tt_move && state.is_legal(m));
        self.killers[index] = killer;
        killer
    }
}

/// Most valuable victim first, then least valuable aggressor; promotions count
/// as winning the difference.
fn noisy_score(state: &State, m: Move) -> i32 {
    let victim = state.captured(m).map_or(0, value);
    let gain = m.promotion().map_or(0, |piece| value(piece) - value(Piece::Pawn));
    16 * (victim + gain) - value(state.moved_piece(m))
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::Picker;
    use crate::chess::{Move, MoveList, Position};
    use crate::search::history::History;

    fn picked(mut picker: Picker, position: &Position) -> Vec<u16> {
        let history = History::new();
        let mut moves: Vec<u16> =
            std::iter::from_fn(|| picker.next(position, &history)).map(Move::bits).collect();
        moves.sort_unstable();
        moves
    }

    fn sorted(moves: impl Iterator<Item = Move>) -> Vec<u16> {
        let mut moves: Vec<u16> = moves.map(Move::bits).collect();
        moves.sort_unstable();
        moves
    }

    /// Plays random games and hands every position to `check`, with moves that
    /// may or may not be legal there.
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
                let strangers = [any(), any(), any()];
                check(&position, strangers);
                let m = moves[random.random_range(0..moves.len())];
                let _ = seen.try_push(m);
                position.make(m);
            }
        }
    }

    #[test]
    fn every_legal_move_is_yielded_exactly_once() {
        wander(|position, [tt_move, first, second]| {
            // Killers are quiet, and differ from each other.
            let first = first.filter(|m| m.is_quiet());
            let second = second.filter(|m| m.is_quiet() && Some(*m) != first);
            let picker = Picker::new(position, tt_move, [first, second]);
            assert_eq!(picked(picker, position), sorted(position.legal_moves().into_iter()));
        });
    }

    #[test]
    fn a_noisy_picker_yields_the_noisy_moves() {
        wander(|position, [tt_move, ..]| {
            let noisy = position.legal_moves().into_iter().filter(|m| m.is_noisy());
            assert_eq!(picked(Picker::noisy(position, tt_move), position), sorted(noisy));
        });
    }
}
