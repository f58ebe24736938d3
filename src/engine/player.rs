//! What chooses the moves of an engine.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use crate::engine::change::{Change, PREVIOUS_STAYS};
use crate::engine::listener::Listener;
use crate::search::{Reporter, SearchRequest, SearchResult, Searcher};
use crate::tablebase::Syzygy;
use crate::tablebase::egtb::collection::table_files;
use crate::tablebase::egtb::{Collection, FileError};
use crate::util::counted::counted;
use crate::util::thread::cores;

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
            Change::Threads(count) => set_threads(searcher, *count, listener)?,
            Change::SyzygyPath(folders) => open_syzygy(searcher, folders, listener)?,
            Change::EgtbPath(folder) => open_egtb(searcher, folder, listener)?,
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

/// Sets the number of threads, and says so if there are fewer cores.
fn set_threads(
    searcher: &mut Searcher,
    count: usize,
    listener: &impl Listener,
) -> Result<(), String> {
    searcher.set_threads(count).map_err(|error| error.to_string())?;
    let cores = cores();
    if count > cores {
        listener.notice(&format!("{count} threads, more than there are cores ({cores})"));
    }
    Ok(())
}

/// Uses the Syzygy tables that can be opened in some folders; none if there is no folder.
///
/// # Errors
///
/// If there are no such tables; the tables before are kept.
fn open_syzygy(
    searcher: &mut Searcher,
    folders: &str,
    listener: &impl Listener,
) -> Result<(), String> {
    let (syzygy, errors) = Syzygy::open(folders);
    let files = syzygy.files();
    if files == 0 && !folders.is_empty() {
        return Err(no_tables("SyzygyPath", &errors));
    }
    for error in &errors {
        listener.problem(&format!("SyzygyPath: {error}"));
    }
    if files > 0 {
        listener.notice(&syzygy.to_string());
    }
    searcher.tables.syzygy = (files > 0).then(|| Arc::new(syzygy));
    Ok(())
}

/// Uses Lovec's own tables of a folder in addition to the embedded ones; these alone if there
/// is no folder.
///
/// # Errors
///
/// As for [`open_syzygy`].
fn open_egtb(
    searcher: &mut Searcher,
    folder: &str,
    listener: &impl Listener,
) -> Result<(), String> {
    if folder.is_empty() {
        searcher.tables.own = Arc::new(Collection::embedded());
        return Ok(());
    }
    let no_tables = |causes: &[FileError]| no_tables("EgtbPath", causes);
    let files = table_files(Path::new(folder)).map_err(|error| no_tables(&[error]))?;
    let (own, errors) = Collection::open(&files);
    if errors.len() == files.len() {
        return Err(no_tables(&errors));
    }
    for error in &errors {
        listener.problem(&format!("EgtbPath: {error}"));
    }
    let tables = counted(files.len() - errors.len(), "Lovec table");
    listener.notice(&format!("{tables} of up to {} pieces", own.max_pieces()));
    searcher.tables.own = Arc::new(own);
    Ok(())
}

/// The error of a path without tables, with its causes.
fn no_tables(option: &str, causes: &[impl Display]) -> String {
    let add = |text, cause: &_| format!("{text}; {cause}");
    let causes = causes.iter().fold(format!("{option}: no tables found"), add);
    format!("{causes}; {PREVIOUS_STAYS}")
}
