//! Which position is searched next, for threads that share the work.
//!
//! The positions of a game are searched in order, and the possible faults as soon as they
//! are known. A thread that finds nothing to do in the open games begins the next game, so
//! that no thread waits for the last search of a game. The games come from an inbox, and a
//! limited number is taken ahead of the first unfinished one, of a limited size together, so that
//! the memory does not depend on the number of games.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::error::Error;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::annotate::followed_game::FollowedGame;
use crate::annotate::options::AnnotateOptions;
use crate::annotate::search_record::EarlierSearches;
use crate::annotate::searched_game::{Effort, PositionSearch, SearchTask, SearchedGame};
use crate::chess::notation::pgn::{Element, PgnGame, PgnTag};
use crate::search::Stop;
use crate::util::sync::{lock, wait_until};

/// A part of the games of a file, which come one after the other: a database may be larger than
/// the memory.
#[derive(Debug)]
pub enum GameItem {
    /// A game to annotate.
    Selected(Arc<PgnGame>),
    /// The text of games that stay as they are.
    Kept(String),
}

/// Why the games cannot be read on.
type ReadError = Box<dyn Error + Send + Sync>;

/// Where the games come from, in the order of the file. After an error there are no more.
pub type GameInbox = Receiver<Result<GameItem, ReadError>>;

/// How often a waiting thread looks whether the job was stopped or a game has come.
const INTERVAL: Duration = Duration::from_millis(10);

/// Items that are taken ahead of the first unfinished one, …
const AHEAD: usize = 1024;

/// … as long as these and that one take less than this, about, in bytes.
const AHEAD_BYTES: usize = 256 << 20;

/// What an element or a tag of a game takes, about, in bytes, beside its text.
const ELEMENT_BYTES: usize = 64;

/// All games, and what is left to do.
pub struct SearchPlan<'a> {
    options: &'a AnnotateOptions,
    stop: &'a Stop,
    state: Mutex<PlanState>,
    /// A search has ended.
    changed: Condvar,
}

struct PlanState {
    /// `None` after the last game.
    games: Option<GameInbox>,
    /// The index of the next item.
    next_item: usize,
    /// The sizes of the items from the first unfinished one on, in bytes.
    ahead: VecDeque<usize>,
    open: BTreeMap<usize, OpenGame>,
    /// Searches of an earlier run.
    earlier: EarlierSearches,
}

/// A game that is being searched.
struct OpenGame {
    pgn: Arc<PgnGame>,
    searched: SearchedGame,
    /// Whose moves may be faults, White first.
    sides: [bool; 2],
    /// Searches that have not begun.
    left: BTreeSet<(usize, Effort)>,
    running: BTreeSet<(usize, Effort)>,
}

/// What a thread does next.
pub enum PlanStep {
    Search(SearchTask),
    /// Nothing is left to do for the item of this index.
    Finished(usize, FinishedItem),
}

/// A part of the games that is ready to be written.
pub enum FinishedItem {
    /// A game with its searches; `None` if its first position is not known.
    Game(Arc<PgnGame>, Option<SearchedGame>),
    /// The text of games that stay as they are.
    Kept(String),
}

impl<'a> SearchPlan<'a> {
    pub fn new(
        games: GameInbox,
        options: &'a AnnotateOptions,
        earlier: EarlierSearches,
        stop: &'a Stop,
    ) -> Self {
        let open = BTreeMap::new();
        let state =
            PlanState { games: Some(games), next_item: 0, ahead: VecDeque::new(), open, earlier };
        Self { options, stop, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The number of all items; `None` before the last one was taken.
    pub fn items(&self) -> Option<usize> {
        let state = lock(&self.state);
        state.games.is_none().then_some(state.next_item)
    }

    /// The next step, which may have to wait for other threads or for a game; `None` if all is
    /// done or the job was stopped.
    pub fn next(&self) -> Option<Result<PlanStep, ReadError>> {
        let mut state = lock(&self.state);
        loop {
            if self.stop.is_stopped() {
                return None;
            }
            if let Some(step) = state.next_step() {
                return Some(Ok(step));
            }
            match state.next_game() {
                Some(Ok(GameItem::Selected(game))) => {
                    if let Some(finished) = self.open(&mut state, game) {
                        return Some(Ok(finished));
                    }
                    continue;
                }
                Some(Ok(GameItem::Kept(text))) => {
                    let index = state.take_index(text.len());
                    return Some(Ok(PlanStep::Finished(index, FinishedItem::Kept(text))));
                }
                Some(Err(error)) => return Some(Err(error)),
                None if state.games.is_none() && state.open.is_empty() => return None,
                None => {}
            }
            state = match wait_until(&self.changed, state, Instant::now() + INTERVAL) {
                Some(guard) => guard,
                None => lock(&self.state),
            };
        }
    }

    /// Opens a game; a game without a first position is finished at once.
    fn open(&self, state: &mut PlanState, pgn: Arc<PgnGame>) -> Option<PlanStep> {
        let index = state.take_index(bytes_of(&pgn));
        let Some(followed) = FollowedGame::new(&pgn) else {
            return Some(PlanStep::Finished(index, FinishedItem::Game(pgn, None)));
        };
        let mut open = OpenGame {
            left: BTreeSet::new(),
            running: BTreeSet::new(),
            sides: self.options.selection.sides(&pgn),
            searched: SearchedGame::new(Arc::new(followed), self.options.level_of(&pgn)),
            pgn,
        };
        state.earlier.fill(&mut open.searched, self.stop);
        let first = self.options.first_position(&open.searched.game);
        let positions = first..open.searched.game.states().len();
        positions.for_each(|position| open.add(position, Effort::Survey));
        (0..open.searched.game.moves().len()).for_each(|ply| self.check_ply(&mut open, ply));
        state.open.insert(index, open);
        None
    }

    /// Adds the confirmation of a ply that may be a fault: of the position before the move,
    /// and then, if the move still seems a fault, of the position after it.
    fn check_ply(&self, open: &mut OpenGame, ply: usize) {
        let searched = &open.searched;
        let Some(state) = searched.game.states().get(ply) else { return };
        let is_wanted = open.sides[state.side_to_move().index()];
        if is_wanted && searched.is_only_move(ply, Effort::Survey) {
            open.add(ply, Effort::Confirmation);
        } else if is_wanted && searched.may_be_fault(ply, Effort::Survey) {
            let still_may_be = searched.may_be_fault(ply, Effort::Confirmation);
            open.add(ply, Effort::Confirmation);
            if still_may_be {
                open.add(ply + 1, Effort::Confirmation);
            }
        }
    }

    /// Keeps the result of a search. Returns how many searches it has added.
    pub fn finish(&self, task: &SearchTask, search: PositionSearch) -> usize {
        let mut state = lock(&self.state);
        let Some(open) = state.open.get_mut(&task.index) else { return 0 };
        open.running.remove(&(task.position, task.effort));
        open.searched.set_search(task.position, task.effort, search);
        let before = open.left.len();
        (task.position.saturating_sub(1)..=task.position).for_each(|ply| self.check_ply(open, ply));
        let added = open.left.len() - before;
        self.changed.notify_all();
        added
    }
}

/// What a game takes, about, in bytes.
fn bytes_of(game: &PgnGame) -> usize {
    let of_tag = |tag: &PgnTag| ELEMENT_BYTES + tag.name.len() + tag.value().len();
    let of_element = |element: &Element| match element {
        Element::Comment(text) | Element::Word(text) => ELEMENT_BYTES + text.len(),
        _ => ELEMENT_BYTES,
    };
    let tags: usize = game.tags.iter().map(of_tag).sum();
    tags + game.elements().iter().map(of_element).sum::<usize>()
}

impl PlanState {
    /// The next part of the games, if it is there and may be taken.
    fn next_game(&mut self) -> Option<Result<GameItem, ReadError>> {
        let ahead = self.open.keys().next().map_or(0, |first| self.next_item - first);
        self.ahead.drain(..self.ahead.len() - ahead);
        if ahead >= AHEAD || self.ahead.iter().sum::<usize>() >= AHEAD_BYTES {
            return None;
        }
        match self.games.as_ref()?.try_recv() {
            Ok(item) => return Some(item),
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => self.games = None,
        }
        None
    }

    /// The index of an item of this size.
    fn take_index(&mut self, bytes: usize) -> usize {
        self.ahead.push_back(bytes);
        self.next_item += 1;
        self.next_item - 1
    }

    /// A step of the open games.
    fn next_step(&mut self) -> Option<PlanStep> {
        let is_finished = |open: &OpenGame| open.left.is_empty() && open.running.is_empty();
        let finished = self.open.iter().find(|(_, open)| is_finished(open));
        if let Some(index) = finished.map(|(&index, _)| index) {
            let OpenGame { pgn, searched, .. } = self.open.remove(&index)?;
            return Some(PlanStep::Finished(index, FinishedItem::Game(pgn, Some(searched))));
        }
        let (&index, open) = self.open.iter_mut().find(|(_, open)| !open.left.is_empty())?;
        let (position, effort) = open.left.pop_first()?;
        open.running.insert((position, effort));
        let OpenGame { pgn, searched, .. } = open;
        let lines = 1 + usize::from(searched.is_only_move(position, Effort::Survey));
        let (pgn, game, level) = (Arc::clone(pgn), Arc::clone(&searched.game), searched.level);
        Some(PlanStep::Search(SearchTask { index, pgn, game, position, effort, lines, level }))
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
