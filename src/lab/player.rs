//! A row that plays chess.
//!
//! An algorithm that searches to a depth is deepened until a limit ends it, and plays the
//! move of the last complete iteration. An algorithm that grows a tree in memory grows it until
//! the limit. Whatever happens there is a move: if the row has none, the move that leads to the
//! best static value.

use crate::chess::{Move, Position};
use crate::lab::game::{Chess, DECISIVE, Draws, Evaluation, GameMove, WIN};
use crate::lab::measure::plies_to_end;
use crate::lab::order::child_value;
use crate::lab::table::BoundTable;
use crate::lab::{Counts, Iteration, Limit, Row, Watch};

/// The deepest iteration.
pub const MAX_DEPTH: u32 = 100;

/// A row with the evaluation that it plays with.
#[derive(Clone)]
pub struct RowPlayer {
    pub row: Row,
    evaluation: Evaluation,
    /// The table, if the row keeps it from one move to the next; `None` before its first search.
    table: Option<BoundTable>,
}

/// A move, and why it is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub best: Move,
    /// The best line, which begins with the move.
    pub line: Vec<Move>,
    /// The value for the side to move.
    pub value: i32,
    /// The depth of the last complete iteration, at most the plies of the longest path unless
    /// a table is kept from earlier searches; the plies of the line if the row grows its tree
    /// by itself; 0 if the row has no answer.
    pub depth: u32,
    /// The plies of the longest path.
    pub deepest: u32,
    pub counts: Counts,
}

impl Choice {
    /// Whether the row has an answer; otherwise the move has the best static value.
    pub fn has_answer(&self) -> bool {
        self.depth > 0
    }
}

impl RowPlayer {
    /// What a player does with any row, as settings for [`Row::parse`].
    pub const COMMON: [&str; 1] = ["deepen"];

    pub fn new(row: Row, evaluation: Evaluation) -> Self {
        Self { row, evaluation, table: None }
    }

    /// Chooses one of the legal moves, or of `moves` if they are given; `None` if there are
    /// none. `goes_on` is called after each iteration and ends the search if it is false.
    pub fn choose(
        &mut self,
        position: &Position,
        moves: Option<&[Move]>,
        depth: u32,
        limit: Limit<'_>,
        goes_on: &mut dyn FnMut(&Choice) -> bool,
    ) -> Option<Choice> {
        let legal = moves.map_or_else(|| position.legal_moves().to_vec(), <[Move]>::to_vec);
        // A game that the rules have ended may still be analysed.
        let draws = if position.is_draw(0) { Draws::None } else { Draws::Path };
        let mut game = Chess::new(position.clone(), self.evaluation.clone(), draws);
        if moves.is_some() {
            game.restrict_root(legal.clone());
        }
        let depth = depth.clamp(1, MAX_DEPTH);
        let start = if self.row.can_deepen() { 1 } else { depth };
        let (value, best) = best_by_value(&mut game, &legal)?;
        let mut choice = Choice {
            best,
            line: vec![best],
            value,
            depth: 0,
            deepest: 0,
            counts: Counts::default(),
        };
        let mut watch = Watch::default();
        if !self.row.keeps_table() {
            self.table = None;
        }
        self.row.run_kept(
            &mut game,
            start..=depth,
            limit,
            &mut watch,
            &mut self.table,
            &mut |iteration: &Iteration<'_>| {
                let line = legal_line(position, &iteration.answer.line);
                if let Some(&best) = line.first().filter(|best| legal.contains(best)) {
                    (choice.best, choice.line) = (best, line);
                    choice.value = possible_value(iteration.answer.value, position, &choice.line);
                }
                (choice.deepest, choice.counts) = (iteration.deepest.max(1), *iteration.counts);
                choice.depth = match self.row.can_deepen() {
                    false => choice.line.len() as u32,
                    true if self.row.keeps_table() => iteration.depth,
                    true => iteration.depth.min(choice.deepest),
                };
                let end = plies_to_end(choice.value);
                let is_decided = end.is_some_and(|plies| plies.unsigned_abs() <= iteration.depth);
                goes_on(&choice) && !is_decided
            },
        );
        choice.counts = watch.counts;
        Some(choice)
    }
}

/// The best static value of the positions after some moves, and its move.
fn best_by_value(game: &mut Chess, moves: &[Move]) -> Option<(i32, Move)> {
    let value = |&m: &Move| (child_value(game, m.bits(), false) as i32, m);
    moves.iter().map(value).reduce(|best, next| if next.0 > best.0 { next } else { best })
}

/// The moves up to the first that is not legal.
fn legal_line(position: &Position, line: &[GameMove]) -> Vec<Move> {
    let mut position = position.clone();
    let mut legal = Vec::new();
    for m in line.iter().map_while(|&m| Move::from_bits(m)) {
        if !position.legal_moves().contains(&m) {
            break;
        }
        position.make(m);
        legal.push(m);
    }
    legal
}

/// A value that can be reported: a win or loss comes at the end of a line that leads to mate.
/// An algorithm that does not count plies gets them from the line; another one may know a
/// mate without its line, and then the value is the greatest that is no mate.
fn possible_value(value: i32, position: &Position, line: &[Move]) -> i32 {
    let Some(plies) = plies_to_end(value) else { return value };
    let mut end = position.clone();
    line.iter().for_each(|&m| end.make(m));
    let length = line.len() as i32;
    let is_counted = value.abs() < WIN;
    match end.is_checkmate() && (!is_counted || plies.abs() == length) {
        true => (WIN - length) * value.signum(),
        false => (DECISIVE - 1) * value.signum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";

    #[test]
    fn a_mate_ends_the_deepening() {
        let row = Row::parse("ab:order=mvv", &[]).unwrap();
        let mut player = RowPlayer::new(row, Evaluation::Lovec);
        let position = Position::from_fen(MATE_IN_TWO).unwrap();
        let choice = player.choose(&position, None, MAX_DEPTH, Limit::NONE, &mut |_| true).unwrap();
        assert_eq!((choice.value, choice.depth), (WIN - 3, 3));
    }

    /// A row that keeps its table finds what it has searched before.
    #[test]
    fn a_table_is_kept() {
        let nodes = |row: &str| {
            let row = Row::parse(row, &[]).unwrap();
            let mut player = RowPlayer::new(row, Evaluation::Lovec);
            [(); 2].map(|()| {
                let position = Position::startpos();
                let choice = player.choose(&position, None, 4, Limit::NONE, &mut |_| true).unwrap();
                (choice.value, choice.counts.nodes)
            })
        };
        let [first, second] = nodes("ab:order=tt:table=100000");
        assert_eq!(first, second);
        let [fresh, again] = nodes("ab:order=tt:table=100000:keep");
        assert_eq!((fresh, again.0), (first, first.0));
        assert!(again.1 < fresh.1 / 2, "{again:?} {fresh:?}");
    }

    #[test]
    fn only_the_given_moves_are_played() {
        let position = Position::from_fen(MATE_IN_TWO).unwrap();
        let mut player = RowPlayer::new(Row::parse("pvs", &[]).unwrap(), Evaluation::Lovec);
        for m in position.legal_moves() {
            let choice =
                player.choose(&position, Some(&[m]), 2, Limit::NONE, &mut |_| true).unwrap();
            assert_eq!((choice.best, choice.depth), (m, 2));
        }
    }
}
