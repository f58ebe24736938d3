//! The games of the files, read by a thread of their own: no part of a large file has to fit
//! into the memory, and Ctrl-C need not wait for the standard input.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

use anyhow::{Context, Result, ensure};

use crate::annotate::{AnnotateOptions, FollowedGame, GameInbox, GameItem};
use crate::chess::notation::pgn::{PgnGame, PgnReader};
use crate::cli::annotate::args::Args;
use crate::cli::game::show_problems;
use crate::cli::{Interrupt, source};
use crate::search::STACK_BYTES;
use crate::util::thread::start;

/// Games, or texts of games, that wait to be taken: few, since a game of a few megabytes of text
/// may take some hundred megabytes.
const MAX_ITEMS: usize = 2;

/// Games that are not selected are passed on together, this number of bytes at least.
const KEPT_BYTES: usize = 1 << 15;

/// The longest game to annotate, in plies: far more than people or programs play. A page needs
/// some kilobytes of memory for each of them.
const MAX_PLIES: usize = 100_000;

/// The games of files, and which of them are annotated.
#[derive(Clone)]
pub(super) struct GameFiles {
    files: Vec<PathBuf>,
    options: AnnotateOptions,
    /// The options that select games.
    selection: String,
}

/// How many games there are, and what there is to search.
#[derive(Debug, Default)]
pub(super) struct GameTotals {
    /// Games to annotate.
    pub selected: usize,
    pub searches: usize,
}

impl GameFiles {
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn new(args: &Args, options: &AnnotateOptions) -> Result<Self> {
        let (files, options) = (args.files.clone(), options.clone());
        let games = Self { files, options, selection: args.selection() };
        if games.can_be_read_again() {
            games.files.iter().try_for_each(|path| source::open(path).map(drop))?;
        }
        Ok(games)
    }

    /// Whether no file is the standard input.
    pub fn can_be_read_again(&self) -> bool {
        !self.files.iter().any(|path| source::is_standard_input(path))
    }

    /// Counts the games; `None` after an interruption.
    pub fn count(&self, interrupt: &Interrupt) -> Result<Option<GameTotals>> {
        let games = self.clone();
        interrupt.wait_for("game counter", move || games.counts())?.transpose()
    }

    fn counts(&self) -> Result<GameTotals> {
        let (mut games, mut totals) = (0, GameTotals::default());
        self.read(|_, game| {
            games += 1;
            if self.is_selected(&game) {
                totals.selected += 1;
                totals.searches += self.searches(&game);
            }
            true
        })?;
        self.check(games, totals.selected)?;
        Ok(totals)
    }

    /// The searches for a game, without those of possible faults; 0 if it cannot be followed.
    fn searches(&self, game: &PgnGame) -> usize {
        FollowedGame::new(game)
            .map_or(0, |followed| followed.states().len() - self.options.first_position(&followed))
    }

    fn is_selected(&self, game: &PgnGame) -> bool {
        self.is_wanted(game) && !is_too_long(game)
    }

    /// Whether the options select the game.
    fn is_wanted(&self, game: &PgnGame) -> bool {
        self.options.selection.sides(game).contains(&true)
    }

    fn check(&self, games: usize, selected: usize) -> Result<()> {
        let names: Vec<String> = self.files.iter().map(|path| path.display().to_string()).collect();
        let names = names.join(", ");
        ensure!(games > 0, "no games in {names}");
        let why = match self.selection.as_str() {
            "" => format!("has at most {MAX_PLIES} plies"),
            selection => format!("matches {selection}"),
        };
        ensure!(selected > 0, "no game of {games} in {names} {why}");
        Ok(())
    }

    /// Begins to read the games. Their problems are shown.
    pub fn start(&self) -> Result<GameInbox> {
        let (sender, inbox) = sync_channel(MAX_ITEMS);
        let games = self.clone();
        start("game reader", STACK_BYTES, move || {
            let mut outbox = GameOutbox { sender, kept: String::new() };
            match games.send(&mut outbox) {
                Ok(()) => drop(outbox.send_kept()),
                Err(error) => drop(outbox.sender.send(Err(error.into()))),
            }
        })?;
        Ok(inbox)
    }

    fn send(&self, outbox: &mut GameOutbox) -> Result<()> {
        let (mut games, mut selected) = (0, 0);
        self.read(|name, game| {
            show_problems(name, game.problems());
            games += 1;
            let is_selected = self.is_selected(&game);
            if !is_selected && self.is_wanted(&game) {
                log::warn!("{name} has more than {MAX_PLIES} plies: it stays as it is");
            }
            selected += usize::from(is_selected);
            if is_selected { outbox.send_game(game) } else { outbox.keep(&game) }
        })?;
        self.check(games, selected)
    }

    /// Reads the games, numbered through all files, until `visit` returns false. It is given a name
    /// for each, which tells in which of several files the game stands.
    fn read(&self, mut visit: impl FnMut(&str, PgnGame) -> bool) -> Result<()> {
        let mut number = 0;
        for path in &self.files {
            let file = match self.files.len() {
                1 => String::new(),
                _ => format!("{}, ", path.display()),
            };
            for (index, game) in PgnReader::new(source::open(path)?).enumerate() {
                let mut game = game.with_context(|| format!("cannot read {}", path.display()))?;
                let is_game = index > 0 || !game.is_other_text();
                ensure!(is_game, "{} holds no game", path.display());
                number += 1;
                game.number = number;
                if !visit(&format!("{file}game {number}"), game) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

fn is_too_long(game: &PgnGame) -> bool {
    game.moves().nth(MAX_PLIES).is_some()
}

/// Where games go. Each function returns false when they are not taken any more.
struct GameOutbox {
    sender: SyncSender<<GameInbox as IntoIterator>::Item>,
    /// The text of games that are not selected.
    kept: String,
}

impl GameOutbox {
    fn keep(&mut self, game: &PgnGame) -> bool {
        self.kept += &text_of(game);
        self.kept.len() < KEPT_BYTES || self.send_kept()
    }

    fn send_kept(&mut self) -> bool {
        let kept = std::mem::take(&mut self.kept);
        kept.is_empty() || self.sender.send(Ok(GameItem::Kept(kept))).is_ok()
    }

    fn send_game(&mut self, game: PgnGame) -> bool {
        self.send_kept() && self.sender.send(Ok(GameItem::Selected(Arc::new(game)))).is_ok()
    }
}

/// A game with an empty line behind it.
pub(super) fn text_of(game: &PgnGame) -> String {
    format!("{game}\n")
}
