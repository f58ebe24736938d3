//! New scores for labelled positions from any UCI engine: a teacher that is stronger than
//! the searches that played the games.
//!
//! The score is the last that the engine reports. A search by nodes often ends with a bound,
//! which is nearer to the score of a long search than the last exact score, of the iteration
//! before.
//!
//! Blocks of positions are shared by several processes of the engine. Each block begins a
//! new game, so that the scores do not depend on the number of processes.

use std::io;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use thiserror::Error;

use crate::chess::Position;
use crate::chess::notation::fen::FenError;
use crate::client::{ClientError, EngineClient, GoLimit};
use crate::util::tasks::Tasks;
use crate::util::thread::SMALL_STACK_BYTES;

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
    let blocks: Vec<&[String]> = fens.chunks(BLOCK).collect();
    let tasks = Tasks {
        numbers: 0..blocks.len() as u64,
        threads: job.engines,
        name: "label",
        stack_bytes: SMALL_STACK_BYTES,
        is_stopped: &is_stopped,
    };
    let mut scores = Vec::with_capacity(fens.len());
    let result = tasks.in_order(
        |_| job.start_engine(&is_stopped),
        |engine, block| job.score_all(engine, blocks[block as usize]).map(Some),
        || has_failed.store(true, Ordering::Relaxed),
        |values| {
            scores.extend(values);
            progress(scores.len());
            Ok(())
        },
    );
    match result {
        Err(RelabelError::Engine(error)) if error.is_interrupt() => (scores, Ok(())),
        result => (scores, result.map(drop)),
    }
}

impl RelabelJob<'_> {
    fn start_engine<'a>(
        &self,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<EngineClient<'a>, RelabelError> {
        let mut client = EngineClient::start((self.engine)(), self.timeout, is_stopped)?;
        for (name, value) in self.options {
            client.set_option(name, value)?;
        }
        client.wait_until_ready()?;
        Ok(client)
    }

    /// Scores the positions of a block.
    fn score_all(
        &self,
        engine: &mut EngineClient<'_>,
        fens: &[String],
    ) -> Result<Vec<Option<i32>>, RelabelError> {
        engine.new_game()?;
        let score = |fen: &String| {
            let position = Position::from_fen(fen)?;
            let answer = engine.search(&position, &[], GoLimit::Nodes(self.nodes))?;
            let score = answer.last_score.filter(|score| !score.is_mate());
            Ok(score.map(|score| score.cp() * position.side_to_move().sign()))
        };
        fens.iter().map(score).collect()
    }
}
