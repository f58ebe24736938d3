//! The engine thread: does the jobs of the queue one after the other.
//!
//! It owns the [`Searcher`], with every table that a search changes, and the opening
//! book. No lock is therefore needed to search, or to resize or clear the hash.

use std::path::Path;
use std::sync::Arc;

use crate::chess::notation::uci::format_move;
use crate::chess::{Move, Position};
use crate::engine::change::Change;
use crate::engine::listener::Listener;
use crate::engine::opening::{self, Opening};
use crate::engine::options::Settings;
use crate::engine::queue::{Job, Queue, SearchJob};
use crate::search::{Limits, SearchOptions, SearchResult, Searcher};
use crate::tablebase::Syzygy;
use crate::tablebase::egtb::Collection;

/// What the engine thread owns.
struct EngineThread<L> {
    searcher: Searcher,
    opening: Opening,
    listener: L,
}

/// Does the jobs of the queue until it is closed.
pub(super) fn run<L: Listener>(queue: &Queue, searcher: Searcher, listener: L) {
    let mut thread = EngineThread { searcher, opening: Opening::default(), listener };
    while let Some(job) = queue.next() {
        thread.work(job);
        queue.done();
    }
}

impl<L: Listener> EngineThread<L> {
    fn work(&mut self, job: Job) {
        match job {
            Job::Search(job) => self.search(&job),
            Job::Task(control, task) => task(&control),
            Job::Changes(changes) => changes.make(|change| {
                let result = self.change(change);
                result.inspect_err(|problem| self.listener.problem(problem)).is_ok()
            }),
            Job::Answer(answer) => answer(),
        }
    }

    /// Searches, and reports the move even if there is none.
    fn search(&mut self, job: &SearchJob) {
        let outcome = job.searchable().map(|position| {
            let book_move = self.book_move(position, job);
            let limits = book_move.map(|m| opening::limits_to(m, &job.limits));
            let limits = limits.as_ref().unwrap_or(&job.limits);
            let mut reporter = self.listener.reporter(&job.settings);
            let outcome = self.searcher.search(
                position,
                limits,
                &search_options(&job.settings, limits),
                &job.control,
                job.start,
                &mut reporter,
            );
            // The book may answer every reply, but pondering expects a single one.
            let ponder = outcome.ponder.filter(|_| book_move.is_none());
            SearchResult { ponder, ..outcome }
        });
        // Even if nothing was searched: after `bestmove` the engine must be ready for
        // the next command.
        job.control.finish();
        let syzygy = self.searcher.tables.syzygy.iter();
        for warning in syzygy.flat_map(|syzygy| syzygy.take_warnings()) {
            self.listener.problem(&warning);
        }
        self.listener.best_move(outcome.as_ref(), job.settings.chess960);
    }

    /// The move of the opening book, if the book may move and has one.
    fn book_move(&mut self, position: &Position, job: &SearchJob) -> Option<Move> {
        match self.opening.choose(position, &job.settings, &job.limits) {
            Ok(found) => {
                if let Some(m) = found {
                    self.listener.notice(&format!("book move {}", format_move(m, false)));
                }
                found
            }
            Err(error) => {
                self.listener.problem(&format!("BookFile can no longer be read: {error}"));
                None
            }
        }
    }

    /// Makes a change.
    ///
    /// # Errors
    ///
    /// A sentence for the user, if the change failed.
    fn change(&mut self, change: &Change) -> Result<(), String> {
        match change {
            Change::HashSize(mib) => self.searcher.resize_hash(*mib).map_err(|e| e.to_string())?,
            Change::Threads(count) => {
                self.searcher.set_threads(*count).map_err(|error| error.to_string())?;
            }
            Change::SyzygyPath(directories) => self.open_syzygy(directories),
            Change::EgtbPath(folder) => self.open_egtb(folder),
            Change::Clear => self.searcher.clear(),
            Change::BookFile(path) => {
                self.opening.open(path).map_err(|error| format!("BookFile `{path}`: {error}"))?;
            }
        }
        Ok(())
    }

    /// Uses the Syzygy tables that can be opened in some directories.
    fn open_syzygy(&mut self, directories: &str) {
        let (syzygy, errors) = Syzygy::open(directories);
        for error in &errors {
            self.listener.problem(&format!("SyzygyPath: {error}"));
        }
        if syzygy.files() > 0 {
            let (files, pieces) = (syzygy.files(), syzygy.max_pieces());
            self.listener.notice(&format!("{files} Syzygy tables of up to {pieces} pieces"));
        } else if errors.is_empty() && !directories.is_empty() {
            self.listener.problem("SyzygyPath: no tables found");
        }
        self.searcher.tables.syzygy = (syzygy.files() > 0).then(|| Arc::new(syzygy));
    }

    /// Uses Lovec's own tables of a folder in addition to the embedded ones.
    fn open_egtb(&mut self, folder: &str) {
        let own = if folder.is_empty() {
            Collection::embedded()
        } else {
            let (own, errors) = Collection::open(Path::new(folder));
            for error in &errors {
                self.listener.problem(&format!("EgtbPath: {error}"));
            }
            let (endings, pieces) = (own.materials().count(), own.max_pieces());
            self.listener.notice(&format!("{endings} own endgame tables of up to {pieces} pieces"));
            own
        };
        self.searcher.tables.own = Arc::new(own);
    }
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
