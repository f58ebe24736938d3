//! What an engine plays with.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::chess::Position;
use crate::engine::change::Change;
use crate::engine::listener::Listener;
use crate::engine::options::Settings;
use crate::search::{Control, Limits, Reporter, SearchOptions, SearchResult, Searcher};
use crate::tablebase::Syzygy;
use crate::tablebase::egtb::Collection;

/// A search as a client asks for it.
#[derive(Clone, Copy, Debug)]
pub struct PlayerRequest<'a> {
    pub position: &'a Position,
    pub limits: &'a Limits,
    pub settings: &'a Settings,
    pub control: &'a Arc<Control>,
    /// When the command arrived.
    pub start: Instant,
}

/// Chooses the moves of an engine. It lives on the engine thread.
pub trait EnginePlayer {
    /// The names of the [`OPTIONS`](crate::engine::options::OPTIONS) that it has; `None`
    /// for all.
    const OPTIONS: Option<&'static [&'static str]>;

    /// Searches a position. There is no move in the result only if there is no legal one.
    /// A search that is infinite or ponders does not return before its control releases it.
    fn search<R: Reporter>(
        &mut self,
        request: &PlayerRequest<'_>,
        reporter: &mut R,
    ) -> SearchResult;

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

    fn search<R: Reporter>(
        &mut self,
        request: &PlayerRequest<'_>,
        reporter: &mut R,
    ) -> SearchResult {
        let &PlayerRequest { position, limits, settings, control, start } = request;
        let options = search_options(settings, limits);
        Self::search(self, position, limits, &options, control, start, reporter)
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

/// The settings of a search. An endless search or one for a mate is analysis, which is
/// never weakened.
fn search_options(settings: &Settings, limits: &Limits) -> SearchOptions {
    let plays = !limits.infinite && limits.mate.is_none();
    SearchOptions {
        strength: settings.strength().filter(|_| plays),
        multi_pv: settings.multi_pv,
        move_overhead: settings.move_overhead,
        probe: settings.probe,
        ..SearchOptions::default()
    }
}
