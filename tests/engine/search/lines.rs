//! Reported lines are legal, distinct and in order.

use lovec::eval::Score;
use lovec::search::Bound;

use crate::search::{MIDDLEGAMES, position, search_with, to_depth};

#[test]
fn mate_and_stalemate_at_the_root() {
    let mated = position("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1");
    let (result, reports) = search_with(&mated, &to_depth(5), 1);
    assert_eq!((result.best, result.score), (None, Score::mated_in(0)));
    assert_eq!(reports.lines[0].depth, 0);
    let stalemated = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let (result, _) = search_with(&stalemated, &to_depth(5), 1);
    assert_eq!((result.best, result.score), (None, Score::DRAW));
}

#[test]
fn lines_are_legal_and_begin_with_the_best_move() {
    for fen in MIDDLEGAMES {
        let root = position(fen);
        let (result, reports) = search_with(&root, &to_depth(10), 1);
        for line in &reports.lines {
            let mut board = root.clone();
            for &m in &line.pv {
                assert!(board.is_legal(m), "{fen}: {m:?} in {:?}", line.pv);
                assert!(!board.is_draw(0), "{fen}: the line runs past the end of the game");
                board.make(m);
            }
        }
        let last = reports.last();
        assert_eq!(result.best, last.pv.first().copied());
        assert_eq!(result.ponder, last.pv.get(1).copied());
        let depths: Vec<u8> = reports.lines.iter().map(|line| line.depth).collect();
        assert!(depths.is_sorted());
    }
}

#[test]
fn several_lines_are_distinct_and_in_order() {
    for fen in MIDDLEGAMES {
        let (_, reports) = search_with(&position(fen), &to_depth(7), 4);
        for lines in reports.lines.chunks(4) {
            assert!(lines.iter().map(|line| line.multipv).eq(1..=4));
            assert!(lines.iter().all(|line| line.bound == Bound::Exact));
            assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{fen}");
            let mut first: Vec<u16> = lines.iter().map(|line| line.pv[0].bits()).collect();
            first.sort_unstable();
            first.dedup();
            assert_eq!(first.len(), 4);
        }
    }
}
