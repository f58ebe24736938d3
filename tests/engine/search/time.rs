//! Time is kept, and a search that has to wait waits.
//!
//! Other programs share the machine, so that no bound here is tight.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use lovec::search::{Clock, Control, Limits, SearchOptions, SearchResult};

use crate::search::{MIDDLEGAMES, position, search_with, searcher};

/// A check on the back rank that only the rook can parry.
const FORCED: &str = "r5k1/5ppp/8/8/8/8/4RPPP/r5K1 w - - 0 1";

const fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// A clock without increment.
fn clock(remaining: Duration) -> Option<Clock> {
    Some(Clock { remaining, increment: Duration::ZERO, moves_to_go: None })
}

/// Runs a search in a thread, does something to it after a while, and tells how
/// long the search took to end from then on.
fn released_after(
    fen: &'static str,
    limits: Limits,
    patience: Duration,
    release: impl FnOnce(&Arc<Control>),
) -> (SearchResult, Duration) {
    let start = Instant::now();
    let control = Control::new(start, limits.ponder);
    let searching = Arc::clone(&control);
    let search = thread::spawn(move || {
        let options = SearchOptions::default();
        searcher().search(&position(fen), &limits, &options, &searching, start, &mut ())
    });
    thread::sleep(patience);
    assert!(!search.is_finished(), "it does not end by itself");
    let asked = Instant::now();
    release(&control);
    let outcome = search.join().expect("the search thread");
    assert!(outcome.best.is_some());
    (outcome, asked.elapsed())
}

#[test]
fn infinite_searches_wait_to_be_stopped() {
    for depth in [Some(1), None] {
        let limits = Limits { infinite: true, depth, ..Limits::default() };
        let (_, late) =
            released_after(MIDDLEGAMES[3], limits, millis(100), |control| control.stop());
        assert!(late < millis(500), "{late:?}");
    }
}

#[test]
fn a_single_reply_is_played_at_once() {
    let root = position(FORCED);
    assert_eq!(root.legal_moves().len(), 1);
    let limits = Limits { clock: clock(millis(60_000)), ..Limits::default() };
    let start = Instant::now();
    let (outcome, _) = search_with(&root, &limits, 1);
    let taken = start.elapsed();
    assert!(outcome.best.is_some() && outcome.depth <= 2, "{outcome:?}");
    assert!(taken < millis(100), "{taken:?}");
}

#[test]
fn a_single_reply_is_analysed_all_the_same() {
    let limits = Limits { infinite: true, ..Limits::default() };
    let (outcome, _) = released_after(FORCED, limits, millis(200), |control| control.stop());
    assert!(outcome.depth > 5, "{outcome:?}");
}

#[test]
fn pondering_ends_with_the_clock_after_the_hit() {
    let limits = Limits { ponder: true, clock: clock(millis(500)), ..Limits::default() };
    let hit = |control: &Arc<Control>| control.ponderhit();
    let (_, waited) = released_after(MIDDLEGAMES[3], limits.clone(), millis(100), hit);
    assert!(waited < millis(500), "{waited:?}");
    // Reached its depth long ago: answers at the hit.
    let done = Limits { depth: Some(1), ..limits };
    let (_, waited) = released_after(MIDDLEGAMES[3], done, millis(100), hit);
    assert!(waited < millis(200), "{waited:?}");
}

#[test]
fn time_spent_pondering_is_time_saved() {
    let hit = |control: &Arc<Control>| control.ponderhit();
    // The whole share of this move and more has been used when the hit comes.
    let limits = Limits { ponder: true, clock: clock(millis(4_000)), ..Limits::default() };
    let (_, waited) = released_after(MIDDLEGAMES[3], limits, millis(1_200), hit);
    assert!(waited < millis(300), "{waited:?}");
    // At the first move of a long game there is nothing yet to save.
    let limits = Limits { ponder: true, clock: clock(millis(16_000)), ..Limits::default() };
    let (_, waited) = released_after(MIDDLEGAMES[3], limits, millis(1), hit);
    assert!(waited > millis(100), "{waited:?}");
}

#[test]
fn the_timer_keeps_the_time() {
    for time in [1, 20, 120].map(millis) {
        let limits = Limits { movetime: Some(time), ..Limits::default() };
        let start = Instant::now();
        let (outcome, _) = search_with(&position(MIDDLEGAMES[0]), &limits, 1);
        let late = start.elapsed().saturating_sub(time);
        assert!(outcome.best.is_some());
        assert!(late < millis(250), "{time:?}: late by {late:?}");
    }
}
