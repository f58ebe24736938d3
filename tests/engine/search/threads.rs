//! Searches on several threads.

use std::sync::Arc;
use std::time::Duration;

use lovec::chess::{Move, Position};
use lovec::eval::Score;
use lovec::search::{Limits, SearchOptions, SearchRequest, SearchResult, Searcher};

use crate::search::{MIDDLEGAMES, Reports, position, search_again, searcher, to_depth, to_nodes};

/// A searcher with the smallest table, so that threads often meet in the same entry.
fn crowded(threads: usize) -> Searcher {
    let mut searcher = Searcher::new(1).expect("a MiB");
    searcher.set_threads(threads).expect("threads");
    searcher
}

fn search(searcher: &mut Searcher, fen: &str, limits: &Limits) -> (SearchResult, Reports) {
    search_again(searcher, &position(fen), limits, &SearchOptions::default())
}

/// Whether every move of the line is legal.
fn is_playable(root: &Position, line: &[Move]) -> bool {
    let mut position = root.clone();
    line.iter().all(|&m| {
        let legal = position.legal_moves().contains(&m);
        if legal {
            position.make(m);
        }
        legal
    })
}

/// Entries of other positions, written while they are read, must not give illegal moves.
#[test]
fn every_line_of_a_crowded_search_is_legal() {
    let mut searcher = crowded(8);
    for fen in MIDDLEGAMES {
        let root = position(fen);
        let (result, reports) = search(&mut searcher, fen, &to_nodes(100_000));
        assert!(root.legal_moves().contains(&result.best.unwrap()), "{fen}");
        let last = reports.last();
        assert_eq!(Some(last.pv[0]), result.best, "{fen}: the last report has another move");
        for line in &reports.lines {
            assert!(!line.pv.is_empty() && is_playable(&root, &line.pv), "{fen}: {line:?}");
        }
        let depths: Vec<u8> = reports.lines.iter().map(|line| line.depth).collect();
        assert!(depths.is_sorted(), "{fen}: {depths:?}");
        let nodes: Vec<u64> = reports.lines.iter().map(|line| line.nodes).collect();
        assert!(nodes.is_sorted(), "{fen}: {nodes:?}");
    }
}

#[test]
fn a_node_limit_holds_for_all_threads_together() {
    for threads in [2, 3, 7] {
        let mut searcher = crowded(threads);
        for limit in [5_000, 54_321] {
            for fen in MIDDLEGAMES {
                let result = search(&mut searcher, fen, &to_nodes(limit)).0;
                // Each thread adds the nodes up now and then.
                let most = limit + 200 * threads as u64;
                assert!((limit..most).contains(&result.nodes), "{threads} threads: {result:?}");
            }
        }
    }
}

#[test]
fn a_depth_limit_is_exact() {
    let mut searcher = crowded(4);
    for fen in MIDDLEGAMES {
        let (result, reports) = search(&mut searcher, fen, &to_depth(9));
        assert_eq!((result.depth, reports.last().depth), (9, 9), "{fen}");
    }
}

#[test]
fn several_threads_find_mates() {
    let mut searcher = crowded(4);
    for (fen, plies) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 3),
        ("6k1/6p1/8/7Q/8/8/qr4PP/7K b - - 0 1", 3),
    ] {
        let result = search(&mut searcher, fen, &to_depth(8)).0;
        assert_eq!(result.score, Score::mate_in(plies), "{fen}");
    }
}

/// After a clear, one thread searches the same tree whether or not there were helpers before.
#[test]
fn helpers_leave_no_trace() {
    let mut searcher = searcher();
    let alone = search(&mut searcher, MIDDLEGAMES[0], &to_depth(10));
    for threads in [5, 2, 9] {
        searcher.set_threads(threads).unwrap();
        assert_eq!(searcher.threads(), threads);
        search(&mut searcher, MIDDLEGAMES[1], &to_nodes(50_000));
        searcher.set_threads(1).unwrap();
        searcher.clear();
        assert_eq!(search(&mut searcher, MIDDLEGAMES[0], &to_depth(10)), alone);
    }
}

/// The tables may change right after a short search, while helpers are still ending theirs.
#[test]
fn tables_change_between_short_searches() {
    let mut searcher = crowded(16);
    for round in 0..60 {
        let fen = MIDDLEGAMES[round % MIDDLEGAMES.len()];
        let best = search(&mut searcher, fen, &to_depth(1)).0.best.unwrap();
        assert!(position(fen).legal_moves().contains(&best));
        match round % 4 {
            0 => searcher.clear(),
            1 => searcher.resize_hash(1 + round % 3).unwrap(),
            2 => searcher.set_threads(1 + round % 20).unwrap(),
            _ => {}
        }
    }
}

/// A stop ends the search, however many threads there are for the cores.
#[test]
fn a_stop_reaches_every_thread() {
    let mut searcher = crowded(32);
    let limits = Limits { infinite: true, ..Limits::default() };
    let root = position(MIDDLEGAMES[3]);
    for _ in 0..3 {
        let request = SearchRequest::new(root.clone(), limits.clone());
        let stopper = Arc::clone(&request.control);
        let stopped = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            stopper.stop();
        });
        let result = searcher.search(request, &mut ());
        stopped.join().unwrap();
        assert!(result.best.is_some());
    }
}
