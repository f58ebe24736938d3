//! What an algorithm gives to the steps that search a node, or its children, again.

use crate::lab::answer::Answer;
use crate::lab::limit::StopReason;
use crate::lab::search::Search;

/// An algorithm with a function that searches one node.
pub trait NodeSearch {
    /// The value of this node to a depth, as far as a window needs it.
    fn node(
        &self,
        s: &mut Search<'_>,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, StopReason>;

    /// Searches the root with its window.
    fn root(&self, s: &mut Search<'_>) -> Result<Answer, StopReason> {
        let (alpha, beta) = s.window;
        let value = self.node(s, s.depth, alpha, beta)?;
        Ok(s.complete(value))
    }
}
