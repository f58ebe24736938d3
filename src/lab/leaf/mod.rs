//! The values of leaves.

use std::cmp::Reverse;

use crate::lab::game::{GameTree, at_ply};
use crate::lab::limit::StopReason;
use crate::lab::search::Search;
use crate::lab::switches::LeafMode;
use crate::lab::watch::Watch;

/// The value of a node that is a leaf: the game ends there, or no depth is left. A search of
/// captures uses the window.
///
/// # Errors
///
/// If the search has to end.
#[inline]
pub fn leaf<G: GameTree, W: Watch>(
    s: &mut Search<'_, G, W>,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> Result<Option<i32>, StopReason> {
    let end = s.game.end();
    if depth > 0 && end.is_none() {
        return Ok(None);
    }
    s.watch.leaf(s.game.key());
    let value = match (end, s.leaf_mode()) {
        (Some(end), _) => at_ply(end, s.ply() as i32),
        (None, LeafMode::Static) => s.game.value(),
        (None, LeafMode::Captures) => captures(s, alpha, beta)?,
    };
    Ok(Some(value))
}

/// The static value, or what a capture or promotion gains.
///
/// # Errors
///
/// If the search has to end.
pub fn captures<G: GameTree, W: Watch>(
    s: &mut Search<'_, G, W>,
    alpha: i32,
    beta: i32,
) -> Result<i32, StopReason> {
    if let Some(end) = s.game.end() {
        return Ok(at_ply(end, s.ply() as i32));
    }
    let mut best = s.game.value();
    if best >= beta {
        return Ok(best);
    }
    let mut moves = s.moves_unsorted();
    moves.retain(|&m| s.game.is_noisy(m));
    moves.sort_by_key(|&m| Reverse(s.game.guess(m)));
    for &m in &moves {
        s.play(m);
        s.enter_quiescence()?;
        let value = -captures(s, -beta, -alpha.max(best))?;
        s.undo();
        best = best.max(value);
        if best >= beta {
            break;
        }
    }
    s.recycle(moves);
    Ok(best)
}
