//! The search thread: takes one job after the other.
//!
//! It owns the [`Searcher`] and with it every table that a search changes, and
//! the opening book, so that no lock is needed to search, to resize the hash or to
//! clear it.

use std::path::Path;
use std::sync::Arc;

use crate::chess::notation::uci::format_move;
use crate::chess::{Move, Position};
use crate::engine::Listener;
use crate::engine::opening::{self, Opening};
use crate::engine::options::Settings;
use crate::engine::queue::{Job, Queue, SearchJob, Upkeep};
use crate::search::{Limits, Outcome, SearchOptions, Searcher};
use crate::tablebase::Syzygy;
use crate::tablebase::egtb::Collection;

/// What the search thread owns.
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
            Job::Upkeep(upkeep) => self.keep_up(&upkeep),
            Job::Answer(answer) => answer(),
        }
    }

    /// Searches and reports the move, even if there is none.
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
            // The book may have an answer to any reply; pondering has only one.
            let ponder = outcome.ponder.filter(|_| book_move.is_none());
            Outcome { ponder, ..outcome }
        });
        // Even if nothing was searched: a client that has its answer must find
        // the engine ready for the next command.
        job.control.finish();
        for complaint in
            self.searcher.tables.syzygy.iter().flat_map(|syzygy| syzygy.take_warnings())
        {
            self.listener.problem(&complaint);
        }
        self.listener.best_move(outcome.as_ref(), job.settings.chess960);
    }

    /// The move of the opening book, if this search is one for it.
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

    fn keep_up(&mut self, upkeep: &Upkeep) {
        for &mib in upkeep.hash_sizes.iter().rev() {
            match self.searcher.try_resize(mib) {
                Ok(()) => break,
                Err(error) => self.listener.problem(&error.to_string()),
            }
        }
        if let Some(threads) = upkeep.threads
            && let Err(error) = self.searcher.set_threads(threads)
        {
            self.listener.problem(&error.to_string());
        }
        if let Some(directories) = &upkeep.syzygy {
            self.open_syzygy(directories);
        }
        if let Some(folder) = &upkeep.egtb {
            self.open_egtb(folder);
        }
        if upkeep.clear {
            self.searcher.clear();
        }
        for path in upkeep.books.iter().rev() {
            match self.opening.open(path) {
                Ok(()) => break,
                Err(error) => self.listener.problem(&format!("BookFile `{path}`: {error}")),
            }
        }
    }

    /// Takes the Syzygy tables of some directories, however many there are.
    fn open_syzygy(&mut self, directories: &str) {
        let (syzygy, errors) = Syzygy::open(directories);
        for error in &errors {
            self.listener.problem(&format!("SyzygyPath: {error}"));
        }
        if syzygy.files() > 0 {
            let (files, men) = (syzygy.files(), syzygy.max_pieces());
            self.listener.notice(&format!("{files} Syzygy tables of up to {men} men"));
        } else if errors.is_empty() && !directories.is_empty() {
            self.listener.problem("SyzygyPath: no tables found");
        }
        self.searcher.tables.syzygy = (syzygy.files() > 0).then(|| Arc::new(syzygy));
    }

    /// Takes Lovec's own tables of a folder besides those that are part of the program.
    fn open_egtb(&mut self, folder: &str) {
        let own = if folder.is_empty() {
            Collection::embedded()
        } else {
            let (own, errors) = Collection::open(Path::new(folder));
            for error in &errors {
                self.listener.problem(&format!("EgtbPath: {error}"));
            }
            let (endings, men) = (own.materials().count(), own.max_pieces());
            self.listener.notice(&format!("{endings} own endgame tables of up to {men} men"));
            own
        };
        self.searcher.tables.own = Arc::new(own);
    }
}

/// What the search needs to know of the settings. Whoever asks for an endless
/// search or a mate wants to know, not to play.
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
