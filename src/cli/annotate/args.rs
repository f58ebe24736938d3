//! The options of `lovec annotate`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::annotate::pgn_notes::{CommentLength, NoteOptions, VariationChoice};
use crate::annotate::{AnnotateOptions, GameSelection, IsStopped, OtherEngine};
use crate::chess::Color;
use crate::cli::arguments::{HashArgs, LimitArgs, ParallelArgs, named};
use crate::cli::outputs::{ContinuedPath, OutputPath};
use crate::cli::tables::TableArgs;
use crate::cli::whole;
use crate::client::EngineCommand;
use crate::insight::mark::PlayerLevel;

const EXAMPLES: &str = "\
Each position is searched once. A move that loses much of the expected score (wins and
half the draws) is searched again for longer, and if that confirms the loss it is marked
?!, ? or ??. `!` is the only good move, `!!` a sacrifice among these that is hard to see.
Everything else in the file stays.

The files appear when all games are done. The searches are recorded in OUT.progress: after
an interruption of any kind, which writes nothing and leaves old files as they are, the same
command goes on from there. With --nodes or --depth the result does not
depend on threads or interruptions. Games that are not selected pass through, so that a
database may be of any size.

Examples:
  lovec annotate games.pgn -o annotated.pgn --html report.html
  lovec annotate games.pgn.gz -o annotated.pgn --nodes 1000000 --threads 8
  lovec annotate games.pgn -o annotated.pgn --player Novak --json report.json
  lovec annotate games.pgn -o annotated.pgn --exercises exercises.epd
  lovec annotate games.pgn -o annotated.pgn --engine stockfish";

/// Nodes to search of each position without a limit.
const DEFAULT_NODES: u64 = 200_000;

/// Mark the faults of games and write them with scores and better lines
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Games in PGN, as text or gzip; `-` for the standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Where to write the annotated games
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: ContinuedPath,
    /// Where to write all results as JSON
    #[arg(long, value_name = "REPORT")]
    pub(super) json: Option<OutputPath>,
    /// Where to write a page with graphs, boards and the reasons, for a browser
    #[arg(long, value_name = "REPORT")]
    pub(super) html: Option<OutputPath>,
    /// Write positions with their best moves as EPD, the largest faults first
    #[arg(long, value_name = "FILE")]
    pub(super) exercises: Option<OutputPath>,
    #[command(flatten)]
    limit: LimitArgs<0, DEFAULT_NODES>,
    /// How many times longer a possible fault is searched again
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = whole::<u32>(1, 1000))]
    confirm: u32,
    #[command(flatten)]
    pub(super) jobs: ParallelArgs,
    #[command(flatten)]
    table: HashArgs<16>,
    /// Annotate only the moves of players whose names contain this
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Annotate only the moves of one side
    #[arg(long, default_value = "both", value_name = "SIDE")]
    side: SideArg,
    /// Annotate only games of these numbers: 3, 3-7
    #[arg(long, value_name = "N-M", value_parser = parse_range)]
    games: Option<RangeInclusive<u64>>,
    /// Do not search the first N plies of openings that have a name
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = whole::<usize>(0, 1000))]
    skip_book: usize,
    /// Whose games they are: what a score is worth, and from which loss in points of 100 a move is
    /// an inaccuracy, a mistake and a blunder, 6, 14 and 20 or for experts 5, 10 and 25; by default
    /// `expert` if the mean rating of the players is 2200 or more
    #[arg(long, value_parser = named(&PlayerLevel::ALL, PlayerLevel::name))]
    level: Option<PlayerLevel>,
    /// What is written in words
    #[arg(long, default_value = "full", value_name = "HOW")]
    comments: CommentLength,
    /// Which lines are written: the better ones behind faults, with the lines after faults that
    /// the words are about; those behind all moves that were not the best; none
    #[arg(long, default_value = "key", value_name = "WHERE")]
    variations: VariationChoice,
    /// Plies of such a line; it has more where the words cite more
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = whole::<usize>(1, 32))]
    line: usize,
    /// Replace the marks `!` to `??` and the scores of others by Lovec's, and the verdicts of
    /// Lichess
    #[arg(long)]
    replace_marks: bool,
    /// Keep annotations that Lovec has written before, which are replaced otherwise
    #[arg(long)]
    keep: bool,
    /// Another UCI engine that searches instead of Lovec, with its arguments; the words are
    /// Lovec's
    #[arg(long, value_name = "CMD")]
    engine: Option<EngineCommand>,
    /// Seconds that the engine may take for an answer, beside --movetime
    #[arg(long, default_value_t = 60, value_name = "S", value_parser = whole::<u64>(1, 86_400))]
    timeout: u64,
    #[command(flatten)]
    tables: TableArgs,
    /// Replace files that exist, and begin again if an earlier run had other settings
    #[arg(long)]
    pub(super) force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SideArg {
    Both,
    White,
    Black,
}

impl ValueEnum for CommentLength {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Full, Self::Short, Self::None]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Full => PossibleValue::new("full"),
            Self::Short => PossibleValue::new("short").help("The mark and a sentence"),
            Self::None => PossibleValue::new("none").help("Scores only"),
        })
    }
}

impl ValueEnum for VariationChoice {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Key, Self::All, Self::None]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Self::Key => ("key", "Behind faults, and what their words are about"),
            Self::All => ("all", "Also behind all moves that were not the best"),
            Self::None => ("none", "No lines"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

impl Args {
    /// What is searched and marked.
    pub(super) fn options(&self, is_stopped: IsStopped<'_>) -> Result<AnnotateOptions> {
        let side = match self.side {
            SideArg::White => Some(Color::White),
            SideArg::Black => Some(Color::Black),
            SideArg::Both => None,
        };
        Ok(AnnotateOptions {
            limits: self.limit.limits(),
            confirm: self.confirm,
            hash_mib: self.table.hash as usize,
            tables: self.tables.open()?,
            table_paths: self.tables.names(),
            level: self.level,
            selection: GameSelection {
                games: self.games.clone(),
                player: self.player.clone(),
                side,
            },
            engine: self
                .engine
                .as_ref()
                .map(|command| self.other_engine(command, is_stopped))
                .transpose()?,
            skip_book: self.skip_book,
        })
    }

    /// Starts the engine, to learn its name and that it works.
    fn other_engine(
        &self,
        command: &EngineCommand,
        is_stopped: IsStopped<'_>,
    ) -> Result<OtherEngine> {
        let timeout = Duration::from_secs(self.timeout);
        let mut engine = OtherEngine { command: command.clone(), name: String::new(), timeout };
        engine.name = engine.start(self.table.hash as usize, is_stopped)?.name().to_owned();
        Ok(engine)
    }

    /// The options that select games: `--player Novak --games 3-7`.
    pub(super) fn selection(&self) -> String {
        let player = self.player.as_ref().map(|name| format!("--player {name}"));
        let games = self.games.as_ref().map(|range| format!("--games {}", range_text(range)));
        player.into_iter().chain(games).collect::<Vec<_>>().join(" ")
    }

    /// What is written.
    pub(super) fn notes(&self, options: &AnnotateOptions) -> NoteOptions {
        NoteOptions {
            comments: self.comments,
            variations: self.variations,
            line: self.line,
            replaces_marks: self.replace_marks,
            keeps_earlier: self.keep,
            engine: options.engine.as_ref().map(|engine| engine.name.clone()),
        }
    }
}

fn range_text(range: &RangeInclusive<u64>) -> String {
    let (first, last) = (range.start(), range.end());
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// `3`, `3-7`.
fn parse_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse().ok().filter(|&number: &u64| number > 0);
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err("a number or a range such as 3-7 is expected".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_checked() {
        assert_eq!(parse_range("3"), Ok(3..=3));
        assert_eq!(parse_range("3-7"), Ok(3..=7));
        for text in ["", "0", "7-3", "-3", "3-", "x", "3-7-9"] {
            assert!(parse_range(text).is_err(), "{text}");
        }
    }
}
