//! On one thread a search is deterministic, and a cleared searcher is like a new one.

use lovec::search::{SearchOptions, SearchResult, Searcher};

use crate::search::{MIDDLEGAMES, Reports, position, search_again, searcher, to_depth};

/// Endings, mates and draws.
const OTHERS: [&str; 4] = [
    "8/5p2/3pn1k1/3B1p2/3p3p/3P2PP/4KP2/8 w - - 0 48",
    "6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1",
    "5n2/pRrk2p1/P4p1p/4p3/3N4/5P2/6PP/6K1 w - - 0 1",
    "8/8/8/8/2k2p2/4p1pP/3r2P1/1R3K2 b - - 11 55",
];

/// All reports of a search and its result.
fn search(searcher: &mut Searcher, fen: &str, depth: u8) -> (SearchResult, Reports) {
    search_again(searcher, &position(fen), &to_depth(depth), &SearchOptions::default())
}

#[test]
fn a_cleared_searcher_is_like_a_new_one() {
    let mut used = searcher();
    for fen in MIDDLEGAMES.into_iter().chain(OTHERS) {
        let first = search(&mut searcher(), fen, 10);
        used.clear();
        assert_eq!(first, search(&mut used, fen, 10), "{fen}, after clearing");
        assert_ne!(first, search(&mut used, fen, 10), "{fen}: the tables have no effect");
    }
}
