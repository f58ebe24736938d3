//! Scores of searches with tables.

use std::cmp::Reverse;

use lovec::chess::Move;
use lovec::eval::Score;
use lovec::search::{ProbeOptions, SearchOptions, Tables};
use lovec::tablebase::Wdl;
use lovec::tablebase::rank::rank_moves;

use crate::positions::position;
use crate::search::{Entry, search_again, to_depth, to_nodes};
use crate::syzygy::{TABLES, open, search, searcher};
use crate::syzygy_directory;

const KBNKP: &str = "8/8/3k4/8/8/2p1N3/1B2K3/8 w - - 0 1";

/// The last report of a search with tables.
fn last(fen: &str, nodes: u64, probe: ProbeOptions) -> Entry {
    search(&mut searcher(), &position(fen), &to_nodes(nodes), probe).1
}

#[test]
fn a_table_win_is_below_mate_scores() {
    let last = last("7K/3r4/1k6/8/8/8/8/2Q5 w - - 0 1", 3_000, ProbeOptions::default());
    assert_eq!(last.score, Score::TABLE_WIN);
    assert!(last.table_hits > 0);
}

/// Lovec's own tables know the mate in twenty moves. Where it comes too late, the Syzygy tables
/// know that the pawn moves in time.
#[test]
fn own_tables_come_first() {
    for (counter, expected) in [(0, Score::mate_in(39)), (90, Score::TABLE_WIN)] {
        let fen = format!("8/5k2/8/8/8/8/2PK4/8 w - - {counter} 90");
        assert_eq!(last(&fen, 1, ProbeOptions::default()).score, expected, "{counter}");
    }
}

#[test]
fn captures_into_the_tables_are_found() {
    let with = last(KBNKP, 20_000, ProbeOptions::default());
    assert!(with.table_hits > 0, "no table was probed");
    let none = ProbeOptions { max_pieces: 0, ..ProbeOptions::default() };
    let without = last(KBNKP, 20_000, none);
    assert_eq!(without.table_hits, 0);
    assert!(with.score > Score::TABLE_WIN - Score::new(100), "{:?}", with.score);
    assert!(without.score < Score::TABLE_WIN - Score::new(100), "{:?}", without.score);
}

#[test]
fn lines_are_sorted_by_table_rank() {
    // Some moves win the rook or the game, some keep the draw, some lose.
    for fen in ["8/8/8/4k3/8/1r6/8/KQ6 w - - 0 1", "8/8/8/8/3k4/2r5/1P6/K7 w - - 0 1"] {
        let root = position(fen);
        let moves = root.legal_moves().len();
        let options = SearchOptions { multi_pv: moves, ..SearchOptions::default() };
        let (_, reports) = search_again(&mut searcher(), &root, &to_depth(4), &options);
        let last = &reports.lines[reports.lines.len() - moves..];
        let lines: Vec<(Move, Score)> = last.iter().map(|line| (line.pv[0], line.score)).collect();
        let (ranked, _) = rank_moves(&TABLES, &root, true).expect("the tables of the ending");
        let rank = |m: Move| ranked.iter().find(|ranked| ranked.m == m).unwrap().rank;
        assert!(lines.is_sorted_by_key(|&(m, _)| Reverse(rank(m))), "{fen}: {lines:?}");
        assert!(lines.is_sorted_by_key(|&(_, score)| Reverse(score)), "{fen}: {lines:?}");
        for (m, score) in lines {
            let wdl = ranked.iter().find(|ranked| ranked.m == m).unwrap().wdl;
            assert_eq!(score.cmp(&Score::DRAW), wdl.cmp(&Wdl::Draw), "{fen}: {m:?} is {wdl:?}");
        }
    }
}

/// All threads probe the same tables; the first probe of a file opens it.
#[test]
fn many_threads_probe_at_once() {
    let tables = open(syzygy_directory().to_str().unwrap());
    let mut searcher = searcher();
    searcher.tables = Tables { syzygy: Some(tables), ..Tables::default() };
    searcher.set_threads(4).unwrap();
    let (_, last) =
        search(&mut searcher, &position(KBNKP), &to_nodes(60_000), ProbeOptions::default());
    assert!(last.table_hits > 0);
    assert!(last.score > Score::TABLE_WIN - Score::new(100), "{:?}", last.score);
}

#[test]
fn a_table_draw_scores_zero() {
    for fen in [
        "8/8/1k6/8/1PK5/8/8/8 b - - 0 1",
        "8/8/8/3k4/3p4/3K4/8/8 w - - 0 1",
        "8/5k2/5b2/8/8/8/3K4/4R3 w - - 0 1",
    ] {
        assert_eq!(TABLES.wdl(&position(fen)), Some(Wdl::Draw), "{fen}");
        assert_eq!(last(fen, 2_000, ProbeOptions::default()).score, Score::DRAW, "{fen}");
    }
}

/// A queen needs more moves to win a rook than are left.
#[test]
fn the_fifty_move_rule_is_optional() {
    let start = "7K/3r4/1k6/8/8/8/8/2Q5 w - - 0 1";
    assert!(TABLES.dtz(&position(start)).is_some_and(|dtz| dtz.plies > 30));
    let late = start.replace("0 1", "80 100");
    assert_eq!(last(&late, 500, ProbeOptions::default()).score, Score::CURSED_WIN);
    let free = ProbeOptions { fifty_moves: false, ..ProbeOptions::default() };
    let played_on = last(&late, 500, free).score;
    assert!(played_on > Score::KNOWN_WIN, "{played_on:?}");
    let early = last(start, 500, ProbeOptions::default()).score;
    assert!(early > Score::KNOWN_WIN, "{early:?}");
}
