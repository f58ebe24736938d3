//! The bench is a signature of the search: the same nodes in every run.
//!
//! The full count is recorded in `tests/data/bench.txt` and compared by `.ci/bench`; the build
//! of the tests is too slow for that depth, so that they search less deep, twice.

use crate::program::lovec;

/// Deep enough to use every part of the search.
const DEPTH: &str = "8";

/// The node count of a bench.
fn bench(arguments: &[&str]) -> u64 {
    let ran = lovec(&[&["bench"], arguments].concat()).succeeded();
    let last = ran.last_line();
    match last.split(' ').collect::<Vec<_>>()[..] {
        [nodes, "nodes", speed, "nps"] if speed.parse::<u64>().is_ok() => nodes.parse().unwrap(),
        _ => panic!("the last line should be `<nodes> nodes <nps> nps`, not {last:?}"),
    }
}

#[test]
fn the_same_nodes_in_every_run_and_fewer_at_a_lower_depth() {
    let first = bench(&[DEPTH]);
    assert_eq!(first, bench(&[DEPTH]));
    assert!((1..first).contains(&bench(&["4"])));
}

/// fishtest reads these lines from the error stream, OpenBench the last line of
/// the output.
#[test]
fn both_summaries_are_printed() {
    let ran = lovec(&["bench", "2"]).succeeded();
    let field = |name: &str| -> u64 {
        let line = ran.stderr.lines().find(|line| line.starts_with(name));
        let line = line.unwrap_or_else(|| panic!("no {name:?} in {ran:?}"));
        line.split_once(':').unwrap().1.trim().parse().unwrap()
    };
    field("Total time (ms)");
    field("Nodes/second");
    let nodes: u64 = ran.last_line().split(' ').next().unwrap().parse().unwrap();
    assert_eq!(field("Nodes searched"), nodes);
}
