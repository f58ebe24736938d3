//! The search thread: takes one job after the other.
//!
//! It owns the [`Searcher`] and with it every table that a search changes, so
//! that no lock is needed to search, to resize the hash or to clear it.

use crate::engine::Listener;
use crate::engine::options::Settings;
use crate::engine::queue::{Job, Queue, SearchJob, Upkeep};
use crate::search::{Limits, SearchOptions, Searcher};

/// What the search thread owns.
struct Worker<L> {
    searcher: Searcher,
    listener: L,
}

/// Does the jobs of the queue until it is closed.
pub(super) fn run<L: Listener>(queue: &Queue, searcher: Searcher, listener: L) {
    let mut worker = Worker { searcher, listener };
    while let Some(job) = queue.next() {
        let searched = worker.work(job);
        queue.done(searched);
    }
}

impl<L: Listener> Worker<L> {
    /// Does one job; tells whether it was a search or another long task.
    fn work(&mut self, job: Job) -> bool {
        match job {
            Job::Search(job) => self.search(&job),
            Job::Task(control, task) => task(&control),
            Job::Upkeep(upkeep) => {
                self.keep_up(&upkeep);
                return false;
            }
            Job::Answer(answer) => {
                answer();
                return false;
            }
        }
        true
    }

    /// Searches and reports the move, even if there is none.
    fn search(&mut self, job: &SearchJob) {
        let outcome = job.searchable().map(|position| {
            let mut reporter = self.listener.reporter(&job.settings);
            self.searcher.search(
                position,
                &job.limits,
                &search_options(&job.settings, &job.limits),
                &job.control,
                job.start,
                &mut reporter,
            )
        });
        // Even if nothing was searched: a client that has its answer must find
        // the engine ready for the next command.
        job.control.finish();
        self.listener.best_move(outcome.as_ref(), job.settings.chess960);
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
        if upkeep.clear {
            self.searcher.clear();
        }
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
        ..SearchOptions::default()
    }
}
