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
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::chess::Position;
use crate::chess::notation::openings::OpeningList;
use crate::client::{ClientError, EngineClient};
use crate::search::params::Parameter;
use crate::spsa::pair::Table;
use crate::spsa::perturbation::Perturbation;
use crate::util::output_file::OutputFile;
use crate::util::pool::InOrder;
use crate::util::state_file::StateFileError;
use crate::util::sync::lock;
use crate::util::thread::{SMALL_STACK_BYTES, start_prepared};

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

/// A finished iteration: its number, players and result.
type Finished = (u64, Vec<Perturbation>, i32);

/// What the threads of a run share.
struct Shared<'a> {
    job: &'a SpsaJob<'a>,
    openings: Vec<&'a Position>,
    state: Mutex<SpsaState>,
    /// The next iteration to begin.
    next: AtomicU64,
    /// Whether the run has failed.
    failed: AtomicBool,
}

/// Plays until the state has all games of the settings, or the job is stopped. `progress`
/// is called with the number of finished games.
///
/// # Errors
///
/// Before the first game, if the file cannot be written, or has another run. Later, if a
/// player fails or the file can no longer be written; the finished games are then kept.
pub fn run(job: &SpsaJob<'_>, mut progress: impl FnMut(u64)) -> Result<SpsaState, SpsaError> {
    let begun = SpsaState::new(job.settings.clone(), job.build.clone(), job.parameters);
    let state = begun.resumed(job.state)?;
    OutputFile::prepare(job.state)
        .map_err(|error| StateFileError::Write { path: job.state.to_owned(), error })?;
    progress(state.games());
    let (first, end) = (state.iterations, state.all_iterations());
    let players = job.concurrency.min(end.saturating_sub(first) as usize);
    let shared = Shared {
        job,
        openings: job.openings.shuffled(job.settings.seed),
        state: Mutex::new(state),
        next: AtomicU64::new(first),
        failed: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        let (sender, inbox) = channel();
        let started = (0..players).try_for_each(|_| shared.start_worker(scope, sender.clone()));
        // The channel closes when the last worker drops its sender.
        drop(sender);
        let result = started.and_then(|()| shared.collect(inbox, first, progress));
        shared.failed.store(result.is_err(), Ordering::Relaxed);
        result
    })?;
    let state = lock(&shared.state).clone();
    Ok(state)
}

impl Shared<'_> {
    /// Starts two players and a thread that lets them play one pair after the other.
    fn start_worker<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        sender: Sender<Result<Finished, SpsaError>>,
    ) -> Result<(), SpsaError> {
        let prepare = move || Ok::<_, SpsaError>([self.start_player()?, self.start_player()?]);
        let work = move |players| {
            let is_stopped = || self.failed.load(Ordering::Relaxed) || (self.job.is_stopped)();
            let limit = self.job.settings.limit;
            let mut table = Table { players, limit, is_stopped: &is_stopped };
            while let Some(finished) = self.play_next(&mut table).transpose() {
                if sender.send(finished).is_err() {
                    return;
                }
            }
        };
        start_prepared(scope, "pair of games", SMALL_STACK_BYTES, prepare, work)?;
        Ok(())
    }

    fn start_player(&self) -> Result<EngineClient<'static>, ClientError> {
        // A game is stopped between two moves.
        let mut player = EngineClient::start((self.job.player)(), PLAYER_TIMEOUT, &|| false)?;
        player.set_option("Hash", &self.job.settings.hash.to_string())?;
        player.wait_until_ready()?;
        Ok(player)
    }

    /// Plays the next iteration; `None` if there is none, or the games were stopped.
    fn play_next(&self, table: &mut Table<'_>) -> Result<Option<Finished>, SpsaError> {
        let iteration = self.next.fetch_add(1, Ordering::Relaxed);
        let state = lock(&self.state).clone();
        if iteration >= state.all_iterations() {
            return Ok(None);
        }
        let opening = self.openings[(iteration % self.openings.len() as u64) as usize];
        let perturbations = state.perturb(iteration);
        let names = state.parameters.iter().map(|parameter| parameter.name.as_str());
        let options = [0, 1].map(|player| {
            let values = perturbations.iter().map(|perturbation| perturbation.values[player]);
            names.clone().zip(values).collect()
        });
        let result = table.play_pair(opening, &options)?;
        Ok(result.map(|result| (iteration, perturbations, result)))
    }

    /// Updates the state by each result, in order, and writes it now and then.
    fn collect(
        &self,
        inbox: Receiver<Result<Finished, SpsaError>>,
        first: u64,
        mut progress: impl FnMut(u64),
    ) -> Result<(), SpsaError> {
        let write = || lock(&self.state).write(self.job.state);
        write()?;
        let mut written = Instant::now();
        let mut waiting = InOrder::new(first);
        let mut result = Ok(());
        for finished in inbox {
            match finished {
                Ok((iteration, perturbations, points)) => {
                    waiting.add(iteration, (perturbations, points));
                }
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
            while let Some((perturbations, points)) = waiting.pop() {
                let mut state = lock(&self.state);
                state.update(&perturbations, points);
                progress(state.games());
            }
            if written.elapsed() >= WRITE_INTERVAL {
                write()?;
                written = Instant::now();
            }
        }
        result.and(write())
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
        std::fs::remove_file(path).unwrap();
    }
}
