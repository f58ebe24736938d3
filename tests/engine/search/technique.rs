//! Won endings are won against the longest resistance, before the fifty-move rule.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use lovec::chess::{Color, Move, Position};
use lovec::engine::options::DEFAULT_HASH_MIB;
use lovec::search::{Limits, SearchOptions, SearchResult, Searcher};

use crate::assert_all_won;
use crate::search::endings::{BISHOP_AND_KNIGHT, Ending, TWO_BISHOPS};
use crate::search::{search_again, searcher, to_nodes};

/// The limits of the quick tests.
const GAMES: usize = 2;
const NODES: u64 = 20_000;

/// Random won positions with the strong side to move.
fn won_positions(ending: &Ending, count: usize) -> Vec<(Position, Color)> {
    let mut random = StdRng::seed_from_u64(1);
    let next = || {
        let strong = if random.random_bool(0.5) { Color::White } else { Color::Black };
        let position = ending.won_position(random.random(), strong);
        Some(position.map(|position| (position, strong)))
    };
    std::iter::from_fn(next).flatten().take(count).collect()
}

/// The reply with the longest mate, or without one.
fn longest_resistance(ending: &Ending, position: &Position, strong: Color) -> Move {
    let distance = |m: &Move| {
        let mut after = position.clone();
        after.make(*m);
        ending.plies_to_mate(&after, strong).unwrap_or(u8::MAX)
    };
    position.legal_moves().into_iter().max_by_key(distance).expect("a move")
}

/// Plays a won position out and calls `look` after every search of the winner. Returns the
/// number of moves to mate, or the position where the win was lost.
fn play(
    searcher: &mut Searcher,
    ending: &Ending,
    (start, strong): &(Position, Color),
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
        if ending.plies_to_mate(&position, *strong).is_none() {
            break;
        }
        position.make(longest_resistance(ending, &position, *strong));
    }
    Err(format!("{} drawn: {} after {} plies", start.fen(), position.fen(), position.plies()))
}

/// The endings that are not in the tables of the program.
fn endings() -> [&'static Ending; 2] {
    [&TWO_BISHOPS, &BISHOP_AND_KNIGHT]
}

/// Each game ends with a mate, and a mate that was announced comes nearer with each move.
#[test]
fn won_endings_end_in_mate() {
    let limits = to_nodes(NODES);
    let mut searcher = searcher();
    for ending in endings() {
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
            play(&mut searcher, ending, &start, &limits, nearer).expect("a mate");
        }
    }
}

/// A hundred games of each ending with the default hash.
#[test]
#[ignore = "two hundred games at a tenth of a second a move take minutes"]
fn every_ending_is_won_a_hundred_times() {
    let limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::default() };
    let mut searcher = Searcher::new(DEFAULT_HASH_MIB).expect("sixteen MiB");
    for ending in endings() {
        let starts = won_positions(ending, 100);
        let play = |start| play(&mut searcher, ending, start, &limits, |_, _| {});
        assert_all_won(starts.iter().map(play).collect());
    }
}

#[test]
fn the_longest_mates_equal_the_literature() {
    assert_eq!(endings().map(Ending::longest_mate), [19, 33]);
}
