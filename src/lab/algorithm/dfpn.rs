//! Df-pn, depth-first proof-number search (Nagai, "Df-pn algorithm for searching AND/OR
//! trees and its applications", 2002). It goes to a leaf to which proof-number search could
//! go, too, without a tree in memory: a node is searched until its numbers reach thresholds,
//! which say when the search would turn to another node. A table keeps the numbers of what
//! has been left. When memory runs out, the entries with the least work below them are
//! dropped (Nagai's SmallTreeGC).
//!
//! A node is evaluated when the search goes there, in [`pn`](super::pn) when its parent is
//! developed. So `pn` counts all children of a node, and this the ones that it goes to.
//!
//! A node of the table is a position and the plies that are left. So no line returns to a
//! node, and results that depend on the path cannot spoil others, except by repetitions if
//! they are draws: then only a win is proved, and other results are estimates.

use std::collections::HashMap;

use crate::lab::algorithm::{Algorithm, AlgorithmInfo};
use crate::lab::game::GameMove;
use crate::lab::proof::{AT_LEAST, GOAL, NEVER, ProofNode, ProofRules};
use crate::lab::{Answer, Proof, Search, Searched, SettingInfo};

const EPSILON: SettingInfo = SettingInfo::number(
    "epsilon",
    [0, 1000],
    0,
    "stay at a child until it is N percent worse than the next one, for fewer returns",
);

#[derive(Clone, Copy, Debug)]
pub struct DfPn {
    rules: ProofRules,
    /// In percent (Pawlewicz and Lew, "Improving depth-first pn-search: 1 + ε trick", 2007).
    epsilon: u32,
}

pub const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "dfpn",
    summary: "df-pn: depth-first proof-number search with a table of any size",
    settings: &[GOAL, AT_LEAST, EPSILON],
    new: |given| {
        Box::new(DfPn { rules: ProofRules::new(given), epsilon: given.number(&EPSILON) as u32 })
    },
    laws: &[],
};

impl Algorithm for DfPn {
    fn search(&self, s: &mut Search<'_>) -> Searched<Answer> {
        let mut memory = ProofTable::default();
        let root = self.solve(s, &mut memory, Thresholds { phi: NEVER, delta: NEVER });
        s.rewind();
        match root {
            Ok(root) => {
                let (proof, gain) = match root.phi {
                    0 => (Proof::Proved, root.value),
                    _ => (Proof::Disproved, -root.value),
                };
                let line = s.uncounted(|s| self.line(s, &mut memory));
                // A win is one on any path. Another result may be of a line that a draw ended.
                let is_sure = !s.game.depends_on_path() || gain >= s.game.least_win();
                let proof = if is_sure { proof } else { Proof::Estimate };
                Ok(Answer { value: root.value, line, proof })
            }
            Err(reason) if memory.entries.is_empty() => Err(reason),
            Err(_) => {
                let line = memory.likely_move(s).into_iter().collect();
                Ok(Answer { value: s.game.value(), line, proof: Proof::Open })
            }
        }
    }
}

/// A node is left when one of its numbers reaches these.
#[derive(Clone, Copy, Debug)]
struct Thresholds {
    phi: u32,
    delta: u32,
}

impl DfPn {
    /// Searches a node until it is solved or a number reaches its threshold.
    fn solve(
        &self,
        s: &mut Search<'_>,
        memory: &mut ProofTable,
        thresholds: Thresholds,
    ) -> Searched<ProofNode> {
        let start = s.limit.nodes();
        let mut node = self.rules.visit(s)?;
        if node.is_solved() {
            memory.store(s, ProofEntry { node, best: None, work: 1 })?;
            return Ok(node);
        }
        let moves = s.moves();
        let mut children = memory.children(s, &moves);
        loop {
            node = ProofNode::of_children(children.iter().map(|child| child.node));
            if node.phi >= thresholds.phi || node.delta >= thresholds.delta {
                break;
            }
            let (index, second) = two_least(&children);
            let child = &mut children[index];
            let second = second.saturating_add(1).saturating_add(mul_percent(second, self.epsilon));
            let siblings = node.delta - child.node.phi;
            let below = Thresholds {
                // What the siblings leave of the threshold, and always some progress.
                phi: thresholds.delta.saturating_sub(siblings).max(child.node.phi + 1),
                delta: thresholds.phi.min(second).max(child.node.delta + 1),
            };
            let before = s.limit.nodes();
            s.play(moves[index]);
            child.node = self.solve(s, memory, below)?;
            s.undo();
            child.work = child.work.saturating_add((s.limit.nodes() - before) as u32);
        }
        let best = best_child(&children, node, s.ply() == 0).map(|index| moves[index]);
        let work = (s.limit.nodes() - start).try_into().unwrap_or(u32::MAX);
        memory.store(s, ProofEntry { node, best, work })?;
        Ok(node)
    }

    /// The line of a solved root. Nodes that are no longer in the table are solved again.
    fn line(&self, s: &mut Search<'_>, memory: &mut ProofTable) -> Vec<GameMove> {
        let mut line = Vec::new();
        loop {
            let solved = memory.get(s).filter(|entry| entry.node.is_solved());
            let entry = solved.or_else(|| {
                self.solve(s, memory, Thresholds { phi: NEVER, delta: NEVER }).ok()?;
                memory.get(s)
            });
            let Some(best) = entry.and_then(|entry| entry.best) else { break };
            line.push(best);
            s.play(best);
        }
        s.rewind();
        line
    }
}

/// A part of a number in percent.
fn mul_percent(number: u32, percent: u32) -> u32 {
    (u64::from(number) * u64::from(percent) / 100).try_into().unwrap_or(NEVER)
}

/// The index of the child with the least delta, the first of equals, and the least delta of
/// the others.
fn two_least(children: &[ProofEntry]) -> (usize, u32) {
    let (mut index, mut least, mut second) = (0, NEVER, NEVER);
    for (it, child) in children.iter().enumerate() {
        if child.node.delta < least {
            (index, least, second) = (it, child.node.delta, least);
        } else {
            second = second.min(child.node.delta);
        }
    }
    (index, second)
}

/// The child to move to from a solved node: the one with the best bound, of those by which
/// the side to move has its way if it has; at a disproved root the one with the most work.
fn best_child(children: &[ProofEntry], node: ProofNode, is_root: bool) -> Option<usize> {
    let is_disproved_root = is_root && node.delta == 0;
    let rank = |child: &ProofEntry| match is_disproved_root {
        true => -i64::from(child.work),
        false => i64::from(child.node.value),
    };
    let choices = children.iter().enumerate();
    let choices = choices.filter(|(_, child)| node.phi > 0 || child.node.delta == 0);
    choices.min_by_key(|&(_, child)| rank(child)).map(|(index, _)| index)
}

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
struct ProofEntry {
    node: ProofNode,
    /// The move to play if the node is solved, unless it is a leaf.
    best: Option<GameMove>,
    /// The nodes of the search below it.
    work: u32,
}

impl ProofEntry {
    const UNKNOWN: Self = Self { node: ProofNode::UNKNOWN, best: None, work: 0 };
}

/// The numbers of the nodes, by position and ply.
#[derive(Default)]
struct ProofTable {
    entries: HashMap<(u64, usize), ProofEntry>,
}

impl ProofTable {
    /// A hash map has about twice the places that it uses.
    const ENTRY_BYTES: usize = 2 * size_of::<((u64, usize), ProofEntry)>();

    /// What is known of the position; of one that is a draw by the path, nothing.
    fn get(&self, s: &Search<'_>) -> Option<ProofEntry> {
        if s.game.is_ended_by_path() {
            return None;
        }
        self.entries.get(&(s.game.key(), s.ply())).copied()
    }

    /// The children of a node, as far as they are known.
    fn children(&self, s: &mut Search<'_>, moves: &[GameMove]) -> Vec<ProofEntry> {
        let child = |&m: &GameMove| {
            s.play(m);
            let entry = self.get(s);
            s.undo();
            if let Some(entry) = entry {
                s.watch.hit(entry.node.is_solved());
            }
            entry.unwrap_or(ProofEntry::UNKNOWN)
        };
        moves.iter().map(child).collect()
    }

    /// The move of the root that is likely to be the best: the one with the least quotient of
    /// its numbers.
    fn likely_move(&self, s: &mut Search<'_>) -> Option<GameMove> {
        let moves = s.moves();
        let quotients = self.children(s, &moves).into_iter().map(|child| child.node.quotient());
        let best = moves.into_iter().zip(quotients).min_by(|a, b| a.1.total_cmp(&b.1));
        best.map(|(m, _)| m)
    }

    /// Stores what is known of the position. If there is no memory, drops entries first.
    fn store(&mut self, s: &mut Search<'_>, entry: ProofEntry) -> Searched<()> {
        if s.game.is_ended_by_path() {
            return Ok(());
        }
        let key = (s.game.key(), s.ply());
        if !self.entries.contains_key(&key) {
            if !s.limit.has_room(Self::ENTRY_BYTES) {
                self.drop_small(s);
            }
            s.keep(1, Self::ENTRY_BYTES)?;
        }
        self.entries.insert(key, entry);
        Ok(())
    }

    /// Drops at least half of the entries, those with the least work.
    fn drop_small(&mut self, s: &mut Search<'_>) {
        let class = |entry: &ProofEntry| u32::BITS - entry.work.leading_zeros();
        let mut counts = [0; u32::BITS as usize + 1];
        self.entries.values().for_each(|entry| counts[class(entry) as usize] += 1);
        let (mut dropped, mut least_kept) = (0, 0);
        while 2 * dropped < self.entries.len() {
            dropped += counts[least_kept as usize];
            least_kept += 1;
        }
        self.entries.retain(|_, entry| class(entry) >= least_kept);
        s.drop_kept(dropped, Self::ENTRY_BYTES);
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::Position;
    use crate::lab::game::{AnyGame, Chess, Draws, Evaluation};
    use crate::lab::test_run::run;
    use crate::lab::{Limit, Proof, StopReason};

    /// With little memory df-pn visits nodes again and proves the same; with none at all it
    /// is refused.
    #[test]
    fn little_memory() {
        let run = |memory| {
            let mut game = AnyGame::parse("connect4:4x4").unwrap();
            let limit = Limit { memory, ..Limit::NONE };
            let run = run("dfpn:goal=not-lose", game.tree(), 16, limit);
            assert!(run.0.memory_peak <= memory);
            run
        };
        let (whole, small) = (run(1 << 30), run(1 << 16));
        for (outcome, counts) in [&whole, &small] {
            let answer = outcome.answer.as_ref().unwrap();
            assert_eq!((answer.proof, answer.value), (Proof::Proved, 0));
            assert!(answer.line.len() == 16 && counts.nodes > 1000);
        }
        assert!(small.1.nodes > whole.1.nodes && small.1.peak < whole.1.peak / 4);
        assert_eq!(run(50).0.stopped, Some(StopReason::Memory));
    }

    /// Entries that are dropped end no search, also one whose answer is an estimate.
    #[test]
    fn little_memory_stops_no_search() {
        let position = Position::from_fen("8/8/4k3/8/8/8/8/R3K3 w - - 0 1").unwrap();
        let run = |memory| {
            let mut game = Chess::new(position.clone(), Evaluation::Material, Draws::Path);
            run("dfpn", &mut game, 5, Limit { memory, ..Limit::NONE }).0
        };
        let (whole, small) = (run(1 << 30), run(1 << 17));
        assert!(whole.memory_peak > 1 << 17);
        assert_eq!((small.answer.unwrap().proof, small.stopped), (Proof::Estimate, None));
    }
}
