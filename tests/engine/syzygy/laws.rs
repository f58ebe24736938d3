//! The tables of neighbouring positions are consistent. Lovec generates the moves between
//! them, so that a wrongly converted position would be noticed.

use lovec::tablebase::rank::rank_moves;
use lovec::tablebase::{Dtz, Syzygy, Wdl};

use crate::positions::position;
use crate::syzygy::{TABLES, open, random_positions};

const POSITIONS: usize = 20_000;

/// No ending of four pieces takes more than fifty moves, so the counter does not matter.
#[test]
fn the_outcome_follows_from_the_best_move() {
    let mut compared = 0;
    for position in random_positions(1).take(POSITIONS) {
        let mut after = position.clone();
        let moves = position.legal_moves();
        let outcomes = moves.iter().map(|&m| {
            after.make(m);
            let wdl = TABLES.wdl(&after).map(|wdl| -wdl);
            after.unmake();
            wdl
        });
        // `None` if the table of a successor is missing.
        let Some(outcomes) = outcomes.collect::<Option<Vec<Wdl>>>() else { continue };
        let without_moves = if position.in_check() { Wdl::Loss } else { Wdl::Draw };
        let best = outcomes.into_iter().max().unwrap_or(without_moves);
        assert_eq!(TABLES.wdl(&position), Some(best), "{}", position.fen());
        compared += 1;
    }
    assert!(compared > POSITIONS * 9 / 10, "only {compared} positions were compared");
}

#[test]
fn distances_have_the_sign_of_the_outcome() {
    let mut compared = 0;
    for position in random_positions(2).take(POSITIONS) {
        let Some(Dtz { plies: dtz, .. }) = TABLES.dtz(&position) else { continue };
        let wdl = TABLES.wdl(&position);
        let expected = [Wdl::Loss, Wdl::Draw, Wdl::Win][(dtz.signum() + 1) as usize];
        assert_eq!(wdl, Some(expected), "{} is {dtz}", position.fen());
        assert!(dtz.abs() <= 100, "{} is {dtz}", position.fen());
        compared += 1;
    }
    assert!(compared > 500, "only {compared} distances are known");
}

#[test]
fn the_best_rank_keeps_outcome_and_distance() {
    let mut compared = 0;
    for position in random_positions(3).take(POSITIONS / 4) {
        let Some((ranked, true)) = rank_moves(&TABLES, &position, true) else { continue };
        let Some(best) = ranked.iter().max_by_key(|ranked| ranked.rank) else { continue };
        assert_eq!(Some(best.wdl), TABLES.wdl(&position), "{}", position.fen());
        assert_eq!(ranked.len(), position.legal_moves().len());
        // Rounded distances may be one ply off.
        let plies = ranked.iter().filter(|ranked| ranked.wdl == Wdl::Win).map(|r| r.plies).min();
        if let Some(plies) = plies {
            let dtz = TABLES.dtz(&position).expect("a distance").plies.unsigned_abs();
            assert!(plies.abs_diff(dtz) <= 1, "{}: {plies} and {dtz}", position.fen());
        }
        compared += 1;
    }
    assert!(compared > 100, "only {compared} positions were ranked");
}

#[test]
fn positions_without_a_table_have_no_outcome() {
    // Castling rights, and five pieces.
    assert_eq!(TABLES.wdl(&position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")), None);
    assert_eq!(TABLES.wdl(&position("4k3/8/8/8/8/8/8/4K2R w - - 0 1")), Some(Wdl::Win));
    assert_eq!(TABLES.wdl(&position("4k3/4p3/8/8/8/8/3PP3/4K3 w - - 0 1")), None);
    let (none, errors) = Syzygy::open("");
    assert!(errors.is_empty());
    assert_eq!((none.files(), none.max_pieces()), (0, 0));
    assert_eq!(none.wdl(&position("4k3/8/8/8/8/8/8/4K2R w - - 0 1")), None);
}

/// WDL tables are present for all moves, DTZ tables only for some.
#[test]
fn without_distances_the_outcome_still_ranks() {
    let tables = open(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy"));
    let position = position("8/8/8/4k3/8/1b6/8/KQ6 w - - 0 1");
    let (ranked, exact) = rank_moves(&tables, &position, true).expect("a table");
    assert!(!exact);
    assert_eq!(tables.wdl(&position), Some(Wdl::Win));
    let winning: Vec<_> = ranked.iter().filter(|ranked| ranked.wdl == Wdl::Win).collect();
    assert!(!winning.is_empty() && winning.len() < ranked.len());
    let best = ranked.iter().map(|ranked| ranked.rank).max();
    assert!(winning.iter().all(|ranked| Some(ranked.rank) == best));
}

#[test]
fn several_directories_are_opened() {
    let few = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    let one = open(few).files();
    assert!(one > 0);
    let separator = if cfg!(windows) { ';' } else { ':' };
    let (both, errors) = Syzygy::open(&format!("/no/such/place{separator}{few}{separator}"));
    assert_eq!(both.files(), one);
    assert_eq!(errors.len(), 1);
    assert!(errors[0].to_string().contains("/no/such/place"));
}
