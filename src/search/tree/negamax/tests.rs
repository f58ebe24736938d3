//! Tests of the node function with a prepared transposition table.

use std::sync::Arc;

use super::*;
use crate::chess::notation::uci::parse_move;
use crate::chess::{Move, MoveKind, Position};
use crate::search::options::MAX_PLY;
use crate::search::thread::shared::Shared;
use crate::search::thread::worker::Memory;
use crate::search::tree::node::NodeEval;
use crate::search::tt::table::TranspositionTable;
use crate::search::{Limits, SearchRequest, Tables};
use crate::tablebase::Syzygy;
use crate::tablebase::egtb::Collection;

/// The score of `search` in the position after a move. The only endgame table is queen
/// against king: below a root that the tables contain, the search does not probe.
fn at_ply_one(fen: &str, first: &str, search: impl FnOnce(&mut Worker) -> Searched) -> Score {
    let position = Position::from_fen(fen).unwrap();
    let first = parse_move(&position, first).unwrap();
    let request = SearchRequest::new(position, Limits::default());
    let folder = tempfile::tempdir().unwrap();
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy/KQvK.rtbw");
    std::fs::copy(table, folder.path().join("KQvK.rtbw")).unwrap();
    let syzygy = Some(Arc::new(Syzygy::open(folder.path().to_str().unwrap()).0));
    let tables = Tables { syzygy, own: Arc::new(Collection::empty()) };
    let table = Arc::new(TranspositionTable::new(1).unwrap());
    let shared = Shared::new(request, table, tables, 1);
    let (mut memory, mut reporter) = (Memory::new().unwrap(), ());
    let mut worker = Worker::new(&shared, 0, &mut memory, &mut reporter);
    worker.make(first, 0);
    search(&mut worker).unwrap()
}

/// Syzygy tables hold no distance to mate. A mate that the transposition table proves
/// is better than their win, and is kept.
#[test]
fn a_proven_mate_outweighs_a_win_by_the_tables() {
    // No mate with the queen takes more than ten moves.
    let (fen, capture) = ("7Q/8/8/8/2k5/3P4/8/7K b - - 0 1", "c4d3");
    let mate = Score::mate_in(1 + 19);
    let proof =
        TtData { depth: 0, bound: Bound::Lower, score: mate, eval: None, best: None, pv: false };
    let store_proof = |worker: &mut Worker| worker.tt().store(worker.line.position.key(), 1, proof);

    // The search looks for a quicker mate and finds none.
    let score = at_ply_one(fen, capture, |worker| {
        store_proof(worker);
        worker.negamax::<NonPv>(Window::null_above(mate), 1, false, 1)
    });
    assert_eq!(score, mate);

    // The tables alone exceed the window.
    let score = at_ply_one(fen, capture, |worker| {
        store_proof(worker);
        worker.negamax::<Pv>(Window::new(Score::ZERO, Score::new(100)), 1, false, 1)
    });
    assert_eq!(score, mate);

    // Without the proof the score is a table win.
    let score = at_ply_one(fen, capture, |worker| {
        worker.negamax::<NonPv>(Window::null_above(mate), 1, false, 1)
    });
    assert_eq!(score, Score::TABLE_WIN.after(1));
}

/// A mate that the fifty-move rule forbids is no reason to end a node.
#[test]
fn a_mate_that_comes_too_late_ends_no_node() {
    let found = |clock: u32| {
        let fen = format!("3k4/8/8/8/8/8/4Q3/4K3 w - - {clock} 60");
        at_ply_one(&fen, "e2e3", |worker| {
            let (bound, score) = (Bound::Upper, Score::mated_in(1 + 30));
            let data = TtData { depth: 20, bound, score, eval: None, best: None, pv: false };
            worker.tt().store(worker.line.position.key(), 1, data);
            worker.negamax::<NonPv>(Window::null_below(Score::ZERO), 1, false, 1)
        })
    };
    assert_eq!(found(69), Score::mated_in(31));
    assert!(!found(70).is_mate());
}

/// A won ending counts less the later it comes, also where the longest line ends.
#[test]
fn the_longest_line_ends_with_the_evaluation_of_its_ply() {
    at_ply_one("3k4/8/8/8/8/8/4Q3/4K3 w - - 0 1", "e2e3", |worker| {
        worker.line.stack[MAX_PLY].accumulator = worker.line.stack[1].accumulator;
        let loss = worker.evaluate(MAX_PLY);
        assert!(loss.is_decisive());
        let found = worker.negamax::<NonPv>(Window::null_below(loss), 1, false, MAX_PLY);
        assert_eq!(found.unwrap(), loss.after(MAX_PLY));
        found
    });
}

/// A mate, or a win by the endgame tables, after an extra move of one side is no proof of one.
#[test]
fn a_null_move_proves_no_win() {
    let found = |score: Score| {
        at_ply_one("6k1/5ppp/8/8/8/8/5PPP/Q5K1 b - - 0 1", "g8f8", |worker| {
            worker.make_null(1);
            let (bound, score) = (Bound::Upper, -score);
            let data = TtData { depth: 20, bound, score, eval: None, best: None, pv: false };
            worker.tt().store(worker.line.position.key(), 2, data);
            worker.line.position.unmake();
            let beta = Score::new(500);
            let eval = NodeEval { corrected: beta, tt_adjusted: beta };
            let node = worker.node::<NonPv>(None, 13, true, 1);
            Ok(worker.null_move(&node, eval, beta)?.unwrap())
        })
    };
    assert_eq!(found(Score::new(700)), Score::new(700));
    for win in [Score::TABLE_WIN.after(9), Score::mate_in(9)] {
        assert_eq!(found(win), Score::new(500), "{win:?}");
    }
}

#[test]
fn a_score_raised_by_what_is_proven_is_a_lower_bound() {
    let win = Score::TABLE_WIN.after(1);
    for depth in [1, 4] {
        at_ply_one("7Q/8/8/8/2k5/3P4/8/7K b - - 0 1", "c4d3", |worker| {
            let score = worker.negamax::<Pv>(Window::FULL, depth, false, 1)?;
            assert_eq!(score, win, "{depth}");
            let entry = worker.tt().probe_position(&worker.line.position).unwrap();
            assert!(depth == 1 || entry.bound == Bound::Lower && entry.score(1) == win);
            Ok(score)
        });
    }
}

/// Two positions may share cluster and check. An entry whose move is illegal belongs to
/// another position and must have no effect.
#[test]
fn an_entry_with_an_illegal_move_is_ignored() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    type Search = fn(&mut Worker) -> Searched;
    let searches: [Search; 3] = [
        |worker| worker.negamax::<NonPv>(Window::null_above(Score::ZERO), 3, false, 1),
        |worker| worker.negamax::<Pv>(Window::FULL, 1, false, 1),
        |worker| worker.quiescence::<NonPv>(Window::null_above(Score::ZERO), 0, 1),
    ];
    for (number, search) in (1..).zip(searches) {
        for score in [Score::new(900), Score::new(-900), Score::mate_in(8)] {
            let found = |best: &str, legal: bool| {
                at_ply_one(START, "e2e4", |worker| {
                    let (from, to) = (best[..2].parse().unwrap(), best[2..].parse().unwrap());
                    let m = Move::new(from, to, MoveKind::Quiet);
                    assert_eq!(worker.line.position.is_legal(m), legal);
                    let found = TtData {
                        depth: 20,
                        bound: Bound::Exact,
                        score,
                        eval: Some(Score::ZERO),
                        best: Some(m),
                        pv: false,
                    };
                    worker.tt().store(worker.line.position.key(), 1, found);
                    search(worker)
                })
            };
            assert!(found("a8b6", false).abs() < Score::new(200), "search {number}, {score:?}");
            let counts = number != 2 || score.is_mate();
            assert!(!counts || found("b8c6", true) == score, "search {number}, {score:?}");
        }
    }
}

/// A mate reaches beta, which no quicker mate can exceed: its line does not go on with that
/// of the move before.
#[test]
fn a_line_ends_with_the_mate() {
    at_ply_one("7k/5ppp/8/8/8/8/8/K3R3 b - - 0 1", "h8g8", |worker| {
        let position = &worker.line.position;
        let [rook, mate] = ["e1d1", "e1e8"].map(|m| parse_move(position, m).unwrap());
        let (bound, best) = (Bound::Exact, Some(rook));
        let data = TtData { depth: 1, bound, score: Score::new(50), eval: None, best, pv: true };
        worker.tt().store(worker.line.position.key(), 1, data);
        let score = worker.negamax::<Pv>(Window::FULL, 6, false, 1);
        assert_eq!(worker.line.pv.line(1)[..], [mate]);
        score
    });
}
