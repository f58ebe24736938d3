//! `lovec lab compare`: algorithms on the same positions.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use serde::Serialize;

use crate::chess::Position;
use crate::chess::notation::uci;
use crate::cli::lab::limit::{LabLimitArgs, read_evaluation};
use crate::cli::lab::table::{self, JsonTableRow, TableRow};
use crate::cli::outputs::{ForceArg, OutputPath};
use crate::cli::position::PositionText;
use crate::cli::suite::{self, SuiteFile};
use crate::cli::{CommandStatus, Interrupt, json, progress, whole};
use crate::lab::board::BoardError;
use crate::lab::board::search_board::SEARCH_BOARDS;
use crate::lab::game::board_chess::BoardChess;
use crate::lab::game::{AnyGame, Chess, Draws};
use crate::lab::measure::{RowResult, measure};
use crate::lab::{Limit, Proof, Row, RowError};
use crate::page::chart::{Chart, Scale, Series};
use crate::suite::epd::EpdTask;

const EXAMPLES: &str = "\
Columns: kind is what the value is: complete, of the whole tree to the depth; an estimate, of a
part of it or with pruning or extensions; a mean of values; a chance to win, in the points that
stand for it; a best move if the bounds of the positions hold, with a value of a part; proved
or disproved, a lower or an upper bound; open, the static value; unstable, of passes that do
not agree. Nodes are visits: a node that is searched again counts again. Leaves are nodes that
get a static value or end the game; qnodes are nodes below leaves; hits are nodes found in the
table, cuts nodes that ended there; EBF is leaves per leaf of the depth before, or else their
root by the depth; first-cut is the share of cutoffs by the first move; passes are searches of
the root; deepest is the longest path, below leaves too: what grows a tree may end before the
depth; peak is what was kept in memory at a time; ratio is nodes per node of the first
algorithm.

An algorithm takes settings after colons; `lovec lab list` shows them. Ctrl-C ends the
comparison with the rows so far.

Examples:
  lovec lab compare --algo minimax,ab,pvs --depth 1..4
  lovec lab compare --algo ab,ab:order=mvv,ab:order=mvv+killers+history --depth 5
  lovec lab compare --algo ab,pvs,lovec --depth 1..6 --deepen --table 1000000 --order tt,mvv
  lovec lab compare --epd wac.epd --algo ab,lovec --depth 4 --json
  lovec lab compare --algo minimax,ab,pvs --depth 1..5 --svg nodes.svg
  lovec lab compare --algo ab,ab:order=mvv --depth 1..5 --svg cuts.svg --plot first-cut
  lovec lab compare --algo ab:order=mvv --depth 1..4 --eval material --board 0x88
  lovec lab compare --game connect4:5x4 --algo ab,negascout --depth 8 --csv
  lovec lab compare --game tree:w=5,d=6,values=ordered --algo ab,negascout";

/// Run algorithms on the same positions, and compare values, nodes and times
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    position: PositionText,
    /// Positions to search instead; the table has their sums
    #[arg(long, value_name = "FILE", conflicts_with_all = PositionText::NAMES)]
    epd: Option<PathBuf>,
    /// A game other than chess
    #[arg(long, value_name = "GAME", conflicts_with_all = ["position", "fen", "epd", "eval", "draws"])]
    game: Option<String>,
    /// Algorithms with their settings
    #[arg(
        long,
        value_name = "NAME[:SETTING]",
        value_delimiter = ',',
        default_value = "minimax,negamax,ab,negascout,pvs"
    )]
    algo: Vec<String>,
    /// Depths to search to, as 5 or 1..6
    #[arg(long, value_name = "D", default_value = "1..4", value_parser = depths)]
    depth: RangeInclusive<u32>,
    #[command(flatten)]
    limit: LabLimitArgs,
    /// The evaluation of chess positions: lovec, material, mop-up, another one of
    /// `lovec lab list`, or a file of weights
    #[arg(long, value_name = "EVAL", default_value = "lovec")]
    eval: String,
    /// The board that chess is searched on, with moves in one order on all boards [default: the
    /// usual bitboards]
    #[arg(long, value_name = "BOARD", conflicts_with = "game", value_parser = SEARCH_BOARDS)]
    board: Option<String>,
    /// Which draws end a chess game: none, or path for repetition, fifty moves and material. What
    /// a table, mtdf, mtd or dfpn has found by the path of one line then also counts in others, so
    /// that their values, but not the wins of dfpn, are estimates; lovec always has these draws
    #[arg(long, value_name = "RULE", default_value = "none", value_parser = ["none", "path"])]
    draws: String,
    /// The order of moves, for all algorithms, as tt,mvv,killers; `lovec lab list` shows all
    #[arg(long, value_name = "WORDS")]
    order: Option<String>,
    /// Entries of a transposition table, for all algorithms
    #[arg(long, value_name = "N")]
    table: Option<String>,
    /// The value of leaves, for all algorithms, as static, captures or exchanges
    #[arg(long, value_name = "MODE")]
    leaf: Option<String>,
    /// Iterative deepening, for all algorithms
    #[arg(long)]
    deepen: bool,
    /// With --deepen: half the width of the first window around the last value
    #[arg(long, value_name = "N")]
    aspiration: Option<String>,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
    /// Show all columns; without it those that fit 80 characters
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    wide: bool,
    /// Write the table as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Draw a chart as well, a line for each algorithm over the depth
    #[arg(long, value_name = "FILE")]
    svg: Option<OutputPath>,
    #[command(flatten)]
    force: ForceArg,
    /// What the chart shows; nodes are shown with the nodes below leaves
    #[arg(long, value_name = "COLUMN", default_value = "nodes", requires = "svg")]
    plot: PlotColumn,
    /// The title of the chart [default: what it shows, by depth]
    #[arg(long, value_name = "TEXT", requires = "svg")]
    title: Option<String>,
}

/// A column that a chart can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlotColumn {
    Nodes,
    Leaves,
    Peak,
    Ms,
    Ratio,
    FirstCut,
    Solved,
}

/// Reads `5` or `1..6`, both ends included.
fn depths(text: &str) -> Result<RangeInclusive<u32>, String> {
    let depth = whole::<u32>(0, 100);
    let Some((first, last)) = text.split_once("..") else {
        return depth(text).map(|depth| depth..=depth);
    };
    let (first, last) = (depth(first)?, depth(last)?);
    if first > last {
        Err("the first depth is greater than the last".into())
    } else {
        Ok(first..=last)
    }
}

/// A game to search, with the right moves if they are known.
struct ComparedGame {
    game: AnyGame,
    task: Option<EpdTask>,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let rows = rows(args)?;
    let SuiteFile { entries: mut games, is_whole } = games(args)?;
    let svg = args.svg.as_ref().map(|path| path.prepare(args.force)).transpose()?;
    let interrupt = Interrupt::catch()?;
    let limit = args.limit.limit(&interrupt, u64::MAX);
    let table = measure_all(&rows, &mut games, args.depth.clone(), limit);
    let has_result = !interrupt.is_raised() || !table.is_empty();
    // An error of the file comes after the result.
    let written = svg
        .filter(|_| has_result)
        .map_or(Ok(()), |file| file.write(chart(args.plot, args.title.as_deref(), &table).svg()));
    if args.json {
        let position = games.first().filter(|_| games.len() == 1).and_then(|it| it.game.position());
        let rows = table.iter().map(|row| JsonTableRow::new(row, position, args.game.is_none()));
        let (rows, positions, interrupted) = (rows.collect(), games.len(), interrupt.is_raised());
        json::write(out, "lovec.lab-compare/1", &JsonComparison { positions, rows, interrupted })?;
    } else if args.csv {
        write!(out, "{}", table::csv(&table))?;
    } else {
        print(out, args, &table, games.len(), interrupt.is_raised())?;
    }
    written?;
    Ok(interrupt.status(CommandStatus::of(is_whole)))
}

#[derive(Serialize)]
struct JsonComparison<'a> {
    positions: usize,
    rows: Vec<JsonTableRow<'a>>,
    interrupted: bool,
}

/// The chart of a column. Results of a search that a limit has stopped are left out.
fn chart(column: PlotColumn, title: Option<&str>, table: &[TableRow]) -> Chart {
    let mut series: Vec<Series> = Vec::new();
    for row in table.iter().filter(|row| row.result.stopped.is_none()) {
        let RowResult { row: name, depth, .. } = &row.result;
        let Some(value) = column.value(row) else { continue };
        let point = (f64::from(*depth), value);
        match series.iter_mut().find(|series| series.name == *name) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name: name.clone(), points: vec![point] }),
        }
    }
    let (label, y_scale) = column.axis();
    let default = format!("{}{} by depth", label[..1].to_uppercase(), &label[1..]);
    let title = title.map_or(default, str::to_owned);
    let y_label = match (column, table.first()) {
        (PlotColumn::Ratio, Some(first)) => format!("nodes per node of {}", first.result.row),
        _ => label.to_owned(),
    };
    let x_label = "depth".to_owned();
    Chart { title, x_label, y_label, x_scale: Scale::Linear, y_scale, series }
}

impl PlotColumn {
    /// The value in a row of the table; `None` if there is none.
    fn value(self, row: &TableRow) -> Option<f64> {
        let result = &row.result;
        match self {
            Self::Nodes => Some(result.nodes()),
            Self::Leaves => Some(result.counts.leaves as f64),
            Self::Peak => Some(result.counts.peak as f64),
            Self::Ms => Some(result.time.as_secs_f64() * 1000.0),
            Self::Ratio => row.ratio,
            Self::FirstCut => result.counts.first_cutoff_share(),
            Self::Solved => result.solved.map(|solved| solved as f64),
        }
    }

    /// What the values are, and their scale.
    fn axis(self) -> (&'static str, Scale) {
        match self {
            Self::Nodes => ("nodes", Scale::Log),
            Self::Leaves => ("leaves", Scale::Log),
            Self::Peak => ("nodes or entries in memory", Scale::Log),
            Self::Ms => ("milliseconds", Scale::Log),
            Self::Ratio => ("nodes per node of the first algorithm", Scale::FromZero),
            Self::FirstCut => ("share of cutoffs by the first move", Scale::FromZero),
            Self::Solved => ("solved positions", Scale::FromZero),
        }
    }
}

/// The algorithms with their settings.
fn rows(args: &Args) -> Result<Vec<Row>, RowError> {
    let common = common_settings(args);
    let common: Vec<&str> = common.iter().map(String::as_str).collect();
    let rows = args.algo.iter().map(|text| Row::parse(text.trim(), &common));
    let rows: Vec<Result<Row, RowError>> = rows.collect();
    // A word that a comma has cut off explains the faults before it.
    if let Some(Err(fault)) = rows.iter().find(|row| matches!(row, Err(RowError::Word { .. }))) {
        return Err(fault.clone());
    }
    let rows: Vec<Row> = rows.into_iter().collect::<Result<_, _>>()?;
    Row::check_common(&rows)?;
    Ok(rows)
}

/// The settings that are given for all algorithms, as text.
fn common_settings(args: &Args) -> Vec<String> {
    let mut common = Vec::new();
    let valued = [
        ("order", args.order.as_ref().map(|words| words.replace(',', "+"))),
        ("table", args.table.clone()),
        ("leaf", args.leaf.clone()),
        ("aspiration", args.aspiration.clone()),
    ];
    for (name, value) in valued {
        common.extend(value.map(|value| format!("{name}={value}")));
    }
    if args.deepen {
        common.push("deepen".to_owned());
    }
    common
}

/// Runs each row to each depth on all games. A row that a limit has stopped is not run to a
/// greater depth, which it would not reach, unless it grows a tree; a row that is interrupted
/// has no result.
fn measure_all(
    rows: &[Row],
    games: &mut [ComparedGame],
    depths: RangeInclusive<u32>,
    limit: Limit<'_>,
) -> Vec<TableRow> {
    let bar = progress::bar(rows.len() * games.len() * depths.clone().count());
    let mut table: Vec<TableRow> = Vec::new();
    let mut last: Vec<Option<RowResult>> = vec![None; rows.len()];
    'depths: for depth in depths {
        let mut first_nodes = None;
        for (index, (row, last)) in rows.iter().zip(&mut last).enumerate() {
            let is_stopped = last.as_ref().is_some_and(|result| result.stopped.is_some());
            if is_stopped && row.can_deepen() {
                bar.inc(games.len() as u64);
                continue;
            }
            bar.set_message(format!("{} depth {depth}", row.name()));
            let mut sum: Option<RowResult> = None;
            for compared in &mut *games {
                let game = &mut compared.game;
                let mut result = measure(row, game, depth, limit);
                bar.inc(1);
                if limit.is_interrupted() {
                    break 'depths;
                }
                result.solved = is_solved(compared, &result).map(usize::from);
                match &mut sum {
                    Some(sum) => sum.add(&result),
                    None => sum = Some(result),
                }
            }
            let Some(result) = sum else { continue };
            let nodes = result.counts.nodes as f64;
            if index == 0 {
                first_nodes = Some(nodes);
            }
            let ratio = first_nodes.map(|first| nodes / first);
            table.push(TableRow {
                branching: result.branching(last.as_ref()).or_else(|| result.mean_branching()),
                ratio: ratio.filter(|ratio| ratio.is_finite()),
                result: result.clone(),
            });
            *last = Some(result);
        }
    }
    bar.finish_and_clear();
    table
}

/// Whether the move of a result is right; `None` if that is not known.
fn is_solved(compared: &ComparedGame, result: &RowResult) -> Option<bool> {
    let task = compared.task.as_ref().filter(|task| task.has_moves())?;
    let m = result.best().and_then(|text| uci::parse_move(&task.epd.position, text).ok());
    Some(m.is_some_and(|m| task.is_right(m)))
}

fn games(args: &Args) -> Result<SuiteFile<ComparedGame>> {
    if let Some(text) = &args.game {
        return Ok(SuiteFile::one(ComparedGame { game: AnyGame::parse(text)?, task: None }));
    }
    let evaluation = read_evaluation(&args.eval)?;
    let draws = if args.draws == "path" { Draws::Path } else { Draws::None };
    ensure!(args.board.is_none() || draws == Draws::None, "on a --board no draws end the game");
    let chess = |position: Position| -> Result<AnyGame, BoardError> {
        Ok(match &args.board {
            None => AnyGame::Chess(Box::new(Chess::new(position, evaluation.clone(), draws))),
            Some(board) => {
                let game = BoardChess::new(board, &position, evaluation.clone())?;
                AnyGame::Board(Box::new(game))
            }
        })
    };
    let Some(file) = &args.epd else {
        return Ok(SuiteFile::one(ComparedGame {
            game: chess(args.position.read("--epd")?)?,
            task: None,
        }));
    };
    suite::read_tasks(file)?.try_map(|task| {
        let game = chess(task.epd.position.clone())?;
        Ok(ComparedGame { game, task: Some(task) })
    })
}

fn print(
    out: &mut impl Write,
    args: &Args,
    rows: &[TableRow],
    games: usize,
    interrupted: bool,
) -> Result<()> {
    write!(out, "{}", table::text(rows, args.wide))?;
    for TableRow { result, .. } in rows {
        let name = format!("{} depth {}", result.row, result.depth);
        if let Some(solved) = result.solved {
            writeln!(out, "{name}: solved {solved}/{games}")?;
        }
        if let Some(reason) = result.stopped {
            writeln!(out, "{name}: {}", args.limit.explain(reason))?;
        }
        if result.proof == Some(Proof::Unstable) {
            writeln!(out, "{name}: unstable: its passes do not agree on a value")?;
        }
    }
    if interrupted {
        writeln!(out, "interrupted")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_read() {
        assert_eq!((depths("5"), depths("1..6")), (Ok(5..=5), Ok(1..=6)));
        for text in ["", "6..1", "1..", "..3", "x", "1..101", "-1"] {
            assert!(depths(text).is_err(), "{text}");
        }
    }
}
