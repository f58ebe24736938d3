//! Trees written out as nested lists, for worked examples.
//!
//! `[[3 12 8] [2 4 6] [14 5 2]]` is the tree of the textbooks: the values of the leaves are
//! MAX's, and MAX moves at the root. A number that touches a bracket, as in `5[3 12]`, is the
//! static value of that node, which is 0 without one; in `[5 [3 12]]` the 5 is a leaf.

use std::rc::Rc;

use thiserror::Error;

use crate::lab::game::{DECISIVE, GameMove, GameTree, mix};

/// The most nested lists; a reader of any text needs some limit.
const MAX_NESTING: usize = 64;

/// Why a text is not a tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TreeTextError {
    #[error("the brackets of the tree do not match")]
    Brackets,
    #[error("{0:?} is not a value of a tree")]
    Value(String),
    #[error("a list of the tree is empty")]
    Empty,
    #[error("a list of the tree has more than 256 entries")]
    Wide,
    #[error("the lists of the tree are nested more than {MAX_NESTING} times")]
    Deep,
}

#[derive(Clone, Debug, Default)]
struct ListNode {
    /// MAX's value.
    value: i32,
    children: Vec<usize>,
}

/// A tree from a text, at one of its nodes.
#[derive(Clone, Debug)]
pub struct ExplicitTree {
    /// The root is the first.
    nodes: Rc<[ListNode]>,
    here: usize,
    above: Vec<usize>,
}

impl ExplicitTree {
    /// Reads a tree; commas count as spaces.
    pub fn parse(text: &str) -> Result<Self, TreeTextError> {
        let spaced = text.replace('[', "[ ").replace(']', " ] ").replace(',', " ");
        let mut nodes = vec![ListNode::default()];
        // The lists that are open.
        let mut open: Vec<usize> = Vec::new();
        for word in spaced.split_whitespace() {
            if let Some(number) = word.strip_suffix('[') {
                if open.is_empty() && !nodes[0].children.is_empty() {
                    return Err(TreeTextError::Brackets);
                }
                let node = if open.is_empty() { 0 } else { add(&mut nodes, &open)? };
                nodes[node].value = if number.is_empty() { 0 } else { value_of(number)? };
                open.push(node);
                if open.len() > MAX_NESTING {
                    return Err(TreeTextError::Deep);
                }
            } else if word == "]" {
                let node = open.pop().ok_or(TreeTextError::Brackets)?;
                if nodes[node].children.is_empty() {
                    return Err(TreeTextError::Empty);
                }
            } else {
                let value = value_of(word)?;
                let node = add(&mut nodes, &open)?;
                nodes[node].value = value;
            }
        }
        if !open.is_empty() || nodes.len() == 1 {
            return Err(TreeTextError::Brackets);
        }
        Ok(Self { nodes: nodes.into(), here: 0, above: Vec::new() })
    }
}

/// Reads the value of a node.
fn value_of(text: &str) -> Result<i32, TreeTextError> {
    let value = text.parse().ok().filter(|value| (1 - DECISIVE..DECISIVE).contains(value));
    value.ok_or_else(|| TreeTextError::Value(text.to_owned()))
}

/// Adds a child to the list that was opened last.
fn add(nodes: &mut Vec<ListNode>, open: &[usize]) -> Result<usize, TreeTextError> {
    let parent = *open.last().ok_or(TreeTextError::Brackets)?;
    let node = nodes.len();
    nodes.push(ListNode::default());
    nodes[parent].children.push(node);
    if nodes[parent].children.len() > 256 { Err(TreeTextError::Wide) } else { Ok(node) }
}

impl GameTree for ExplicitTree {
    fn moves(&self) -> Vec<GameMove> {
        (0..self.nodes[self.here].children.len()).map(|child| child as u16).collect()
    }

    fn play(&mut self, m: GameMove) {
        self.above.push(self.here);
        self.here = self.nodes[self.here].children[usize::from(m)];
    }

    fn undo(&mut self) {
        if let Some(parent) = self.above.pop() {
            self.here = parent;
        }
    }

    fn end(&self) -> Option<i32> {
        self.nodes[self.here].children.is_empty().then(|| self.value())
    }

    /// Leaves have points; MAX wins above 0.
    fn least_win(&self) -> i32 {
        1
    }

    fn value(&self) -> i32 {
        let value = self.nodes[self.here].value;
        if self.max_to_move() { value } else { -value }
    }

    fn key(&self) -> u64 {
        mix(self.here as u64, 7)
    }

    fn max_to_move(&self) -> bool {
        self.above.len().is_multiple_of(2)
    }

    fn text(&self, m: GameMove) -> String {
        (u32::from(m) + 1).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let mut tree = ExplicitTree::parse("7[[3,12] 5[2 -4]]").unwrap();
        assert_eq!((tree.value(), tree.end()), (7, None));
        tree.play(1);
        assert_eq!((tree.value(), tree.end()), (-5, None));
        tree.play(1);
        assert_eq!((tree.value(), tree.end()), (-4, Some(-4)));
        tree.undo();
        tree.undo();
        assert_eq!(tree.here, 0);
    }

    /// A number is the value of a list only where it touches its bracket.
    #[test]
    fn leaves_stand_before_lists() {
        for text in ["[3 [2 4]]", "[3, [2, 4]]", "[3 0[2 4]]"] {
            let mut tree = ExplicitTree::parse(text).unwrap();
            assert_eq!(tree.moves(), [0, 1], "{text}");
            tree.play(0);
            assert_eq!(tree.end(), Some(-3), "{text}");
            tree.undo();
            tree.play(1);
            assert_eq!((tree.value(), tree.end()), (0, None), "{text}");
        }
    }

    #[test]
    fn faults_are_named() {
        let fault = |text: &str| ExplicitTree::parse(text).unwrap_err();
        for text in ["", "3", "[3", "[3]]", "[3] [4]", "[3] 4", "[[3] 4]]", "7 [3]"] {
            assert_eq!(fault(text), TreeTextError::Brackets, "{text}");
        }
        assert_eq!(fault("[3 []]"), TreeTextError::Empty);
        assert_eq!(fault("[x]"), TreeTextError::Value("x".to_owned()));
        assert_eq!(fault("[30000]"), TreeTextError::Value("30000".to_owned()));
        assert_eq!(fault(&"[".repeat(65)), TreeTextError::Deep);
        assert_eq!(fault(&format!("[{}]", "1 ".repeat(257))), TreeTextError::Wide);
    }
}
