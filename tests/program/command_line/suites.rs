//! Test suites and perft suites: empty checks fail, and sums are right.

use serde_json::{Value, json};

use crate::command_line::file;
use crate::folder::folder;
use crate::program::{command, lovec, run};

const MATE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"mate\";\n";
const IMPOSSIBLE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Kh1; id \"no mate\";\n";
const UNSOLVED: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - id \"no solution\";\n";
const COUNTS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n";

#[test]
fn a_suite_without_solutions_is_an_error() {
    let folder = folder("no_solutions");
    for (text, sentence) in [
        ("", "has no positions"),
        ("# nothing\n", "has no positions"),
        (UNSOLVED, "no position with a solution"),
    ] {
        let suite = file(&folder, "empty.epd", text);
        lovec(&["epd", &suite, "--depth", "1"]).refused(sentence);
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
    assert_eq!(lines[0]["results"][1]["id"], "no mate");
}

#[test]
fn a_mate_that_is_announced_solves_a_position() {
    let folder = folder("mates");
    let operations = ["dm 1;", "dm 3;", "bm #1;", "bm #-1;", "bm Kh1; dm 1;", "bm Kh1;"];
    let lines = operations.map(|it| format!("6k1/5ppp/8/8/8/8/8/R5K1 w - - {it}\n"));
    let suite = file(&folder, "a.epd", &lines.concat());
    let ran = lovec(&["epd", &suite, "--depth", "3"]).succeeded();
    assert_eq!(ran.last_line(), format!("{suite} 4/6"));
    let json = lovec(&["epd", &suite, "--depth", "3", "--json"]).succeeded().json();
    let results = json["results"].as_array().unwrap();
    let solved: Vec<bool> = results.iter().map(|it| it["solved"].as_bool().unwrap()).collect();
    assert_eq!(solved, [true, true, true, false, true, false]);
    assert!(results.iter().all(|it| it["score"] == json!({ "mate": 1 })), "{json}");
}

#[test]
fn suites_come_from_the_standard_input_and_as_gzip() {
    let folder = folder("inputs");
    let compressed = folder.join("suite");
    // Of an old program: not UTF-8.
    let latin1 = [b"# Gl\xFCck\n", MATE.as_bytes()].concat();
    std::fs::write(&compressed, lovec::util::gzip::compressed(&latin1).unwrap()).unwrap();
    let compressed = compressed.to_str().unwrap();
    let ran = run(&mut command(&["epd", "-", compressed, "--depth", "2"]), &MATE.repeat(2));
    let lines: Vec<String> = ran.succeeded().stdout.lines().skip(2).map(str::to_owned).collect();
    assert_eq!(
        (&*lines[0], &*lines[2], &*lines[3]),
        ("- 2/2", &*format!("{compressed} 1/1"), "total 3/3")
    );
    let ran = run(&mut command(&["perft-suite", "-"]), COUNTS).succeeded();
    assert_eq!(ran.stdout, "1 passed, 0 failed\n");
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
    let wrong = file(&folder, "wrong.epd", &COUNTS.replace("400", "401 ;D3 8901"));
    assert_eq!(lovec(&["perft-suite", &right]).succeeded().stdout, "2 passed, 0 failed\n");
    let both = lovec(&["perft-suite", &right, &right]).succeeded();
    assert_eq!(both.stdout, format!("{right} 2/2\n{right} 2/2\n4 passed, 0 failed\n"));
    let failed = lovec(&["perft-suite", &right, &wrong]);
    assert_eq!((failed.status, failed.last_line()), (Some(1), "2 passed, 1 failed"));
    let failed = lovec(&["perft-suite", &right, &wrong, "--json"]);
    let json = failed.json();
    assert_eq!((failed.status, &json["passed"], &json["failed"]), (Some(1), &2.into(), &1.into()));
    let fen = COUNTS.split(" ;").next();
    let mismatch = json!({ "fen": fen, "depth": 2, "expected": 401, "got": 400 });
    assert_eq!(json["mismatch"], mismatch);
    assert_eq!(json["files"][1]["passed"], 0);
    lovec(&["perft-suite", &wrong, "--max-nodes", "400"]).succeeded();
    // The second suite is not begun.
    let failed = lovec(&["perft-suite", &wrong, &right]);
    assert_eq!(failed.stdout.lines().nth(5).unwrap(), format!("{right} -/2"));
    let json = lovec(&["perft-suite", &wrong, &right, "--json"]).json();
    assert!(json["files"][0]["passed"] == 0 && json["files"][1]["passed"].is_null(), "{json}");
    assert!(lovec(&["perft-suite", &right, "--json"]).succeeded().json()["mismatch"].is_null());
}

#[test]
fn bench_and_perft_write_json() {
    let bench = lovec(&["bench", "2", "--json"]).succeeded();
    let json = bench.json();
    assert_eq!((&json["depth"], &json["positions"]), (&2.into(), &50.into()));
    let line = lovec(&["bench", "2"]).succeeded().stdout;
    assert_eq!(line.split(' ').next().unwrap(), json["nodes"].to_string());
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

/// Lines that cannot be read, and what is wrong with them.
const BAD_LINES: [(&str, &str); 11] = [
    ("nonsense", "FEN"),
    ("8/8/8/8 w - - bm Ra8;", "4 ranks instead of eight"),
    ("6k1/5ppp/8/8/8/8/8/R5K1 x - - bm Ra8;", "FEN side to move"),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Qa8;", "operation bm: Qa8 is not legal here"),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm a1b8;", "operation bm: a1b8 is not legal here"),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - am xyz;", "is not a move in algebraic notation"),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; id \"open;", "a quotation mark is not closed"),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - c0 \"Ra8=10, Ra9=5\";", "operation c0"),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm #x;", "operation bm: \"x\" is not a number of moves"),
    ("[Event \"x\"]", "a game in PGN begins here"),
    ("8/8/8/8/8/8/8/8 w - - bm Ra8;", "FEN position"),
];

#[test]
fn a_bad_line_does_not_lose_the_others() {
    let folder = folder("bad_lines");
    for (line, sentence) in BAD_LINES {
        let suite = file(&folder, "a.epd", &format!("{MATE}{line}\n{MATE}"));
        let ran = lovec(&["epd", &suite, "--depth", "2"]).orderly();
        assert_eq!((ran.status, ran.last_line()), (Some(1), &*format!("{suite} 2/2")), "{ran:?}");
        let error = format!("error: {suite}, line 2: ");
        let named = ran.stderr.lines().find(|named| named.starts_with(&error));
        assert!(named.is_some_and(|named| named.contains(sentence)), "{line}: {ran:?}");
    }
    let suite = file(&folder, "b.epd", &format!("{MATE}nonsense\n{MATE}"));
    let laboratory = ["lab", "compare", "--epd", &suite, "--depth", "1", "--json"];
    let compared = lovec(&laboratory).orderly();
    assert_eq!((compared.status, &compared.json()["positions"]), (Some(1), &2.into()));
    let solved = lovec(&["lab", "solve", "--epd", &suite, "--json"]).orderly();
    assert_eq!((solved.status, &solved.json()["total"]), (Some(1), &2.into()));
    let alone = file(&folder, "c.epd", "nonsense");
    lovec(&["epd", &alone, "--depth", "2"]).failed("has no positions");
    let suite = file(&folder, "d.epd", &format!("{COUNTS}nonsense\n{COUNTS}"));
    let ran = lovec(&["perft-suite", &suite]).orderly();
    assert_eq!((ran.status, ran.last_line()), (Some(1), "2 passed, 0 failed"), "{ran:?}");
}

#[test]
fn only_the_first_bad_lines_are_named() {
    let folder = folder("many_bad_lines");
    for (bad, errors) in [(5, 5), (6, 6), (300, 6)] {
        let suite = file(&folder, "a.epd", &format!("{}{MATE}", "nonsense\n".repeat(bad)));
        let ran = lovec(&["epd", &suite, "--depth", "2"]).orderly();
        let shown = ran.stderr.lines().filter(|line| line.starts_with("error: ")).count();
        assert_eq!((ran.status, shown), (Some(1), errors), "{ran:?}");
        let sum = format!("a.epd has {bad} lines that cannot be read");
        assert_eq!(ran.stderr.contains(&sum), bad > 5, "{ran:?}");
    }
}

/// Solutions by both squares, and the moves that they mean.
#[test]
fn solutions_are_read_by_squares_too() {
    let folder = folder("squares");
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let promotion = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
    let lines = [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "bm a1a8"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "bm a1-a8"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "bm Ra1a8#"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "bm Ra1-a8"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "c0 \"a1a8=10, g1f2=1\""),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "am g1f2"),
        (promotion, "bm e7e8q"),
        (promotion, "bm e7e8=Q"),
        (promotion, "bm e7-e8(Q)"),
        (promotion, "bm e7-e8/Q"),
        (castling, "bm e1g1 e1-e2 h1h8 h1-h7 Rh1h6 Ke1-g1 Ke1-d2"),
    ]
    .map(|(fen, operations)| format!("{fen} {operations};\n"));
    let suite = file(&folder, "a.epd", &lines.concat());
    let ran = lovec(&["epd", &suite, "--depth", "2"]).succeeded();
    assert!(ran.last_line().ends_with(&format!("/{}", lines.len())), "{ran:?}");
}
