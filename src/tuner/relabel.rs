//! New scores for labelled positions from any UCI engine: a teacher that is stronger than
//! the searches that played the games.
//!
//! Blocks of positions are shared by several processes of the engine. Each block begins a
//! new game, so that the scores do not depend on the number of processes.

use std::io;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, Scope};
use std::time::Duration;

use thiserror::Error;

use crate::chess::Position;
use crate::chess::notation::fen::FenError;
use crate::client::{ClientError, EngineClient, GoLimit};
use crate::util::pool::InOrder;
use crate::util::thread::{SMALL_STACK_BYTES, start_scoped};

/// The positions of a block.
pub const BLOCK: usize = 64;

/// Why positions have no new scores.
#[derive(Debug, Error)]
pub enum RelabelError {
    #[error(transparent)]
    Engine(#[from] ClientError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
}

/// How positions are scored.
pub struct RelabelJob<'a> {
    /// Starts the engine.
    pub engine: &'a (dyn Fn() -> Command + Sync),
    /// Options of the engine.
    pub options: &'a [(String, String)],
    /// How long the engine may take for an answer.
    pub timeout: Duration,
    /// Nodes to search for each position.
    pub nodes: u64,
    /// Processes of the engine.
    pub engines: usize,
    /// Whether to end early.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// The number of a block and its scores.
type NumberedBlock = (u64, Vec<Option<i32>>);

/// What a thread sends for each block.
type Scored = Result<NumberedBlock, RelabelError>;

/// What the threads share.
struct Shared<'a> {
    job: &'a RelabelJob<'a>,
    fens: &'a [String],
    /// The next block to begin.
    next: AtomicU64,
    /// Whether to end early.
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// The scores of the positions `fens` in centipawns from White's side; `None` for a mate and
/// for a finished game. If the job is stopped, or with an error, only the first ones.
/// `progress` is called with the number of positions that are done.
pub fn relabel(
    job: &RelabelJob<'_>,
    fens: &[String],
    mut progress: impl FnMut(usize),
) -> (Vec<Option<i32>>, Result<(), RelabelError>) {
    let has_failed = AtomicBool::new(false);
    let is_stopped = || has_failed.load(Ordering::Relaxed) || (job.is_stopped)();
    let shared = Shared { job, fens, next: AtomicU64::new(0), is_stopped: &is_stopped };
    let engines = job.engines.min(fens.len().div_ceil(BLOCK));
    let mut scores = Vec::with_capacity(fens.len());
    let finished = thread::scope(|scope| {
        let (sender, inbox) = channel();
        let started = (0..engines).try_for_each(|_| shared.start_worker(scope, sender.clone()));
        // The channel closes when the last worker drops its sender.
        drop(sender);
        let mut blocks = InOrder::new(0);
        let mut collect = |scored: Scored| {
            let (block, values) = scored?;
            blocks.add(block, values);
            while let Some(values) = blocks.pop() {
                scores.extend(values);
                progress(scores.len());
            }
            Ok(())
        };
        let result = started.and_then(|()| inbox.into_iter().try_for_each(&mut collect));
        // Only now: the engines that this interrupts must not come before the error.
        has_failed.store(result.is_err(), Ordering::Relaxed);
        match result {
            Err(RelabelError::Engine(error)) if error.is_interrupt() => Ok(()),
            result => result,
        }
    });
    (scores, finished)
}

impl Shared<'_> {
    /// Starts a thread that starts an engine and lets it score one block after the other.
    fn start_worker<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        sender: Sender<Scored>,
    ) -> Result<(), RelabelError> {
        let work = move || {
            let score_all = || {
                let mut engine = self.start_engine()?;
                while let Some(scored) = self.score_next(&mut engine)? {
                    // Fails if there was an error.
                    if sender.send(Ok(scored)).is_err() {
                        break;
                    }
                }
                Ok(())
            };
            if let Err(error) = score_all() {
                let _ = sender.send(Err(error));
            }
        };
        start_scoped(scope, "label", SMALL_STACK_BYTES, work)?;
        Ok(())
    }

    fn start_engine(&self) -> Result<EngineClient<'_>, RelabelError> {
        let RelabelJob { engine, options, timeout, .. } = self.job;
        let mut client = EngineClient::start(engine(), *timeout, self.is_stopped)?;
        for (name, value) in *options {
            client.set_option(name, value)?;
        }
        client.wait_until_ready()?;
        Ok(client)
    }

    /// Scores the next block; `None` if there is none.
    fn score_next(
        &self,
        engine: &mut EngineClient<'_>,
    ) -> Result<Option<NumberedBlock>, RelabelError> {
        let block = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(fens) = self.fens.chunks(BLOCK).nth(block as usize) else {
            return Ok(None);
        };
        engine.new_game()?;
        let scores = fens.iter().map(|fen| self.score(engine, &Position::from_fen(fen)?));
        Ok(Some((block, scores.collect::<Result<_, _>>()?)))
    }

    fn score(
        &self,
        engine: &mut EngineClient<'_>,
        position: &Position,
    ) -> Result<Option<i32>, RelabelError> {
        let answer = engine.search(position, &[], GoLimit::Nodes(self.job.nodes))?;
        let score = answer.line().map(|line| line.score).filter(|score| !score.is_mate());
        Ok(score.map(|score| score.cp() * position.side_to_move().sign()))
    }
}
