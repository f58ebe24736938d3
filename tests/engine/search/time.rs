//! Searches on the clock, and with a single reply.
//!
//! How soon they end is measured by `benches/latency.rs`.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use lovec::search::{Clock, Control, Limits, SearchRequest};

use crate::search::{position, search_with, searcher};

/// A check on the back rank that only the rook can parry.
const FORCED: &str = "r5k1/5ppp/8/8/8/8/4RPPP/r5K1 w - - 0 1";

#[test]
fn a_single_reply_is_played_at_once() {
    let root = position(FORCED);
    assert_eq!(root.legal_moves().len(), 1);
    let remaining = Duration::from_secs(60_000);
    let clock = Clock { remaining, increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let (result, _) = search_with(&root, &limits, 1);
    assert!(result.best.is_some() && result.depth <= 2, "{result:?}");
}

#[test]
fn a_single_reply_is_analysed() {
    // Unlike in the other position, the game goes on.
    let forced = "7k/8/8/8/7p/p7/1r5P/K7 w - - 0 1";
    assert_eq!(position(forced).legal_moves().len(), 1);
    let limits = Limits { infinite: true, ..Limits::default() };
    let request = SearchRequest::new(position(forced), limits);
    let control = Arc::clone(&request.control);
    let search = thread::spawn(move || searcher().search(request, &mut ()));
    thread::sleep(Duration::from_millis(200));
    assert!(!search.is_finished(), "it ends before it is stopped");
    control.stop();
    let result = search.join().expect("the search thread");
    assert!(result.depth > 2, "{result:?}");
}

#[test]
fn time_spent_pondering_counts_as_used() {
    let used = Duration::from_secs(60);
    let start = Instant::now().checked_sub(used).expect("a machine that has run for a minute");
    for (soft_limit, stops) in [(used, true), (10 * used, false)] {
        let control = Control::new(start, true);
        assert!(!control.soft_limit_reached(Some(soft_limit)), "while pondering");
        control.ponderhit();
        assert_eq!(control.is_stopped(), stops, "{soft_limit:?}");
        assert_eq!(control.soft_limit_reached(Some(soft_limit)), stops, "{soft_limit:?}");
    }
    // A move that is being refuted is not played at once.
    let control = Control::new(start, true);
    assert!(!control.soft_limit_reached(Some(used)));
    control.withdraw_soft_limit();
    control.ponderhit();
    assert!(!control.is_stopped());
    assert!(control.soft_limit_reached(Some(used)), "at the end of the next iteration");
}
