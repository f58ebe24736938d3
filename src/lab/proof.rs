//! Proof and disproof numbers (Allis, van der Meulen and van den Herik, "Proof-number
//! search", 1994): the steps of the searches that prove or disprove a goal.
//!
//! The goal is that the side to move at the root gets at least some value. Each side has its
//! way at a node if the goal holds there, or fails, as that side wants. A node knows how many
//! unsolved leaves it takes at least until the side to move has its way, phi, and until the
//! other side has, delta (Nagai's names). Where the side that wants the goal moves, phi is
//! the proof number and delta the disproof number; elsewhere the reverse. One rule serves
//! both sides:
//!
//! | node | phi | delta |
//! |---|---|---|
//! | the side to move has its way | 0 | infinite |
//! | the other side has its way | infinite | 0 |
//! | a leaf that is not solved | 1 | 1, or the number of moves |
//! | a node with children | the least delta of a child | the sum of their phi |

use std::cmp::Reverse;

use crate::lab::game::{GameMove, INFINITE};
use crate::lab::grow::visit_children;
use crate::lab::kept_tree::{KeptIndex, KeptTree, ROOT, descend};
use crate::lab::search::leaf::leaf;
use crate::lab::{Answer, GivenSettings, Proof, Search, Searched, SettingInfo};

/// The number of leaves if none are enough.
pub const NEVER: u32 = u32::MAX;

pub const GOAL: SettingInfo = SettingInfo::word(
    "goal",
    &["win", "not-lose"],
    "what is to be proved for the side to move at the root; in a tree a value above 0 is a win",
);
pub const AT_LEAST: SettingInfo = SettingInfo::number(
    "at-least",
    [-(INFINITE as i64), INFINITE as i64],
    0,
    "prove a value of at least N instead",
);
pub const MOBILITY: SettingInfo = SettingInfo::flag(
    "mobility",
    "begin with the number of moves as the disproof number of a new node, or where the other side \
     moves as its proof number",
);

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNode {
    pub phi: u32,
    pub delta: u32,
    /// If the node is solved, a bound of the value for the side to move: what it gets at
    /// least if it has its way, and at most if the other side has.
    pub value: i32,
}

impl ProofNode {
    /// A node of which nothing is known.
    pub const UNKNOWN: Self = Self { phi: 1, delta: 1, value: 0 };

    pub fn is_solved(&self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// What it takes until the side that has moved to the node has its way, for each leaf that
    /// it takes until the other side has.
    pub fn quotient(&self) -> f64 {
        if self.phi == 0 { f64::INFINITY } else { f64::from(self.delta) / f64::from(self.phi) }
    }

    /// A node with these children.
    pub fn of_children(children: impl Iterator<Item = Self>) -> Self {
        let (mut phi, mut delta) = (NEVER, 0_u32);
        let (mut least, mut most) = (-INFINITE, -INFINITE);
        for child in children {
            phi = phi.min(child.delta);
            delta = sum(delta, child.phi);
            most = most.max(-child.value);
            if child.delta == 0 {
                least = least.max(-child.value);
            }
        }
        Self { phi, delta, value: if phi == 0 { least } else { most } }
    }
}

/// The sum of two numbers of leaves, which is infinite only if one of them is.
fn sum(a: u32, b: u32) -> u32 {
    if a == NEVER || b == NEVER { NEVER } else { a.saturating_add(b).min(NEVER - 1) }
}

/// A tree with proof numbers.
pub type ProofTree = KeptTree<ProofNode>;

/// What is to be proved for the side to move at the root.
#[derive(Clone, Copy, Debug)]
enum Goal {
    Win,
    NotLose,
    AtLeast(i32),
}

/// What the searches for a proof need to know of new nodes.
#[derive(Clone, Copy, Debug)]
pub struct ProofRules {
    goal: Goal,
    /// Whether the delta of a new node is the number of its moves.
    mobility: bool,
}

impl ProofRules {
    pub fn new(given: &GivenSettings) -> Self {
        let goal = match given.has(&AT_LEAST) {
            true => Goal::AtLeast(given.number(&AT_LEAST) as i32),
            false => given.choice(&GOAL, &[Goal::Win, Goal::NotLose]),
        };
        Self { goal, mobility: given.has(&MOBILITY) }
    }

    /// A node with a known value for the side to move.
    fn solved(self, s: &Search<'_>, value: i32) -> ProofNode {
        let goal = match self.goal {
            Goal::Win => s.game.least_win(),
            Goal::NotLose => 1 - s.game.least_win(),
            Goal::AtLeast(value) => value,
        };
        let wants_goal = s.ply().is_multiple_of(2);
        let holds = goal <= if wants_goal { value } else { -value };
        let (phi, delta) = if holds == wants_goal { (0, NEVER) } else { (NEVER, 0) };
        ProofNode { phi, delta, value }
    }

    /// Visits the position: a node that is solved if the game or the depth ends there.
    pub fn visit(self, s: &mut Search<'_>) -> Searched<ProofNode> {
        s.enter()?;
        if let Some(value) = leaf(s, s.depth_left(), -INFINITE, INFINITE)? {
            return Ok(self.solved(s, value));
        }
        if !self.mobility {
            return Ok(ProofNode::UNKNOWN);
        }
        Ok(ProofNode { delta: s.game.moves().len() as u32, ..ProofNode::UNKNOWN })
    }

    /// Visits the children of the node at the end of a path, and keeps them.
    pub fn children(
        self,
        s: &mut Search<'_>,
        path: &[GameMove],
    ) -> Searched<Vec<(GameMove, ProofNode)>> {
        visit_children(s, path, ProofTree::NODE_BYTES, |s| self.visit(s))
    }
}

/// Grows a tree until its root is solved or it has `max_nodes`: develops the leaf that
/// matters most for the root, again and again. `develop` keeps and returns the children of the
/// node at the end of a path, which need not be leaves of the search.
///
/// # Errors
///
/// If the search has to end; the tree is then as far as it has grown.
pub fn grow_proof(
    s: &mut Search<'_>,
    tree: &mut ProofTree,
    max_nodes: usize,
    mut develop: impl FnMut(
        &mut Search<'_>,
        &ProofTree,
        &[GameMove],
    ) -> Searched<Vec<(GameMove, ProofNode)>>,
) -> Searched<()> {
    let mut node = ROOT;
    while !tree.get(ROOT).is_solved() && tree.len() < max_nodes {
        let leaf = most_proving(tree, node);
        let children = develop(s, tree, &tree.path(leaf))?;
        tree.expand(leaf, children);
        node = update(tree, leaf);
    }
    Ok(())
}

/// The leaf below a node whose solution helps both sides most there: each side moves to the
/// child with the least delta.
fn most_proving(tree: &ProofTree, node: KeptIndex) -> KeptIndex {
    descend(node, |node| tree.children(node).min_by_key(|&child| tree.get(child).delta))
}

/// Updates a node whose children are new, and the nodes above as far as they change. Returns
/// the last of them: the nodes above it still lead to it.
fn update(tree: &mut ProofTree, mut node: KeptIndex) -> KeptIndex {
    loop {
        let children = tree.children(node).map(|child| *tree.get(child));
        let updated = ProofNode::of_children(children);
        let before = std::mem::replace(tree.get_mut(node), updated);
        match tree.parent(node) {
            Some(parent) if before != updated => node = parent,
            _ => return node,
        }
    }
}

/// What a tree says of the root: the goal is proved or disproved, and the value is a bound,
/// or neither, and the value is the static value of the root.
pub fn answer(s: &mut Search<'_>, tree: &ProofTree) -> Answer {
    let root = tree.get(ROOT);
    s.rewind();
    let (value, proof) = match (root.phi, root.delta) {
        (0, _) => (root.value, Proof::Proved),
        (_, 0) => (root.value, Proof::Disproved),
        _ => (s.game.value(), Proof::Open),
    };
    let first = match proof {
        Proof::Disproved => largest_child(tree),
        _ => best_child(tree, ROOT),
    };
    let line = first.map(|child| best_line(tree, child)).unwrap_or_default();
    Answer { value, line, proof }
}

/// The moves from the root through a node to the leaf where both sides move best.
fn best_line(tree: &ProofTree, node: KeptIndex) -> Vec<GameMove> {
    tree.path(descend(node, |node| best_child(tree, node)))
}

/// Continues the line of a solved root whose nodes are solved, but have no tree: searches the
/// last node again, and so on until the line ends at a leaf or a limit is reached.
pub fn complete_line(
    s: &mut Search<'_>,
    rules: ProofRules,
    mut line: Vec<GameMove>,
) -> Vec<GameMove> {
    s.go_to(&line);
    if let Ok(node) = rules.visit(s) {
        let mut tree = ProofTree::new(node);
        let solved = grow_proof(s, &mut tree, usize::MAX, |s, _, path| {
            rules.children(s, &[&line, path].concat())
        });
        s.drop_kept(tree.len() - 1, ProofTree::NODE_BYTES);
        if solved.is_ok() {
            line.extend(best_line(&tree, ROOT));
        }
    }
    s.rewind();
    line
}

/// The child with the best bound for the side to move, of those by which it has its way if
/// it has. At a node that is not solved, the child with the least quotient of its numbers.
fn best_child(tree: &ProofTree, node: KeptIndex) -> Option<KeptIndex> {
    let ProofNode { phi, delta, .. } = *tree.get(node);
    let children = tree.children(node).filter(|&child| phi > 0 || tree.get(child).delta == 0);
    if phi == 0 || delta == 0 {
        return children.min_by_key(|&child| tree.get(child).value);
    }
    let quotient = |&child: &KeptIndex| tree.get(child).quotient();
    children.min_by(|a, b| quotient(a).total_cmp(&quotient(b)))
}

/// The child of a disproved root with the largest tree: the move that is the hardest to
/// answer.
fn largest_child(tree: &ProofTree) -> Option<KeptIndex> {
    let children = tree.children(ROOT);
    children.max_by_key(|&child| (size(tree, child), Reverse(child)))
}

/// The number of nodes below a node, and itself.
fn size(tree: &ProofTree, node: KeptIndex) -> usize {
    let mut open = vec![node];
    let mut size = 0;
    while let Some(node) = open.pop() {
        size += 1;
        open.extend(tree.children(node));
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::lab::game::{AnyGame, Chess, Draws, Evaluation, WIN};
    use crate::lab::search::switches::Switches;
    use crate::lab::test_run::run;
    use crate::lab::{Limit, Watch};
    use crate::tablebase::egtb::{Collection, DtmValue};

    /// The algorithms that prove goals.
    const PROVING: [&str; 4] = ["pn", "pn:mobility", "pn2", "dfpn"];

    /// The numbers of a node from all nodes below it.
    fn recomputed(tree: &ProofTree, node: KeptIndex) -> ProofNode {
        if !tree.is_expanded(node) {
            return *tree.get(node);
        }
        ProofNode::of_children(tree.children(node).map(|child| recomputed(tree, child)))
    }

    /// After each step all numbers are right, and the leaf that is next is part of the
    /// smallest proof and of the smallest disproof of the root.
    #[test]
    fn numbers_are_up_to_date() {
        for mobility in [false, true] {
            let rules = ProofRules { goal: Goal::NotLose, mobility };
            let mut game = AnyGame::parse("tictactoe").unwrap();
            let (mut watch, switches) = (Watch::default(), Switches::default());
            let mut s = Search::new(game.tree(), &mut watch, Limit::NONE, &switches).unwrap();
            s.depth = 9;
            let mut tree = ProofTree::new(rules.visit(&mut s).unwrap());
            for size in (1..600).step_by(7) {
                let grown = grow_proof(&mut s, &mut tree, size, |s, tree, path| {
                    let root = *tree.get(ROOT);
                    assert_eq!(recomputed(tree, ROOT), root);
                    let next = most_proving(tree, ROOT);
                    assert_eq!(tree.path(next), path);
                    rules.children(s, path)
                });
                assert_eq!(grown, Ok(()));
            }
            assert!(!tree.get(ROOT).is_solved() && tree.len() > 590);
        }
    }

    #[test]
    fn sums_are_infinite_only_with_an_infinite_part() {
        assert_eq!((sum(2, 3), sum(2, NEVER)), (5, NEVER));
        assert_eq!(sum(NEVER - 1, NEVER - 1), NEVER - 1);
    }

    /// Positions of king and queen, rook or pawn against king that are mate in at most three
    /// moves of either side, with their distances.
    fn endgames() -> Vec<(Position, DtmValue)> {
        let tables = Collection::embedded();
        let tables: Vec<_> = tables.materials().filter_map(|it| tables.table(it)).collect();
        let positions = tables.iter().flat_map(|table| {
            (0..table.len()).step_by(194).filter_map(|number| table.position(number))
        });
        let is_near =
            |value: &DtmValue| matches!(value, DtmValue::Win(..=5) | DtmValue::Loss(..=4));
        let near = positions.filter(|(_, value)| is_near(value));
        near.map(|(state, value)| (Position::new(state), value)).collect()
    }

    /// A mate is proved at the distance of the endgame tables, and disproved before.
    #[test]
    fn mates_of_the_endgame_tables() {
        let endgames = endgames();
        assert!(endgames.len() > 20, "{}", endgames.len());
        for row in PROVING {
            let run = |position: &Position, goal: &str, depth: u8| {
                let mut game = Chess::new(position.clone(), Evaluation::Material, Draws::None);
                let row = format!("{row}:{goal}");
                run(&row, &mut game, depth.into(), Limit::NONE).0.answer.unwrap()
            };
            for (position, value) in &endgames {
                let fen = position.fen();
                let (goal, plies, sign) = match *value {
                    DtmValue::Win(plies) => ("goal=win", plies, 1),
                    DtmValue::Loss(plies) => ("goal=not-lose", plies, -1),
                    DtmValue::Draw => continue,
                };
                let [reached, missed] = match sign {
                    1 => [Proof::Proved, Proof::Disproved],
                    _ => [Proof::Disproved, Proof::Proved],
                };
                let mate = run(position, goal, plies);
                let bound = sign * (WIN - i32::from(plies));
                assert_eq!((mate.proof, mate.value), (reached, bound), "{row} {fen}");
                let is_long = mate.line.len() == usize::from(plies);
                assert!(sign < 0 || is_long, "{row} {fen}: {:?}", mate.line);
                if plies > 0 {
                    assert_eq!(run(position, goal, plies - 1).proof, missed, "{row} {fen}");
                }
            }
        }
    }
}
