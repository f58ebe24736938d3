//! Running rows on a game and measuring them.

use std::time::{Duration, Instant};

use crate::lab::game::{AnyGame, DECISIVE, WIN};
use crate::lab::{Counts, Limit, Proof, Row, StopReason, Watch};

/// What a row has done with a game, or with several in sum.
#[derive(Clone, Debug)]
pub struct RowResult {
    pub row: String,
    /// The depth that was asked for.
    pub depth: u32,
    /// The depth that was searched completely, of several games the least; `None` if no depth
    /// was, or the algorithm grows a tree.
    pub completed_depth: Option<u32>,
    /// The plies of the longest path.
    pub deepest: u32,
    pub games: usize,
    /// The value for the side to move; `None` without an answer, and for several games.
    pub value: Option<i32>,
    /// What the value means.
    pub proof: Option<Proof>,
    /// The moves of the best line.
    pub line: Vec<String>,
    pub counts: Counts,
    /// The most bytes that were kept at a time.
    pub memory_peak: u64,
    pub time: Duration,
    /// Why the row ended early.
    pub stopped: Option<StopReason>,
    /// The games with a right move; `None` where it is not known. Who knows it sets this.
    pub solved: Option<usize>,
}

impl RowResult {
    /// The move to play.
    pub fn best(&self) -> Option<&str> {
        self.line.first().map(String::as_str)
    }

    /// Adds the result for another game.
    pub fn add(&mut self, other: &Self) {
        (self.value, self.proof) = (None, None);
        self.line.clear();
        self.games += other.games;
        self.completed_depth = self.completed_depth.min(other.completed_depth);
        self.deepest = self.deepest.max(other.deepest);
        self.counts.add(&other.counts);
        self.memory_peak = self.memory_peak.max(other.memory_peak);
        self.time += other.time;
        self.stopped = self.stopped.or(other.stopped);
        self.solved = self.solved.map(|own| own + other.solved.unwrap_or(0)).or(other.solved);
    }

    /// The nodes, with those below leaves.
    pub fn nodes(&self) -> f64 {
        self.counts.all_nodes() as f64
    }

    /// The leaves per leaf of the depth before, if that was measured.
    pub fn branching(&self, before: Option<&Self>) -> Option<f64> {
        let before = before.filter(|it| it.depth + 1 == self.depth && it.stopped.is_none())?;
        let [leaves, leaves_before] = [self, before].map(|it| it.counts.leaves as f64);
        (self.stopped.is_none() && leaves_before > 0.0).then(|| leaves / leaves_before)
    }

    /// The number whose power by the depth is the number of leaves of a game.
    pub fn mean_branching(&self) -> Option<f64> {
        let leaves = self.counts.leaves as f64 / self.games as f64;
        let measured = self.depth > 0 && leaves > 0.0 && self.stopped.is_none();
        measured.then(|| leaves.powf(1.0 / f64::from(self.depth)))
    }
}

/// The plies to the end of a game that is decided; negative if it is lost.
pub fn plies_to_end(value: i32) -> Option<i32> {
    (value.abs() >= DECISIVE).then_some((WIN - value.abs()) * value.signum())
}

/// A value as text, or the plies to the end of a game that is decided.
pub fn value_text(value: i32) -> String {
    match plies_to_end(value) {
        Some(plies) if value > 0 => format!("win {plies}"),
        Some(plies) => format!("loss {}", -plies),
        None => value.to_string(),
    }
}

/// Runs a row on a game, which is unchanged afterwards.
pub fn measure(row: &Row, game: &mut AnyGame, depth: u32, limit: Limit<'_>) -> RowResult {
    let game = game.tree();
    let mut watch = Watch::default();
    let start = Instant::now();
    let outcome = row.run(game, depth, limit, &mut watch);
    let time = start.elapsed();
    let mut line = Vec::new();
    for &m in outcome.answer.iter().flat_map(|answer| &answer.line) {
        line.push(game.text(m));
        game.play(m);
    }
    line.iter().for_each(|_| game.undo());
    RowResult {
        row: row.name().to_owned(),
        depth,
        completed_depth: outcome.completed_depth,
        deepest: outcome.deepest,
        games: 1,
        value: outcome.answer.as_ref().map(|answer| answer.value),
        proof: outcome.answer.as_ref().map(|answer| answer.proof),
        line,
        counts: watch.counts,
        memory_peak: outcome.memory_peak,
        time,
        stopped: outcome.stopped,
        solved: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(row: &str, game: &str, depth: u32) -> RowResult {
        let mut game = AnyGame::parse(game).unwrap();
        measure(&Row::parse(row, &[]).unwrap(), &mut game, depth, Limit::NONE)
    }

    #[test]
    fn branching_factors() {
        let [before, after] = [2, 3].map(|depth| result("minimax", "tree:w=4,d=5", depth));
        assert_eq!(after.branching(Some(&before)), Some(4.0));
        assert_eq!(after.branching(Some(&after)), None);
        assert!((after.mean_branching().unwrap() - 4.0).abs() < 1e-9);
    }

    #[test]
    fn a_won_game() {
        let won = result("ab", "tictactoe/a1,b1,b2,c1", 5);
        assert_eq!((won.best(), won.value.and_then(plies_to_end)), (Some("c3"), Some(1)));
        let lost = result("ab", "tictactoe/b2,b1,a1", 5);
        assert!(lost.value.and_then(plies_to_end).is_some_and(|plies| plies < 0), "{lost:?}");
    }
}
