//! Latency of the program, driven over pipes as a GUI drives it.
//!
//! `cargo bench --bench latency [-- RUNS]` prints the median and the worst of the runs (100 by
//! default) and the target. Nothing fails: the worst of a hundred depends on the machine as
//! much as on the engine.
//! `LOVEC_BINARY` names another binary to measure.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const DEFAULT_RUNS: usize = 100;

const MIDDLEGAME: &str =
    "fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// Long enough for a search to have started and filled part of a table.
const A_MOMENT: Duration = Duration::from_millis(20);
/// Long enough for a search to have touched every part of a table of 1 GiB.
const WARMING_UP: Duration = Duration::from_millis(100);
/// Between commands during a search.
const PAUSE: Duration = Duration::from_millis(5);

/// The program and its pipes, written and read by one thread, so that only the engine and
/// the system take time between a command and its answer.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
}

impl Client {
    fn start() -> Self {
        let binary =
            env::var("LOVEC_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_lovec").to_owned());
        let mut child = Command::new(&binary)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{binary}: {error}"));
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output, line: String::new() }
    }

    fn send(&mut self, commands: &str) {
        self.input.write_all(format!("{commands}\n").as_bytes()).expect("the engine has ended");
    }

    /// Reads up to the first line that begins with `start`.
    fn expect(&mut self, start: &str) {
        loop {
            self.line.clear();
            let read = self.output.read_line(&mut self.line).expect("the output is not text");
            assert!(read > 0, "the engine has ended before {start:?}");
            if self.line.starts_with(start) {
                return;
            }
        }
    }

    /// The time from a command to the line that answers it.
    fn time(&mut self, commands: &str, answer: &str) -> Duration {
        let begun = Instant::now();
        self.send(commands);
        self.expect(answer);
        begun.elapsed()
    }

    fn set_hash(&mut self, mib: u32) -> Duration {
        self.time(&format!("setoption name Hash value {mib}\nisready"), "readyok")
    }

    /// Starts an endless search and lets it run for `time`.
    fn search_for(&mut self, time: Duration) {
        self.send(&format!("position {MIDDLEGAME}\ngo infinite"));
        thread::sleep(time);
    }

    fn stop(&mut self) -> Duration {
        self.time("stop", "bestmove")
    }

    /// The time from `quit` to the end of the process.
    fn quit(mut self) -> Duration {
        let begun = Instant::now();
        self.send("quit");
        self.child.wait().expect("a process to wait for");
        begun.elapsed()
    }
}

/// A measurement and its target.
struct Case {
    name: &'static str,
    target: Duration,
    /// Called once, in the process of all runs.
    prepare: fn(&mut Client),
    run: fn(&mut Client) -> Duration,
}

const fn case(
    name: &'static str,
    target_ms: u64,
    prepare: fn(&mut Client),
    run: fn(&mut Client) -> Duration,
) -> Case {
    Case { name, target: Duration::from_millis(target_ms), prepare, run }
}

fn nothing(_: &mut Client) {}

fn set_64_threads(client: &mut Client) {
    client.time("setoption name Threads value 64\nisready", "readyok");
}

const CASES: [Case; 19] = [
    case("start to `uciok`", 20, nothing, |_| {
        let begun = Instant::now();
        let mut client = Client::start();
        client.time("uci", "uciok");
        let time = begun.elapsed();
        client.quit();
        time
    }),
    case("`isready` when idle", 5, nothing, |client| client.time("isready", "readyok")),
    case(
        "`isready` during a search",
        5,
        |client| client.search_for(10 * WARMING_UP),
        |client| {
            thread::sleep(PAUSE);
            client.time("isready", "readyok")
        },
    ),
    case("`stop` to `bestmove`", 5, nothing, |client| {
        client.search_for(A_MOMENT);
        client.stop()
    }),
    case("`stop` to `bestmove`, 64 threads", 10, set_64_threads, |client| {
        client.search_for(WARMING_UP);
        client.stop()
    }),
    case("`go movetime 100` over time, 64 threads", 10, set_64_threads, |client| {
        const TIME: Duration = Duration::from_millis(100);
        client.time("go movetime 100", "bestmove").saturating_sub(TIME)
    }),
    case("`go depth 1` to `bestmove`", 5, nothing, |client| client.time("go depth 1", "bestmove")),
    case("`go movetime 0` to `bestmove`", 5, nothing, |client| {
        client.time("go movetime 0", "bestmove")
    }),
    case("`ucinewgame` and `isready`, Hash 16", 20, nothing, |client| {
        client.search_for(A_MOMENT);
        client.stop();
        client.time("ucinewgame\nisready", "readyok")
    }),
    case(
        "`ucinewgame` and `isready`, Hash 1024",
        200,
        |client| _ = client.set_hash(1024),
        |client| {
            client.search_for(WARMING_UP);
            client.stop();
            client.time("ucinewgame\nisready", "readyok")
        },
    ),
    case("Hash from 16 to 1024 and `isready`", 500, nothing, |client| {
        client.set_hash(16);
        client.set_hash(1024)
    }),
    case("the first `go depth 1` with Hash 1024", 5, nothing, |client| {
        client.set_hash(16);
        client.set_hash(1024);
        client.time("go depth 1", "bestmove")
    }),
    case(
        "`isready` during perft",
        5,
        |client| client.send("perft 8"),
        |client| {
            thread::sleep(PAUSE);
            client.time("isready", "readyok")
        },
    ),
    case("`go wtime 1` to `bestmove`", 5, nothing, |client| client.time("go wtime 1", "bestmove")),
    case("`ponderhit` without time left to `bestmove`", 5, nothing, |client| {
        client.send("go ponder wtime 10 btime 10");
        thread::sleep(A_MOMENT);
        client.time("ponderhit", "bestmove")
    }),
    case("`quit` when idle to the end", 100, nothing, |_| {
        let mut client = Client::start();
        client.time("isready", "readyok");
        client.quit()
    }),
    case("`quit` while a table of 2000 MiB is filled", 300, nothing, |_| {
        let mut client = Client::start();
        client.send("setoption name Hash value 2000");
        client.quit()
    }),
    case("`searchmoves` with a million words", 300, nothing, |client| {
        let words = " e2e5".repeat(1_000_000);
        client.time(&format!("go depth 1 searchmoves e2e4{words}\nisready"), "readyok")
    }),
    case("`quit` during a search to the end", 100, nothing, |_| {
        let mut client = Client::start();
        client.search_for(A_MOMENT);
        client.quit()
    }),
];

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn measure(case: &Case, runs: usize) {
    let mut client = Client::start();
    (case.prepare)(&mut client);
    let mut times: Vec<Duration> = (0..runs).map(|_| (case.run)(&mut client)).collect();
    client.quit();
    times.sort();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    let mark = |time| if time > case.target { '!' } else { ' ' };
    println!(
        "{:<40} {:>9.2}{} {:>9.2}{} {:>8}",
        case.name,
        milliseconds(median),
        mark(median),
        milliseconds(worst),
        mark(worst),
        case.target.as_millis(),
    );
}

/// The number of runs. Cargo adds arguments that begin with dashes.
fn runs() -> usize {
    let word = env::args().skip(1).find(|word| !word.starts_with("--"));
    word.map_or(DEFAULT_RUNS, |word| {
        word.parse().ok().filter(|&runs| runs > 0).expect("the argument is a number of runs")
    })
}

fn main() {
    let runs = runs();
    println!("{runs} runs each, in ms; `!` marks what takes longer than the target");
    println!("{:<40} {:>9}  {:>9}  {:>8}", "", "median", "worst", "target <");
    CASES.iter().for_each(|case| measure(case, runs));
}
