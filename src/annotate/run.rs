//! The threads that search the games.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, Scope};

use crate::annotate::error::AnnotateError;
use crate::annotate::followed_game::FollowedGame;
use crate::annotate::options::AnnotateOptions;
use crate::annotate::plan::{PlanStep, SearchPlan};
use crate::annotate::position_searcher::PositionSearcher;
use crate::annotate::progress_file::SearchProgress;
use crate::annotate::search_record::{EarlierSearches, MAX_LINE, SearchRecord};
use crate::annotate::searched_game::{
    Effort, PositionSearch, SearchTask, SearchedGame, is_only_move, is_sacrifice,
};
use crate::chess::notation::pgn::PgnGame;
use crate::search::{Limits, STACK_BYTES, Stop};
use crate::util::in_order::InOrder;
use crate::util::thread::start_prepared;

/// The depth of the shallow search that shows whether a sacrifice is hard to find.
const SHALLOW_DEPTH: u8 = 6;

/// What happens while games are searched.
pub enum AnnotateEvent<'a> {
    /// A position was searched.
    Searched { task: SearchTask, nodes: u64, added: usize },
    /// All of a game was searched; games finish in the order of the file. `None` if its
    /// first position is not known.
    Finished { index: usize, searched: Option<&'a SearchedGame> },
}

/// The games to search.
pub struct AnnotateJob<'a> {
    pub games: &'a [PgnGame],
    pub options: &'a AnnotateOptions,
    /// Positions that are searched at the same time.
    pub threads: usize,
    pub stop: &'a Arc<Stop>,
}

/// A message of a search thread.
enum Message {
    Searched {
        task: SearchTask,
        game: Arc<FollowedGame>,
        search: PositionSearch,
        added: usize,
    },
    Finished(usize, Option<SearchedGame>),
    /// The search is not possible.
    Failed(AnnotateError),
}

impl AnnotateJob<'_> {
    /// Searches the games, except what `earlier` holds, and records each search.
    ///
    /// # Errors
    ///
    /// If there is no memory or thread for a search, the progress file cannot be written, or
    /// another engine fails.
    pub fn run(
        &self,
        earlier: EarlierSearches,
        progress: &mut SearchProgress,
        mut report: impl FnMut(AnnotateEvent<'_>),
    ) -> Result<(), AnnotateError> {
        let plan = SearchPlan::new(self.games, self.options, earlier, self.stop);
        let mut finished = InOrder::new(0);
        let mut next = 0;
        let is_stopped = || self.stop.is_stopped();
        thread::scope(|scope| {
            let (sender, inbox) = channel();
            for number in 0..self.threads.max(1) {
                match self.start(scope, &plan, &is_stopped, number, sender.clone()) {
                    Ok(()) => {}
                    // An engine may be interrupted when it starts.
                    Err(_) if is_stopped() => break,
                    Err(error) if number == 0 => return Err(error),
                    Err(error) => {
                        log::warn!("using {number} threads: {error}");
                        break;
                    }
                }
            }
            // The channel closes when the last thread drops its sender.
            drop(sender);
            for message in inbox {
                match message {
                    Message::Searched { task, game, search, added } => {
                        let SearchTask { position, effort, .. } = task;
                        let record = SearchRecord::new(&game, position, effort, &search);
                        if let Err(error) = progress.append(&record) {
                            self.stop.stop();
                            return Err(error.into());
                        }
                        let nodes = search.found.nodes;
                        report(AnnotateEvent::Searched { task, nodes, added });
                    }
                    Message::Failed(error) => {
                        self.stop.stop();
                        return Err(error);
                    }
                    Message::Finished(index, searched) => {
                        finished.add(index as u64, searched);
                        while let Some(searched) = finished.pop() {
                            let searched = searched.as_ref();
                            report(AnnotateEvent::Finished { index: next, searched });
                            next += 1;
                        }
                    }
                }
            }
            Ok(())
        })
    }

    /// Starts a search thread.
    fn start<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        plan: &'scope SearchPlan<'_>,
        is_stopped: &'scope (dyn Fn() -> bool + Sync),
        number: usize,
        sender: Sender<Message>,
    ) -> Result<(), AnnotateError> {
        let (options, stop) = (self.options, Arc::clone(self.stop));
        let prepare = move || PositionSearcher::new(options, stop, is_stopped);
        let work = move |mut searcher: PositionSearcher<'_>| {
            while let Some(step) = plan.next() {
                let message = match step {
                    PlanStep::Finished(index, searched) => Message::Finished(index, searched),
                    PlanStep::Search(task, game) => {
                        let search = search(&mut searcher, &game, &task, options);
                        if searcher.is_stopped() {
                            return;
                        }
                        match search {
                            Ok(search) => {
                                let added = plan.finish(&task, search.clone());
                                Message::Searched { task, game, search, added }
                            }
                            Err(error) => Message::Failed(error),
                        }
                    }
                };
                if sender.send(message).is_err() {
                    return;
                }
            }
        };
        start_prepared(scope, &format!("annotate {number}"), STACK_BYTES, prepare, work)?;
        Ok(())
    }
}

/// Searches a position.
fn search(
    searcher: &mut PositionSearcher<'_>,
    game: &FollowedGame,
    task: &SearchTask,
    options: &AnnotateOptions,
) -> Result<PositionSearch, AnnotateError> {
    let position = game.position(task.position);
    let ply = task.position;
    let mut found = match task.effort {
        Effort::Survey => searcher.examine(&position, 2, &options.limits)?,
        Effort::Confirmation => searcher.examine(&position, 1, &options.confirmation_limits())?,
    };
    found.lines.iter_mut().for_each(|line| line.moves.truncate(MAX_LINE));
    let is_hard =
        task.effort == Effort::Survey && is_sacrifice(game, ply) && is_only_move(game, ply, &found);
    let first_choice = if is_hard {
        let limits = Limits { depth: Some(SHALLOW_DEPTH), ..Limits::default() };
        let shallow = searcher.examine(&position, 1, &limits)?;
        shallow.lines.first().and_then(|line| line.moves.first().copied())
    } else {
        None
    };
    Ok(PositionSearch { found, first_choice })
}
