//! `lovec lab uci`: an algorithm as a UCI engine.

use std::time::{Duration, Instant};

use crate::program::lovec;
use crate::referee::checked_go;
use crate::session::Session;

const KIWIPETE: &str = "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ONE_MOVE: &str = "fen 7k/8/8/8/8/8/6r1/7K w - - 0 1";
const MATE_IN_TWO: &str = "fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1";

fn start(row: &str) -> Session {
    Session::start_with(&["lab", "uci", row])
}

/// The names of all algorithms but the playing search, which is refused.
fn algorithms() -> Vec<String> {
    let list = lovec(&["lab", "list", "--json"]).succeeded().json();
    let names = list["algorithms"].as_array().unwrap().iter();
    let names = names.map(|it| it["name"].as_str().unwrap().to_owned());
    names.filter(|name| name != "lovec").collect()
}

#[test]
fn the_engine_names_its_row_and_options() {
    let mut session = start("ab:order=mvv");
    let lines = session.uci();
    assert!(lines[0].starts_with("id name Lovec ") && lines[0].ends_with(" lab ab:order=mvv"));
    let has = |name: &str| lines.iter().any(|line| line.contains(&format!("name {name} type")));
    assert!(has("Move Overhead") && has("OwnBook") && !has("Hash") && !has("SyzygyPath"));
    session.set("Move Overhead", "50");
    let refused = session.refused("setoption name Hash value 1");
    assert!(refused.contains("unknown option `Hash`") && !refused.contains("mean"), "{refused}");
}

#[test]
fn every_algorithm_answers_every_limit() {
    for name in algorithms() {
        let mut session = start(&name);
        for position in ["startpos moves e2e4", KIWIPETE, ONE_MOVE, MATE_IN_TWO] {
            for limit in
                ["nodes 1", "nodes 500", "depth 1", "movetime 1", "wtime 50 btime 50", "wtime 0"]
            {
                checked_go(&mut session, position, &format!("go {limit}"));
            }
            session.send("ucinewgame");
        }
        assert_eq!(checked_go(&mut session, ONE_MOVE, "go nodes 50").best, "h1g2");
    }
}

#[test]
fn stop_ends_every_algorithm() {
    for name in algorithms() {
        let mut session = start(&name);
        for command in ["go infinite", "go ponder wtime 1000 btime 1000"] {
            session.position("startpos");
            session.send(command);
            session.expect_none_within("bestmove", Duration::from_millis(30));
            session.expect_ready_during_search();
            let stopped = Instant::now();
            session.send("stop");
            assert_eq!(session.answer().best.len(), 4);
            assert!(stopped.elapsed() < Duration::from_secs(5), "{name} {command}");
        }
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut session = start("ab");
    for (position, score) in [
        ("fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "score mate 0"),
        ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "score cp 0"),
    ] {
        session.position(position);
        let answer = session.go("go depth 3");
        assert_eq!(answer.best, "(none)");
        assert!(answer.lines.iter().any(|line| line.contains(score)), "{:?}", answer.lines);
    }
    // After the fifty-move rule has ended the game there still is a move.
    session.position("fen 4k3/8/8/8/8/8/3R4/4K3 w - - 100 90");
    assert_eq!(session.go("go depth 2").best.len(), 4);
}

#[test]
fn only_the_moves_to_search_are_played() {
    for row in ["ab", "minimax"] {
        let mut session = start(row);
        session.position("startpos");
        let answer = session.go("go depth 2 searchmoves a2a3 h2h4");
        assert!(["a2a3", "h2h4"].contains(&&*answer.best), "{row}: {answer:?}");
    }
}

#[test]
fn hostile_input_is_survived() {
    let mut session = start("pvs");
    session.allow_drawings();
    session.send_bytes(
        b"\xff\xfe\0go\nposition fen x y z\ngo depth 2\nposition startpos moves e2e5\n",
    );
    session.send_bytes(
        b"go depth 99999999999999999999 nodes 5\nsetoption name\nsetoption\ngo\nstop\n",
    );
    for _ in 0..4 {
        session.expect("bestmove");
    }
    session.position("startpos");
    let answer = session.go("go nodes 99 depth -4");
    assert_eq!(answer.best.len(), 4);
    session.close_input();
    session.finish();
}

#[test]
fn wrong_rows_are_refused() {
    lovec(&["lab", "uci", "alphabeta"]).refused("is not an algorithm");
    lovec(&["lab", "uci", "lovec:hash=1"]).refused("`lovec` without a command");
    lovec(&["lab", "uci", "ab:table=x"]).refused("the setting table takes");
    lovec(&["lab", "uci", "ab", "--eval", "/does/not/exist"]).refused("cannot read");
}

/// The algorithm has searched to the depth that it reports: a game that ends at once has no
/// more, and a tree in memory is as deep as its best line.
#[test]
fn the_depth_is_one_that_was_searched() {
    for name in algorithms() {
        let mut session = start(&name);
        for (position, command, most) in [
            // Bare kings after the only move.
            (ONE_MOVE, "go depth 100 nodes 3000", 1),
            (ONE_MOVE, "go nodes 200", 1),
            ("startpos", "go nodes 100", 20),
            (KIWIPETE, "go nodes 300", 20),
        ] {
            session.position(position);
            let answer = session.go(command);
            let depth = answer.number("depth");
            assert!((1..=most).contains(&depth), "{name}: {position}: {}", answer.last());
            assert!(answer.number("seldepth") >= depth, "{name}: {}", answer.last());
        }
    }
}

#[test]
fn a_dead_draw_has_certain_probabilities() {
    for name in algorithms() {
        let mut session = start(&name);
        session.set("UCI_ShowWDL", "true");
        session.position("fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1");
        let answer = session.go("go nodes 50");
        assert_eq!(answer.field("wdl", 3), ["0", "1000", "0"], "{name}: {}", answer.last());
    }
}
