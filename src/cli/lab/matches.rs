//! `lovec lab match`: games between two algorithms.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use crate::chess::adjudication::AdjudicationRules;
use crate::chess::notation::pgn::PgnGame;
use crate::chess::{Color, GameResult, Position};
use crate::cli::arguments::{MAX_MEBIBYTES, MAX_MILLISECONDS, even_games};
use crate::cli::lab::limit::read_evaluation;
use crate::cli::outputs::{ForceArg, OutputPath, PreparedOutput, not_written};
use crate::cli::{CommandStatus, Interrupt, aligned, json, progress, suite, whole};
use crate::lab::arena::{ArenaGame, ArenaJob, MatchScore, OPENINGS, PlayerTotals, play_match};
use crate::lab::measure::plies_to_end;
use crate::lab::player::{MAX_DEPTH, RowPlayer};
use crate::lab::{Limit, Row};

/// The nodes for a move if no limit is given.
const NODES: u64 = 10_000;

const EXAMPLES: &str = "\
Each opening is played twice, with reversed colours; more games are refused as copies, except
with --movetime or a table that is kept. An algorithm that searches to a depth is deepened until
a limit ends the search. A limit, and an evaluation, may be given for each player, as in
`--depth 4,3`. Elo is the first player's less the second's, with its 95 % interval.

A game is won with 600 centipawns on three moves of both players in a row, and drawn, with
evaluations in centipawns, after move 34 with at most 12 for 8 plies; a game of 200 moves is
drawn.

Examples:
  lovec lab match ab:order=mvv ab --games 20 --nodes 5000
  lovec lab match ab:order=mvv ab:order=mvv --games 20 --depth 3,2 --pgn depth.pgn
  lovec lab match pvs:leaf=captures:order=mvv best-first --games 20 --nodes 2000 --json
  lovec lab match ab:table=1000000:order=tt:keep ab:table=1000000:order=tt --games 20";

/// Play games between two algorithms
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The first algorithm with its settings
    #[arg(value_name = "A")]
    first: String,
    /// The second algorithm with its settings
    #[arg(value_name = "B")]
    second: String,
    /// Games to play, an even number
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = even_games(1_000_000))]
    games: u64,
    /// Nodes for each move [default: 10000, without another limit]
    #[arg(long, value_name = "N", num_args = 1, value_delimiter = ',', value_parser = whole::<u64>(1, u64::MAX))]
    nodes: Vec<u64>,
    /// Depth of each search
    #[arg(long, value_name = "D", num_args = 1, value_delimiter = ',', value_parser = whole::<u32>(1, u64::from(MAX_DEPTH)))]
    depth: Vec<u32>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", num_args = 1, value_delimiter = ',', value_parser = whole::<u64>(1, MAX_MILLISECONDS))]
    movetime: Vec<u64>,
    /// Memory that a search may keep, in MiB
    #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = whole::<u32>(1, MAX_MEBIBYTES))]
    memory: u32,
    /// The evaluation: lovec, material, mop-up, another one of `lovec lab list`, or a file of
    /// weights
    #[arg(long, value_name = "EVAL", num_args = 1, value_delimiter = ',', default_value = "lovec")]
    eval: Vec<String>,
    /// Starting positions, a FEN or an EPD on each line [default: 250 level positions]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of the order of the openings
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Play to mate or a draw by the rules of chess
    #[arg(long)]
    to_the_end: bool,
    /// Games to play at the same time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u16>(1, 1024))]
    concurrency: u16,
    /// Write the games as PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<OutputPath>,
    #[command(flatten)]
    force: ForceArg,
    /// Write the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let row = |text: &str| Row::parse(text, &RowPlayer::COMMON);
    let rows = [row(&args.first)?, row(&args.second)?];
    let (depths, limits) = limits(args)?;
    let [first, second] = both("--eval", &args.eval)?.map(Option::unwrap_or_default);
    let [a, b] = rows.clone();
    let players =
        [RowPlayer::new(a, read_evaluation(&first)?), RowPlayer::new(b, read_evaluation(&second)?)];
    let list =
        args.openings.as_deref().map_or_else(|| Ok(OPENINGS.parse()?), suite::read_openings)?;
    let openings = list.shuffled(args.seed);
    check_openings(args, &rows, &openings)?;
    let pgn = args.pgn.as_ref().map(|path| path.prepare(args.force)).transpose()?;
    let interrupt = Interrupt::catch()?;
    let bar = progress::bar(args.games as usize);
    let mut score = MatchScore::default();
    let mut games = pgn.as_ref().map(PreparedOutput::begin).transpose()?;
    let mut written = Ok(());
    let job = ArenaJob {
        players,
        depths,
        limits: limits.map(|limit| Limit { job: Some(&interrupt.stop), ..limit }),
        openings: &openings,
        games: args.games,
        rules: rules(args),
        concurrency: args.concurrency.into(),
    };
    play_match(&job, |game| {
        score.add(&game);
        bar.set_message(format!("+{} ={} -{}", score.wins, score.draws, score.losses));
        bar.inc(1);
        if let Some(games) = games.as_mut().filter(|_| written.is_ok()) {
            written = writeln!(games, "{}", to_pgn(&game, &rows));
        }
    })?;
    bar.finish_and_clear();
    // An error of the file comes after the result.
    let has_result = !interrupt.is_raised() || score.games() > 0;
    let written = pgn.as_ref().zip(games).filter(|_| has_result).map_or(Ok(()), |(file, games)| {
        written.with_context(|| not_written(&file.path))?;
        file.place(file.stage_parts(games)?)
    });
    if args.json {
        let result = JsonMatch::new(&score, &rows, interrupt.is_raised());
        json::write(out, "lovec.lab-match/1", &result)?;
    } else {
        write!(out, "{}", text(&score, &rows))?;
        if interrupt.is_raised() {
            writeln!(out, "interrupted after {} of {} games", score.games(), args.games)?;
        }
    }
    written?;
    Ok(interrupt.status(CommandStatus::Passed))
}

/// The depths and the limits of both players: one value of an option is for both.
fn limits(args: &Args) -> Result<([u32; 2], [Limit<'static>; 2])> {
    let has_limit = [args.nodes.len(), args.depth.len(), args.movetime.len()] != [0; 3];
    let default = if has_limit { u64::MAX } else { NODES };
    let nodes = both("--nodes", &args.nodes)?;
    let depth = both("--depth", &args.depth)?;
    let movetime = both("--movetime", &args.movetime)?;
    let limits = [0, 1].map(|player| Limit {
        nodes: nodes[player].unwrap_or(default),
        time: movetime[player].map(Duration::from_millis),
        memory: u64::from(args.memory) << 20,
        ..Limit::NONE
    });
    Ok((depth.map(|depth| depth.unwrap_or(MAX_DEPTH)), limits))
}

fn both<T: Clone>(option: &str, values: &[T]) -> Result<[Option<T>; 2]> {
    ensure!(values.len() <= 2, "{option} takes a value for both players, or one for each");
    Ok([values.first().cloned(), values.last().cloned()])
}

/// Levels are no draws if the evaluation is not in centipawns of the position.
fn rules(args: &Args) -> Option<AdjudicationRules> {
    let is_coarse = |eval: &String| ["material", "chance", "plan"].contains(&eval.as_str());
    let is_fine = !args.eval.iter().any(is_coarse);
    let rules = AdjudicationRules::MATCH;
    (!args.to_the_end).then(|| if is_fine { rules } else { rules.wins_only() })
}

/// Checks that no two openings are equal, and no game is over there. Without a clock or a kept
/// table players always do the same, and need one for each pair of games.
fn check_openings(args: &Args, rows: &[Row; 2], openings: &[&Position]) -> Result<()> {
    let mut keys = HashSet::new();
    for opening in openings {
        let fen = opening.fen();
        ensure!(GameResult::by_rule(opening).is_none(), "the game is over in the opening {fen}");
        ensure!(keys.insert(opening.key()), "the opening {fen} is there twice");
    }
    let most = 2 * openings.len() as u64;
    let games_differ = !args.movetime.is_empty() || rows.iter().any(Row::keeps_table);
    ensure!(
        args.games <= most || games_differ,
        "the openings are enough for {most} different games; --openings gives more"
    );
    Ok(())
}

fn to_pgn(game: &ArenaGame, rows: &[Row; 2]) -> String {
    let [first, second] = [0, 1].map(|player| rows[player].name().to_owned());
    let (white, black) = if game.first == Color::White { (first, second) } else { (second, first) };
    let termination = if game.is_adjudicated { "adjudication" } else { "normal" };
    let tags = vec![
        ("Event", "lovec lab match".to_owned()),
        ("Site", "?".to_owned()),
        ("Date", "????.??.??".to_owned()),
        ("Round", format!("{}.{}", game.number / 2 + 1, game.number % 2 + 1)),
        ("White", white),
        ("Black", black),
        ("Termination", termination.to_owned()),
    ];
    let choices = game.moves.iter().map(|it| &it.choice);
    let moves = choices.map(|it| (it.best, comment(it.value, it.depth)));
    PgnGame::new(tags, &game.opening, moves, Some(game.result)).to_string()
}

/// The value for the player in pawns, or the moves to mate as `+M3`; and the depth.
fn comment(value: i32, depth: u32) -> String {
    match plies_to_end(value) {
        Some(plies) => {
            let sign = if value > 0 { '+' } else { '-' };
            format!("{sign}M{}/{depth}", plies.unsigned_abs().div_ceil(2))
        }
        None => format!("{:+.2}/{depth}", f64::from(value) / 100.0),
    }
}

/// The means of a player for a move: depth, nodes, milliseconds.
fn means(totals: &PlayerTotals) -> [f64; 3] {
    let sums = [totals.depths as f64, totals.nodes as f64, totals.time.as_secs_f64() * 1000.0];
    sums.map(|sum| sum / totals.moves.max(1) as f64)
}

fn text(score: &MatchScore, rows: &[Row; 2]) -> String {
    let head = ["player", "won", "drawn", "lost", "points", "depth", "nodes", "ms"];
    let mut lines = Vec::new();
    for (player, row) in rows.iter().enumerate() {
        let (won, lost) = match player {
            0 => (score.wins, score.losses),
            _ => (score.losses, score.wins),
        };
        let points = won as f64 + score.draws as f64 / 2.0;
        let [depth, nodes, time] = means(&score.players[player]);
        lines.push(vec![
            row.name().to_owned(),
            won.to_string(),
            score.draws.to_string(),
            lost.to_string(),
            format!("{points:.1}"),
            // An algorithm that grows a tree has no depth.
            if row.can_deepen() { format!("{depth:.2}") } else { "-".to_owned() },
            format!("{nodes:.0}"),
            format!("{time:.2}"),
        ]);
    }
    let elo = match score.elo() {
        Some(it) => {
            let [elo, low, high] = it.texts();
            format!("Elo {elo}, 95 % between {low} and {high}")
        }
        None => "Elo cannot be estimated from these games".to_owned(),
    };
    let mut text = format!("{}{elo}\n", aligned(&head, &lines, &[0]));
    for (row, PlayerTotals { moves, unanswered, .. }) in rows.iter().zip(&score.players) {
        if *unanswered > 0 {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{}: no answer for {unanswered} of {moves} moves, played by the static value",
                row.name()
            );
        }
    }
    text
}

#[derive(Serialize)]
struct JsonMatch {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    elo: Option<f64>,
    /// An infinite end is null.
    elo_interval: Option<(f64, f64)>,
    players: Vec<JsonPlayer>,
    interrupted: bool,
}

/// The sums of all moves of a player.
#[derive(Serialize)]
struct JsonPlayer {
    algorithm: String,
    moves: u64,
    unanswered: u64,
    /// `None` for an algorithm that grows a tree.
    depths: Option<u64>,
    nodes: u64,
    milliseconds: u64,
}

impl JsonMatch {
    fn new(score: &MatchScore, rows: &[Row; 2], interrupted: bool) -> Self {
        let elo = score.elo();
        let player = |(row, totals): (&Row, &PlayerTotals)| JsonPlayer {
            algorithm: row.name().to_owned(),
            moves: totals.moves,
            unanswered: totals.unanswered,
            depths: row.can_deepen().then_some(totals.depths),
            nodes: totals.nodes,
            milliseconds: totals.time.as_millis() as u64,
        };
        Self {
            games: score.games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            points: score.points(),
            elo: elo.map(|it| it.elo),
            elo_interval: elo.map(|it| it.interval),
            players: rows.iter().zip(&score.players).map(player).collect(),
            interrupted,
        }
    }
}
