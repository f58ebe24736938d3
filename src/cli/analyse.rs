//! `lovec analyse`: the best move, for people and for programs.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::value_parser;
use serde_json::{Value, json};

use crate::chess::{Move, Position};
use crate::cli::limit::{LimitArgs, mebibytes, threads};
use crate::cli::position::Line;
use crate::cli::tables::TableArgs;
use crate::cli::{Verdict, position};
use crate::eval::Score;
use crate::search::{Bound, Control, Outcome, Report, Reporter, SearchOptions, Searcher};

const EXAMPLES: &str = "\
Scores are in pawns, from the side of the player to move; `#3` is mate in three.

Examples:
  lovec analyse startpos
  lovec analyse \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\" --depth 10
  lovec analyse startpos --movetime 10000 --multipv 3 --json
  lovec analyse startpos --movetime 60000 --threads 8 --hash 4096
  lovec analyse \"8/8/8/4k3/8/8/1Q6/K6r w - - 0 1\" --syzygy /tables/3-4-5:/tables/6";

const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Search a position and show the best lines
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The position: a FEN or `startpos`
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    position: Vec<String>,
    #[command(flatten)]
    limit: LimitArgs,
    /// How many lines to show
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// How many threads search
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = threads())]
    threads: u16,
    /// Size of the transposition table in MiB
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = mebibytes())]
    hash: u32,
    #[command(flatten)]
    tables: TableArgs,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<Verdict> {
    let position = position::parse(&args.position)?;
    let mut searcher = Searcher::new(args.hash as usize)?;
    if let Err(error) = searcher.set_threads(args.threads.into()) {
        log::warn!("{error}");
    }
    searcher.tables = args.tables.open()?;
    let options = SearchOptions { multi_pv: args.multipv.into(), ..SearchOptions::default() };
    let limits = args.limit.limits(DEFAULT_TIME);
    let start = Instant::now();
    let control = Control::new(start, false);
    let mut analysis =
        Analysis { position: &position, lines: BTreeMap::new(), live: None, failure: None };
    if !args.json {
        writeln!(out, "{position}")?;
        writeln!(out, "{:>5} {:>7} {:>8} {:>12}  line", "depth", "score", "seconds", "nodes")?;
        analysis.live = Some(out);
    }
    let outcome = searcher.search(&position, &limits, &options, &control, start, &mut analysis);
    let Analysis { lines, failure, .. } = analysis;
    failure.map_or(Ok(()), Err)?;
    if args.json {
        writeln!(out, "{:#}", to_json(&position, &outcome, &lines, start.elapsed()))?;
    } else {
        writeln!(out, "{}", conclusion(&position, outcome.best))?;
    }
    Ok(Verdict::Passed)
}

/// The last report of one of the best lines.
struct Row {
    depth: u8,
    seldepth: usize,
    score: Score,
    line: Line,
}

/// Follows a search.
struct Analysis<'a> {
    position: &'a Position,
    /// By number, from 1.
    lines: BTreeMap<usize, Row>,
    /// Where to show each report as it comes.
    live: Option<&'a mut dyn Write>,
    failure: Option<io::Error>,
}

impl Reporter for Analysis<'_> {
    fn report(&mut self, report: &Report<'_>) {
        if report.bound != Bound::Exact {
            return;
        }
        let &Report { depth, seldepth, score, .. } = report;
        let line = Line::new(self.position, report.pv);
        if let Some(out) = self.live.as_mut() {
            let written = writeln!(
                out,
                "{depth:>5} {:>7} {:>8.2} {:>12}  {}",
                pawns(score),
                report.elapsed.as_secs_f64(),
                report.nodes,
                line.san.join(" ")
            );
            self.failure = self.failure.take().or(written.err());
        }
        self.lines.insert(report.multipv, Row { depth, seldepth, score, line });
    }
}

/// `+0.31`, `#-4`.
fn pawns(score: Score) -> String {
    match score.mate_distance_moves() {
        Some(moves) => format!("#{moves}"),
        None => format!("{:+.2}", f64::from(score.cp()) / 100.0),
    }
}

fn conclusion(position: &Position, best: Option<Move>) -> String {
    match best {
        Some(best) => {
            let Line { san, uci } = Line::new(position, &[best]);
            format!("best move: {} ({})", san.concat(), uci.concat())
        }
        None if position.in_check() => "checkmate".to_owned(),
        None => "stalemate".to_owned(),
    }
}

fn to_json(
    position: &Position,
    outcome: &Outcome,
    lines: &BTreeMap<usize, Row>,
    elapsed: Duration,
) -> Value {
    let best = outcome.best.map(|best| {
        let Line { san, uci } = Line::new(position, &[best]);
        json!({ "san": san.concat(), "uci": uci.concat() })
    });
    let lines: Vec<Value> = lines
        .iter()
        .map(|(number, row)| {
            json!({
                "multipv": number,
                "depth": row.depth,
                "seldepth": row.seldepth,
                "score": score_to_json(row.score),
                "san": row.line.san,
                "uci": row.line.uci,
            })
        })
        .collect();
    json!({
        "fen": position.fen(),
        "best_move": best,
        "lines": lines,
        "depth": outcome.depth,
        "nodes": outcome.nodes,
        "milliseconds": elapsed.as_millis() as u64,
    })
}

fn score_to_json(score: Score) -> Value {
    match score.mate_distance_moves() {
        Some(moves) => json!({ "mate": moves }),
        None => json!({ "cp": score.cp() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

    fn output(fen: &str, json: bool) -> String {
        let limit = LimitArgs::to_depth(3);
        let position = vec![fen.to_owned()];
        let tables = TableArgs::default();
        let args = Args { position, limit, multipv: 1, threads: 2, hash: 1, tables, json };
        let mut out = Vec::new();
        run(&args, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_last_line_is_the_best_move() {
        assert!(output(MATE_IN_ONE, false).ends_with("\nbest move: Ra8# (a1a8)\n"));
        assert!(output("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", false).ends_with("\ncheckmate\n"));
        assert!(output("k7/8/1Q6/8/8/8/8/6K1 b - - 0 1", false).ends_with("\nstalemate\n"));
    }

    #[test]
    fn json_holds_the_line() {
        let value: Value = serde_json::from_str(&output(MATE_IN_ONE, true)).unwrap();
        assert_eq!(value["best_move"]["uci"], "a1a8");
        assert_eq!(value["lines"][0]["score"]["mate"], 1);
        assert_eq!(value["lines"][0]["san"][0], "Ra8#");
    }

    #[test]
    fn scores_are_in_pawns() {
        assert_eq!(pawns(Score::new(31)), "+0.31");
        assert_eq!(pawns(Score::new(-250)), "-2.50");
        assert_eq!(pawns(Score::mated_in(4)), "#-2");
    }
}
