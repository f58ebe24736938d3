//! The reports of the engine thread.

use crate::chess::Position;
use crate::engine::options::Settings;
use crate::search::{Reporter, SearchResult};

/// Receives the reports of the engine thread.
pub trait Listener: Clone + Send + 'static {
    type Reporter: Reporter;

    /// A reporter for a search of a position that is about to begin with these settings.
    fn reporter(&self, position: &Position, settings: &Settings) -> Self::Reporter;

    /// The search of this reporter has ended, and its move is about to be sent.
    fn searched(&self, _reporter: Self::Reporter) {}

    /// A search has ended. `outcome` is `None` if there was no position, or no legal
    /// move among the moves to search. Called exactly once for each
    /// [`Engine::go`](crate::engine::Engine::go), in order.
    fn best_move(&self, outcome: Option<&SearchResult>, chess960: bool);

    /// A command failed.
    fn problem(&self, text: &str);

    /// Information for the user.
    fn notice(&self, text: &str);
}
