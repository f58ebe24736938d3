//! Won endings are won against the longest resistance, before the fifty-move rule.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use lovec::chess::position::setup::Setup;
use lovec::chess::{Color, Move, Piece, Position, State};
use lovec::engine::options::DEFAULT_HASH_MIB;
use lovec::eval::Score;
use lovec::search::{Limits, SearchOptions, SearchResult, Searcher};
use lovec::tablebase::Syzygy;
use lovec::tablebase::egtb::{Collection, DtmValue};

use crate::assert_all_won;
use crate::egtb::{material, pieces, random_setup, solve, state};
use crate::positions::{of_setup, place_randomly};
use crate::search::{search_again, searcher, to_depth, to_nodes};

/// The limits of the quick tests.
const GAMES: usize = 2;
const NODES: u64 = 20_000;

/// Two pieces against a bare king, which are not in the tables of the program.
const ENDINGS: [&str; 2] = ["KBBvK", "KBNvK"];
static TABLES: LazyLock<Collection> = LazyLock::new(|| solve(&ENDINGS.map(material)));

/// Random positions of an ending that the side to move wins.
fn won_positions(ending: &str, count: usize) -> Vec<Position> {
    let (mut random, pieces) = (StdRng::seed_from_u64(1), pieces(&material(ending)));
    let next = || Some(state(&random_setup(&pieces, &mut random)));
    let is_won = |state: &State| matches!(TABLES.probe(state), Some(DtmValue::Win(_)));
    std::iter::from_fn(next).filter(is_won).take(count).map(Position::new).collect()
}

/// The reply with the longest mate, or without one.
fn longest_resistance(position: &Position) -> Move {
    let value = |m: &Move| TABLES.probe(&position.after(*m)).unwrap().for_mover().preference();
    position.legal_moves().into_iter().max_by_key(value).expect("a move")
}

/// Plays a won position out and calls `look` after every search of the winner. Returns the
/// number of moves to mate, or the position where the win was lost.
fn play(
    searcher: &mut Searcher,
    start: &Position,
    limits: &Limits,
    mut look: impl FnMut(&Position, &SearchResult),
) -> Result<usize, String> {
    searcher.clear();
    let mut position = start.clone();
    while !position.is_draw(0) {
        let (result, _) = search_again(searcher, &position, limits, &SearchOptions::default());
        look(&position, &result);
        position.make(result.best.expect("a move"));
        if position.is_checkmate() {
            return Ok(position.plies() / 2 + 1);
        }
        if TABLES.probe(&position) == Some(DtmValue::Draw) {
            break;
        }
        position.make(longest_resistance(&position));
    }
    Err(format!("{} drawn: {} after {} plies", start.fen(), position.fen(), position.plies()))
}

/// Each game ends with a mate, and a mate that was announced comes nearer with each move.
#[test]
fn won_endings_end_in_mate() {
    let limits = to_nodes(NODES);
    let mut searcher = searcher();
    for ending in ENDINGS {
        for start in won_positions(ending, GAMES) {
            let mut last_mate = None;
            let nearer = |position: &Position, result: &SearchResult| {
                let mate = result.score.mate_distance_moves();
                if let Some(before) = last_mate {
                    let nearer = mate.is_some_and(|moves| (1..before).contains(&moves));
                    assert!(nearer, "mate in {before}, then {mate:?} in {}", position.fen());
                }
                last_mate = mate;
            };
            play(&mut searcher, &start, &limits, nearer).expect("a mate");
        }
    }
}

/// A hundred games of each ending with the default hash.
#[test]
#[ignore = "two hundred games at a tenth of a second a move take minutes"]
fn every_ending_is_won_a_hundred_times() {
    let limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::default() };
    let mut searcher = Searcher::new(DEFAULT_HASH_MIB).expect("sixteen MiB");
    for ending in ENDINGS {
        let play = |start: Position| play(&mut searcher, &start, &limits, |_, _| {});
        assert_all_won(won_positions(ending, 100).into_iter().map(play).collect());
    }
}

#[test]
fn the_longest_mates_equal_the_literature() {
    let longest = ENDINGS.map(|ending| {
        let statistics = TABLES.table(&material(ending)).unwrap().statistics();
        statistics.longest_win.unwrap().0.div_ceil(2)
    });
    assert_eq!(longest, [19, 33]);
}

/// A random position of king and `piece` against king, with either side to move, whose mate
/// comes one ply too late for the fifty-move rule.
fn late_mate(piece: Piece, tables: &Collection, random: &mut StdRng) -> Position {
    loop {
        let strong = if random.random_bool(0.5) { Color::White } else { Color::Black };
        let pieces = [(strong, Piece::King), (!strong, Piece::King), (strong, piece)];
        let Some(setup) = place_randomly(&pieces, random) else { continue };
        if let Some(DtmValue::Win(plies @ 3..) | DtmValue::Loss(plies @ 3..)) =
            tables.probe(&of_setup(setup.clone()))
        {
            let halfmove_clock = 101 - u16::from(plies);
            return of_setup(Setup { halfmove_clock, ..setup });
        }
    }
}

/// Fails unless the search scores the position as drawn and plays a move that keeps the distance
/// to mate: the winner the quickest way, the loser the longest.
fn assert_plays_on(position: &Position, tables: &Collection, syzygy: Option<&Arc<Syzygy>>) {
    let mut searcher = searcher();
    searcher.tables.syzygy = syzygy.cloned();
    for depth in [1, 5] {
        let options = SearchOptions::default();
        let (result, _) = search_again(&mut searcher, position, &to_depth(depth), &options);
        let fen = position.fen();
        assert_eq!(result.score, Score::DRAW, "{fen}");
        let mut next = position.clone();
        next.make(result.best.expect("a move"));
        let kept = tables.probe(&next).map(DtmValue::for_mover);
        assert_eq!(kept, tables.probe(position), "{fen} at depth {depth}: {:?}", result.best);
    }
}

/// Where the mate comes too late every move draws, but the opponent may err: no piece is given
/// away. Syzygy tables change nothing.
#[test]
fn late_mates_are_played_on() {
    let tables = Collection::embedded();
    let mut random = StdRng::seed_from_u64(7);
    for piece in [Piece::Rook, Piece::Queen] {
        for _ in 0..40 {
            let position = late_mate(piece, &tables, &mut random);
            assert_plays_on(&position, &tables, None);
            assert_plays_on(&position, &tables, Some(&crate::syzygy::TABLES));
        }
    }
}
