//! Searches of the whole tree that do not take the best value of the children, but another
//! function of all.

use crate::lab::game::INFINITE;
use crate::lab::search::leaf::leaf;
use crate::lab::{Search, Searched};

/// A rule that gives a node a number for MAX, the greater the better.
pub trait Backup {
    /// The number of a leaf with this value for MAX.
    fn leaf(&self, value: i32) -> f64;

    /// The number of a node from the numbers of its children, at least one, in any order.
    fn combine(&self, max_to_move: bool, children: &mut [f64]) -> f64;
}

/// The number of this node from its whole tree to the depth. The best line takes the best
/// number at each node.
pub fn back_up<B: Backup>(rule: &B, s: &mut Search<'_>, depth: u32) -> Searched<f64> {
    s.enter()?;
    let max_to_move = s.game.max_to_move();
    if let Some(value) = leaf(s, depth, -INFINITE, INFINITE)? {
        return Ok(rule.leaf(if max_to_move { value } else { -value }));
    }
    let (mut children, mut best) = (Vec::new(), f64::NEG_INFINITY);
    for m in s.moves() {
        s.play(m);
        let number = back_up(rule, s, depth - 1)?;
        s.undo();
        let own = if max_to_move { number } else { -number };
        if own > best {
            best = own;
            s.improve(m);
        }
        children.push(number);
    }
    Ok(rule.combine(max_to_move, &mut children))
}
