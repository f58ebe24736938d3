//! Another engine that searches instead of Lovec.

use std::time::Duration;

use crate::chess::Position;
use crate::client::{ClientError, EngineAnswer, EngineClient, EngineCommand, EngineLine, GoLimit};
use crate::eval::Score;
use crate::eval::wdl::{MODEL, material};
use crate::insight::{Examination, SearchedLine};
use crate::search::Limits;

/// Whether an engine should end.
pub type IsStopped<'a> = &'a (dyn Fn() -> bool + Sync);

/// Another engine.
#[derive(Clone, Debug)]
pub struct OtherEngine {
    pub command: EngineCommand,
    /// As the engine calls itself.
    pub name: String,
    /// How long it may take for an answer, beside the time that it is given to search.
    pub timeout: Duration,
}

impl OtherEngine {
    /// Starts the engine with one thread and a transposition table of `hash_mib` MiB, and with
    /// probabilities in its reports, as far as it has these options.
    pub fn start<'a>(
        &self,
        hash_mib: usize,
        is_stopped: IsStopped<'a>,
    ) -> Result<EngineClient<'a>, ClientError> {
        let mut client = EngineClient::start(self.command.process(), self.timeout, is_stopped)?;
        let hash = hash_mib.to_string();
        for (name, value) in [("Threads", "1"), ("Hash", &hash), ("UCI_ShowWDL", "true")] {
            if client.has_option(name) {
                client.set_option(name, value)?;
            }
        }
        client.wait_until_ready()?;
        Ok(client)
    }
}

/// The best `lines` lines of a position by an engine with empty memory. A game that is drawn by
/// rule is over.
pub fn examine(
    engine: &mut EngineClient<'_>,
    position: &Position,
    lines: usize,
    limits: &Limits,
) -> Result<Examination, ClientError> {
    match SearchedLine::of_finished_game(position) {
        Some(line) => Ok(Examination { lines: vec![line], nodes: 0 }),
        None => Ok(examination(position, &search(engine, position, lines, limits)?)),
    }
}

fn search(
    engine: &mut EngineClient<'_>,
    position: &Position,
    lines: usize,
    limits: &Limits,
) -> Result<EngineAnswer, ClientError> {
    if engine.has_option("MultiPV") {
        engine.set_option("MultiPV", &lines.to_string())?;
    }
    engine.new_game()?;
    let (start, moves) = position.start_and_moves();
    let limit = GoLimit::first(limits.nodes, limits.depth, limits.movetime);
    engine.search(&start, &moves, limit)
}

/// The lines of an answer. If none has a move, the one that the engine would play is the line,
/// with the score of the first.
fn examination(position: &Position, answer: &EngineAnswer) -> Examination {
    let lines = answer.lines.iter().filter(|line| !line.pv.is_empty());
    let mut lines: Vec<SearchedLine> = lines.map(|line| searched_line(position, line)).collect();
    if lines.is_empty() {
        let score = answer.lines.first().map_or(Score::ZERO, |line| line.score);
        let wdl = MODEL.wdl(score, material(position.state()));
        lines.push(SearchedLine { score, wdl, moves: answer.best.into_iter().collect(), depth: 0 });
    }
    Examination { lines, nodes: answer.nodes }
}

/// A line with the probabilities of the engine, or with Lovec's for its score.
fn searched_line(position: &Position, line: &EngineLine) -> SearchedLine {
    let score = line.score;
    let wdl = line.wdl.unwrap_or_else(|| MODEL.wdl(score, material(position.state())));
    let depth = line.depth.min(u32::from(u8::MAX)) as u8;
    SearchedLine { score, wdl, moves: line.pv.clone(), depth }
}
