//! The limits on nodes, moves and mates.

use lovec::chess::{Move, Position};
use lovec::search::Limits;

use crate::search::{MIDDLEGAMES, position, search_with, to_depth, to_nodes};

#[test]
fn node_limits_are_exact() {
    for fen in MIDDLEGAMES {
        for limit in [1, 2, 50, 1_000, 54_321] {
            let limits = to_nodes(limit);
            let result = search_with(&position(fen), &limits, 1).0;
            assert!(result.best.is_some());
            // The first iteration is always finished.
            assert!(result.nodes == limit || result.depth == 1, "{limit}: {result:?}");
        }
    }
}

#[test]
fn only_the_given_moves_are_searched() {
    let root = position(MIDDLEGAMES[0]);
    let given: Vec<Move> = root.legal_moves().into_iter().skip(20).take(3).collect();
    let limits = Limits { search_moves: Some(given.clone()), ..to_depth(6) };
    let (_, reports) = search_with(&root, &limits, 8);
    assert!(reports.lines.iter().all(|line| given.contains(&line.pv[0])));
    assert!(reports.lines.iter().any(|line| line.multipv == 3));
    assert!(reports.lines.iter().all(|line| line.multipv <= 3));
}

#[test]
fn a_refuted_mate_ends_the_search() {
    let limits = Limits { mate: Some(1), ..Limits::default() };
    let (result, _) = search_with(&Position::startpos(), &limits, 1);
    assert!(result.best.is_some() && !result.score.is_mate());
}
