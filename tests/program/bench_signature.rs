//! The bench is a signature of the search: the same nodes in every run.
//!
//! The full count of the release build is recorded in `tests/data/bench.txt`
//! and compared by `.ci/run`; a debug build is too slow for that depth, so the
//! tests here search less deep, twice.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Deep enough to use every part of the search.
const DEPTH: &str = "8";

/// The node count and the last line of a bench.
fn bench(arguments: &[&str]) -> (u64, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_lovec")).arg("bench").args(arguments).output().unwrap();
    assert!(output.status.success(), "bench {arguments:?}: {}", output.status);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let last = stdout.lines().last().unwrap_or_default().to_owned();
    let nodes = match last.split(' ').collect::<Vec<_>>()[..] {
        [nodes, "nodes", speed, "nps"] if speed.parse::<u64>().is_ok() => nodes.parse().unwrap(),
        _ => panic!("the last line should be `<nodes> nodes <nps> nps`, not {last:?}"),
    };
    (nodes, last)
}

#[test]
fn the_same_nodes_in_every_run() {
    let (first, _) = bench(&[DEPTH]);
    let (second, _) = bench(&[DEPTH]);
    assert!(first > 0);
    assert_eq!(first, second);
}

#[test]
fn a_deeper_bench_searches_more() {
    assert!(bench(&["2"]).0 < bench(&["4"]).0);
}

/// fishtest reads these lines from the error stream, OpenBench the last line of
/// the output.
#[test]
fn both_summaries_are_printed() {
    let output = Command::new(env!("CARGO_BIN_EXE_lovec")).args(["bench", "2"]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let field = |name: &str| -> u64 {
        let line = stderr.lines().find(|line| line.starts_with(name));
        let line = line.unwrap_or_else(|| panic!("no {name:?} in {stderr:?}"));
        line.split_once(':').unwrap().1.trim().parse().unwrap()
    };
    field("Total time (ms)");
    field("Nodes/second");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let nodes: u64 = stdout.lines().last().unwrap().split(' ').next().unwrap().parse().unwrap();
    assert_eq!(field("Nodes searched"), nodes);
}

#[test]
fn a_count_is_recorded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bench.txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    assert!(text.trim().parse::<u64>().is_ok(), "{path:?} should hold one number, not {text:?}");
}
