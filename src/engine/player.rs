//! What chooses the moves of an engine.

use std::path::Path;
use std::sync::Arc;

use crate::engine::change::Change;
use crate::engine::listener::Listener;
use crate::search::{Reporter, SearchRequest, SearchResult, Searcher};
use crate::tablebase::Syzygy;
use crate::tablebase::egtb::Collection;

/// Another search than the playing one. There is no move in the result only if there is no
/// legal one. A search that is infinite or ponders does not return before its control
/// releases it.
pub type OtherSearch = Box<dyn FnMut(SearchRequest, &mut dyn Reporter) -> SearchResult>;

/// What chooses the moves. It lives on the engine thread.
pub(super) enum Player {
    Lovec(Searcher),
    Other(OtherSearch),
}

impl Player {
    pub(super) fn search(
        &mut self,
        request: SearchRequest,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        match self {
            Self::Lovec(searcher) => searcher.search(request, reporter),
            Self::Other(search) => search(request, reporter),
        }
    }

    /// Makes a change; another search has none to make.
    ///
    /// # Errors
    ///
    /// A sentence for the user, if the change failed.
    pub(super) fn change(
        &mut self,
        change: &Change,
        listener: &impl Listener,
    ) -> Result<(), String> {
        let Self::Lovec(searcher) = self else { return Ok(()) };
        match change {
            Change::HashSize(mib) => searcher.resize_hash(*mib).map_err(|e| e.to_string())?,
            Change::Threads(count) => searcher.set_threads(*count).map_err(|e| e.to_string())?,
            Change::SyzygyPath(directories) => open_syzygy(searcher, directories, listener),
            Change::EgtbPath(folder) => open_egtb(searcher, folder, listener),
            Change::Clear => searcher.clear(),
            Change::BookFile(_) => {}
        }
        Ok(())
    }

    /// What the user should know after a search.
    pub(super) fn take_warnings(&mut self) -> Vec<String> {
        let Self::Lovec(searcher) = self else { return Vec::new() };
        searcher.tables.syzygy.iter().flat_map(|syzygy| syzygy.take_warnings()).collect()
    }
}

/// Uses the Syzygy tables that can be opened in some directories.
fn open_syzygy(searcher: &mut Searcher, directories: &str, listener: &impl Listener) {
    let (syzygy, errors) = Syzygy::open(directories);
    for error in &errors {
        listener.problem(&format!("SyzygyPath: {error}"));
    }
    if syzygy.files() > 0 {
        let (files, pieces) = (syzygy.files(), syzygy.max_pieces());
        listener.notice(&format!("{files} Syzygy tables of up to {pieces} pieces"));
    } else if errors.is_empty() && !directories.is_empty() {
        listener.problem("SyzygyPath: no tables found");
    }
    searcher.tables.syzygy = (syzygy.files() > 0).then(|| Arc::new(syzygy));
}

/// Uses Lovec's own tables of a folder in addition to the embedded ones.
fn open_egtb(searcher: &mut Searcher, folder: &str, listener: &impl Listener) {
    let own = if folder.is_empty() {
        Collection::embedded()
    } else {
        let (own, errors) = Collection::open(Path::new(folder));
        for error in &errors {
            listener.problem(&format!("EgtbPath: {error}"));
        }
        let (endings, pieces) = (own.materials().count(), own.max_pieces());
        listener.notice(&format!("{endings} own endgame tables of up to {pieces} pieces"));
        own
    };
    searcher.tables.own = Arc::new(own);
}
