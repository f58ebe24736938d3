//! `lovec analyse`: searches a position.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::ArgGroup;
use serde::Serialize;

use crate::chess::notation::written::{WrittenLine, WrittenMove};
use crate::chess::{Move, Position};
use crate::cli::arguments::{HashArgs, LimitArgs, ThreadArgs};
use crate::cli::board::{Board, drawn};
use crate::cli::score::pawns;
use crate::cli::style::{self, BEST, paint};
use crate::cli::tables::TableArgs;
use crate::cli::{CommandStatus, Interrupt, PositionArgs, json, progress, whole};
use crate::eval::Score;
use crate::search::{Control, Limits, Report, Reporter, SearchOptions, SearchRequest, Searcher};

const EXAMPLES: &str = "\
Scores are in pawns, from the point of view of the side to move; `#3` is mate in three.
A depth with the same score and line as the previous one is not shown. The search ends
when a mate is proven to be the shortest. Ctrl-C ends it and shows the best move.

Examples:
  lovec analyse startpos
  lovec analyse startpos moves e2e4 c7c5
  lovec analyse \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\" --depth 10
  lovec analyse --pgn games.pgn --game 3 --at 17b
  lovec analyse startpos --movetime 10000 --multipv 3 --json
  lovec analyse startpos --movetime 60000 --threads 8 --hash 4096
  lovec analyse \"8/8/8/4k3/8/8/1Q6/K6r w - - 0 1\" --syzygy /tables/3-4-5:/tables/6";

const DEFAULT_MS: u64 = 5_000;

/// The longest mate, in moves, that is proven to be the shortest.
const MAX_PROVEN_MATE: i32 = 5;
/// The node limit of such a proof, during which the search waits.
const PROOF_NODES: u64 = 200_000;

/// Search a position and show the best lines
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("given").args(PositionArgs::NAMES).required(true).multiple(true))]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    limit: LimitArgs<DEFAULT_MS, 0>,
    /// How many lines to show
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u16>(1, 256))]
    multipv: u16,
    #[command(flatten)]
    search: ThreadArgs,
    #[command(flatten)]
    table: HashArgs<64>,
    #[command(flatten)]
    tables: TableArgs,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let position = args.position.read()?;
    let mut searcher = Searcher::new(args.table.hash as usize)?;
    if let Err(error) = searcher.set_threads(args.search.threads.into()) {
        log::warn!("{error}");
    }
    searcher.tables = args.tables.open()?;
    let interrupt = Interrupt::catch()?;
    let options = SearchOptions { multi_pv: args.multipv.into(), ..SearchOptions::default() };
    let limits = args.limit.limits();
    if !args.json {
        writeln!(out, "{}", drawn(&position, position.last_move(), Board::Ascii, false))?;
        writeln!(out, "{}\n", position.fen())?;
        writeln!(out, "{:>5} {:>7} {:>8} {:>12}  line", "depth", "score", "seconds", "nodes")?;
    }
    let start = Instant::now();
    let control = interrupt.stop.control();
    let mut analysis = Analysis {
        position: &position,
        control: Arc::clone(&control),
        proves_mates: args.multipv == 1,
        unproven: None,
        lines: BTreeMap::new(),
        live: if args.json { None } else { Some(&mut *out) },
        failure: None,
    };
    let request = SearchRequest { position: position.for_search(), limits, options, control };
    let time = request.limits.movetime;
    let search = || searcher.search(request, &mut analysis);
    // Without JSON each depth is shown.
    let outcome = match args.json {
        true => progress::while_waiting("searching; Ctrl-C stops", time, search),
        false => search(),
    };
    analysis.show_last();
    let Analysis { lines, failure, .. } = analysis;
    failure.map_or(Ok(()), Err)?;
    if args.json {
        let analysis = JsonAnalysis {
            fen: position.fen(),
            best_move: outcome.best.map(|best| WrittenMove::new(&position, best)),
            lines: lines.into_values().collect(),
            depth: outcome.depth,
            nodes: outcome.nodes,
            milliseconds: start.elapsed().as_millis() as u64,
            interrupted: interrupt.is_raised(),
        };
        json::write(out, "lovec.analyse/1", &analysis)?;
    } else {
        writeln!(out, "{}", conclusion(&position, outcome.best))?;
    }
    Ok(interrupt.status(CommandStatus::Passed))
}

#[derive(Serialize)]
struct JsonAnalysis {
    fen: String,
    best_move: Option<WrittenMove>,
    lines: Vec<AnalysisRow>,
    depth: u8,
    nodes: u64,
    milliseconds: u64,
    interrupted: bool,
}

/// The last report of one of the best lines.
#[derive(Serialize)]
struct AnalysisRow {
    multipv: usize,
    depth: u8,
    seldepth: usize,
    score: Score,
    #[serde(skip)]
    elapsed: Duration,
    #[serde(skip)]
    nodes: u64,
    #[serde(flatten)]
    line: WrittenLine,
    /// The depth at which this score and this line were shown; a greater one is not.
    #[serde(skip)]
    shown_at: u8,
}

/// Follows a search.
struct Analysis<'a> {
    position: &'a Position,
    control: Arc<Control>,
    /// Whether the search ends with a mate that is proven to be the shortest; not with
    /// several lines.
    proves_mates: bool,
    /// The length of the mate, in moves, of which a proof has failed.
    unproven: Option<i32>,
    /// By number, from 1.
    lines: BTreeMap<usize, AnalysisRow>,
    /// Where to show each report at once.
    live: Option<&'a mut dyn Write>,
    failure: Option<io::Error>,
}

impl Reporter for Analysis<'_> {
    fn report(&mut self, report: &Report<'_>) {
        if !report.is_final() {
            return;
        }
        let &Report { depth, seldepth, score, elapsed, nodes, multipv, .. } = report;
        let line = WrittenLine::new(self.position, report.pv);
        let mut row =
            AnalysisRow { multipv, depth, seldepth, score, elapsed, nodes, line, shown_at: 0 };
        let before = self.lines.get(&multipv);
        match before.filter(|before| before.score == score && before.line.uci == row.line.uci) {
            Some(before) => row.shown_at = before.shown_at,
            None => self.show(&mut row),
        }
        self.lines.insert(multipv, row);
        if self.proves_mates && multipv == 1 && self.is_shortest_mate(score) {
            self.control.stop();
        }
    }
}

impl Analysis<'_> {
    fn show(&mut self, row: &mut AnalysisRow) {
        row.shown_at = row.depth;
        let Some(out) = self.live.as_mut() else { return };
        let written = writeln!(
            out,
            "{:>5} {} {:>8.2} {:>12}  {}",
            row.depth,
            paint(style::of_score(row.score), format_args!("{:>7}", pawns(row.score))),
            row.elapsed.as_secs_f64(),
            row.nodes,
            row.line.numbered(self.position)
        );
        self.failure = self.failure.take().or(written.err());
    }

    /// Shows the last depth of each line, if it was not shown.
    fn show_last(&mut self) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.values_mut().filter(|row| row.depth > row.shown_at).for_each(|row| self.show(row));
        self.lines = lines;
    }

    /// Whether a score is a mate of the side to move, and no shorter one exists.
    fn is_shortest_mate(&mut self, score: Score) -> bool {
        let Some(moves @ 1..=MAX_PROVEN_MATE) = score.mate_distance_moves() else { return false };
        if moves == 1 {
            return true;
        }
        if self.unproven == Some(moves) || self.control.is_stopped() {
            return false;
        }
        let is_proven = refutes_mate(self.position, (moves - 1) as u8);
        self.unproven = if is_proven { None } else { Some(moves) };
        is_proven
    }
}

/// Proves that there is no mate in `moves` moves. A search for such a mate ends with the
/// mate, at a limit, or, after the iteration that is as deep as the mate, with the proof.
fn refutes_mate(position: &Position, moves: u8) -> bool {
    let Ok(mut searcher) = Searcher::new(1) else { return false };
    let limits = Limits { mate: Some(moves), nodes: Some(PROOF_NODES), ..Limits::default() };
    let outcome = searcher.search(SearchRequest::new(position.clone(), limits), &mut ());
    let found = outcome.score.mate_distance_moves().is_some_and(|mate| mate > 0);
    !found && outcome.nodes < PROOF_NODES && outcome.depth == 2 * moves - 1
}

fn conclusion(position: &Position, best: Option<Move>) -> String {
    match best {
        Some(best) => {
            let WrittenMove { san, uci } = WrittenMove::new(position, best);
            format!("best move: {} ({uci})", paint(BEST, san))
        }
        None if position.in_check() => "checkmate".to_owned(),
        None => "stalemate".to_owned(),
    }
}
