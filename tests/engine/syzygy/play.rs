//! Won endings are won against best defence within the fifty-move rule.

use std::sync::Arc;

use lovec::chess::{Color, Position};
use lovec::search::{ProbeOptions, Searcher, Tables};
use lovec::tablebase::Wdl;
use lovec::tablebase::egtb::Material;
use lovec::tablebase::rank::rank_moves;

use crate::assert_all_won;
use crate::egtb::solve;
use crate::search::{after, to_nodes};
use crate::syzygy::{TABLES, random_positions, search, searcher};

/// Positions of four pieces won for the side to move, with known distances.
fn won_positions(seed: u64) -> impl Iterator<Item = Position> {
    random_positions(seed).filter(|position| {
        position.occupied().len() == 4
            && TABLES.wdl(position) == Some(Wdl::Win)
            && matches!(rank_moves(&TABLES, position, true), Some((_, true)))
    })
}

/// Plays the reply of the highest rank and the longest distance.
fn defend(position: &mut Position) {
    let (ranked, _) = rank_moves(&TABLES, position, true).expect("the tables of the ending");
    let best = ranked.iter().max_by_key(|ranked| (ranked.rank, ranked.plies));
    position.make(best.expect("a legal move").m);
}

/// Plays a won position to its end. Returns the number of moves to mate, or an error.
fn play(searcher: &mut Searcher, start: &Position, budget: u64) -> Result<usize, String> {
    searcher.clear();
    let mut position = start.clone();
    while !position.is_draw(0) {
        let (outcome, _) = search(searcher, &position, &to_nodes(budget), ProbeOptions::default());
        let Some(best) = outcome.best else { break };
        position.make(best);
        if position.is_checkmate() {
            return Ok((position.plies() - start.plies()).div_ceil(2));
        }
        if position.is_stalemate() || position.is_draw(0) {
            break;
        }
        defend(&mut position);
    }
    Err(format!("{}: not won at {}", start.fen(), position.fen()))
}

fn assert_wins(positions: impl Iterator<Item = Position>, searcher: &mut Searcher, budget: u64) {
    assert_all_won(positions.map(|start| play(searcher, &start, budget)).collect());
}

#[test]
fn won_endings_are_won() {
    assert_wins(won_positions(1).take(20), &mut searcher(), 1_000);
}

#[test]
#[ignore = "takes minutes and all Syzygy tables of four pieces, which LOVEC_SYZYGY names"]
fn two_hundred_won_endings_are_won() {
    crate::complete_syzygy_directory();
    assert_wins(won_positions(2).take(200), &mut searcher(), 10_000);
}

/// The same endings with Lovec's own tables.
#[test]
#[ignore = "takes minutes and all Syzygy tables of four pieces, which LOVEC_SYZYGY names"]
fn two_hundred_won_endings_are_won_by_own_tables() {
    crate::complete_syzygy_directory();
    let own = Arc::new(solve(&Material::all(4)));
    let mut searcher = searcher();
    searcher.tables = Tables { syzygy: None, own };
    assert_wins(won_positions(2).take(200), &mut searcher, 10_000);
}

/// With so few nodes only the tables can find the way.
#[test]
fn won_endings_are_won_in_twenty_nodes() {
    assert_wins(won_positions(3).take(20), &mut searcher(), 20);
}

/// The winner has repeated the position already; a third time would be a draw.
#[test]
fn repeated_positions_are_won() {
    for (fen, moves) in [
        ("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "b1b2 e5e6 b2b1 e6e5"),
        ("8/8/8/4k3/8/8/8/KR6 w - - 40 80", "b1b2 e5e6 b2b1 e6e5"),
        ("3k4/8/3K4/3P4/8/8/8/8 w - - 10 40", "d6c6 d8c8 c6d6 c8d8"),
    ] {
        let start = after(fen, moves);
        assert_eq!(start.side_to_move(), Color::White);
        assert!(start.has_repeated(), "{fen}");
        assert_eq!(TABLES.wdl(&start), Some(Wdl::Win), "{fen}");
        assert_wins(std::iter::once(start), &mut searcher(), 200);
    }
}
