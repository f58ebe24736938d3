//! The engine without a protocol: what no client can time or see. What clients see is tested in
//! `tests/program/uci_session`.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::chess::Position;
use crate::chess::notation::fen;
use crate::engine::options::Settings;
use crate::engine::request::{GoRequest, PositionRequest};
use crate::engine::{Engine, Listener, OtherSearch};
use crate::eval::Score;
use crate::search::{Limits, Reporter, SearchRequest, SearchResult, Searcher, Stop};

/// What the engine thread or an answer reported.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Event {
    Moved { found: bool, depth: u8 },
    Answered(u32),
}

#[derive(Clone)]
struct Recorder {
    sender: Sender<Event>,
    /// How long the engine thread is delayed after it has reported a move.
    delay: Duration,
}

impl Listener for Recorder {
    type Reporter = ();

    fn reporter(&self, _: &Position, _: &Settings) {}

    fn best_move(&self, outcome: Option<&SearchResult>, _: bool) {
        let found = outcome.is_some_and(|outcome| outcome.best.is_some());
        let depth = outcome.map_or(0, |outcome| outcome.depth);
        self.sender.send(Event::Moved { found, depth }).unwrap();
        thread::sleep(self.delay);
    }

    fn problem(&self, text: &str) {
        panic!("{text}");
    }

    fn notice(&self, text: &str) {
        panic!("{text}");
    }
}

struct Bench {
    engine: Engine,
    sender: Sender<Event>,
    events: Receiver<Event>,
}

impl Bench {
    fn new() -> Self {
        Self::with_delay(Duration::ZERO)
    }

    fn with_delay(delay: Duration) -> Self {
        let (sender, events) = channel();
        let engine = Engine::start(Recorder { sender: sender.clone(), delay }).unwrap();
        Self { engine, sender, events }
    }

    fn go(&self, request: &GoRequest<'_>) {
        self.engine.go(request, Instant::now()).unwrap();
    }

    fn answer(&self, number: u32) {
        let sender = self.sender.clone();
        self.engine.answer(move || sender.send(Event::Answered(number)).unwrap());
    }

    fn next(&self) -> Event {
        self.events.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    fn found_move(&self) -> bool {
        matches!(self.next(), Event::Moved { found: true, .. })
    }
}

fn to_depth(depth: u8) -> GoRequest<'static> {
    GoRequest { depth: Some(depth), limited: true, ..GoRequest::default() }
}

fn after(moves: Vec<&str>) -> PositionRequest<'_> {
    PositionRequest { fen: fen::START.to_owned(), moves }
}

fn infinite() -> GoRequest<'static> {
    GoRequest { infinite: true, ..GoRequest::default() }
}

/// A later search ends an endless one, but none of these.
#[test]
fn a_stop_reaches_every_search_that_waits() {
    let bench = Bench::new();
    for _ in 0..5 {
        bench.go(&to_depth(100));
    }
    bench.engine.stop();
    for _ in 0..5 {
        assert!(bench.found_move());
    }
}

/// The end of one of its searches is not the end of a task.
#[test]
fn answers_do_not_wait_for_a_task_of_several_searches() {
    let bench = Bench::new();
    let (sender, searched) = channel();
    let task = move |stop: &Arc<Stop>| {
        let mut searcher = Searcher::new(1).unwrap();
        let limits = Limits { depth: Some(1), ..Limits::default() };
        while !stop.is_stopped() {
            let request = SearchRequest::new(Position::startpos(), limits.clone()).of_job(stop);
            searcher.search(request, &mut ());
            sender.send(()).unwrap();
        }
    };
    bench.engine.run_task(task).unwrap();
    for number in 1..=3 {
        searched.recv_timeout(Duration::from_secs(60)).unwrap();
        bench.answer(number);
        assert_eq!(bench.next(), Event::Answered(number));
    }
    bench.engine.stop();
    bench.answer(4);
    assert_eq!(bench.next(), Event::Answered(4));
}

/// A client takes a move after the answer to `isready` as the result of its next search.
#[test]
fn answers_wait_for_stopped_searches() {
    let bench = Bench::new();
    for searches in 1..=3 {
        for _ in 0..searches {
            bench.go(&infinite());
        }
        bench.engine.stop();
        bench.answer(1);
        bench.go(&infinite());
        bench.answer(2);
        for _ in 0..searches {
            assert!(bench.found_move());
        }
        assert_eq!(bench.next(), Event::Answered(1));
        assert_eq!(bench.next(), Event::Answered(2));
        bench.engine.stop();
        assert!(bench.found_move());
    }
}

/// A search that waits for a new hash neither reorders answers nor delays them.
#[test]
fn answers_come_in_order_whatever_waits_between_them() {
    let mut bench = Bench::new();
    for round in 0..20 {
        bench.engine.set_option("hash", Some(["64", "1"][round % 2])).unwrap();
        bench.answer(1);
        bench.go(&infinite());
        bench.answer(2);
        bench.engine.new_game();
        bench.answer(3);
        for number in 1..=3 {
            assert_eq!(bench.next(), Event::Answered(number));
        }
        bench.engine.stop();
        assert!(bench.found_move());
    }
}

/// `isready` after `bestmove` and `ucinewgame` is answered when the tables are clear.
#[test]
fn answers_wait_for_a_new_game_right_after_a_move() {
    let delay = Duration::from_millis(50);
    let mut bench = Bench::with_delay(delay);
    for refused in [None, Some(after(vec!["e2e5"]))] {
        if let Some(position) = refused {
            assert!(bench.engine.set_position(Ok(position)).is_err());
        }
        bench.go(&to_depth(1));
        assert!(matches!(bench.next(), Event::Moved { .. }));
        let moved = Instant::now();
        bench.engine.new_game();
        bench.answer(1);
        assert_eq!(bench.next(), Event::Answered(1));
        assert!(moved.elapsed() > delay / 2);
    }
}

/// Each thread of a search copies what it gets.
#[test]
fn a_search_gets_what_it_can_repeat_of_a_game() {
    let (sender, games) = channel();
    let search = move || -> OtherSearch {
        Box::new(move |request: SearchRequest, _: &mut dyn Reporter| {
            sender.send((request.position.fen(), request.position.plies())).unwrap();
            SearchResult { best: None, ponder: None, score: Score::DRAW, nodes: 0, depth: 0 }
        })
    };
    let (sender, _events) = channel();
    let listener = Recorder { sender, delay: Duration::ZERO };
    let mut engine = Engine::start_other(listener, &[], search).unwrap();
    let knights = ["b1c3", "b8c6", "c3b1", "c6b8"];
    for (pawns, kept) in [(vec![], 8), (vec!["e2e4", "e7e5"], 4)] {
        let moves = knights.into_iter().chain(pawns).chain(knights).collect();
        engine.set_position(Ok(after(moves))).unwrap();
        engine.go(&to_depth(1), Instant::now()).unwrap();
        let searched = games.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(searched, (engine.position().unwrap().fen(), kept));
    }
}

#[test]
fn shutting_down_does_not_wait_for_a_long_task() {
    let bench = Bench::new();
    bench.engine.run_task(|_| thread::sleep(Duration::from_secs(5))).unwrap();
    let begun = Instant::now();
    bench.engine.shut_down(Duration::from_millis(20));
    assert!(begun.elapsed() < Duration::from_secs(4));
}
