//! Tuning of the search by games: SPSA, simultaneous perturbation stochastic approximation
//! (J. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
//! optimization", 1998), in the form that chess engines use.
//!
//! An iteration is a pair of games between two players whose parameters are all shifted,
//! each up for one player and down for the other ([`perturbation`]). The result moves every
//! parameter a little towards the player that scored more. The same results also estimate
//! what each parameter is worth by itself, since the signs of the others are random: a
//! factorial experiment.
//!
//! The parameters are variables of the process, so each player is a process of its own
//! ([`client`](crate::client)), and the games are played here ([`pair`]). Everything that a
//! run needs to continue is in one file ([`state`]). Results are counted in the order of
//! their iterations; those after a gap are lost if the run is interrupted, and played again.

mod pair;
mod perturbation;
mod state;

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::chess::Position;
use crate::chess::notation::openings::OpeningList;
use crate::client::{ClientError, EngineClient};
use crate::search::params::Parameter;
use crate::spsa::pair::Table;
use crate::spsa::perturbation::Perturbation;
use crate::util::output_file::OutputFile;
use crate::util::state_file::{self, StateFileError};
use crate::util::sync::lock;
use crate::util::tasks::Tasks;
use crate::util::thread::SMALL_STACK_BYTES;

pub use pair::MoveLimit;
pub use perturbation::EloEstimate;
pub use state::{SpsaBuild, SpsaSettings, SpsaState, TunedParameter};

/// Time between writes of the state.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);

/// How long a player may take for an answer, beside the time it is given.
const PLAYER_TIMEOUT: Duration = Duration::from_secs(600);

/// A run.
pub struct SpsaJob<'a> {
    /// Starts the UCI engine whose options are the parameters.
    pub player: &'a (dyn Fn() -> Command + Sync),
    /// The file of the state.
    pub state: &'a Path,
    pub settings: SpsaSettings,
    pub build: SpsaBuild,
    pub parameters: &'a [&'a Parameter],
    pub openings: &'a OpeningList,
    /// Pairs of games to play at the same time.
    pub concurrency: usize,
    /// Whether to end early.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// A finished iteration: its players and result.
type Finished = (Vec<Perturbation>, i32);

/// What the threads of a run share.
struct Shared<'a> {
    job: &'a SpsaJob<'a>,
    openings: Vec<&'a Position>,
    state: Mutex<SpsaState>,
    /// Whether the run has failed.
    failed: AtomicBool,
}

/// Plays until the state has all games of the settings, or the job is stopped. `progress`
/// is called with the number of finished games.
///
/// # Errors
///
/// Before the first game, if the file cannot be written, has another run, or belongs to a
/// process that still plays. Later, if a player fails or the file can no longer be written; the
/// finished games are then kept.
pub fn run(job: &SpsaJob<'_>, mut progress: impl FnMut(u64)) -> Result<SpsaState, SpsaError> {
    OutputFile::prepare(job.state)
        .map_err(|error| StateFileError::not_written(job.state, error))?;
    let _reserved = state_file::lock("spsa", job.state)?;
    let begun = SpsaState::new(job.settings.clone(), job.build.clone(), job.parameters);
    let state = begun.resumed(job.state)?;
    progress(state.games());
    let (first, end) = (state.iterations, state.all_iterations());
    let shared = Shared {
        job,
        openings: job.openings.shuffled(job.settings.seed),
        state: Mutex::new(state),
        failed: AtomicBool::new(false),
    };
    let is_stopped = || shared.failed.load(Ordering::Relaxed) || (job.is_stopped)();
    let iterations = Tasks {
        numbers: first..end,
        threads: job.concurrency,
        name: "pair of games",
        stack_bytes: SMALL_STACK_BYTES,
        is_stopped: &is_stopped,
    };
    let write = || lock(&shared.state).write(job.state);
    let mut written = Instant::now();
    let result = iterations.in_order(
        |pair| {
            let players = [shared.start_player()?, shared.start_player()?];
            if pair == 0 {
                write()?;
            }
            Ok(Table { players, limit: job.settings.limit.into(), is_stopped: &is_stopped })
        },
        |table, iteration| shared.play(table, iteration),
        || shared.failed.store(true, Ordering::Relaxed),
        |(perturbations, points)| {
            let mut state = lock(&shared.state);
            state.update(&perturbations, points);
            progress(state.games());
            drop(state);
            if written.elapsed() >= WRITE_INTERVAL {
                write()?;
                written = Instant::now();
            }
            Ok(())
        },
    );
    let state = lock(&shared.state).clone();
    let saved = if state.iterations > first { write() } else { Ok(()) };
    result?;
    saved?;
    Ok(state)
}

impl Shared<'_> {
    fn start_player(&self) -> Result<EngineClient<'static>, ClientError> {
        // A game is stopped between two moves.
        let mut player = EngineClient::start((self.job.player)(), PLAYER_TIMEOUT, &|| false)?;
        player.set_option("Hash", &self.job.settings.hash.to_string())?;
        player.wait_until_ready()?;
        Ok(player)
    }

    /// Plays an iteration; `None` if the games were stopped.
    fn play(&self, table: &mut Table<'_>, iteration: u64) -> Result<Option<Finished>, SpsaError> {
        let state = lock(&self.state).clone();
        let opening = self.openings[(iteration % self.openings.len() as u64) as usize];
        let perturbations = state.perturb(iteration);
        let names = state.parameters.iter().map(|parameter| parameter.name.as_str());
        let options = [0, 1].map(|player| {
            let values = perturbations.iter().map(|perturbation| perturbation.values[player]);
            names.clone().zip(values).collect()
        });
        let result = table.play_pair(opening, &options)?;
        Ok(result.map(|result| (perturbations, result)))
    }
}

/// Why a run could not begin or go on.
#[derive(Debug, Error)]
pub enum SpsaError {
    #[error("cannot start a thread: {0}")]
    Start(#[from] io::Error),
    #[error("a player failed: {0}")]
    Player(#[from] ClientError),
    #[error(transparent)]
    State(#[from] StateFileError),
    #[error(
        "{} was begun with other parameters, or with other ranges or steps of them; use the \
         same options, and a build with the same declarations, or choose another file",
        .0.display()
    )]
    Parameters(PathBuf),
}

// The players are shell scripts.
#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::params::PARAMETERS;

    /// Runs with players that answer `go` by a shell command.
    fn run_with(path: &Path, answer: &str, stopped: bool) -> Result<SpsaState, SpsaError> {
        let script = format!(
            "while read line; do case $line in
                uci) echo 'option name Hash type spin'; echo 'option name {} type spin'; echo uciok;;
                isready) echo readyok;;
                go*) {answer};;
            esac; done",
            PARAMETERS[0].name
        );
        let player = || {
            let mut command = Command::new("sh");
            command.args(["-c", &script]);
            command
        };
        let job = SpsaJob {
            player: &player,
            state: path,
            settings: state::tests::settings(20),
            build: state::tests::build(),
            parameters: &[&PARAMETERS[0]],
            openings: &OpeningList::default(),
            concurrency: 2,
            is_stopped: &|| stopped,
        };
        run(&job, |_| {})
    }

    #[test]
    fn faults_of_a_player_end_the_run_and_keep_the_state() {
        let path = std::env::temp_dir().join(format!("lovec-spsa-run-{}", std::process::id()));
        for (answer, complaint) in [
            ("echo bestmove e2e5", "e2e5 is not legal here"),
            ("echo bestmove '(none)'", "is not a move"),
            ("exit 3", "has ended (exit status: 3) after \"go nodes 1000\""),
        ] {
            let error = run_with(&path, answer, false).unwrap_err().to_string();
            assert!(error.contains(complaint), "{error}");
            // The state is there, and a run that is stopped at once leaves it as it is.
            assert_eq!(run_with(&path, answer, true).unwrap().iterations, 0);
        }
        let reserved = state_file::lock("spsa", &path).unwrap();
        let error = run_with(&path, "exit 3", true).unwrap_err().to_string();
        assert!(error.starts_with("another spsa writes to "), "{error}");
        drop(reserved);
        run_with(&path, "exit 3", true).unwrap();
        std::fs::remove_file(path).unwrap();
    }
}
