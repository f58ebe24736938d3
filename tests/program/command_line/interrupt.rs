//! Ctrl-C: long jobs end with their results so far.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::command_line::file;
use crate::folder::folder;
use crate::program::{TIMEOUT, caught, command, lovec, wait, wait_until, wait_until_caught};
use crate::samples::SAMPLES;

/// A command that would run much longer than the test.
struct Job {
    child: Child,
    stdout: BufReader<ChildStdout>,
    text: String,
}

impl Job {
    /// Starts a job, and waits until it catches signals.
    fn start(arguments: &[&str]) -> Self {
        let mut job = Self::start_without_handler(arguments);
        wait_until_caught(&mut job.child);
        job
    }

    fn start_without_handler(arguments: &[&str]) -> Self {
        let mut child = command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdout, text: String::new() }
    }

    /// Waits for a line that holds `text`.
    fn wait_for(&mut self, text: &str) {
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            assert!(self.stdout.read_line(&mut line).unwrap() > 0, "no {text:?}: {}", self.text);
            self.text += &line;
        }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the end; returns the status and all of the output.
    fn end(mut self) -> (ExitStatus, String) {
        let status = wait(&mut self.child, TIMEOUT);
        let status = status.unwrap_or_else(|| panic!("the job does not end: {}", self.text));
        self.stdout.read_to_string(&mut self.text).unwrap();
        (status, self.text)
    }

    /// Sends Ctrl-C; returns the output.
    fn interrupt(self) -> String {
        self.signal(Signal::INT);
        let (status, text) = self.end();
        assert_eq!(status.code(), Some(130), "{status}: {text}");
        text
    }
}

const MATE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"mate\";\n";
const ENDLESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n";

#[test]
fn analyse_shows_the_best_move_so_far() {
    let mut job = Job::start(&["analyse", "startpos", "--movetime", "600000"]);
    job.wait_for("    5 ");
    let text = job.interrupt();
    assert!(text.lines().last().unwrap().starts_with("best move: "), "{text}");

    let text = Job::start(&["analyse", "startpos", "--depth", "127", "--json"]).interrupt();
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["interrupted"], true);
    assert!(json["best_move"]["uci"].is_string(), "{json}");
}

/// `timeout` passes on the Ctrl-C that the terminal has sent to all.
#[test]
fn signals_that_come_together_are_one() {
    let job = Job::start(&["analyse", "startpos", "--depth", "127", "--json"]);
    (0..5).for_each(|_| job.signal(Signal::INT));
    let json: Value = serde_json::from_str(&job.interrupt()).unwrap();
    assert_eq!(json["interrupted"], true);
}

#[test]
fn explain_shows_what_is_known_without_a_verdict() {
    for (arguments, words) in [
        (&["startpos"][..], "club"),
        (&["startpos", "g4"], "coach"),
        (&["startpos", "moves", "e4", "g5"], "full"),
    ] {
        let explain = [&["explain", "--depth", "100", "--words", words], arguments].concat();
        let text = Job::start(&explain).interrupt();
        assert!(text.contains("\ninterrupted: "), "{text}");
        assert!(text.contains("  Best ") && text.contains("Looked at "), "{text}");
        for verdict in ["best move", "blunder", "mistake", "inaccuracy", "Static evaluation"] {
            assert!(!text.contains(verdict), "{verdict}: {text}");
        }
        let job = Job::start(&[&["explain", "--depth", "100", "--json"], arguments].concat());
        let json: Value = serde_json::from_str(&job.interrupt()).unwrap();
        assert_eq!(json["interrupted"], true);
        assert!(json["best"]["san"][0].is_string(), "{json}");
        assert_eq!((&json["verdict"], &json["threat"]), (&Value::Null, &Value::Null));
        assert_eq!(
            (&json["claims"], &json["text"]),
            (&Value::Array(vec![]), &Value::Array(vec![]))
        );
    }
}

#[test]
fn epd_shows_the_positions_that_are_done() {
    // The mates reach the last depth at once, the other positions never.
    let suite = [MATE.repeat(3), ENDLESS.repeat(2)].concat();
    let folder = folder("interrupted");
    let suite = file(&folder, "suite.epd", &suite);
    for threads in ["1", "2"] {
        let mut job = Job::start(&["epd", &suite, "--depth", "127", "--threads", threads]);
        (0..3).for_each(|_| job.wait_for("solved in"));
        let text = job.interrupt();
        let sums = ["interrupted after 3 of 5 positions", &format!("{suite} 3/3")];
        assert_eq!(text.lines().skip(3).collect::<Vec<_>>(), sums, "{text}");
    }
    let suite = file(&folder, "endless.epd", ENDLESS);
    let job = Job::start(&["epd", &suite, "--depth", "127", "--json"]);
    let json: Value = serde_json::from_str(&job.interrupt()).unwrap();
    assert_eq!((&json["interrupted"], &json["total"]), (&true.into(), &0.into()));
}

#[test]
fn counts_and_measurements_end_with_partial_results() {
    let text = Job::start(&["perft", "12", "--divide"]).interrupt();
    assert!(text.lines().last().unwrap().starts_with("interrupted"), "{text}");
    assert!(!text.contains("Nodes searched"), "{text}");

    let text = Job::start(&["bench", "60"]).interrupt();
    assert!(text.starts_with("interrupted after "), "{text}");

    for algorithm in ["minimax", "lovec"] {
        let job = Job::start(&["lab", "compare", "--algo", algorithm, "--depth", "1..90"]);
        let text = job.interrupt();
        assert!(text.starts_with("depth ") && text.ends_with("interrupted\n"), "{text}");
    }

    let job = Job::start(&["lab", "match", "ab", "ab:order=mvv", "--nodes", "100000"]);
    let text = job.interrupt();
    assert!(text.starts_with("player ") && text.contains("\ninterrupted after "), "{text}");

    let text = Job::start(&["lab", "table", "T1", "--depth", "7"]).interrupt();
    assert!(text.starts_with("T1: ") && text.ends_with("interrupted\n"), "{text}");

    let text = Job::start(&["lab", "boards", "--depth", "9"]).interrupt();
    assert!(text.starts_with("board ") && text.ends_with("interrupted\n"), "{text}");

    let job = Job::start(&["lab", "solve", "startpos", "--depth", "100", "--movetime", "600000"]);
    let text = job.interrupt();
    assert!(text.contains(" open, stopped: interrupted, "), "{text}");
    assert!(text.ends_with("interrupted after 0 of 1 positions\n"), "{text}");

    let long = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D12 1\n";
    let wac = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/wac.epd");
    let text = Job::start(&["lab", "fit", wac, "--deep", "9"]).interrupt();
    assert!(text.starts_with("interrupted after "), "{text}");

    let folder = folder("interrupted_perft");
    let suite = file(&folder, "suite.epd", long);
    let text = Job::start(&["perft-suite", &suite]).interrupt();
    assert_eq!(text, "interrupted after 0 of 1 positions\n0 passed, 0 failed\n");
}

#[test]
fn tune_writes_the_best_weights_so_far() {
    let folder = folder("interrupted_tune");
    let data = file(&folder, "d.txt", &SAMPLES.repeat(4000));
    let weights = folder.join("w.rs");
    let output = weights.to_str().unwrap();
    let endless = ["--epochs", "1000000", "--patience", "1000000", "--validation", "0"];
    let mut job = Job::start(&[&["tune", &data, "-o", output, "--ablate"], &endless[..]].concat());
    job.wait_for("epoch   3");
    let text = job.interrupt();
    assert!(text.contains("\nfitted: loss ") && text.ends_with("\ninterrupted\n"), "{text}");
    assert!(!text.contains("without "), "{text}");
    assert!(fs::read_to_string(weights).unwrap().contains("tempo: "));
}

#[test]
fn datagen_writes_the_finished_games() {
    let folder = folder("interrupted_datagen");
    let [a, b] = ["a.txt", "b.txt"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let play = ["datagen", "--nodes", "200", "--games"];
    let mut job = Job::start(&[&play[..], &["4000000000", "-o", &a]].concat());
    wait_until(&mut job.child, |_| fs::metadata(&a).is_ok_and(|file| file.len() > 0));
    let text = job.interrupt();
    let (counts, hint) = text.split_once('\n').unwrap();
    assert_eq!(hint, "interrupted; the same command continues\n");
    // They are the first ones, without a gap.
    let games = counts.split(' ').next().unwrap();
    let written = [&b, &a].map(|file| {
        let ran = lovec(&[&play[..], &[games, "-o", file]].concat()).succeeded();
        assert_eq!(ran.last_line(), counts);
        fs::read(file).unwrap()
    });
    assert!(written[0] == written[1]);
}

#[test]
fn a_second_signal_kills() {
    let job = Job::start(&["perft", "12"]);
    job.signal(Signal::INT);
    // If the job has not ended yet, this ends it.
    job.signal(Signal::INT);
    let (status, text) = job.end();
    assert_eq!(status.code(), Some(130), "{text}");
}

#[test]
fn termination_has_a_status_of_its_own() {
    let job = Job::start(&["bench", "60"]);
    job.signal(Signal::TERM);
    let (status, text) = job.end();
    assert_eq!(status.code(), Some(143), "{text}");
}

#[test]
fn the_protocol_keeps_the_default_action() {
    let mut job = Job::start_without_handler(&[]);
    job.child.stdin.as_mut().unwrap().write_all(b"go infinite\n").unwrap();
    job.wait_for("info depth");
    assert_eq!(caught(&job.child), 0);
    // The tests may run with the other signal ignored.
    job.signal(Signal::TERM);
    let (status, _) = job.end();
    assert_eq!(status.signal(), Some(Signal::TERM.as_raw()));
}
