//! Which position is searched next, for threads that share the work.
//!
//! The positions of a game are searched in order, and the possible faults as soon as they
//! are known. A thread that finds nothing to do in the open games begins the next game, so
//! that no thread waits for the last search of a game.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::annotate::followed_game::FollowedGame;
use crate::annotate::options::AnnotateOptions;
use crate::annotate::search_record::EarlierSearches;
use crate::annotate::searched_game::{Effort, PositionSearch, SearchTask, SearchedGame};
use crate::chess::notation::pgn::PgnGame;
use crate::search::Stop;
use crate::util::sync::{lock, wait_until};

/// How often a waiting thread looks whether the job was stopped.
const INTERVAL: Duration = Duration::from_millis(50);

/// All games, and what is left to do.
pub struct SearchPlan<'a> {
    games: &'a [PgnGame],
    options: &'a AnnotateOptions,
    stop: &'a Stop,
    state: Mutex<PlanState>,
    /// A search has ended.
    changed: Condvar,
}

struct PlanState {
    /// The next game to open.
    next_game: usize,
    open: BTreeMap<usize, OpenGame>,
    /// Searches of an earlier run.
    earlier: EarlierSearches,
}

/// A game that is being searched.
struct OpenGame {
    searched: SearchedGame,
    /// Whose moves may be faults, White first.
    sides: [bool; 2],
    /// Searches that have not begun.
    left: BTreeSet<(usize, Effort)>,
    running: BTreeSet<(usize, Effort)>,
}

/// What a thread does next.
pub enum PlanStep {
    /// Search this position of this game.
    Search(SearchTask, Arc<FollowedGame>),
    /// Nothing is left to do in the game of this index. `None` if it has no position.
    Finished(usize, Option<SearchedGame>),
}

impl<'a> SearchPlan<'a> {
    pub fn new(
        games: &'a [PgnGame],
        options: &'a AnnotateOptions,
        earlier: EarlierSearches,
        stop: &'a Stop,
    ) -> Self {
        let state = Mutex::new(PlanState { next_game: 0, open: BTreeMap::new(), earlier });
        Self { games, options, stop, state, changed: Condvar::new() }
    }

    /// The next step, which may have to wait for other threads; `None` if all is done or
    /// the job was stopped.
    pub fn next(&self) -> Option<PlanStep> {
        let mut state = lock(&self.state);
        loop {
            if self.stop.is_stopped() {
                return None;
            }
            if let Some(step) = state.next_step() {
                return Some(step);
            }
            if state.next_game < self.games.len() {
                if let Some(finished) = self.open_next(&mut state) {
                    return Some(finished);
                }
            } else if state.open.is_empty() {
                return None;
            } else if let Some(guard) = wait_until(&self.changed, state, Instant::now() + INTERVAL)
            {
                state = guard;
            } else {
                state = lock(&self.state);
            }
        }
    }

    /// Opens the next game; a game without positions to search is finished at once.
    fn open_next(&self, state: &mut PlanState) -> Option<PlanStep> {
        let index = state.next_game;
        state.next_game += 1;
        let game = &self.games[index];
        let Some(followed) = FollowedGame::new(game) else {
            return Some(PlanStep::Finished(index, None));
        };
        let sides = self.options.selection.sides(game);
        let mut open = OpenGame {
            left: BTreeSet::new(),
            running: BTreeSet::new(),
            sides,
            searched: SearchedGame::new(Arc::new(followed)),
        };
        state.earlier.fill(&mut open.searched);
        if sides.contains(&true) {
            self.add_surveys(&mut open);
            (0..open.searched.game.moves().len()).for_each(|ply| self.check_ply(&mut open, ply));
        }
        state.open.insert(index, open);
        None
    }

    fn add_surveys(&self, open: &mut OpenGame) {
        let first = self.options.first_position(&open.searched.game);
        for position in first..open.searched.game.states().len() {
            open.add(position, Effort::Survey);
        }
    }

    /// Adds the confirmation of a ply that may be a fault: of the position before the move,
    /// and then, if the move still seems a fault, of the position after it.
    fn check_ply(&self, open: &mut OpenGame, ply: usize) {
        let searched = &open.searched;
        let Some(state) = searched.game.states().get(ply) else { return };
        let is_wanted = open.sides[state.side_to_move().index()];
        let is_fault = |effort| {
            let loss = searched.loss(ply, effort);
            loss.is_some_and(|loss| loss >= self.options.thresholds.inaccuracy)
        };
        if is_wanted && is_fault(Effort::Survey) {
            let is_still_fault = is_fault(Effort::Confirmation);
            open.add(ply, Effort::Confirmation);
            if is_still_fault {
                open.add(ply + 1, Effort::Confirmation);
            }
        }
    }

    /// Keeps the result of a search. Returns how many searches it has added.
    pub fn finish(&self, task: &SearchTask, search: PositionSearch) -> usize {
        let mut state = lock(&self.state);
        let Some(open) = state.open.get_mut(&task.game) else { return 0 };
        open.running.remove(&(task.position, task.effort));
        open.searched.set_search(task.position, task.effort, search);
        let before = open.left.len();
        (task.position.saturating_sub(1)..=task.position).for_each(|ply| self.check_ply(open, ply));
        let added = open.left.len() - before;
        self.changed.notify_all();
        added
    }
}

impl PlanState {
    /// A step of the open games.
    fn next_step(&mut self) -> Option<PlanStep> {
        let is_finished = |open: &OpenGame| open.left.is_empty() && open.running.is_empty();
        let finished = self.open.iter().find(|(_, open)| is_finished(open));
        if let Some(index) = finished.map(|(&index, _)| index) {
            let open = self.open.remove(&index)?;
            return Some(PlanStep::Finished(index, Some(open.searched)));
        }
        let (&game, open) = self.open.iter_mut().find(|(_, open)| !open.left.is_empty())?;
        let (position, effort) = open.left.pop_first()?;
        open.running.insert((position, effort));
        let task = SearchTask { game, position, effort };
        Some(PlanStep::Search(task, Arc::clone(&open.searched.game)))
    }
}

impl OpenGame {
    /// Adds a search, unless it is done or known.
    fn add(&mut self, position: usize, effort: Effort) {
        let key = (position, effort);
        if self.searched.search(position, effort).is_none() && !self.running.contains(&key) {
            self.left.insert(key);
        }
    }
}
