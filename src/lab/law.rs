//! Laws of the algorithms, and what they need.
//!
//! A law is checked on many samples, each a game and a depth. It runs rows by their text and
//! compares values, leaves and counts. The laws of an algorithm are in its file;
//! [`laws`](crate::lab::laws) has the list of all and the samples.

use std::cell::OnceCell;
use std::collections::HashSet;

use serde::Serialize;

use crate::lab::game::board_chess::BoardChess;
use crate::lab::game::tree::TreeShape;
use crate::lab::game::{AnyGame, GameTree, INFINITE, at_ply};
use crate::lab::minimal::minimal_leaves;
use crate::lab::{Counts, Proof};

/// A law.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Law {
    pub name: &'static str,
    pub text: &'static str,
    /// Whether the law says anything about a sample.
    #[serde(skip)]
    pub applies: fn(&LawSample) -> bool,
    /// The error says what is wrong.
    #[serde(skip)]
    pub check: fn(&LawSample) -> Result<(), String>,
}

/// A game to check laws on.
pub struct LawSample {
    pub name: String,
    pub game: AnyGame,
    pub depth: u32,
    runner: LawRunner,
    minimax: OnceCell<Result<LawRun, String>>,
}

/// Runs the row of a text on a sample with a window. Laws belong to algorithms, and rows have
/// algorithms: so a law is given what runs rows, and does not import it.
pub type LawRunner = fn(&LawSample, &str, (i32, i32)) -> Result<LawRun, String>;

/// What a row does on a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawRun {
    pub value: i32,
    /// The move to play.
    pub best: Option<String>,
    /// The value of the leaf at the end of the best line.
    pub line_value: i32,
    pub proof: Proof,
    pub counts: Counts,
    /// The keys of the leaves in the order of the visits.
    pub leaves: Vec<u64>,
}

impl LawRun {
    /// Whether another run searched the same tree. What their values prove may differ.
    pub fn is_like(&self, other: &Self) -> bool {
        Self { proof: other.proof, ..self.clone() } == *other
    }

    /// Whether another run visits all the leaves of this one.
    pub fn is_within(&self, other: &Self) -> bool {
        self.distinct_leaves().is_subset(&other.distinct_leaves())
    }

    /// The leaves without repetitions.
    pub fn distinct_leaves(&self) -> HashSet<u64> {
        self.leaves.iter().copied().collect()
    }
}

impl LawSample {
    pub fn new(name: String, game: AnyGame, depth: u32, runner: LawRunner) -> Self {
        Self { name, game, depth, runner, minimax: OnceCell::new() }
    }

    /// The same game to another depth.
    pub fn at_depth(&self, depth: u32) -> Self {
        Self::new(self.name.clone(), self.game.clone(), depth, self.runner)
    }

    /// The same position of chess on a board of a name.
    pub fn on_board(&self, board: &str) -> Result<Self, String> {
        let AnyGame::Chess(chess) = &self.game else { return Err("no chess".to_owned()) };
        let game = BoardChess::new(board, chess.position(), chess.evaluation().clone())
            .map_err(|error| error.to_string())?;
        let game = AnyGame::Board(Box::new(game));
        Ok(Self::new(self.name.clone(), game, self.depth, self.runner))
    }

    /// Runs a row with an open window.
    pub fn run(&self, row: &str) -> Result<LawRun, String> {
        self.run_window(row, -INFINITE, INFINITE)
    }

    /// Runs a row with a window.
    pub fn run_window(&self, row: &str, alpha: i32, beta: i32) -> Result<LawRun, String> {
        (self.runner)(self, row, (alpha, beta)).map_err(|error| format!("{row}: {error}"))
    }

    /// The run of minimax, which is kept.
    pub fn minimax(&self) -> Result<LawRun, String> {
        self.minimax.get_or_init(|| self.run("minimax")).clone()
    }

    /// Checks the value of a row.
    pub fn expect_value(&self, row: &str, expected: i32) -> Result<(), String> {
        let value = self.run(row)?.value;
        ensure(value == expected, || format!("{row}: value {value}, not {expected}"))
    }

    /// Checks the value of each row with some settings.
    pub fn expect_values(
        &self,
        rows: &[&str],
        settings: &str,
        expected: i32,
    ) -> Result<(), String> {
        rows.iter().try_for_each(|row| self.expect_value(&format!("{row}:{settings}"), expected))
    }

    /// Checks that rows have the value of negamax with some settings.
    pub fn expect_negamax(&self, rows: &[&str], settings: &str) -> Result<(), String> {
        self.expect_values(rows, settings, self.run(&format!("negamax:{settings}"))?.value)
    }

    /// Runs a row, and checks its value and that its best line leads there.
    pub fn expect_line(&self, row: &str, expected: i32) -> Result<LawRun, String> {
        let run = self.run(row)?;
        let values = [run.value, run.line_value];
        ensure(values == [expected; 2], || {
            format!("{row}: value {}, line to {}, not {expected}", values[0], values[1])
        })?;
        Ok(run)
    }

    /// Checks that a row has the value of another run and visits the same leaves in the same
    /// order.
    pub fn expect_same_leaves(&self, row: &str, other: &LawRun) -> Result<(), String> {
        let run = self.run(row)?;
        ensure(run.value == other.value && run.leaves == other.leaves, || {
            let [own, others] = [&run, other].map(|run| (run.value, run.leaves.len()));
            format!("{row}: value and leaves {own:?}, not {others:?}")
        })
    }

    /// Checks that a row has the value of minimax and visits no more nodes.
    pub fn expect_no_more_than_minimax(&self, row: &str) -> Result<(), String> {
        let [own, full] = [self.run(row)?, self.minimax()?].map(|it| (it.value, it.counts.nodes));
        let holds = own.0 == full.0 && own.1 <= full.1;
        ensure(holds, || format!("{row}: value and nodes {own:?}, minimax {full:?}"))
    }

    /// The minimax value of a move of the root.
    pub fn move_value(&self, text: &str) -> Result<i32, String> {
        let mut game = self.game.clone();
        let tree = game.tree();
        let m = tree.find(text).ok_or_else(|| format!("{text:?} is no legal move"))?;
        tree.play(m);
        let child = Self::new(self.name.clone(), game, self.depth - 1, self.runner);
        Ok(-at_ply(child.minimax()?.value, 1))
    }

    /// Checks that a run plays a best move, or ends with the value where there is none.
    pub fn expect_best_move(&self, row: &str, run: &LawRun) -> Result<(), String> {
        let truth = self.minimax()?.value;
        let value = match &run.best {
            Some(best) => self.move_value(best)?,
            None => run.value,
        };
        ensure(value == truth, || format!("{row}: {:?} is worth {value}, not {truth}", run.best))
    }

    /// Windows around, next to and away from the value of minimax.
    pub fn windows(&self) -> Result<[(i32, i32); 6], String> {
        let value = self.minimax()?.value;
        let offsets = [(-1, 1), (-1, 0), (0, 1), (-9, 3), (4, 9), (-9, -4)];
        Ok(offsets.map(|(alpha, beta)| (value + alpha, value + beta)))
    }

    /// The nodes of the whole tree to the depth.
    pub fn size(&self) -> u64 {
        size(self.game.clone().tree(), self.depth)
    }

    /// Whether the game is a synthetic tree: no position occurs twice in it.
    pub fn is_synthetic(&self) -> bool {
        self.shape().is_some()
    }

    /// Whether there are captures and checks.
    pub fn has_captures(&self) -> bool {
        self.is_chess() || matches!(self.game, AnyGame::LosAlamos(_))
    }

    pub fn is_chess(&self) -> bool {
        matches!(self.game, AnyGame::Chess(_))
    }

    /// The width and depth of a uniform tree that is searched to its leaves.
    pub fn uniform(&self) -> Option<(u64, u32)> {
        let TreeShape { width, depth, ragged, .. } = self.shape()?;
        (!ragged && u32::from(depth) == self.depth).then_some((width.into(), depth.into()))
    }

    /// The leaves of the smallest tree that proves the value.
    pub fn minimal_leaves(&self) -> Result<u64, String> {
        Ok(minimal_leaves(&mut self.game.clone(), self.depth, self.minimax()?.value))
    }

    /// The value of a synthetic tree, if it is known.
    pub fn known_value(&self) -> Option<i32> {
        let AnyGame::Tree(tree) = &self.game else { return None };
        tree.known_value()
    }

    /// The shape of a synthetic tree.
    pub fn shape(&self) -> Option<TreeShape> {
        let AnyGame::Tree(tree) = &self.game else { return None };
        Some(tree.shape())
    }
}

fn size(game: &mut dyn GameTree, depth: u32) -> u64 {
    let mut nodes = 1;
    if depth > 0 && game.end().is_none() {
        for m in game.moves() {
            game.play(m);
            nodes += size(game, depth - 1);
            game.undo();
        }
    }
    nodes
}

/// Nothing if a condition holds, or else what is wrong.
pub fn ensure(holds: bool, fault: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(fault()) }
}
