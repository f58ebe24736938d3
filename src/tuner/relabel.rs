//! New scores for labelled positions from any UCI engine: a teacher that is stronger than
//! the searches that played the games.
//!
//! The score is the last that the engine reports. A search by nodes often ends with a bound,
//! which is nearer to the score of a long search than the last exact score, of the iteration
//! before.
//!
//! Blocks of positions are shared by several processes of the engine. Each block begins a
//! new game, so that the scores do not depend on the number of processes. The file
//! ([`Store`]) grows by whole blocks in their order, so that the same command continues.

use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::chess::Position;
use crate::chess::notation::fen::FenError;
use crate::client::{ClientError, EngineClient, GoLimit};
use crate::util::store::{RecordCounts, Store, StoreError, StoreSummary};
use crate::util::tasks::Tasks;
use crate::util::thread::SMALL_STACK_BYTES;

/// The positions of a block.
const BLOCK: usize = 64;

/// Why positions have no new scores.
#[derive(Debug, Error)]
pub enum RelabelError {
    #[error(transparent)]
    Engine(#[from] ClientError),
    #[error("{fault}; {searched} positions are done, and the same command continues")]
    Unfinished { fault: ClientError, searched: u64 },
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How many positions were searched, and how many of them are in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelCounts {
    pub searched: u64,
    pub written: u64,
}

impl RecordCounts for LabelCounts {
    const COMMAND: &'static str = "label";
    const RECORDS: &'static str = "positions";
}

/// The FEN of a position, and the result of its game.
pub type PlayedPosition = (String, f32);

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

/// Scores positions until the file at `path` has all, or until the job is stopped. A position
/// that is over or a mate has no line there. The file may have some of them, if it was begun
/// with the same `settings`. `progress` is called with the number of positions that are done,
/// earlier ones included.
///
/// # Errors
///
/// Before the first search and without changes, if the file cannot be written, was not
/// written by `label`, or was begun with other settings. Later, if an engine fails, or there is
/// no thread or no space; the blocks before are then kept.
pub fn relabel(
    path: &Path,
    settings: Map<String, Value>,
    job: &RelabelJob<'_>,
    positions: &[PlayedPosition],
    mut progress: impl FnMut(u64),
) -> Result<StoreSummary<LabelCounts>, RelabelError> {
    let mut store = Store::<LabelCounts>::find(path, settings)?;
    let mut counts = store.summary().found;
    progress(counts.searched);
    if counts.searched >= positions.len() as u64 {
        // Without any positions there is a file, too.
        if positions.is_empty() {
            store.open()?;
        }
        return Ok(store.summary());
    }
    let has_failed = AtomicBool::new(false);
    let is_stopped = || has_failed.load(Ordering::Relaxed) || (job.is_stopped)();
    let blocks: Vec<&[PlayedPosition]> = positions.chunks(BLOCK).collect();
    let tasks = Tasks {
        numbers: counts.searched / BLOCK as u64..blocks.len() as u64,
        threads: job.engines,
        name: "label",
        stack_bytes: SMALL_STACK_BYTES,
        is_stopped: &is_stopped,
    };
    let result = tasks.in_order(
        |_| job.start_engine(&is_stopped),
        |engine, block| job.lines(engine, blocks[block as usize]).map(Some),
        || has_failed.store(true, Ordering::Relaxed),
        |lines| {
            counts.searched += lines.len() as u64;
            let lines: Vec<String> = lines.into_iter().flatten().collect();
            // A progress file may contain any number.
            counts.written = counts.written.saturating_add(lines.len() as u64);
            store.add(&lines.concat(), counts)?;
            progress(counts.searched);
            Ok(())
        },
    );
    match result {
        // The file has failed.
        Err(RelabelError::Store(_)) => {}
        _ => store.flush()?,
    }
    match result {
        Err(RelabelError::Engine(fault)) if fault.is_interrupt() => {}
        Err(RelabelError::Engine(fault)) if counts.searched > 0 => {
            return Err(RelabelError::Unfinished { fault, searched: counts.searched });
        }
        result => drop(result?),
    }
    Ok(store.summary())
}

impl RelabelJob<'_> {
    /// Starts the engine, with its options.
    pub fn start_engine<'a>(
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

    /// The lines of the positions of a block; `None` for a mate and for a finished game.
    fn lines(
        &self,
        engine: &mut EngineClient<'_>,
        block: &[PlayedPosition],
    ) -> Result<Vec<Option<String>>, RelabelError> {
        engine.new_game()?;
        let line = |(fen, result): &PlayedPosition| {
            let position = Position::from_fen(fen)?;
            let answer = engine.search(&position, &[], GoLimit::Nodes(self.nodes))?;
            let score = answer.last_score.filter(|score| !score.is_mate());
            let score = score.map(|score| score.cp() * position.side_to_move().sign());
            Ok(score.map(|score| format!("{fen} | {score} | {result:?}\n")))
        };
        block.iter().map(line).collect()
    }
}
