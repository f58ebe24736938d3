//! What `lovec annotate` shows on the standard output.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use crate::annotate::annotated_game::{MoveCounts, SideSummary};
use crate::annotate::{AnnotatedGame, report};
use crate::chess::notation::excerpt;
use crate::chess::notation::pgn::result;
use crate::cli::aligned;
use crate::util::counted::counted;

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

/// The finished games as rows of a table, and their sums.
#[derive(Debug, Default)]
pub(super) struct GameSums {
    /// All finished games.
    finished: usize,
    /// The games with searches or a problem.
    rows: Vec<Vec<String>>,
    plies: usize,
    /// Possible faults that were searched again, and how many of these were no faults.
    again: usize,
    withdrawn: usize,
    nodes: u64,
}

impl GameSums {
    pub fn add(&mut self, game: &AnnotatedGame) {
        self.finished += 1;
        if game.nodes > 0 || game.problem.is_some() {
            self.rows.push(fields(game).to_vec());
            self.plies += game.moves.len();
            self.again += game.searched_again;
            self.withdrawn += game.withdrawn;
            self.nodes += game.nodes;
        }
    }

    /// Writes the table, and a line with the sums.
    pub fn write(&self, out: &mut impl Write, elapsed: Duration, output: &Path) -> Result<()> {
        write!(out, "{}", aligned(&COLUMNS, &self.rows, &LEFT))?;
        writeln!(out, "{}; wrote {}", self.line(elapsed), output.display())?;
        Ok(())
    }

    /// The same for a run that was interrupted and wrote nothing. `selected` games were to be
    /// annotated, if their number is known.
    pub fn write_unfinished(
        &self,
        out: &mut impl Write,
        selected: Option<usize>,
        elapsed: Duration,
    ) -> Result<()> {
        write!(out, "{}", aligned(&COLUMNS, &self.rows, &LEFT))?;
        match selected {
            Some(games) => {
                writeln!(out, "interrupted after {} of {games} games", self.finished)?;
            }
            None => writeln!(out, "interrupted after {}", counted(self.finished, "game"))?,
        }
        writeln!(out, "{}; no file was written", self.line(elapsed))?;
        Ok(())
    }

    fn line(&self, elapsed: Duration) -> String {
        let Self { plies, again, withdrawn, nodes, .. } = self;
        format!(
            "{}, {plies} plies, {} ({} confirmed, {withdrawn} withdrawn), {nodes} nodes, {}",
            counted(self.rows.len(), "game"),
            counted(*again, "possible fault"),
            again - withdrawn,
            report::time(elapsed.as_secs_f64())
        )
    }
}

fn fields(game: &AnnotatedGame) -> [String; COLUMNS.len()] {
    let name = |tag: &str| excerpt(game.tag(tag).unwrap_or("?"));
    let accuracy = |side: &SideSummary| {
        side.accuracy.map_or("-".to_owned(), |accuracy| format!("{accuracy:.1}"))
    };
    let both = |count: fn(&MoveCounts) -> usize| {
        format!("{}+{}", count(&game.white.all), count(&game.black.all))
    };
    // `4.Nxe5?? (56 % -> 7 %)`.
    let turning_point =
        game.turning_move().and_then(|m| Some(format!("{} ({})", m.with_fault(), m.change()?)));
    [
        game.number.to_string(),
        name("White"),
        name("Black"),
        result::text(game.result).to_owned(),
        game.opening.map_or("-", |opening| opening.name.eco).to_owned(),
        accuracy(&game.white),
        accuracy(&game.black),
        both(|counts| counts.inaccuracies),
        both(|counts| counts.mistakes),
        both(|counts| counts.blunders),
        turning_point.unwrap_or_default(),
    ]
}
