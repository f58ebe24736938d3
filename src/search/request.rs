//! What is to be searched: the one parcel from the caller to the nodes.

use std::sync::Arc;
use std::time::Instant;

use crate::chess::Position;
use crate::search::clock::control::{Control, Stop};
use crate::search::clock::limits::Limits;
use crate::search::options::SearchOptions;

/// A position to search, how, and until when.
///
/// ```
/// use lovec::chess::Position;
/// use lovec::search::{Limits, SearchOptions, SearchRequest, Searcher};
/// let limits = Limits { depth: Some(3), ..Limits::default() };
/// let options = SearchOptions { multi_pv: 2, ..SearchOptions::default() };
/// let request = SearchRequest { options, ..SearchRequest::new(Position::startpos(), limits) };
/// assert!(Searcher::new(1)?.search(request, &mut ()).best.is_some());
/// # Ok::<_, lovec::search::SearcherError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// Each thread copies it: [`Position::for_search`] leaves out what a long game does not need.
    pub position: Position,
    pub limits: Limits,
    pub options: SearchOptions,
    /// Knows when the search was requested, and stops it.
    pub control: Arc<Control>,
}

impl SearchRequest {
    /// A search requested now, with the default options.
    pub fn new(position: Position, limits: Limits) -> Self {
        let control = Control::new(Instant::now(), limits.ponder);
        Self { position, limits, options: SearchOptions::default(), control }
    }

    /// The same search, as part of a job that can be stopped.
    pub fn of_job(self, stop: &Stop) -> Self {
        Self { control: stop.control(), ..self }
    }
}
