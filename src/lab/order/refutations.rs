//! The refutation table: for each move of the root the line that settled it in the last
//! iteration. The next iteration tries the moves of that line first, as long as it is on it
//! (Akl and Newborn, "The principal continuation and the killer heuristic", 1977; Marsland,
//! "Relative efficiency of alpha-beta implementations", 1983).

use std::collections::HashMap;

use crate::lab::game::GameMove;

#[derive(Clone, Debug, Default)]
pub struct Refutations {
    /// The lines after a move of the root.
    lines: HashMap<GameMove, Vec<GameMove>>,
}

impl Refutations {
    /// Keeps the line that settles a move of the root, unless it is empty.
    pub fn store(&mut self, root_move: GameMove, line: &[GameMove]) {
        if !line.is_empty() {
            self.lines.insert(root_move, line.to_vec());
        }
    }

    /// The next move of the line that a path from the root is on. Passes are on no line.
    pub fn next(&self, path: &[Option<GameMove>]) -> Option<GameMove> {
        let (root_move, below) = path.split_first()?;
        let line = self.lines.get(&(*root_move)?)?;
        let (begin, rest) = line.split_at_checked(below.len())?;
        let is_on_line = below.iter().zip(begin).all(|(played, m)| *played == Some(*m));
        rest.first().copied().filter(|_| is_on_line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_followed_until_the_path_leaves_it() {
        let mut table = Refutations::default();
        table.store(7, &[1, 2, 3]);
        table.store(7, &[]);
        let next =
            |path: &[GameMove]| table.next(&path.iter().map(|&m| Some(m)).collect::<Vec<_>>());
        assert_eq!((next(&[]), next(&[8]), next(&[7])), (None, None, Some(1)));
        assert_eq!(
            (next(&[7, 1]), next(&[7, 1, 2]), next(&[7, 1, 2, 3])),
            (Some(2), Some(3), None)
        );
        assert_eq!((next(&[7, 2]), next(&[7, 1, 2, 3, 4])), (None, None));
        assert_eq!(table.next(&[Some(7), None]), None);
    }
}
