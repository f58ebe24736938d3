//! Trees that are written out: lists of moves, those of MAX outside, then those of MIN, and so
//! on. A leaf has a digit for each world.

use crate::lab::hidden::{HiddenError, HiddenGame, MAX_WORLDS, WorldBranch, WorldTree, Worlds};

/// The deepest list.
const MAX_DEPTH: usize = 64;

/// What sampling does wrong, as trees. The first is figure 1 of Frank, Basin and Matsubara,
/// "Finding optimal strategies for imperfect information games", 1998; the others are Lovec's.
pub const FAULTS: [(&str, &str, &str); 3] = [
    (
        "fusion",
        "[[[11000 00111] [11000 00111]] 11110]",
        "strategy fusion: after the first move MAX would win in every world, but with two \
         strategies, and cannot know which one to follow",
    ),
    (
        "locality",
        "[[[11100 00011] 00011] 10000]",
        "non-locality: where MAX chooses, the first move wins in more worlds, but in those MIN \
         does not go there",
    ),
    (
        "information",
        "[[[1010 0101]] [[1-1- 0-0-] [-0-0 -1-0]]]",
        "no price for information: the second move costs a world and tells MAX which half of \
         them it is in; with open cards there is nothing to learn",
    ),
];

impl HiddenGame {
    /// Reads a tree, or one of the [`FAULTS`] by its name.
    pub fn parse_tree(text: &str) -> Result<Self, HiddenError> {
        let named = FAULTS.iter().find(|(name, ..)| *name == text);
        let text = named.map_or(text, |(_, tree, _)| tree);
        let fault = || HiddenError::Tree(text.to_owned());
        let spaced = text.replace('[', " [ ").replace(']', " ] ");
        let mut words = spaced.split_whitespace();
        let mut reader = TreeReader { worlds: None };
        let Some("[") = words.next() else { return Err(fault()) };
        let (tree, reached) = reader.list(&mut words, 0).ok_or_else(fault)?;
        let worlds = reader.worlds.filter(|_| words.next().is_none()).ok_or_else(fault)?;
        if reached.count_ones() as usize != worlds {
            return Err(fault());
        }
        let mut game = Self { tree, weights: vec![1; worlds], moves: Vec::new() };
        game.moves = (1..=game.branches().len()).map(|number| number.to_string()).collect();
        Ok(game)
    }
}

struct TreeReader {
    /// The number of worlds, once it is known.
    worlds: Option<usize>,
}

impl TreeReader {
    /// Reads the rest of a list, and returns the worlds that reach it.
    fn list<'t>(
        &mut self,
        words: &mut impl Iterator<Item = &'t str>,
        depth: usize,
    ) -> Option<(WorldTree, Worlds)> {
        let (mut branches, mut reached) = (Vec::new(), 0);
        let is_max = depth.is_multiple_of(2);
        loop {
            let (below, worlds) = match words.next()? {
                "]" => break,
                "[" if depth < MAX_DEPTH => self.list(words, depth + 1)?,
                word => self.leaf(word)?,
            };
            // What MAX may play is the same in all worlds that reach the list.
            if is_max && !branches.is_empty() && worlds != reached {
                return None;
            }
            reached |= worlds;
            branches.push(WorldBranch { worlds: if is_max { Worlds::MAX } else { worlds }, below });
        }
        let is_empty = branches.is_empty();
        let tree = if is_max { WorldTree::Max } else { WorldTree::Min };
        (!is_empty).then(|| (tree(branches), reached))
    }

    fn leaf(&mut self, word: &str) -> Option<(WorldTree, Worlds)> {
        let is_digit = |digit: char| ['0', '1', '-'].contains(&digit);
        let worlds = *self.worlds.get_or_insert(word.len());
        let is_leaf = word.len() == worlds && worlds <= MAX_WORLDS && word.chars().all(is_digit);
        let set = |wanted: char| {
            let places = word.chars().enumerate().filter(|&(_, digit)| digit == wanted);
            places.map(|(world, _)| 1 << world).sum::<Worlds>()
        };
        is_leaf.then(|| (WorldTree::Leaf(set('1')), set('0') | set('1')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_texts_are_found() {
        for (name, text, _) in FAULTS {
            assert_eq!(
                format!("{:?}", HiddenGame::parse_tree(name)),
                format!("{:?}", HiddenGame::parse_tree(text))
            );
        }
        let deep = format!("{}1{}", "[".repeat(70), "]".repeat(70));
        let wide = format!("[{}]", "1".repeat(65));
        let lists = ["", "10", "[", "[]", "[10 1]", "[12]", "[10]]", "[10] 1", &deep, &wide];
        let worlds_without_moves =
            ["[1-]", "[[1-]]", "[[1- 0-]]", "[10 1-]", "[[[1- 0-] [10 -1]]]"];
        for text in lists.into_iter().chain(worlds_without_moves) {
            assert!(HiddenGame::parse_tree(text).is_err(), "{text}");
        }
        assert_eq!(HiddenGame::parse_tree(&format!("[{}]", "1".repeat(64))).unwrap().worlds(), !0);
    }
}
