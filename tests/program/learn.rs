//! `lovec tune --method` on the command line.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::folder::{Folder, folder};
use crate::program::{self, Ran, lovec_in};
use crate::samples::SAMPLES;

/// The methods that learn from positions, with few passes.
const COMPARISON: [&str; 6] =
    ["tune", "train.txt", "--method", "adam,hill,anneal,genetic,spsa", "--passes", "200"];

fn data_folder(name: &str) -> Folder {
    folder(name).with("train.txt", SAMPLES)
}

/// The training losses at the start and at the end of each run.
fn losses(ran: &Ran) -> Vec<[f64; 2]> {
    let json = ran.json();
    let runs = json["runs"].as_array().unwrap().iter();
    let loss = |point: &Value| point["training_loss"].as_f64().unwrap();
    runs.map(|run| run["curve"].as_array().unwrap())
        .map(|curve| [loss(&curve[0]), loss(&curve[curve.len() - 1])])
        .collect()
}

#[test]
fn every_method_lowers_the_loss() {
    let folder = data_folder("methods");
    let compare = |more: &[&str]| lovec_in(&folder, &[&COMPARISON, more].concat()).succeeded();
    let first = losses(&compare(&["--json"]));
    assert_eq!(first.len(), 5);
    assert!(first.iter().all(|[start, end]| end < start), "{first:?}");
    assert_ne!(losses(&compare(&["--json", "--seed", "2"])), first);

    let arguments = ["--runs", "runs", "--svg", "loss.svg", "--plot", "time", "--force"];
    let table = compare(&arguments).stdout;
    assert!(table.starts_with("82 weights, 5 positions\nmethod "), "{table}");
    for name in ["adam", "hill", "anneal", "genetic", "spsa"] {
        assert!(table.contains(&format!("\n{name} ")), "{table}");
        let weights = fs::read_to_string(folder.join(format!("runs/{name}.rs"))).unwrap();
        for term in lovec::eval::WEIGHTS.tables() {
            assert!(weights.contains(&format!("    {}: ", term.name)), "{name} {}", term.name);
        }
    }
    let svg = fs::read_to_string(folder.join("loss.svg")).unwrap();
    assert!(svg.contains("milliseconds") && svg.contains(">genetic<"));
    // A run that is over is shown again.
    assert_eq!(compare(&arguments).stdout, table);
}

#[test]
fn games_are_learned_from_and_weights_play() {
    let folder = data_folder("games");
    let learn = ["tune", "train.txt", "--method", "td,tdleaf", "--games", "8", "--runs", "runs"];
    let first = lovec_in(&folder, &[&learn[..], &["--json"]].concat()).succeeded().json();
    assert_eq!(first["runs"][1]["curve"][1]["spent"], 8);
    assert!(first["runs"][0]["curve"][1]["evaluations"].as_u64().unwrap() > 1000);
    let play = ["lab", "match", "ab", "ab", "--depth", "1", "--games", "2"];
    let evaluations = ["--eval", "runs/td.rs,runs/tdleaf.rs"];
    let text = lovec_in(&folder, &[&play[..], &evaluations].concat()).succeeded().stdout;
    assert!(text.starts_with("player"), "{text}");
}

/// The score has the square of the danger, so that its gradient is 0 at weights of 0.
#[test]
fn a_method_that_learns_nothing_says_so() {
    let folder = data_folder("nothing");
    let learn = ["tune", "train.txt", "--terms", "King danger", "--passes", "20", "--method"];
    let warns = |method: &str| {
        let ran = lovec_in(&folder, &[&learn[..], &[method]].concat()).succeeded();
        ran.stderr
            .contains(&format!("{method} has found no better weights than those of the start"))
    };
    assert!(warns("adam") && !warns("hill"));
}

fn weights(folder: &Path, runs: &str) -> String {
    fs::read_to_string(folder.join(runs).join("hill.rs")).unwrap()
}

#[test]
fn a_killed_run_ends_with_the_same_weights() {
    let folder = data_folder("killed");
    let learn =
        |runs| ["tune", "train.txt", "--method", "hill", "--passes", "8000", "--runs", runs];
    lovec_in(&folder, &learn("whole")).succeeded();
    let state = folder.join("parts/hill.json");
    let mut turns = 0;
    for milliseconds in [90, 130, 170, 210, 250] {
        let mut command = program::command(&learn("parts"));
        command.current_dir(&folder).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        let text = fs::read_to_string(&state).unwrap_or_else(|_| "{\"turns\":0}".to_owned());
        let json: Value = serde_json::from_str(&text).unwrap();
        let now = json["turns"].as_u64().unwrap();
        assert!(now >= turns, "{now} turns after {turns}");
        turns = now;
    }
    lovec_in(&folder, &learn("parts")).succeeded();
    assert_eq!(weights(&folder, "parts"), weights(&folder, "whole"));
}

#[test]
fn other_settings_and_damaged_states_are_errors() {
    let folder = data_folder("states");
    let hill = ["tune", "train.txt", "--method", "hill", "--runs", "runs"];
    let learn = |more: &[&str]| lovec_in(&folder, &[&hill, more].concat());
    learn(&["--passes", "60"]).succeeded();
    learn(&["--passes", "61"]).failed("with --passes 60, not 61");
    // The same terms by other names.
    learn(&["--passes", "60", "--terms", "Placement,material"]).succeeded();
    learn(&["--passes", "60", "--terms", "material"]).failed("with terms [\"material\",");
    let play = ["tune", "train.txt", "--method", "td", "--games", "8", "--runs", "runs"];
    lovec_in(&folder, &play).succeeded();
    lovec_in(&folder, &[&play[..], &["--lambda", "0.2"]].concat())
        .failed(r#"{"depth":1,"lambda":0.7,"rate":0.01}, not {"depth":1,"lambda":0.2,"#);
    learn(&["--passes", "60", "--blend", "0.5"])
        .failed("with positions and a --blend with the loss");
    learn(&["--passes", "60", "--seed", "2"]).failed("with seed 1, not 2");
    let state = folder.join("runs/hill.json");
    let text = fs::read_to_string(&state).unwrap();
    let mut json: Value = serde_json::from_str(&text).unwrap();
    json["learner"]["hill"]["steps"] = Value::Array(Vec::new());
    for damaged in [json.to_string(), text[..text.len() / 2].to_owned(), String::new()] {
        fs::write(&state, &damaged).unwrap();
        learn(&["--passes", "60"]).failed("hill.json is damaged");
        assert_eq!(fs::read_to_string(&state).unwrap(), damaged);
    }
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#;";
    fs::write(folder.join("suite.epd"), format!("{mate}\nno position\n")).unwrap();
    let suite = ["--fitness", "suite", "--suite", "suite.epd", "--passes", "2"];
    let ran = lovec_in(&folder, &[&hill[..4], &suite].concat());
    assert!(ran.status == Some(1) && ran.stdout.contains("\nhill "), "{ran:?}");
    assert!(ran.stderr.contains("suite.epd, line 2"), "{ran:?}");
    let head = ran.stdout.lines().nth(1).unwrap();
    assert!(head.ends_with(" unsolved") && ran.stdout.contains(" 0.0 %\n"), "{ran:?}");
    for (more, expected) in [
        (["--lambda", "0.2"], "--lambda is for the methods td and tdleaf"),
        (["--games", "7"], "--games is for the methods td and tdleaf"),
        (["--depth", "3"], "--depth is for the methods td and tdleaf, and for --fitness"),
        (["--suite", "absent.epd"], "--suite is for --fitness suite"),
        (["--terms", "charm"], "charm"),
        (["--terms", "passed_unstoppable"], "no position has a term"),
        (["--svg", "."], "cannot write ."),
    ] {
        learn(&more).failed(expected);
    }
    lovec_in(&folder, &["tune", "train.txt", "--method", "td", "--passes", "9"])
        .failed("--passes is for other methods than td and tdleaf");
}
