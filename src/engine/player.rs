//! What an engine plays with.

use std::path::Path;
use std::sync::Arc;

use crate::engine::change::Change;
use crate::engine::listener::Listener;
use crate::search::{Reporter, SearchRequest, SearchResult, Searcher};
use crate::tablebase::Syzygy;
use crate::tablebase::egtb::Collection;

/// Chooses the moves of an engine. It lives on the engine thread.
pub trait EnginePlayer {
    /// The names of the [`OPTIONS`](crate::engine::options::OPTIONS) that it has; `None`
    /// for all.
    const OPTIONS: Option<&'static [&'static str]>;

    /// Searches a position. There is no move in the result only if there is no legal one.
    /// A search that is infinite or ponders does not return before its control releases it.
    fn search(&mut self, request: SearchRequest, reporter: &mut dyn Reporter) -> SearchResult;

    /// Makes a change; none that its options do not cause, but for
    /// [`Clear`](Change::Clear).
    ///
    /// # Errors
    ///
    /// A sentence for the user, if the change failed.
    fn change<L: Listener>(&mut self, change: &Change, listener: &L) -> Result<(), String>;

    /// What the user should know after a search.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// The playing search.
impl EnginePlayer for Searcher {
    const OPTIONS: Option<&'static [&'static str]> = None;

    fn search(&mut self, request: SearchRequest, reporter: &mut dyn Reporter) -> SearchResult {
        Self::search(self, request, reporter)
    }

    fn change<L: Listener>(&mut self, change: &Change, listener: &L) -> Result<(), String> {
        match change {
            Change::HashSize(mib) => self.resize_hash(*mib).map_err(|e| e.to_string())?,
            Change::Threads(count) => {
                self.set_threads(*count).map_err(|error| error.to_string())?;
            }
            Change::SyzygyPath(directories) => open_syzygy(self, directories, listener),
            Change::EgtbPath(folder) => open_egtb(self, folder, listener),
            Change::Clear => self.clear(),
            Change::BookFile(_) => {}
        }
        Ok(())
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.tables.syzygy.iter().flat_map(|syzygy| syzygy.take_warnings()).collect()
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
