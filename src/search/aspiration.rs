//! Aspiration windows: a narrow window round the last score cuts more, and
//! usually the new score is inside.

use crate::eval::Score;
use crate::search::iterate::BOUND_REPORTS_AFTER;
use crate::search::node::Root;
use crate::search::params::{aspiration_delta, aspiration_depth, aspiration_growth};
use crate::search::tt::Bound;
use crate::search::window::Window;
use crate::search::worker::{Stopped, Worker};

/// Plies by which scores above the window may lower the depth.
const MAX_REDUCTION: i32 = 3;

impl Worker<'_> {
    /// Searches the root for the best of the open root moves, in a window that
    /// opens on the side where the score falls out of it. A score too high is
    /// confirmed a little less deeply: the move is good, however good it is.
    pub(super) fn aspiration(&mut self, depth: i32, previous: Score) -> Result<(), Stopped> {
        let mut delta = aspiration_delta();
        let mut reduction = 0;
        let mut window = if depth >= aspiration_depth() && !previous.is_mate() {
            around(previous, delta)
        } else {
            Window::FULL
        };
        loop {
            let score = self.negamax::<Root>(window, (depth - reduction).max(1), false, 0);
            // Even of an interrupted search the moves that were finished count.
            self.sort_root_moves();
            let score = score?;
            match window.bound(score) {
                Bound::Exact => return Ok(()),
                Bound::Upper => {
                    window.beta = Score::new((window.alpha.cp() + window.beta.cp()) / 2);
                    window.alpha = widened(score, -delta);
                    reduction = 0;
                }
                Bound::Lower => {
                    window.beta = widened(score, delta);
                    if self.selective && !score.is_mate() {
                        reduction = (reduction + 1).min(MAX_REDUCTION);
                    }
                }
            }
            if self.pv_index < self.told && self.elapsed() >= BOUND_REPORTS_AFTER {
                self.report(self.pv_index);
            }
            delta += delta * aspiration_growth() / 100 + 1;
        }
    }
}

fn around(score: Score, delta: i32) -> Window {
    Window::new(widened(score, -delta), widened(score, delta))
}

/// The score moved by `delta`, or the end of the scale once mates come near.
fn widened(score: Score, delta: i32) -> Score {
    let bound = score + Score::new(delta);
    if bound.clamp_eval() == bound {
        bound
    } else if delta > 0 {
        Score::INFINITE
    } else {
        -Score::INFINITE
    }
}
