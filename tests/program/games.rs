//! Games of the program against itself, on the clock: no loss on time, no illegal
//! move, no crash and no stall, also if the log is not read.
//!
//! The arbiter is an independent implementation of the rules, shakmaty. Half of the
//! engines write a log of the level `trace` to a standard error that is not read.
//! Every fourth game is one of Chess960.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `LOVEC_GAMES` | number of games | 4 |
//! | `LOVEC_TC` | seconds and increment of each side | `0.5+0.005` |
//! | `LOVEC_MARGIN` | milliseconds that a move may be late | 30000 |
//! | `LOVEC_CONCURRENCY` | games at a time | 2 |
//! | `LOVEC_BINARY` | another binary to play with | |
//!
//! The default margin allows for a busy machine; without it, losses on time are found on an
//! idle one:
//!
//! ```sh
//! LOVEC_GAMES=200 LOVEC_TC=0.1+0.001 LOVEC_MARGIN=0 LOVEC_CONCURRENCY=1 \
//!   LOVEC_BINARY=target/release/lovec cargo test --test program games:: -- --nocapture
//! ```

use std::collections::HashMap;
use std::env;
use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::str::FromStr;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

use crate::program::{binary, read_all, wait};
use crate::session::PATIENCE;

/// Plies after which a game is drawn.
const MAX_PLIES: usize = 400;
const CHESS960: &str = include_str!("../data/perft/chess960.epd");

fn variable<T: FromStr>(name: &str, default: T) -> T {
    match env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
        Err(_) => default,
    }
}

#[derive(Clone, Copy)]
struct TimeControl {
    start: Duration,
    increment: Duration,
    margin: Duration,
}

impl TimeControl {
    fn from_environment() -> Self {
        let text = env::var("LOVEC_TC").unwrap_or_else(|_| "0.5+0.005".to_owned());
        let (start, increment) = text.split_once('+').expect("LOVEC_TC is like 1+0.01");
        let seconds = |text: &str| Duration::from_secs_f64(text.parse().expect("seconds"));
        Self {
            start: seconds(start),
            increment: seconds(increment),
            margin: Duration::from_millis(variable("LOVEC_MARGIN", 30_000)),
        }
    }
}

/// An engine and its unread lines.
struct Player {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<(Instant, String)>,
}

impl Player {
    /// Starts an engine. With `unread_log` it logs everything to a standard error that is
    /// not read.
    fn start(chess960: bool, unread_log: bool) -> Self {
        let mut command = Command::new(binary());
        if unread_log {
            command.args(["--log-level", "trace"]);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        if !unread_log {
            read_all(child.stderr.take().unwrap());
        }
        let (sender, lines) = mpsc::channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take().unwrap();
        let mut player = Self { child, stdin, lines };
        player.send(format_args!("setoption name UCI_Chess960 value {chess960}\nucinewgame"));
        player
    }

    fn send(&mut self, text: impl Display) {
        // If the engine has ended, its answer will be missing.
        let _ = writeln!(self.stdin, "{text}").and_then(|()| self.stdin.flush());
    }

    /// The first line that begins with `start`, and when it came.
    fn expect(&mut self, start: &str, patience: Duration) -> Result<(Instant, String), String> {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok((instant, line)) if line.starts_with(start) => return Ok((instant, line)),
                Ok((_, line)) if line.starts_with("info string error") => return Err(line),
                Ok(_) => {}
                Err(error) => return Err(format!("no {start}: {error}")),
            }
        }
    }

    /// Ends the engine.
    fn quit(mut self) -> Result<(), String> {
        self.send("quit");
        match wait(&mut self.child, PATIENCE) {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(format!("an engine ended with {status}")),
            None => Err("an engine did not quit".to_owned()),
        }
    }
}

/// A position for game `number`, the same in every run.
fn opening(number: u32) -> (Chess, CastlingMode) {
    let mut random = StdRng::seed_from_u64(number.into());
    let mode = if number % 4 == 3 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let mut position: Chess = if mode.is_chess960() {
        let lines: Vec<&str> = CHESS960.lines().collect();
        let line = lines[random.random_range(0..lines.len())];
        let fen: Fen = line.split(';').next().unwrap().trim().parse().unwrap();
        fen.into_position(mode).unwrap()
    } else {
        Chess::default()
    };
    for _ in 0..6 {
        let moves = position.legal_moves();
        if !moves.is_empty() {
            position.play_unchecked(moves[random.random_range(0..moves.len())]);
        }
    }
    (position, mode)
}

/// Plays a game to its end. Returns the number of plies, or the fault that ended it.
fn play(number: u32, control: TimeControl) -> Result<usize, String> {
    let (mut position, mode) = opening(number);
    let start = Fen::from_position(&position, EnPassantMode::Legal).to_string();
    // White logs in even games, Black in odd ones.
    let mut players =
        [0, 1].map(|side| Player::start(mode.is_chess960(), (number + side).is_multiple_of(2)));
    let mut clocks = [control.start; 2];
    let mut moves = String::new();
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let mut plies = 0;
    while position.outcome().is_unknown() && position.halfmoves() < 100 && plies < MAX_PLIES {
        let key: Zobrist64 = position.zobrist_hash(EnPassantMode::Legal);
        let repetitions = seen.entry(key.0).or_default();
        *repetitions += 1;
        if *repetitions == 3 {
            break;
        }
        let mover = usize::from(position.turn().is_black());
        let player = &mut players[mover];
        let fault = |text: String| format!("game {number}: {text}; {start} moves{moves}");
        player.send("isready");
        player.expect("readyok", PATIENCE).map_err(&fault)?;
        let [white, black] = clocks.map(|clock| clock.as_millis());
        let increment = control.increment.as_millis();
        let list = if moves.is_empty() { String::new() } else { format!(" moves{moves}") };
        let sent = Instant::now();
        player.send(format_args!(
            "position fen {start}{list}\n\
             go wtime {white} btime {black} winc {increment} binc {increment}"
        ));
        let patience = clocks[mover] + control.margin + PATIENCE;
        let (answered, line) = player.expect("bestmove", patience).map_err(&fault)?;
        let taken = answered - sent;
        if taken > clocks[mover] + control.margin {
            return Err(fault(format!("{taken:?} taken with {:?} left", clocks[mover])));
        }
        clocks[mover] = clocks[mover].saturating_sub(taken) + control.increment;
        let text = line.split(' ').nth(1).unwrap_or_default();
        let played = UciMove::from_ascii(text.as_bytes())
            .ok()
            .and_then(|m| m.to_move(&position).ok())
            .ok_or_else(|| fault(format!("illegal move {text}")))?;
        position.play_unchecked(played);
        moves += &format!(" {text}");
        plies += 1;
    }
    players
        .into_iter()
        .try_for_each(Player::quit)
        .map_err(|text| format!("game {number}: {text}"))?;
    Ok(plies)
}

#[test]
fn no_game_has_a_fault() {
    let games: u32 = variable("LOVEC_GAMES", 4);
    let concurrency: usize = variable("LOVEC_CONCURRENCY", 2);
    let control = TimeControl::from_environment();
    let pool = ThreadPoolBuilder::new().num_threads(concurrency).build().unwrap();
    let played: Vec<Result<usize, String>> = pool.install(|| {
        (0..games).into_par_iter().with_max_len(1).map(|number| play(number, control)).collect()
    });
    let plies: usize = played.iter().flatten().sum();
    let faults: Vec<String> = played.into_iter().filter_map(Result::err).collect();
    println!("{games} games, {plies} plies, {} faults", faults.len());
    assert!(faults.is_empty(), "{} of {games} games: {faults:#?}", faults.len());
    assert!(plies >= 10 * games as usize, "only {plies} plies in {games} games");
}
