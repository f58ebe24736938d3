//! What is asked for is what is searched, and no more.

use lovec::chess::{Move, Position};
use lovec::search::Limits;

use crate::search::{MIDDLEGAMES, position, search_with, to_depth};

#[test]
fn node_limits_are_exact() {
    for fen in MIDDLEGAMES {
        for limit in [1, 2, 50, 1_000, 54_321] {
            let limits = Limits { nodes: Some(limit), ..Limits::default() };
            let outcome = search_with(&position(fen), &limits, 1).0;
            assert!(outcome.best.is_some());
            // The first iteration is always finished; after it the limit is met.
            assert!(outcome.nodes == limit || outcome.depth == 1, "{limit}: {outcome:?}");
        }
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let root = position(MIDDLEGAMES[0]);
    let wanted: Vec<Move> = root.legal_moves().into_iter().skip(20).take(3).collect();
    let limits = Limits { search_moves: Some(wanted.clone()), ..to_depth(6) };
    let (_, journal) = search_with(&root, &limits, 8);
    assert!(journal.lines.iter().all(|line| wanted.contains(&line.pv[0])));
    assert!(journal.lines.iter().any(|line| line.multipv == 3));
    assert!(journal.lines.iter().all(|line| line.multipv <= 3));
}

#[test]
fn a_mate_that_is_not_there_ends_the_search() {
    let limits = Limits { mate: Some(1), ..Limits::default() };
    let (outcome, _) = search_with(&Position::startpos(), &limits, 1);
    assert!(outcome.best.is_some() && !outcome.score.is_mate());
}
