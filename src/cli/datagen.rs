//! `lovec datagen`: games of Lovec against itself, for the tuner.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use crate::chess::notation::openings::OpeningList;
use crate::cli::outputs::ContinuedPath;
use crate::cli::suite::read_openings;
use crate::cli::{CommandStatus, Interrupt, json, progress, whole};
use crate::datagen::{self, DatagenOptions, GameCounts};

const EXAMPLES: &str = "\
A game begins with random moves from the starting position or from one of --openings.
Some of its quiet positions are written, one per line: FEN | centipawns | result, both
numbers from White's side, as `lovec tune` reads them.

Games are written in order, when one ends and a second has passed, and at the end or
after Ctrl-C all before the first unfinished one; through gzip if the name of the file
ends in .gz.
FILE.progress records the progress: after an interruption of any kind the same command
continues from there, and adds to the file with a larger --games.
The games depend on the seed and the other settings, not on threads or interruptions.
They also depend on the program: a version that plays differently does not add to the
file.

Examples:
  lovec datagen -o train.txt.gz --games 20000 --threads 8
  lovec datagen -o test.txt.gz --games 1000 --seed 2
  lovec datagen -o train.txt --games 20000 --nodes 10000 --openings openings.epd";

/// Random moves without openings: enough to make all games different.
const RANDOM_PLIES: u32 = 8;
/// Random moves after an opening, which varies by itself.
const RANDOM_PLIES_AFTER_OPENING: u32 = 2;

/// Play against itself and write labelled positions for `lovec tune`
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Where to write the positions
    #[arg(short, long, value_name = "FILE")]
    output: ContinuedPath,
    /// Total number of games in the file, including existing ones
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = whole::<u32>(1, u64::from(u32::MAX)))]
    games: u32,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 5000, value_name = "N", value_parser = whole::<u64>(1, u64::MAX))]
    nodes: u64,
    /// Games to play at the same time, each on a thread of its own
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u16>(1, 1024))]
    threads: u16,
    /// Starting positions, a FEN or an EPD on each line
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Random moves at the beginning, one more in about half of the games; 8 without
    /// --openings, 2 with them
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0, 100))]
    random_plies: Option<u32>,
    /// Maximum number of positions to keep of a game
    #[arg(long, default_value_t = 12, value_name = "N", value_parser = whole::<u32>(1, u64::from(u32::MAX)))]
    per_game: u32,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let settings = settings(args)?;
    let (games, threads) = (u64::from(args.games), args.threads.into());
    let progress = progress::continued_counter(args.games as usize);
    let interrupt = Interrupt::catch()?;
    let stop = &interrupt.stop;
    let summary = datagen::run(&args.output, &settings, games, threads, stop, progress)?;
    if args.json {
        let (file, counts) = (args.output.display().to_string(), summary.counts);
        let (found, interrupted) = (summary.found.games, interrupt.is_raised());
        let result = JsonDatagen { file, found, counts, interrupted };
        json::write(out, "lovec.datagen/1", &result)?;
        return Ok(interrupt.status(CommandStatus::Passed));
    }
    if summary.found.games >= games {
        writeln!(out, "nothing to do: {} has its games", args.output.display())?;
    }
    writeln!(out, "{}", summary.counts)?;
    if interrupt.is_raised() {
        writeln!(out, "interrupted; the same command continues")?;
    }
    Ok(interrupt.status(CommandStatus::Passed))
}

#[derive(Serialize)]
struct JsonDatagen {
    file: String,
    /// Games that the file had.
    found: u64,
    #[serde(flatten)]
    counts: GameCounts,
    interrupted: bool,
}

fn settings(args: &Args) -> Result<DatagenOptions> {
    let (openings, random_plies) = match &args.openings {
        Some(path) => (read_openings(path)?, RANDOM_PLIES_AFTER_OPENING),
        None => (OpeningList::default(), RANDOM_PLIES),
    };
    Ok(DatagenOptions {
        seed: args.seed,
        nodes: args.nodes,
        random_plies: args.random_plies.unwrap_or(random_plies),
        per_game: args.per_game as usize,
        openings,
    })
}
