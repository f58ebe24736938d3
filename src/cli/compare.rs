//! `lovec compare`: two engines on the same positions.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use crate::chess::Position;
use crate::chess::notation::epd::Epd;
use crate::chess::notation::written::{WrittenLine, WrittenMove};
use crate::cli::arguments::{HashArgs, LimitArgs, name_and_value};
use crate::cli::score::pawns;
use crate::cli::style::{BEST, FAINT, paint};
use crate::cli::suite::{self, SuiteFile};
use crate::cli::{CommandStatus, Interrupt, json, progress, whole};
use crate::client::{EngineAnswer, EngineCommand, GoLimit};
use crate::eval::Score;
use crate::suite::compare::{CompareError, ComparedAnswers, ComparedEvaluation, EnginePair, Place};
use crate::util::foreign_text::visible;

const EXAMPLES: &str = "\
Each position is searched by both engines with an empty table, and shown if the moves or
the scores differ. Scores are from the side to move. If both engines are Lovec without
arguments, the terms of the evaluation follow that differ in the position and at the ends
of both lines, from White's side, new less old.

Examples:
  lovec compare ./old ./new suite.epd
  lovec compare ./old ./new suite.epd --depth 10 --json
  lovec compare ./lovec stockfish suite.epd --movetime 1000 --option Threads=2
  lovec compare \"lc0 --weights=a.pb\" \"lc0 --weights=b.pb\" suite.epd";

const DEFAULT_NODES: u64 = 100_000;

/// Compare two engines on the positions of a suite
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The old engine, a UCI engine with its arguments; the words are separated by spaces
    #[arg(value_name = "OLD")]
    old: EngineCommand,
    /// The new engine
    #[arg(value_name = "NEW")]
    new: EngineCommand,
    /// Positions, a FEN or an EPD on each line
    #[arg(value_name = "SUITE")]
    suite: PathBuf,
    /// At most one limit; without one 100 000 nodes
    #[command(flatten)]
    limit: LimitArgs<0, DEFAULT_NODES>,
    #[command(flatten)]
    table: HashArgs<16>,
    /// An option of both engines
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    /// Seconds that an engine may take for an answer, beside the time of a search
    #[arg(long, default_value_t = 60, value_name = "S", value_parser = whole::<u64>(1, 86_400))]
    timeout: u64,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let SuiteFile { entries: suite, is_whole } =
        suite::read(&args.suite, |_, line| Ok(line.parse::<Epd>()?.with_name_alone()))?;
    let interrupt = Interrupt::catch()?;
    let is_stopped = || interrupt.is_raised();
    let limits = args.limit.limits();
    let limit = GoLimit::first(limits.nodes, limits.depth, limits.movetime);
    let timeout = Duration::from_secs(args.timeout);
    let commands = [&args.old, &args.new];
    let pair = EnginePair::start(commands, args.table.hash, &args.options, timeout, &is_stopped);
    let mut pair = match pair {
        Err(error) if error.is_interrupt() => return Ok(interrupt.status(CommandStatus::Passed)),
        pair => pair?,
    };
    let mut result = JsonComparison::new(args, &pair);
    let bar = progress::bar(suite.len());
    let mut failure = None;
    for (index, epd) in suite.iter().enumerate() {
        let compared = match pair.compare(&epd.position, limit) {
            Err(error) => {
                failure = Some(error).filter(|error| !is_interrupt(error));
                break;
            }
            Ok(compared) => compared,
        };
        bar.inc(1);
        if let Some(difference) = result.add(index, epd, compared)
            && !args.json
        {
            bar.suspend(|| write!(out, "{}", text(epd, difference)))?;
        }
    }
    bar.finish_and_clear();
    result.interrupted = interrupt.is_raised();
    // What came before an engine failed is not lost; as text it is shown already.
    if args.json && (failure.is_none() || result.positions > 0) {
        json::write(out, "lovec.compare/1", &result)?;
    } else if !args.json && failure.is_none() {
        writeln!(out, "{}", result.summary())?;
    }
    failure.map_or(Ok(interrupt.status(CommandStatus::of(is_whole))), |error| Err(error.into()))
}

fn is_interrupt(error: &CompareError) -> bool {
    matches!(error, CompareError::Engine(error) if error.is_interrupt())
}

#[derive(Serialize)]
struct JsonComparison {
    old: JsonEngine,
    new: JsonEngine,
    positions: usize,
    differ_in_move: usize,
    differ_in_score: usize,
    differences: Vec<JsonDifference>,
    interrupted: bool,
}

#[derive(Serialize)]
struct JsonEngine {
    command: String,
    name: String,
    /// Of all searches.
    nodes: u64,
}

/// A position whose moves or scores differ.
#[derive(Serialize)]
struct JsonDifference {
    /// The number of the position in the suite, from 1.
    number: usize,
    id: Option<String>,
    fen: String,
    old: JsonAnswer,
    new: JsonAnswer,
    evaluations: Vec<ComparedEvaluation>,
}

#[derive(Serialize)]
struct JsonAnswer {
    best_move: Option<WrittenMove>,
    /// `None` if the engine has reported none.
    score: Option<Score>,
    depth: Option<u32>,
    nodes: u64,
    #[serde(flatten)]
    line: WrittenLine,
}

impl JsonComparison {
    fn new(args: &Args, pair: &EnginePair<'_>) -> Self {
        let engine = |command: &EngineCommand, index: usize| JsonEngine {
            command: command.to_string(),
            name: pair.engines[index].name().to_owned(),
            nodes: 0,
        };
        Self {
            old: engine(&args.old, 0),
            new: engine(&args.new, 1),
            positions: 0,
            differ_in_move: 0,
            differ_in_score: 0,
            differences: Vec::new(),
            interrupted: false,
        }
    }

    /// Counts a position; returns the difference if there is one.
    fn add(
        &mut self,
        index: usize,
        epd: &Epd,
        compared: ComparedAnswers,
    ) -> Option<&JsonDifference> {
        let [old, new] = &compared.answers;
        self.positions += 1;
        self.old.nodes += old.nodes;
        self.new.nodes += new.nodes;
        let (moves, scores) = (compared.differs_in_move(), compared.differs_in_score());
        self.differ_in_move += usize::from(moves);
        self.differ_in_score += usize::from(scores);
        if !moves && !scores {
            return None;
        }
        self.differences.push(JsonDifference {
            number: index + 1,
            id: epd.id().map(str::to_owned),
            fen: epd.position.fen(),
            old: JsonAnswer::new(&epd.position, old),
            new: JsonAnswer::new(&epd.position, new),
            evaluations: compared.evaluations,
        });
        self.differences.last()
    }

    fn summary(&self) -> String {
        let Self { positions, differ_in_move, differ_in_score, old, new, .. } = self;
        let interrupted = if self.interrupted { "interrupted: " } else { "" };
        format!(
            "{interrupted}{differ_in_move} of {positions} moves and {differ_in_score} scores \
             differ; {} nodes of {}, {} nodes of {}",
            old.nodes,
            visible(&old.name),
            new.nodes,
            visible(&new.name)
        )
    }
}

impl JsonAnswer {
    fn new(position: &Position, answer: &EngineAnswer) -> Self {
        let line = answer.line();
        Self {
            best_move: answer.best.map(|best| WrittenMove::new(position, best)),
            score: line.map(|line| line.score),
            depth: line.map(|line| line.depth),
            nodes: answer.nodes,
            line: WrittenLine::new(position, line.map_or(&[], |line| &line.pv)),
        }
    }

    fn text(&self, position: &Position) -> String {
        let san = self.best_move.as_ref().map_or("-", |best| &best.san);
        let score = self.score.map_or_else(|| "-".to_owned(), pawns);
        let (depth, line) = (self.depth.unwrap_or(0), self.line.numbered(position));
        format!("{} {score:>7}  depth {depth}  {line}", paint(BEST, format!("{san:<7}")))
    }
}

/// Terms that are shown of an evaluation.
const MAX_TERMS: usize = 8;

fn text(epd: &Epd, difference: &JsonDifference) -> String {
    let JsonDifference { number, fen, old, new, evaluations, .. } = difference;
    let id = epd.id().map_or_else(|| format!("#{number}").into(), visible);
    let [old, new] = [old, new].map(|answer| answer.text(&epd.position));
    let mut text = format!("{id}  {}\n  old {old}\n  new {new}\n", paint(FAINT, fen));
    let is_different =
        |it: &&ComparedEvaluation| it.old_white_score != it.new_white_score || !it.terms.is_empty();
    for evaluation in evaluations.iter().filter(is_different) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {}", evaluation_text(evaluation));
    }
    if !evaluations.is_empty() && text.lines().count() == 3 {
        text += "  the evaluations are the same\n";
    }
    text
}

/// `evaluation +0.31, new +0.25: mobility -0.04, space -0.02`.
fn evaluation_text(evaluation: &ComparedEvaluation) -> String {
    let place = match evaluation.place {
        Place::Position => "evaluation",
        Place::EndOfOldLine => "after the old line",
        Place::EndOfNewLine => "after the new line",
    };
    let scores = [evaluation.old_white_score, evaluation.new_white_score];
    let [old, new] = scores.map(|score| score.map_or_else(|| "-".to_owned(), pawns));
    let shown = evaluation.terms.iter().take(MAX_TERMS);
    let terms: Vec<String> = shown.map(|(term, by)| format!("{term} {:+.2}", by / 100.0)).collect();
    let more = match evaluation.terms.len().saturating_sub(MAX_TERMS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{place}: old {old}, new {new}: {}{more}", terms.join(", "))
}
