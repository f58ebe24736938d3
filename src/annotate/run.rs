//! The threads that search the games.

use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, Scope};

use crate::annotate::options::{AnnotateError, AnnotateOptions};
use crate::annotate::plan::{FinishedItem, GameInbox, PlanStep, SearchPlan};
use crate::annotate::position_searcher::PositionSearcher;
use crate::annotate::progress_file::SearchProgress;
use crate::annotate::search_record::{EarlierSearches, MAX_LINE, SearchRecord};
use crate::annotate::searched_game::{Effort, PositionSearch, SearchTask, is_only_move};
use crate::chess::notation::pgn::PgnGame;
use crate::search::{Limits, STACK_BYTES, Stop};
use crate::util::tasks::InOrder;
use crate::util::thread::start_prepared;

/// The depth of the shallow search that shows whether the only good move is hard to find.
const SHALLOW_DEPTH: u8 = 6;

/// Messages of the search threads that may wait. A thread that is faster has to wait itself.
const MAX_MESSAGES: usize = 64;

/// What happens while games are searched.
pub enum AnnotateEvent<'a> {
    /// A position was searched.
    Searched { game: &'a PgnGame, added: usize },
    /// In the order of the file.
    Finished(FinishedItem),
}

/// How to search games.
pub struct AnnotateJob<'a> {
    pub options: &'a AnnotateOptions,
    /// Positions that are searched at the same time.
    pub threads: usize,
    pub stop: &'a Arc<Stop>,
}

/// A message of a search thread.
enum Message {
    Searched { game: Arc<PgnGame>, record: SearchRecord, added: usize },
    Finished(usize, FinishedItem),
}

impl AnnotateJob<'_> {
    /// Searches the games, except what `earlier` holds, and records each search. Returns
    /// whether all games were finished; if not, the job was stopped.
    pub fn run<E: From<AnnotateError>>(
        &self,
        games: GameInbox,
        earlier: EarlierSearches,
        progress: &mut SearchProgress,
        mut report: impl FnMut(AnnotateEvent<'_>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let plan = SearchPlan::new(games, self.options, earlier, self.stop);
        let is_stopped = || self.stop.is_stopped();
        let finished = thread::scope(|scope| {
            let (sender, inbox) = sync_channel(MAX_MESSAGES);
            self.start(scope, &plan, &is_stopped, sender)?;
            let mut finished = InOrder::new(0);
            let mut count = 0;
            let result = inbox.into_iter().try_for_each(|message| match message? {
                Message::Searched { game, record, added } => {
                    progress.append(&record).map_err(AnnotateError::from)?;
                    report(AnnotateEvent::Searched { game: &game, added })
                }
                // What is not written now is made again from the recorded searches.
                Message::Finished(..) if self.stop.is_stopped() => Ok(()),
                Message::Finished(index, item) => {
                    finished.add(index as u64, item);
                    std::iter::from_fn(|| finished.pop()).try_for_each(|item| {
                        count += 1;
                        report(AnnotateEvent::Finished(item))
                    })
                }
            });
            if result.is_err() {
                self.stop.stop();
            }
            result.map(|()| count)
        })?;
        Ok(plan.items() == Some(finished))
    }

    /// Starts the search threads. The channel closes when the last of them drops its sender.
    fn start<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        plan: &'scope SearchPlan<'_>,
        is_stopped: &'scope (dyn Fn() -> bool + Sync),
        sender: SyncSender<Result<Message, AnnotateError>>,
    ) -> Result<(), AnnotateError> {
        let (options, stop) = (self.options, self.stop);
        let prepare = move |_| PositionSearcher::new(options, Arc::clone(stop), is_stopped);
        let work = move |mut searcher: PositionSearcher<'_>| {
            while let Some(step) = plan.next() {
                let message = match step {
                    Err(error) => Err(AnnotateError::Games(error)),
                    Ok(PlanStep::Finished(index, item)) => Ok(Message::Finished(index, item)),
                    Ok(PlanStep::Search(task)) => {
                        let search = search(&mut searcher, &task, options);
                        if searcher.is_stopped() {
                            return;
                        }
                        search.map(|search| {
                            let SearchTask { game, position, effort, .. } = &task;
                            let record = SearchRecord::new(game, *position, *effort, &search);
                            let added = plan.finish(&task, search);
                            Message::Searched { game: task.pgn, record, added }
                        })
                    }
                };
                if sender.send(message).is_err() {
                    return;
                }
            }
        };
        let threads = self.threads.max(1);
        start_prepared(scope, threads, "annotate", STACK_BYTES, is_stopped, prepare, work)
    }
}

/// Searches a position.
fn search(
    searcher: &mut PositionSearcher<'_>,
    task: &SearchTask,
    options: &AnnotateOptions,
) -> Result<PositionSearch, AnnotateError> {
    let SearchTask { game, position: ply, .. } = task;
    let position = game.position(*ply);
    let mut found = match task.effort {
        Effort::Survey => searcher.examine(&position, 2, &options.limits)?,
        Effort::Confirmation => {
            searcher.examine(&position, task.lines, &options.limits.times(options.confirm))?
        }
    };
    found.lines.iter_mut().for_each(|line| line.moves.truncate(MAX_LINE));
    let praises = task.effort == Effort::Survey && is_only_move(game, *ply, &found, task.level);
    let first_choice = if praises {
        let limits = Limits { depth: Some(SHALLOW_DEPTH), ..Limits::default() };
        let shallow = searcher.examine(&position, 1, &limits)?;
        shallow.lines.first().and_then(|line| line.moves.first().copied())
    } else {
        None
    };
    Ok(PositionSearch { found, first_choice })
}
