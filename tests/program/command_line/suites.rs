//! Test suites and perft suites: empty checks fail, and sums are right.

use serde_json::Value;

use crate::command_line::file;
use crate::folder::folder;
use crate::program::lovec;

const MATE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"mate\";\n";
const IMPOSSIBLE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Kh1; id \"no mate\";\n";
const UNSOLVED: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - id \"no solution\";\n";
const COUNTS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n";

#[test]
fn a_suite_without_solutions_is_an_error() {
    let folder = folder("no_solutions");
    for text in ["", "# nothing\n", UNSOLVED] {
        let suite = file(&folder, "empty.epd", text);
        lovec(&["epd", &suite, "--depth", "1"]).refused("no position with a solution");
    }
    for (text, sentence) in [("", "has no positions"), (COUNTS, "no count of at most 19 nodes")] {
        let suite = file(&folder, "perft.epd", text);
        lovec(&["perft-suite", &suite, "--max-nodes", "19"]).refused(sentence);
    }
}

#[test]
fn sums_over_files() {
    let folder = folder("sums");
    let first = file(&folder, "first.epd", &[MATE, IMPOSSIBLE].concat());
    let second = file(&folder, "second.epd", &MATE.repeat(3));
    let one = lovec(&["epd", &first, "--depth", "2"]).succeeded();
    assert_eq!(one.last_line(), format!("{first} 1/2"));
    for threads in ["1", "3"] {
        let both = lovec(&["epd", &first, &second, "--depth", "2", "--threads", threads]);
        let lines: Vec<&str> = both.stdout.lines().collect();
        assert_eq!((both.status, lines.len()), (Some(0), 8), "{both:?}");
        assert_eq!(lines[2], format!("{first} 1/2"));
        assert_eq!(lines[6..], [format!("{second} 3/3"), "total 4/5".to_owned()]);
    }
    let json = lovec(&["epd", &first, &second, "--depth", "2", "--json"]).succeeded();
    let lines: Vec<Value> =
        json.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[2]["solved"], &lines[2]["total"]), (&4.into(), &5.into()));
    assert_eq!(lines[0]["positions"][1]["id"], "no mate");
}

#[test]
fn fewer_solutions_than_required_fail() {
    let folder = folder("min_solved");
    let suite = file(&folder, "a.epd", &[MATE, IMPOSSIBLE].concat());
    for (least, status) in [("1", 0), ("2", 1)] {
        let ran = lovec(&["epd", &suite, "--depth", "2", "--min-solved", least]);
        assert_eq!(ran.status, Some(status), "{ran:?}");
    }
    // The sum over the files counts.
    let ran = lovec(&["epd", &suite, &suite, "--depth", "2", "--min-solved", "2"]);
    assert_eq!((ran.status, ran.last_line()), (Some(0), "total 2/4"));
}

#[test]
fn perft_suites() {
    let folder = folder("perft_suites");
    let right = file(&folder, "right.epd", &COUNTS.repeat(2));
    let wrong = file(&folder, "wrong.epd", &COUNTS.replace("400", "401"));
    assert_eq!(lovec(&["perft-suite", &right]).succeeded().stdout, "2 passed, 0 failed\n");
    let both = lovec(&["perft-suite", &right, &right]).succeeded();
    assert_eq!(both.stdout, format!("{right} 2/2\n{right} 2/2\n4 passed, 0 failed\n"));
    let failed = lovec(&["perft-suite", &right, &wrong]);
    assert_eq!((failed.status, failed.last_line()), (Some(1), "2 passed, 1 failed"));
    let failed = lovec(&["perft-suite", &right, &wrong, "--json"]);
    let json = failed.json();
    assert_eq!((failed.status, &json["passed"], &json["failed"]), (Some(1), &2.into(), &1.into()));
    assert_eq!(json["mismatch"]["expected"], 401);
    assert_eq!(json["files"][1]["passed"], 0);
    assert!(lovec(&["perft-suite", &right, "--json"]).succeeded().json()["mismatch"].is_null());
}

#[test]
fn bench_and_perft_write_json() {
    let bench = lovec(&["bench", "2", "--json"]).succeeded();
    let json = bench.json();
    assert_eq!((&json["depth"], &json["positions"]), (&2.into(), &50.into()));
    let line = lovec(&["bench", "2"]).succeeded().stdout;
    assert_eq!(line.split(' ').next().unwrap(), json["nodes"].to_string());
    let repeated = lovec(&["bench", "2", "--json", "--repeat", "3"]).succeeded().json();
    let number = |key: &str| repeated[key].as_u64().unwrap();
    assert_eq!((number("runs"), &repeated["nodes"]), (3, &json["nodes"]));
    assert!(number("min_milliseconds") <= number("milliseconds"));
    assert!(number("milliseconds") <= number("max_milliseconds"));
    let repeated = lovec(&["bench", "2", "--repeat", "2"]).succeeded();
    assert!(repeated.stdout.starts_with("2 runs: median "), "{repeated:?}");
    assert_eq!(repeated.last_line().split(' ').next(), line.split(' ').next());
    let perft = lovec(&["perft", "3", "--divide", "--json"]).succeeded().json();
    let moves = perft["moves"].as_array().unwrap();
    let sum: u64 = moves.iter().map(|m| m["nodes"].as_u64().unwrap()).sum();
    assert_eq!((moves.len(), sum, &perft["nodes"]), (20, 8_902, &8_902.into()));
    let whole = lovec(&["perft", "2", "--json"]).succeeded().json();
    assert_eq!((&whole["nodes"], &whole["moves"]), (&400.into(), &Value::Null));
    let divided = lovec(&["perft", "3", "--divide"]).succeeded();
    assert!(divided.stdout.lines().any(|line| line == "e2e4: 600"), "{divided:?}");
    assert_eq!(divided.last_line(), "Nodes searched: 8902");
    assert_eq!(lovec(&["perft", "0", "--divide"]).succeeded().last_line(), "Nodes searched: 1");
}
