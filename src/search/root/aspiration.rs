//! Aspiration windows: a narrow window around the last score causes more cutoffs, and
//! usually contains the new score (T. Marsland, "A review of game-tree pruning", 1986).

use crate::eval::Score;
use crate::search::params as p;
use crate::search::thread::worker::{Stopped, Worker};
use crate::search::tree::node::Root;
use crate::search::tt::entry::Bound;
use crate::search::window::Window;

/// The largest reduction of the depth by scores above the window, in plies.
const MAX_REDUCTION: i32 = 3;

impl Worker<'_> {
    /// Searches the open root moves in a window that widens on the side where the score
    /// falls out of it. After a score above the window the depth is reduced: the move
    /// is good, and its exact score matters less.
    pub fn aspiration(&mut self, depth: i32, previous: Score) -> Result<(), Stopped> {
        let mut delta =
            p::aspiration_delta() + previous.cp() * previous.cp() / p::aspiration_square();
        let mut reduction = 0;
        let mut window = if depth >= p::aspiration_depth() && !previous.is_mate() {
            around(previous, delta)
        } else {
            Window::FULL
        };
        loop {
            self.root.window_width = (window.beta - window.alpha).cp();
            let score = self.negamax::<Root>(window, (depth - reduction).max(1), false, 0);
            // The moves that a stopped search has finished count too.
            self.root.sort_open();
            let score = score?;
            match window.bound(score) {
                Bound::Exact => return Ok(()),
                Bound::Upper => {
                    window.beta = Score::new((window.alpha.cp() + window.beta.cp()) / 2);
                    window.alpha = widened(score, -delta);
                    reduction = 0;
                    if self.is_main() && self.root.moves.len() > 1 {
                        self.shared.request.control.withdraw_soft_limit();
                    }
                }
                Bound::Lower => {
                    window.beta = widened(score, delta);
                    if self.selective() && !score.is_mate() {
                        reduction = (reduction + 1).min(MAX_REDUCTION);
                    }
                }
            }
            // One of several lines alone would be shown between lines of the iteration
            // before, which may begin with the same move.
            if self.root.reported == 1 && self.root.index == 0 && self.reports_details() {
                self.report_line(0);
                self.root.shown.clear();
            }
            delta += delta * p::aspiration_growth() / 100 + 1;
        }
    }
}

fn around(score: Score, delta: i32) -> Window {
    Window::new(widened(score, -delta), widened(score, delta))
}

/// The score plus `delta`, or infinity if that is in the range of mates.
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
