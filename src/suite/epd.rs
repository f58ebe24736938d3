//! Test suites: positions with known best moves, moves to avoid, points, or mates.
//!
//! A position is solved when the final move is right, or when the search announces a mate as
//! quick as the known one. The time to solution is when the search last changed to that.

use std::time::{Duration, Instant};

use crate::chess::Move;
use crate::chess::notation::epd::{Epd, EpdError};
use crate::eval::Score;
use crate::search::{
    Limits, Report, Reporter, STACK_BYTES, SearchRequest, Searcher, SearcherError, Stop,
};
use crate::util::tasks::Tasks;

/// A position with its right moves.
#[derive(Clone, Debug)]
pub struct EpdTask {
    pub epd: Epd,
    best: Vec<Move>,
    avoid: Vec<Move>,
    points: Vec<(Move, u32)>,
    /// Moves to the mate, as in [`Epd::mate`].
    mate: Option<i32>,
}

impl TryFrom<Epd> for EpdTask {
    type Error = EpdError;

    /// Reads the solution of an EPD. Without one it is never solved.
    fn try_from(epd: Epd) -> Result<Self, EpdError> {
        let (best, avoid, points) = (epd.best_moves()?, epd.avoid_moves()?, epd.points()?);
        let mate = epd.mate()?;
        Ok(Self { epd: epd.with_name_alone(), best, avoid, points, mate })
    }
}

impl EpdTask {
    /// Whether anything is given that solves the position.
    pub fn has_solution(&self) -> bool {
        self.has_moves() || self.mate.is_some()
    }

    /// Whether any right or wrong moves are given.
    pub fn has_moves(&self) -> bool {
        !(self.best.is_empty() && self.avoid.is_empty() && self.points.is_empty())
    }

    /// Whether a search with this result solves the position: its move is right, or none to
    /// avoid, and its score the mate that is given or a quicker one.
    fn is_solved_by(&self, m: Move, score: Score) -> bool {
        let is_mate = |wanted: i32, found: i32| {
            found.signum() == wanted.signum() && found.unsigned_abs() <= wanted.unsigned_abs()
        };
        let mates = self.mate.zip(score.mate_distance_moves());
        let is_mating = mates.is_some_and(|(wanted, found)| is_mate(wanted, found));
        self.is_right(m) || is_mating && !self.avoid.contains(&m)
    }

    /// Whether a move solves the position: it is one of the best moves if any are given,
    /// not one to avoid, and has the most points if only points are given.
    pub fn is_right(&self, m: Move) -> bool {
        if self.best.is_empty() && self.avoid.is_empty() {
            return self.points_of(m) == self.max_points() && self.max_points() > 0;
        }
        (self.best.is_empty() || self.best.contains(&m)) && !self.avoid.contains(&m)
    }

    /// The points of a move, where the suite gives points.
    pub fn points_of(&self, m: Move) -> u32 {
        self.points.iter().find(|(scored, _)| *scored == m).map_or(0, |&(_, points)| points)
    }

    /// The most points that a move can get.
    pub fn max_points(&self) -> u32 {
        self.points.iter().map(|&(_, points)| points).max().unwrap_or(0)
    }
}

/// The result of searching a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub chosen: Option<Move>,
    pub score: Score,
    /// When the search last changed to a solution; `None` if the task is not solved.
    pub time_to_solution: Option<Duration>,
    pub nodes: u64,
    pub depth: u8,
}

/// Attempts every task, `threads` at a time or as many as the system has threads and
/// memory for, each with a transposition table of `hash_mib`. Each attempt is passed to
/// `done` with the index of its task, in order. After a stop the attempts completed by
/// then follow, still in order; a stopped search is not an attempt.
pub fn attempt_all(
    tasks: &[EpdTask],
    limits: &Limits,
    threads: usize,
    hash_mib: usize,
    stop: &Stop,
    mut done: impl FnMut(usize, Attempt),
) -> Result<(), SearcherError> {
    let indices = Tasks {
        numbers: 0..tasks.len() as u64,
        threads,
        name: "solver",
        stack_bytes: STACK_BYTES,
        is_stopped: &|| stop.is_stopped(),
    };
    let rest = indices.in_order(
        |number| Searcher::one_of_many(number, hash_mib),
        |searcher, index| {
            let attempt = attempt(&tasks[index as usize], searcher, limits, stop);
            Ok(attempt.map(|attempt| (index as usize, attempt)))
        },
        || {},
        |(index, attempt)| {
            done(index, attempt);
            Ok(())
        },
    )?;
    rest.into_iter().for_each(|(index, attempt)| done(index, attempt));
    Ok(())
}

/// Searches the position of a task from a cleared table; `None` if a stop ended the
/// search.
fn attempt(
    task: &EpdTask,
    searcher: &mut Searcher,
    limits: &Limits,
    stop: &Stop,
) -> Option<Attempt> {
    searcher.clear();
    let start = Instant::now();
    let mut watch = SolutionTimer { task, solved_since: None };
    let request = SearchRequest::new(task.epd.position.clone(), limits.clone()).of_job(stop);
    let outcome = searcher.search(request, &mut watch);
    if stop.is_stopped() {
        return None;
    }
    let solved = outcome.best.is_some_and(|best| task.is_solved_by(best, outcome.score));
    Some(Attempt {
        chosen: outcome.best,
        score: outcome.score,
        // The last move may come from an iteration that was never reported.
        time_to_solution: solved.then(|| watch.solved_since.unwrap_or_else(|| start.elapsed())),
        nodes: outcome.nodes,
        depth: outcome.depth,
    })
}

/// Records since when the best line has solved the position.
struct SolutionTimer<'a> {
    task: &'a EpdTask,
    solved_since: Option<Duration>,
}

impl Reporter for SolutionTimer<'_> {
    fn report(&mut self, report: &Report<'_>) {
        if report.multipv != 1 || !report.is_final() {
            return;
        }
        let first = report.pv.first();
        let is_solved = first.is_some_and(|&m| self.task.is_solved_by(m, report.score));
        self.solved_since = match is_solved {
            true => self.solved_since.or(Some(report.elapsed)),
            false => None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::san;
    use crate::eval::WinDrawLoss;
    use crate::search::Bound;

    const FIELDS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn task(operations: &str) -> EpdTask {
        let epd: Epd = format!("{FIELDS} {operations}").parse().unwrap();
        EpdTask::try_from(epd).unwrap()
    }

    fn is_right(task: &EpdTask, text: &str) -> bool {
        task.is_right(san::parse(&task.epd.position, text).unwrap())
    }

    #[test]
    fn best_moves() {
        let task = task("bm e4 d4;");
        assert!(is_right(&task, "e4") && is_right(&task, "d4") && !is_right(&task, "a3"));
    }

    #[test]
    fn moves_to_avoid() {
        let task = task("am f3;");
        assert!(is_right(&task, "e4") && !is_right(&task, "f3"));
    }

    #[test]
    fn points() {
        let task = task("c0 \"e4=10, d4=8, Nf3=2\";");
        assert!(is_right(&task, "e4") && !is_right(&task, "d4"));
        let d4 = san::parse(&task.epd.position, "d4").unwrap();
        assert_eq!((task.points_of(d4), task.max_points()), (8, 10));
    }

    #[test]
    fn mates() {
        let e4 = san::parse(&task("").epd.position, "e4").unwrap();
        let solved = |operations: &str| -> Vec<i32> {
            let task = task(operations);
            assert!(task.has_solution() && !is_right(&task, "d4"), "{operations}");
            let scores = (-7..=7).filter(|plies| plies % 2 != 0);
            let score = |plies: i32| match plies {
                1.. => Score::mate_in(plies as usize),
                _ => Score::mated_in((1 - plies) as usize),
            };
            scores.filter(|&plies| task.is_solved_by(e4, score(plies))).collect()
        };
        for mate_in_3 in ["dm 3;", "bm #3; PV: e2e4;"] {
            assert_eq!(solved(mate_in_3), [1, 3, 5], "{mate_in_3}");
        }
        assert_eq!(solved("bm #-2;"), [-3, -1]);
        assert_eq!(solved("bm e4; dm 3;").len(), 8, "the move solves it, too");
        assert!(!task("dm 3;").is_solved_by(e4, Score::new(9_999)));
        assert!(!task("am e4; dm 3;").is_solved_by(e4, Score::mate_in(1)));
        assert!(task("dm -2147483648;").is_solved_by(e4, Score::mated_in(2)));
        assert!(!task("dm 3;").has_moves() && task("am f3; dm 3;").has_moves());
    }

    #[test]
    fn without_a_solution_nothing_is_right() {
        let task = task("id \"nothing\";");
        assert!(!task.has_solution() && !is_right(&task, "e4"));
    }

    #[test]
    fn a_solution_counts_from_the_last_change_to_it() {
        let task = task("bm e4;");
        let moves = ["e4", "d4"].map(|text| san::parse(&task.epd.position, text).unwrap());
        let mut watch = SolutionTimer { task: &task, solved_since: None };
        for (seconds, m) in [(1, 0), (2, 1), (3, 0), (4, 0)] {
            watch.report(&Report {
                table_hits: 0,
                depth: seconds,
                seldepth: 1,
                multipv: 1,
                score: Default::default(),
                wdl: WinDrawLoss::DRAWN,
                bound: Bound::Exact,
                nodes: 0,
                elapsed: Duration::from_secs(seconds.into()),
                hashfull: 0,
                pv: &moves[m..=m],
            });
        }
        assert_eq!(watch.solved_since, Some(Duration::from_secs(3)));
    }
}
