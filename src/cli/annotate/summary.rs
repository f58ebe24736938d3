//! What `lovec annotate` shows on the standard output.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::annotate::annotated_game::{MoveCounts, SideSummary};
use crate::annotate::{AnnotateOptions, AnnotatedGame, FollowedGame};
use crate::chess::Position;
use crate::chess::notation::pgn::PgnGame;
use crate::cli::columns::aligned;
use crate::insight::{Examiner, ExaminerStop};
use crate::search::{Limits, Tables};

/// The columns. Faults are White's and Black's.
const COLUMNS: [&str; 11] = [
    "#",
    "white",
    "black",
    "result",
    "opening",
    "acc W",
    "acc B",
    "?!",
    "?",
    "??",
    "turning point",
];

/// The columns that are aligned to the left.
const LEFT: [usize; 5] = [1, 2, 3, 4, 10];

/// Characters of a name that are shown.
const NAME: usize = 24;

/// Nodes that measure the speed.
const SAMPLE_NODES: u64 = 200_000;

/// Writes a table of the games, and a line with the sums.
pub(super) fn write(
    out: &mut impl Write,
    finished: &[AnnotatedGame],
    games: usize,
    elapsed: Duration,
    output: &Path,
) -> Result<()> {
    let annotated: Vec<&AnnotatedGame> =
        finished.iter().filter(|game| game.nodes > 0 || game.problem.is_some()).collect();
    write!(out, "{}", table(&annotated))?;
    let sum = |count: fn(&AnnotatedGame) -> usize| -> usize {
        annotated.iter().map(|game| count(game)).sum()
    };
    let (again, withdrawn) = (sum(|game| game.searched_again), sum(|game| game.withdrawn));
    if finished.len() < games {
        writeln!(out, "interrupted after {} of {games} games", finished.len())?;
    }
    let nodes: u64 = annotated.iter().map(|game| game.nodes).sum();
    writeln!(
        out,
        "{}, {} plies, {} possible faults ({} confirmed, {withdrawn} withdrawn), {nodes} \
         nodes, {}; wrote {}",
        number_of_games(annotated.len()),
        sum(|game| game.moves.len()),
        again,
        again - withdrawn,
        duration(elapsed),
        output.display()
    )?;
    Ok(())
}

/// `1 game`, `6 games`.
fn number_of_games(count: usize) -> String {
    format!("{count} game{}", if count == 1 { "" } else { "s" })
}

fn table(games: &[&AnnotatedGame]) -> String {
    let mut lines = vec![COLUMNS.map(str::to_owned).to_vec()];
    lines.extend(games.iter().map(|game| fields(game).to_vec()));
    aligned(&lines, &LEFT)
}

fn fields(game: &AnnotatedGame) -> [String; COLUMNS.len()] {
    let name = |tag: &str| game.tag(tag).unwrap_or("?").chars().take(NAME).collect::<String>();
    let accuracy = |side: &SideSummary| {
        side.accuracy.map_or("-".to_owned(), |accuracy| format!("{accuracy:.1}"))
    };
    let both = |count: fn(&MoveCounts) -> usize| {
        format!("{}+{}", count(&game.white.all), count(&game.black.all))
    };
    [
        game.number.to_string(),
        name("White"),
        name("Black"),
        game.result.to_owned(),
        game.opening.map_or("-", |opening| opening.name.eco).to_owned(),
        accuracy(&game.white),
        accuracy(&game.black),
        both(|counts| counts.inaccuracies),
        both(|counts| counts.mistakes),
        both(|counts| counts.blunders),
        turning_point(game),
    ]
}

/// `4.Nxe5?? (56 % -> 7 %)`.
fn turning_point(game: &AnnotatedGame) -> String {
    let Some(m) = game.turning_point.and_then(|ply| game.moves.get(ply - 1)) else {
        return String::new();
    };
    let mark = m.mark.and_then(|mark| mark.fault()).map_or("", |fault| fault.mark());
    let percent = |expected: Option<f64>| 100.0 * expected.unwrap_or_default();
    let (before, after) = (percent(m.expected_before), percent(m.expected_after));
    format!("{}{}{mark} ({before:.0} % -> {after:.0} %)", m.number, m.san)
}

/// Writes what there is to search, and an estimate of the time.
pub(super) fn write_plan(
    out: &mut impl Write,
    games: &[PgnGame],
    options: &AnnotateOptions,
    threads: usize,
) -> Result<()> {
    let (mut selected, mut plies, mut searches) = (0, 0, 0);
    for game in games {
        let Some(followed) = FollowedGame::new(game) else { continue };
        if options.selection.sides(game).contains(&true) {
            selected += 1;
            plies += followed.moves().len();
            searches += followed.states().len() - options.first_position(&followed);
        }
    }
    writeln!(
        out,
        "{}, {selected} to annotate, {plies} plies, {searches} searches",
        number_of_games(games.len())
    )?;
    match estimate(options, searches, threads)? {
        Some(time) => writeln!(out, "about {}, and some more for possible faults", duration(time))?,
        None => writeln!(out, "the time is not known")?,
    }
    Ok(())
}

/// The time for the first searches; `None` if it is not known.
fn estimate(
    options: &AnnotateOptions,
    searches: usize,
    threads: usize,
) -> Result<Option<Duration>> {
    let parallel = threads.max(1) as f64;
    if let Some(time) = options.limits.movetime {
        return Ok(Some(time.mul_f64(searches as f64 / parallel)));
    }
    let Some(nodes) = options.limits.nodes.filter(|_| options.engine.is_none()) else {
        return Ok(None);
    };
    let mut examiner =
        Examiner::new(options.hash_mib, Tables::default(), ExaminerStop::Job(Arc::default()))?;
    let start = Instant::now();
    let limits = Limits { nodes: Some(SAMPLE_NODES), ..Limits::default() };
    let found = examiner.examine(&Position::startpos(), 2, &limits);
    let seconds = start.elapsed().as_secs_f64() / found.nodes.max(1) as f64;
    let all = seconds * nodes as f64 * searches as f64 / parallel;
    Ok(Some(Duration::try_from_secs_f64(all).unwrap_or(Duration::MAX)))
}

/// `1:14`, `2:03:00`.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{:02}", seconds % 60)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}
