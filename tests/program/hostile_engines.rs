//! Engines that do everything wrong. Each run of `label`, `compare` and `annotate --engine`
//! gives the right result or one clear error, in bounded memory and time, and leaves no
//! process.
//!
//! The engines are one shell script with different answers to some commands.

use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use rustix::process::{Pid, Signal, kill_process};

use crate::folder::folder;
use crate::program::{Ran, binary, command, memory_mib, read_all, run, wait};

/// What a run is to do.
#[derive(Clone, Copy, Debug)]
enum Outcome {
    /// The same as with an engine without faults.
    Right,
    /// An error with this text.
    Error(&'static str),
    /// An error that the engine does not answer in time.
    Silent,
    /// Success, or an error.
    Any,
}

use Outcome::{Any, Error, Right, Silent};

/// The faults: what the engine does instead, as patterns of the shell, and the outcome.
const FAULTS: [(&str, &str, Outcome); 72] = [
    ("none", "", Right),
    // Words and lines.
    ("double bestmove", "go*) best; best;;", Right),
    ("late bestmove", "go*) best; echo bestmove e1d1;;", Right),
    ("late score", "go*) best; echo 'info depth 9 score cp 777 pv e1d1';;", Right),
    ("late answer to isready", "isready) best; echo readyok;;", Right),
    ("bestmovement", "go*) echo bestmovement e1d1; best;;", Right),
    ("readyokay", "isready) echo readyokay; echo readyok;;", Right),
    ("uciokay", "uci) echo uciokay; hello;;", Right),
    (
        "spaces before",
        "uci) hello | sed 's/^/ \t /';; isready) echo '  readyok';; go*) best | sed 's/^/  /';;",
        Right,
    ),
    (
        "spaces behind",
        "uci) hello | sed 's/$/  /';; isready) echo 'readyok ';; go*) best | sed 's/$/\t/';;",
        Right,
    ),
    ("spaces between", "uci) hello | sed 's/ /  /g';; go*) best | sed 's/ / \t /g';;", Right),
    (
        "carriage returns",
        "uci) hello | sed 's/$/\r/';; isready) printf 'readyok\\r\\n';; go*) best | sed 's/$/\r/';;",
        Right,
    ),
    ("empty lines", "uci) echo; echo; hello;; go*) echo; best;;", Right),
    ("unknown words", "uci) echo hello world; hello;; go*) echo joho 7; best;;", Right),
    ("no name", "uci) echo uciok;;", Right),
    (
        "name with escapes",
        "uci) printf 'id name \\033]0;PWN\\007\\302\\233\\342\\200\\256X\\n'; echo uciok;;",
        Right,
    ),
    ("name of 60 000 letters", "uci) printf 'id name '; letters 60000; echo; echo uciok;;", Right),
    (
        "not UTF-8",
        "uci) printf '\\377\\376\\n'; hello;; go*) printf 'info string \\377\\n'; best;;",
        Right,
    ),
    (
        "zero bytes",
        "uci) printf 'a\\0b\\n'; hello;; go*) printf 'info string \\0\\n'; best;;",
        Right,
    ),
    (
        "asks for registration",
        "uci) echo registration error; hello; echo copyprotection error;;",
        Right,
    ),
    // Reports.
    ("illegal line", "go*) echo 'info depth 1 score cp 9 pv e7e5 e2e4'; best;;", Right),
    ("line 0", "go*) echo 'info multipv 0 score cp 9 pv e1d1'; best;;", Right),
    ("100 000 lines", "go*) seq -f 'info multipv %.0f score cp 5 pv e1d1' 2 100000; best;;", Right),
    ("score without a number", "go*) echo 'info score cp much'; best;;", Right),
    ("score beyond all numbers", "go*) echo 'info score cp 99999999999999999999'; best;;", Right),
    (
        "nodes beyond all numbers",
        "go*) echo 'info nodes 99999999999999999999 score cp 1'; best;;",
        Right,
    ),
    ("wrong probabilities", "go*) echo 'info depth 1 score cp 9 wdl 9 9 9 pv e1d1'; best;;", Right),
    ("no report", "go*) best | grep bestmove;;", Any),
    (
        "mates of every length",
        "go*) seq -f 'info score mate %.0f pv e1d1' -9999 9999; best;;",
        Right,
    ),
    // Moves.
    ("illegal move", "go*) echo bestmove e7e5;;", Error("e7e5 is not legal here")),
    ("no move", "go*) echo bestmove;;", Error("is not a move")),
    ("no move in words", "go*) echo 'bestmove (none)';;", Error("is not a move")),
    ("null move", "go*) echo bestmove 0000;;", Error("is not a move")),
    ("SAN", "go*) echo bestmove Ke2;;", Error("is not a move")),
    ("move with escapes", "go*) printf 'bestmove \\033]0;PWN\\007\\n';;", Error("is not a move")),
    (
        "move of 60 000 letters",
        "go*) printf 'bestmove '; letters 60000; echo;;",
        Error("is not a move"),
    ),
    // Ends.
    ("ends at uci", "uci) exit 3;;", Error("has ended (exit status: 3) after \"uci\"")),
    ("ends at isready", "isready) exit 3;;", Error("has ended (exit status: 3) after \"isready\"")),
    ("ends at position", "position*) exit 0;;", Error("has ended (exit status: 0) after \"go ")),
    ("ends at go", "go*) exit 1;;", Error("has ended (exit status: 1) after \"go ")),
    ("ends after a move", "go*) best; exit 0;;", Error("has ended (exit status: 0) after \"")),
    (
        "ends in a line",
        "go*) printf bestm; exit 0;;",
        Error("has ended (exit status: 0) after \"go "),
    ),
    ("is killed", "go*) kill -KILL $$;;", Error("has ended (signal: 9")),
    ("crashes", "go*) kill -SEGV $$;;", Error("has ended (signal: 11")),
    ("ends, a child stays", "go*) sleep 1000 & exit 1;;", Error("has ended (")),
    ("closes its output", "go*) exec >&-; sleep 1000;;", Error("has ended (it closed its output)")),
    (
        "complains and ends",
        "uci) echo no network >&2; exit 1;;",
        Error("has ended (exit status: 1)"),
    ),
    // Too much.
    (
        "1000 options",
        "uci) hello | head -2; seq -f 'option name o%.0f type check' 1000; hello;;",
        Right,
    ),
    ("options for ever", "uci) yes 'option name a type check default true';;", Silent),
    ("long options for ever", "uci) yes \"option name $(letters 60000) type string\";;", Silent),
    ("a line without end at uci", "uci) cat /dev/zero;;", Error("a line is longer than")),
    (
        "a line without end at isready",
        "isready) yes | tr -d '\\n';;",
        Error("a line is longer than"),
    ),
    (
        "a line without end at go",
        "go*) printf 'info pv '; yes e1e2 | tr '\\n' ' ';;",
        Error("a line is longer than"),
    ),
    ("names for ever", "uci) yes 'id name x';;", Silent),
    ("long lines for ever", "go*) yes \"info string $(letters 60000)\";;", Silent),
    ("reports for ever", "go*) yes 'info depth 1 score cp 1 nodes 1 pv e1e2';;", Silent),
    (
        "lines of play for ever",
        "go*) seq -f 'info multipv %.0f score cp 5 pv e1e2' 1 1e15;;",
        Silent,
    ),
    ("empty lines for ever", "go*) yes '';;", Silent),
    ("readyok for ever", "go*) yes readyok;;", Silent),
    ("letters one by one", "go*) while :; do printf x; sleep 0.1; done;;", Silent),
    ("100 000 complaints", "go*) seq 100000 >&2; best;;", Right),
    ("complains for ever", "uci) yes '\u{1b}]0;PWN' >&2 & hello;;", Right),
    ("complains without end", "uci) cat /dev/zero >&2 & hello;;", Right),
    // Hangs.
    ("silent at uci", "uci) ;;", Silent),
    ("silent at isready", "isready) ;;", Silent),
    ("silent at go", "go*) ;;", Silent),
    ("sleeps at go", "go*) sleep 1000;;", Silent),
    ("stops itself", "go*) kill -STOP $$;;", Silent),
    ("computes for ever", "go*) while :; do :; done;;", Silent),
    ("does not read", "go*) exec <&-; exec sleep 1000;;", Silent),
    ("ignores quit", "quit) while :; do sleep 1; done;;", Right),
    ("leaves a child", "uci) sleep 1000 & hello;;", Right),
];

/// The script, with `FAULT` for its answers.
const SCRIPT: &str = r#"#!/bin/sh
trap '' HUP INT TERM
position=
letters() { head -c "$1" /dev/zero | tr '\0' A; }
hello() { echo 'id name Hostile'; echo 'option name Hash type spin default 1 min 1 max 64'; echo uciok; }
best() {
    last=${position##* }
    case $last in
        e1e2) move=e8e7 score=50;;
        e8e7) move=e2e1 score=50;;
        *) move=e1e2 score=${last}00;;
    esac
    echo "info depth 1 score cp $score nodes 10 pv $move"
    echo "bestmove $move"
}
while read -r line; do case $line in
FAULT
uci) hello;;
isready) echo readyok;;
position*) position=$line;;
go*) best;;
quit) exit;;
esac; done
"#;

const GAME: &str = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n1. Ke2 Ke7 *\n";

/// Most memory that a run may need, in MiB.
const MAX_MIB: u64 = 200;
/// How long a run may take; most take a few hundredths of a second. A busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(60);
/// How many runs go on at once. Many only wait.
const RUNS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Label,
    Compare,
    Annotate,
}

const TASKS: [Task; 3] = [Task::Label, Task::Compare, Task::Annotate];

/// The positions of the data set and of the suite: `4k3/8/8/8/8/8/8/4K2R w - - 0 N`.
fn fen(number: usize) -> String {
    format!("4k3/8/8/8/8/8/8/4K2R w - - 0 {number}")
}

/// Writes an engine. Another process does, so that no process that starts meanwhile holds the
/// file open, which then could not be run.
fn write_engine(path: &Path, fault: &str) {
    let mut shell = Command::new("sh")
        .args(["-c", "cat >\"$0\" && chmod +x \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let script = SCRIPT.replace("FAULT", fault);
    shell.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success());
}

fn write_inputs(folder: &Path) {
    write_engine(&folder.join("plain"), "");
    let lines = |end: &str| (1..=6).map(|n| fen(n) + end + "\n").collect::<String>();
    fs::write(folder.join("data.txt"), lines(" | 7 | 0.5")).unwrap();
    fs::write(folder.join("suite.epd"), lines("")).unwrap();
    fs::write(folder.join("game.pgn"), GAME).unwrap();
}

/// A running command with a hostile engine. Its processes have a variable of their own.
struct Run {
    child: Child,
    mark: String,
    output: String,
}

impl Run {
    fn start(folder: &Path, task: Task, name: &str, options: &[&str]) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mark = format!("LOVEC_HOSTILE={}.{number}", std::process::id());
        let engine = format!("./{name}");
        let output = format!("out{number}");
        let arguments = match task {
            Task::Label => vec!["label", "data.txt", "-o", &output, "--engine", &engine],
            Task::Compare => vec!["compare", "./plain", &engine, "suite.epd"],
            Task::Annotate => vec!["annotate", "game.pgn", "-o", &output, "--engine", &engine],
        };
        let (variable, value) = mark.split_once('=').unwrap();
        let child = command(&[&arguments[..], &["--nodes", "9"], options].concat())
            .current_dir(folder)
            .env(variable, value)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self { child, mark, output }
    }

    /// The processes of this run, without the command itself.
    fn processes(&self) -> Vec<String> {
        let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
            let path = entry.ok()?.path();
            let id = path.file_name()?.to_str()?.parse::<u32>().ok()?;
            let environment = fs::read(path.join("environ")).ok()?;
            let is_own = environment.split(|&byte| byte == 0).any(|it| it == self.mark.as_bytes());
            let name = fs::read_to_string(path.join("cmdline")).ok()?.replace('\0', " ");
            (is_own && id != self.child.id()).then(|| format!("{id} {name}"))
        });
        processes.collect()
    }

    /// Waits until an engine runs, which has time to hang.
    fn wait_for_engine(&self) {
        let start = Instant::now();
        while self.processes().is_empty() {
            assert!(start.elapsed() < PATIENCE, "no engine has started");
            thread::sleep(Duration::from_millis(20));
        }
        thread::sleep(Duration::from_millis(300));
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the end, and checks what holds for every run. Returns how it has ended, and
    /// the name of its output.
    fn end(mut self, patience: Duration) -> (ExitStatus, Ran, String) {
        let stdout = read_all(self.child.stdout.take().unwrap());
        let stderr = read_all(self.child.stderr.take().unwrap());
        let (start, mut memory) = (Instant::now(), 0);
        let status = loop {
            // A process that has ended but was not waited for has no memory.
            if let Some(status) = self.child.try_wait().unwrap() {
                break Some(status);
            }
            if start.elapsed() > patience {
                break wait(&mut self.child, Duration::ZERO);
            }
            memory = memory.max(memory_of(&self.child));
            thread::sleep(Duration::from_millis(2));
        };
        // The killed processes need a moment to vanish.
        while !self.processes().is_empty() && start.elapsed() < 2 * patience {
            thread::sleep(Duration::from_millis(10));
        }
        let left = self.processes();
        for process in &left {
            let id = process.split(' ').next().and_then(|id| id.parse().ok()).unwrap();
            let _ = kill_process(Pid::from_raw(id).unwrap(), Signal::KILL);
        }
        assert_eq!(left, [""; 0], "left behind");
        let [stdout, stderr] = [stdout, stderr].map(|stream| stream.join().unwrap());
        let status = status.unwrap_or_else(|| panic!("no end: {stdout}\n{stderr}"));
        let ran = Ran { status: status.code(), stdout, stderr };
        assert!(memory <= MAX_MIB, "{memory} MiB: {ran:?}");
        let raw = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!ran.stdout.contains(raw) && !ran.stderr.contains(raw), "{ran:?}");
        assert!(ran.stderr.lines().count() < 500, "{} lines", ran.stderr.lines().count());
        (status, ran, self.output)
    }
}

/// The most memory of a process in MiB, 0 if it has just ended.
fn memory_of(child: &Child) -> u64 {
    // A process that has just been started may for a moment still have the memory of this one,
    // and its command line.
    let command_line = |process: &str| fs::read(format!("/proc/{process}/cmdline")).ok();
    if command_line(&child.id().to_string()) == command_line("self") {
        return 0;
    }
    memory_mib(child, "VmHWM").unwrap_or(0)
}

/// The output of an `annotate`, without the name of the engine.
fn annotated(folder: &Path, output: &str) -> String {
    let text = fs::read_to_string(folder.join(output)).unwrap();
    assert!(!text.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'), "{text:?}");
    assert!(text.contains("[%eval "), "{text}");
    text.lines().filter(|line| !line.starts_with("[Annotator ")).collect::<Vec<_>>().join("\n")
}

/// Runs a task with an engine, and checks the outcome.
fn check(folder: &Path, task: Task, name: &str, outcome: Outcome) {
    let options: &[&str] = if matches!(outcome, Silent) { &["--timeout", "1"] } else { &[] };
    let (_, ran, output) = Run::start(folder, task, name, options).end(PATIENCE);
    let ran = ran.orderly();
    match outcome {
        Error(text) => drop(ran.refused(text)),
        Silent => drop(ran.refused("no answer to ")),
        Any => assert!(ran.status == Some(0) || ran.status == Some(2), "{ran:?}"),
        Right => {
            let ran = ran.succeeded();
            match task {
                Task::Label => {
                    let wanted: String =
                        (1..=6).map(|n| format!("{} | {n}00 | 0.5\n", fen(n))).collect();
                    assert_eq!(fs::read_to_string(folder.join(output)).unwrap(), wanted);
                }
                Task::Compare => {
                    let summary = ran.last_line();
                    assert!(summary.starts_with("0 of 6 moves and 0 scores differ"), "{ran:?}");
                }
                Task::Annotate => {
                    assert_eq!(annotated(folder, &output), annotated(folder, "plain.pgn"));
                }
            }
        }
    }
}

/// Calls `work` for all numbers below `count`, some at once. Fails with the descriptions of the
/// numbers for which it panics.
fn for_all(count: usize, describe: impl Fn(usize) -> String + Sync, work: impl Fn(usize) + Sync) {
    let fails = |&number: &usize| catch_unwind(AssertUnwindSafe(|| work(number))).is_err();
    let pool = ThreadPoolBuilder::new().num_threads(RUNS).build().unwrap();
    let faults: Vec<String> = pool.install(|| {
        (0..count).into_par_iter().with_max_len(1).filter(fails).map(&describe).collect()
    });
    assert!(faults.is_empty(), "{} of {count}: {}", faults.len(), faults.join(", "));
}

#[test]
fn every_fault_gives_the_right_result_or_an_error() {
    let folder = folder("faults");
    write_inputs(&folder);
    for (number, (_, fault, _)) in FAULTS.iter().enumerate() {
        write_engine(&folder.join(format!("engine{number}")), fault);
    }
    let plain = Run::start(&folder, Task::Annotate, "plain", &[]).end(PATIENCE);
    plain.1.succeeded();
    fs::rename(folder.join(plain.2), folder.join("plain.pgn")).unwrap();
    // What ends a dialogue is noticed in one place, and silence takes a second: each such fault is
    // for one task.
    let is_run = |&(fault, task): &(usize, Task)| {
        matches!(FAULTS[fault].2, Right | Any) || TASKS[fault % TASKS.len()] == task
    };
    let rows = (0..FAULTS.len()).flat_map(|fault| TASKS.map(|task| (fault, task)));
    let rows: Vec<(usize, Task)> = rows.filter(is_run).collect();
    let describe = |number: usize| format!("{:?}: {}", rows[number].1, FAULTS[rows[number].0].0);
    for_all(rows.len(), describe, |number| {
        let (fault, task) = rows[number];
        check(&folder, task, &format!("engine{fault}"), FAULTS[fault].2);
    });
}

#[test]
fn programs_that_cannot_be_started_are_errors() {
    let folder = folder("no_engine");
    write_inputs(&folder);
    fs::write(folder.join("text"), "text").unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    for task in TASKS {
        for name in ["text", "folder", "absent", "plain/plain", "\u{1b}]0;PWN\u{7}"] {
            let (_, ran, _) = Run::start(&folder, task, name, &[]).end(PATIENCE);
            ran.refused("cannot start: ");
        }
    }
}

#[test]
fn signals_end_the_command_and_its_hung_engine() {
    let folder = folder("signals");
    write_inputs(&folder);
    let places = [("uci", "uci) while :; do :; done;;"), ("go", "go*) while :; do :; done;;")];
    for (name, fault) in places {
        write_engine(&folder.join(name), fault);
    }
    let signals =
        [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129), (Signal::KILL, 137)];
    let row = |number: usize| {
        let (signal, rest) = (signals[number % signals.len()], number / signals.len());
        (signal, TASKS[rest % TASKS.len()], places[rest / TASKS.len()].0)
    };
    let describe = |number| format!("{:?}", row(number));
    for_all(signals.len() * TASKS.len() * places.len(), describe, |number| {
        use std::os::unix::process::ExitStatusExt;
        let ((signal, wanted), task, name) = row(number);
        let run = Run::start(&folder, task, name, &[]);
        run.wait_for_engine();
        run.signal(signal);
        let (status, ran, _) = run.end(PATIENCE);
        let ended = status.code().or(status.signal().map(|signal| 128 + signal));
        assert_eq!(ended, Some(wanted), "{ran:?}");
    });
}

#[test]
fn a_hang_up_that_is_ignored_stays_ignored() {
    let folder = folder("nohup");
    write_inputs(&folder);
    write_engine(&folder.join("slow"), "go*) sleep 0.2; best;;");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "trap '' HUP; \"$@\" & sleep 0.5; kill -HUP $!; wait $!", "sh"])
        .arg(binary())
        .args(["label", "data.txt", "-o", "out", "--engine", "./slow", "--nodes", "9"])
        .current_dir(&folder);
    run(&mut shell, "").succeeded();
}

#[test]
fn the_failure_of_one_engine_ends_the_others() {
    let data: String = (1..=640).map(|n| fen(n) + " | 7 | 0.5\n").collect();
    let folder = folder("one_fails").with("data.txt", data);
    let first =
        |fault: &str| format!("if mkdir first 2>/dev/null; then {fault}; else sleep 1000; fi;;");
    for (place, fault, complaint) in [
        ("go*)", "exit 3", "has ended (exit status: 3) after \"go "),
        ("go*)", "echo bestmove e7e5", "e7e5 is not legal here"),
        ("isready)", "exit 3", "has ended (exit status: 3) after \"isready\""),
        ("uci)", "exit 3", "has ended (exit status: 3) after \"uci\""),
        ("uci)", "cat /dev/zero", "a line is longer than"),
    ] {
        let _ = fs::remove_dir(folder.join("first"));
        write_engine(&folder.join("engine"), &format!("{place} {}", first(fault)));
        let start = Instant::now();
        let options = ["--threads", "3", "--timeout", "1000"];
        let (_, ran, _) = Run::start(&folder, Task::Label, "engine", &options).end(PATIENCE);
        ran.refused(complaint);
        assert!(start.elapsed() < PATIENCE, "the others were waited for");
    }
}

/// An engine that calls itself Lovec is also asked for its evaluation.
#[test]
fn evaluations_are_bounded_too() {
    let folder = folder("evaluations");
    write_inputs(&folder);
    let lovec = |start: &str, score: u32, evaluation: &str| {
        let engine = format!(
            "uci) echo id name Lovec x; echo uciok;; go*) best | sed 's/cp .* nodes/cp {score} nodes/';;"
        );
        let path = folder.join(start);
        write_engine(&path, &engine);
        let text = fs::read_to_string(&path).unwrap();
        let line = format!("#!/bin/sh\nif [ \"$1\" = eval ]; then {evaluation}; exit; fi\n");
        // The file exists, so that it stays a program.
        fs::write(&path, text.replacen("#!/bin/sh\n", &line, 1)).unwrap();
    };
    lovec("plain", 1, "echo '{}'");
    for (evaluation, complaint) in [
        ("yes xxx", "is longer than 4194304 bytes"),
        ("cat /dev/zero", "a line is longer than"),
        ("seq 100000000", "is longer than 4194304 bytes"),
        ("sleep 1000", "no answer to "),
        ("exit 3", "has ended (exit status: 3)"),
        ("kill -KILL $$", "has ended (signal: 9"),
        ("exec >&-; sleep 1000", "it closed its output"),
        ("echo nonsense", "an evaluation that cannot be read"),
        ("yes '[' | head -n 100000", "an evaluation that cannot be read"),
        ("echo '{\"white_score\": \"x\"}'", "an evaluation that cannot be read"),
        ("echo; yes error >&2", "no answer to "),
    ] {
        lovec("engine", 2, evaluation);
        let silent = complaint == "no answer to ";
        let options: &[&str] = if silent { &["--timeout", "1"] } else { &[] };
        let (_, ran, _) = Run::start(&folder, Task::Compare, "engine", options).end(PATIENCE);
        ran.refused(complaint);
    }
}
