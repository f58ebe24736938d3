//! `lovec book`: builds and shows opening books in the Polyglot format.

mod openings;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::Subcommand;
use serde::Serialize;

use crate::book::builder::{self, Builder};
use crate::book::games::{self, PgnStats};
use crate::book::{
    Book, BookEntry, BookResults, Continuation, OpeningName, continuations, key, opening,
    opening_of_game,
};
use crate::chess::notation::pgn::PgnProblem;
use crate::chess::notation::{san, uci};
use crate::chess::{Move, Position};
use crate::cli::outputs::{ForceArg, OutputPath, PreparedOutput};
use crate::cli::{CommandStatus, PositionArgs, aligned, json, progress, source, whole};
use crate::util::counted::counted;

const BUILD_EXAMPLES: &str = "\
The weight of a move is two for each game won by the side that played it and one for
each draw; moves of weight 0 are left out. Where a weight exceeds 65535, the weights of
the position are scaled so that the greatest is 65535, and none becomes 0. The book keeps
the shares of the results, which `book show` shows. Transpositions are merged. Games
without a result and games of Chess960 or other variants are skipped and counted; a game
with an illegal move is used up to that move. The first five broken games are named.

Examples:
  lovec book build games.pgn -o book.bin
  lovec book build 2024.pgn.gz 2025.pgn.gz -o book.bin --max-ply 20 --min-games 5
  lovec book build games.pgn -o book.bin --min-rating 2400";

const SHOW_EXAMPLES: &str = "\
The first line is the opening: the name of the position, or, with `moves`, of the last
position that has one. The last column names the position after each move. The shares of games
won, drawn and lost are those of the side to move; a book that another program has built has none.

Examples:
  lovec book show own
  lovec book show book.bin startpos moves e2e4 e7e5
  lovec book show book.bin \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"
  lovec book show book.bin --json";

const LINES_EXAMPLES: &str = "\
A book by lines knows only the moves in their order, so that a transposition leaves it; a
book by positions, as `lovec book show` reads it, does not.

Examples:
  lovec book lines
  lovec book lines startpos moves e4 c5";

/// Games that are named because they are broken or cut short; large collections have many.
const NAMED_GAMES: usize = 5;

/// Build and show opening books in the Polyglot format
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    Build(BuildArgs),
    Openings(openings::Args),
    Show(ShowArgs),
    Lines(LinesArgs),
}

/// Build a book from games in PGN
#[derive(Debug, clap::Args)]
#[command(after_help = BUILD_EXAMPLES)]
struct BuildArgs {
    /// Games in PGN, as text or gzip; `-` for the standard input
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Where to write the book
    #[arg(short, long, value_name = "BOOK")]
    output: OutputPath,
    #[command(flatten)]
    force: ForceArg,
    /// Maximum number of plies of each game to use
    #[arg(long, default_value_t = 30, value_name = "N", value_parser = whole::<u32>(1, u64::from(u32::MAX)))]
    max_ply: u32,
    /// Leave out moves of fewer games
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = whole::<u32>(1, u64::from(u32::MAX)))]
    min_games: u32,
    /// Minimum rating of both players by the tags WhiteElo and BlackElo
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = whole::<u32>(0, u64::from(u32::MAX)))]
    min_rating: u32,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

/// List the moves of a book in a position
#[derive(Debug, clap::Args)]
#[command(after_help = SHOW_EXAMPLES)]
struct ShowArgs {
    /// The book: a file, or `own` for the book inside Lovec
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

/// List the moves with which openings that have a name go on
#[derive(Debug, clap::Args)]
#[command(after_help = LINES_EXAMPLES)]
struct LinesArgs {
    #[command(flatten)]
    position: PositionArgs,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    match &args.command {
        BookCommand::Build(args) => build(args, out),
        BookCommand::Openings(args) => openings::run(args, out),
        BookCommand::Show(args) => show(args, out),
        BookCommand::Lines(args) => lines(args, out),
    }
}

fn build(args: &BuildArgs, out: &mut impl Write) -> Result<CommandStatus> {
    // Checked before the games are read, which may take long.
    let output = args.output.prepare(args.force)?;
    let (mut builder, mut stats) = (Builder::default(), PgnStats::default());
    let bar = progress::bytes(&args.games);
    let mut faults = Vec::new();
    for path in &args.games {
        let source = source::open_followed(path, &bar)?;
        let name = path.display();
        let note = |game: u64, problem: &PgnProblem| {
            if faults.len() < NAMED_GAMES {
                faults.push(match args.games.len() {
                    1 => format!("game {game}, {problem}"),
                    _ => format!("{name}, game {game}, {problem}"),
                });
            }
        };
        let (max_ply, min_rating) = (args.max_ply, args.min_rating);
        let is_pgn = games::read(source, max_ply, min_rating, &mut builder, &mut stats, note)
            .with_context(|| format!("cannot read {name}"))?;
        ensure!(is_pgn, "{name} holds no game");
    }
    bar.finish_and_clear();
    faults.iter().for_each(|fault| log::warn!("{fault}"));
    let unnamed = stats.broken + stats.cut_short - faults.len() as u64;
    if unnamed > 0 {
        log::warn!("and {} more", counted(unnamed as usize, "game"));
    }
    let (entries, least) = (builder.entries(args.min_games), args.min_games);
    if entries.is_empty() {
        bail!(
            "{stats}; no move with a point was played in {}; no book written",
            counted(least as usize, "game")
        );
    }
    if !args.json {
        writeln!(out, "{stats}")?;
    }
    let schema = args.json.then_some("lovec.book-build/1");
    write_book(&output, &entries, Some(stats), schema, out)?;
    Ok(CommandStatus::Passed)
}

/// Writes a book, and says what is in it, as JSON if its form is named.
fn write_book(
    output: &PreparedOutput,
    entries: &[BookEntry],
    games: Option<PgnStats>,
    schema: Option<&'static str>,
    out: &mut impl Write,
) -> Result<()> {
    // An engine may use the old book until the new one replaces it.
    output.write(builder::to_bytes(entries))?;
    let positions = entries.chunk_by(|a, b| a.key == b.key).count();
    let (file, entries) = (output.path.display().to_string(), entries.len());
    if let Some(schema) = schema {
        json::write(out, schema, &JsonBook { file, entries, positions, games })?;
    } else {
        let (moves, positions) = (counted(entries, "move"), counted(positions, "position"));
        writeln!(out, "{file}: {moves} in {positions}")?;
    }
    Ok(())
}

/// A line of the answer to `show`.
#[derive(Serialize)]
struct BookMove {
    /// `None` for an entry that is not a legal move.
    san: Option<String>,
    uci: String,
    legal: bool,
    weight: u16,
    /// Its share of the weights of all legal moves.
    share: f64,
    /// Permille of games won, drawn and lost with a legal move, if the book has the results.
    wdl: Option<[u16; 3]>,
    /// The name of the position after it.
    opening: Option<&'static OpeningName>,
}

/// The lines with a name that go on after the given moves.
fn lines(args: &LinesArgs, out: &mut impl Write) -> Result<CommandStatus> {
    let game = args.position.read()?;
    if game.states().next() != Some(Position::startpos().state()) {
        bail!("a line begins with the starting position; give its moves");
    }
    let found = continuations(&game);
    if let Some(name) = last_name(&game) {
        writeln!(out, "{name}")?;
    }
    if found.is_empty() {
        writeln!(out, "no line with a name goes on after these moves")?;
        return Ok(CommandStatus::Passed);
    }
    let row = |Continuation { m, lines, name }: &Continuation| {
        let name = name.map(|name| name.to_string()).unwrap_or_default();
        vec![san::format(&game, *m), lines.to_string(), name]
    };
    let rows: Vec<Vec<String>> = found.iter().map(row).collect();
    write!(out, "{}", aligned(&["move", "lines", "opening"], &rows, &[0, 2]))?;
    Ok(CommandStatus::Passed)
}

fn show(args: &ShowArgs, out: &mut impl Write) -> Result<CommandStatus> {
    let position = args.position.read()?;
    let Some(key) = key(&position) else {
        bail!("Polyglot books are for standard chess only, and {} is Chess960", position.fen());
    };
    let name = args.book.display();
    let mut book = Book::named(&args.book).with_context(|| format!("cannot open {name}"))?;
    let entries = book.entries(key).with_context(|| format!("cannot read {name}"))?;
    let moves = moves_of(&position, &entries);
    if args.json {
        let (fen, key) = (position.fen(), format!("{key:016x}"));
        let shown = JsonShow { fen, key, opening: last_name(&position), moves };
        json::write(out, "lovec.book-show/1", &shown)?;
    } else {
        write!(out, "{}", to_text(&position, &moves))?;
    }
    Ok(CommandStatus::Passed)
}

fn moves_of(position: &Position, entries: &[BookEntry]) -> Vec<BookMove> {
    let moves = entries.iter().map(|entry| (entry.m.legal_in(position), entry));
    let moves: Vec<(Option<Move>, &BookEntry)> = moves.collect();
    let legal = moves.iter().filter(|(m, _)| m.is_some());
    let total: u64 = legal.map(|(_, entry)| u64::from(entry.weight)).sum();
    let book_move = |(m, entry): (Option<Move>, &BookEntry)| {
        let weight = m.map_or(0.0, |_| f64::from(entry.weight));
        let results = m.and_then(|_| BookResults::from_learn(entry.learn));
        BookMove {
            san: m.map(|m| san::format(position, m)),
            uci: m.map_or_else(|| entry.m.to_string(), |m| uci::format_move(m, false)),
            legal: m.is_some(),
            weight: entry.weight,
            share: weight / total.max(1) as f64,
            wdl: results.map(|it| [it.wins, it.draws, it.losses]),
            opening: m.and_then(|m| opening(&position.after(m))),
        }
    };
    moves.into_iter().map(book_move).collect()
}

/// The last name of the positions that led to this one, itself included.
fn last_name(position: &Position) -> Option<&'static OpeningName> {
    opening_of_game(position.states()).map(|(_, name)| name)
}

fn to_text(position: &Position, moves: &[BookMove]) -> String {
    let mut text = last_name(position).map(|name| format!("{name}\n")).unwrap_or_default();
    if moves.is_empty() {
        return text + &format!("the book has no moves for {}\n", position.fen());
    }
    let has_results = moves.iter().any(|it| it.wdl.is_some());
    let results = if has_results { "      won    drawn     lost" } else { "" };
    text +=
        &format!("{:<8} {:<6} {:>6} {:>8}{results}  opening\n", "move", "uci", "weight", "share");
    for BookMove { san, uci, weight, share, wdl, opening, .. } in moves {
        let line = match san {
            Some(san) => format!("{san:<8} {uci:<6} {weight:>6} {:>6.1} %", 100.0 * share),
            None => format!("{:<8} {uci:<6} {weight:>6}  not legal here", "-"),
        };
        let results = match wdl {
            Some(wdl) => wdl.map(|it| format!(" {:>6.1} %", f64::from(it) / 10.0)).concat(),
            None => " ".repeat(results.len()),
        };
        let name = opening.map(|name| format!("  {name}")).unwrap_or_default();
        text += format!("{line}{results}{name}").trim_end();
        text.push('\n');
    }
    text
}

#[derive(Serialize)]
struct JsonBook {
    file: String,
    entries: usize,
    positions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<PgnStats>,
}

#[derive(Serialize)]
struct JsonShow {
    fen: String,
    key: String,
    opening: Option<&'static OpeningName>,
    moves: Vec<BookMove>,
}
