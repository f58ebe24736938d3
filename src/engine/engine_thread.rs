//! The engine thread: does the jobs of the queue one after the other.
//!
//! It owns the [`Player`], with every table that a search changes, and the opening book.
//! No lock is therefore needed to search, or to resize or clear the hash.

use std::sync::Arc;

use crate::book::Book;
use crate::chess::notation::uci::format_move;
use crate::chess::{Move, Position};
use crate::engine::change::{Change, PREVIOUS_STAYS};
use crate::engine::listener::Listener;
use crate::engine::opening;
use crate::engine::options::Settings;
use crate::engine::player::Player;
use crate::engine::queue::{Job, Queue, SearchJob};
use crate::search::{Limits, SearchOptions, SearchRequest, SearchResult};

/// What the engine thread owns.
struct EngineThread<L> {
    player: Player,
    book: Book,
    listener: L,
}

/// Does the jobs of the queue until it is closed.
pub(super) fn run<L: Listener>(queue: &Queue, player: Player, listener: L) {
    let mut thread = EngineThread { player, book: Book::own(), listener };
    while let Some(job) = queue.next() {
        thread.work(job);
        queue.done();
    }
}

impl<L: Listener> EngineThread<L> {
    fn work(&mut self, job: Job) {
        match job {
            Job::Search(job) => self.search(&job),
            Job::Changes(changes) => changes.make(|change| {
                let result = self.change(change);
                result.inspect_err(|problem| self.listener.problem(problem)).is_ok()
            }),
            Job::Task(work) | Job::Answer(work) => work(),
        }
    }

    /// Searches, and reports the move even if there is none.
    fn search(&mut self, job: &SearchJob) {
        let outcome = job.searchable().map(|position| {
            let book_move = self.book_move(position, job);
            let limits = book_move.map(|m| opening::limits_to(m, &job.limits));
            let limits = limits.unwrap_or_else(|| job.limits.clone());
            let mut reporter = self.listener.reporter(position, &job.settings);
            let request = SearchRequest {
                position: position.for_search(),
                options: search_options(&job.settings, &limits),
                limits,
                control: Arc::clone(&job.control),
            };
            let outcome = self.player.search(request, &mut reporter);
            self.listener.searched(reporter);
            // The book may answer every reply, but pondering expects a single one.
            let ponder = outcome.ponder.filter(|_| book_move.is_none());
            SearchResult { ponder, ..outcome }
        });
        if outcome.is_none() {
            // As a search of a finished game, which an endless `go` does not end either.
            job.control.wait_until_released(job.limits.infinite);
        }
        // Even if nothing was searched: after `bestmove` the engine must be ready for
        // the next command.
        job.control.finish();
        for warning in self.player.take_warnings() {
            self.listener.problem(&warning);
        }
        self.listener.best_move(outcome.as_ref(), job.settings.chess960);
    }

    /// The move of the opening book, if the book may move and has one.
    fn book_move(&mut self, position: &Position, job: &SearchJob) -> Option<Move> {
        let found = opening::choose(&mut self.book, position, &job.settings, &job.limits);
        let found = found.unwrap_or_else(|error| {
            self.listener.problem(&format!("BookFile can no longer be read: {error}"));
            None
        });
        if let Some(m) = found {
            self.listener.notice(&format!("book move {}", format_move(m, false)));
        }
        found
    }

    /// Makes a change.
    ///
    /// # Errors
    ///
    /// A sentence for the user, if the change failed.
    fn change(&mut self, change: &Change) -> Result<(), String> {
        let Change::BookFile(path) = change else {
            return self.player.change(change, &self.listener);
        };
        self.book = opening::open(path)
            .map_err(|error| format!("BookFile `{path}`: {error}; {PREVIOUS_STAYS}"))?;
        Ok(())
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
        selective: true,
    }
}
