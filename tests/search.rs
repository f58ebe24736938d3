//! What the search owes its caller, whatever its strength.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use lovec::chess::notation::uci::parse_move;
use lovec::chess::{Move, Position};
use lovec::eval::Score;
use lovec::search::{
    Bound, Clock, Control, Limits, Outcome, Report, Reporter, SearchOptions, Searcher,
};

/// Keeps what was reported.
#[derive(Default)]
struct Journal {
    lines: Vec<Entry>,
}

struct Entry {
    depth: u8,
    multipv: usize,
    score: Score,
    bound: Bound,
    pv: Vec<Move>,
}

impl Reporter for Journal {
    fn report(&mut self, report: &Report<'_>) {
        let Report { depth, multipv, score, bound, .. } = *report;
        self.lines.push(Entry { depth, multipv, score, bound, pv: report.pv.to_vec() });
    }
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn search_with(position: &Position, limits: &Limits, multi_pv: usize) -> (Outcome, Journal) {
    let start = Instant::now();
    let control = Control::new(start, limits.ponder);
    let options = SearchOptions { multi_pv, ..SearchOptions::default() };
    let mut journal = Journal::default();
    let mut searcher = Searcher::new(4).expect("four MiB");
    let outcome = searcher.search(position, limits, &options, &control, start, &mut journal);
    (outcome, journal)
}

fn to_depth(depth: u8) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

const MIDDLEGAMES: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

/// Whether the side to move mates within so many moves, by trying everything.
fn mates_within(position: &mut Position, moves: u32) -> bool {
    moves > 0
        && position.legal_moves().into_iter().any(|m| {
            position.make(m);
            let mates = position.is_checkmate()
                || !position.is_stalemate()
                    && position.legal_moves().into_iter().all(|reply| {
                        position.make(reply);
                        let mates = mates_within(position, moves - 1);
                        position.unmake();
                        mates
                    });
            position.unmake();
            mates
        })
}

/// Random positions of a king and one piece against a king, White to move.
fn bare_king_positions(piece: char, count: usize) -> Vec<Position> {
    let mut random = StdRng::seed_from_u64(11);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut board = [' '; 64];
        for man in ['K', piece, 'k'] {
            // The weak king near a corner, so that some of the mates are short.
            let file =
                if man == 'k' { random.random_range(0..2) } else { random.random_range(0..8) };
            let rank =
                if man == 'k' { random.random_range(0..3) } else { random.random_range(0..8) };
            board[8 * rank + file] = man;
        }
        let ranks: Vec<String> = board
            .chunks(8)
            .map(|rank| {
                rank.iter().map(|&c| if c == ' ' { "1".into() } else { c.to_string() }).collect()
            })
            .collect();
        positions.extend(Position::from_fen(&format!("{} w - - 0 1", ranks.join("/"))).ok());
    }
    positions
}

#[test]
fn mates_are_found_at_their_exact_distance() {
    let mut found = [0; 4];
    for mut position in bare_king_positions('Q', 60).into_iter().chain(bare_king_positions('R', 60))
    {
        let Some(moves) = (1..=3).find(|&moves| mates_within(&mut position, moves)) else {
            continue;
        };
        found[moves as usize] += 1;
        let (outcome, journal) = search_with(&position, &to_depth(2 * moves as u8 + 10), 1);
        let fen = position.fen();
        assert_eq!(outcome.score.mate_distance_moves(), Some(moves as i32), "{fen}");
        let last = journal.lines.last().expect("a report");
        assert_eq!(last.pv.len(), 2 * moves as usize - 1, "the line of {fen} ends with the mate");
        last.pv.iter().for_each(|&m| position.make(m));
        assert!(position.is_checkmate(), "{fen}");
    }
    assert!(found[1..].iter().all(|&count| count >= 3), "too few mates to speak of: {found:?}");
}

#[test]
fn sacrifices_that_mate_are_found() {
    let mates = [
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 1),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ];
    for (fen, moves) in mates {
        assert!(
            mates_within(&mut position(fen), moves) && !mates_within(&mut position(fen), moves - 1)
        );
        let (outcome, _) = search_with(&position(fen), &to_depth(12), 1);
        assert_eq!(outcome.score.mate_distance_moves(), Some(moves as i32), "{fen}");
    }
}

#[test]
fn the_mated_side_counts_too() {
    // Black is mated in two whatever it plays.
    let (outcome, _) = search_with(&position("7k/8/5K2/8/8/8/8/6R1 b - - 0 1"), &to_depth(8), 1);
    assert!(outcome.score.mate_distance_moves().is_some_and(|moves| moves < 0), "{outcome:?}");
}

#[test]
fn draws_by_rule_score_nothing() {
    let draws = [
        ("bare kings", "8/8/4k3/8/8/3K4/8/8 w - - 0 1"),
        ("a knight alone", "8/8/4k3/8/8/3KN3/8/8 w - - 0 1"),
        ("fifty moves are over with the next", "7k/8/8/8/8/8/R7/K7 w - - 99 80"),
        ("fifty moves are over", "7k/8/8/8/8/8/R7/K7 w - - 100 80"),
        ("stalemate, or the last pawn falls", "k7/P7/K7/8/8/8/8/8 w - - 0 1"),
    ];
    for (name, fen) in draws {
        let (outcome, journal) = search_with(&position(fen), &to_depth(8), 1);
        assert_eq!(journal.lines.last().map(|line| line.score), Some(Score::DRAW), "{name}");
        assert!(outcome.best.is_some(), "{name}: there is still a move");
    }
}

#[test]
fn mate_on_the_hundredth_ply_wins() {
    let (outcome, _) = search_with(&position("7k/8/6K1/8/8/8/8/R7 w - - 99 80"), &to_depth(4), 1);
    assert_eq!(outcome.score.mate_distance_moves(), Some(1));
}

#[test]
fn a_perpetual_check_is_a_draw() {
    // A rook down and about to be mated, White checks on e8 and h5 for ever.
    let (outcome, _) =
        search_with(&position("6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1"), &to_depth(10), 1);
    assert_eq!(outcome.score, Score::DRAW);
}

#[test]
fn threefold_on_the_board_scores_nothing() {
    let mut position = Position::startpos();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"] {
        let m = parse_move(&position, text).expect("a legal move");
        position.make(m);
    }
    let (outcome, journal) = search_with(&position, &to_depth(5), 1);
    assert_eq!(journal.lines.last().map(|line| line.score), Some(Score::DRAW));
    assert!(outcome.best.is_some());
}

#[test]
fn no_move_is_reported_as_what_it_is() {
    let mated = position("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1");
    let (outcome, journal) = search_with(&mated, &to_depth(5), 1);
    assert_eq!((outcome.best, outcome.score), (None, Score::mated_in(0)));
    assert_eq!(journal.lines[0].depth, 0);
    let stalemated = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    let (outcome, _) = search_with(&stalemated, &to_depth(5), 1);
    assert_eq!((outcome.best, outcome.score), (None, Score::DRAW));
}

#[test]
fn one_thread_is_deterministic() {
    for fen in MIDDLEGAMES {
        let first = search_with(&position(fen), &to_depth(9), 1).0;
        let second = search_with(&position(fen), &to_depth(9), 1).0;
        assert_eq!(first, second, "{fen}");
    }
}

#[test]
fn a_cleared_searcher_is_a_new_one() {
    let start = Instant::now();
    let mut searcher = Searcher::new(4).expect("four MiB");
    let mut nodes = Vec::new();
    for _ in 0..2 {
        searcher.clear();
        let control = Control::new(start, false);
        let options = SearchOptions::default();
        let position = position(MIDDLEGAMES[0]);
        nodes.push(searcher.search(&position, &to_depth(8), &options, &control, start, &mut ()));
    }
    assert_eq!(nodes[0], nodes[1]);
}

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
fn lines_are_legal_and_begin_with_the_best_move() {
    for fen in MIDDLEGAMES {
        let root = position(fen);
        let (outcome, journal) = search_with(&root, &to_depth(10), 1);
        for line in &journal.lines {
            let mut board = root.clone();
            for &m in &line.pv {
                assert!(board.is_legal(m), "{fen}: {m:?} in {:?}", line.pv);
                assert!(!board.is_draw(0), "{fen}: the line runs past the end of the game");
                board.make(m);
            }
        }
        let last = journal.lines.last().expect("a report");
        assert_eq!(outcome.best, last.pv.first().copied());
        assert_eq!(outcome.ponder, last.pv.get(1).copied());
        let depths: Vec<u8> = journal.lines.iter().map(|line| line.depth).collect();
        assert!(depths.is_sorted());
    }
}

#[test]
fn several_lines_are_distinct_and_in_order() {
    for fen in MIDDLEGAMES {
        let (_, journal) = search_with(&position(fen), &to_depth(7), 4);
        for lines in journal.lines.chunks(4) {
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

/// Runs a search in a thread, does something to it, and tells how long the
/// search took to end from then on.
fn released_after(limits: Limits, release: impl FnOnce(&Arc<Control>)) -> Duration {
    let start = Instant::now();
    let control = Control::new(start, limits.ponder);
    let searching = Arc::clone(&control);
    let search = thread::spawn(move || {
        let mut searcher = Searcher::new(4).expect("four MiB");
        let options = SearchOptions::default();
        let root = position(MIDDLEGAMES[3]);
        searcher.search(&root, &limits, &options, &searching, start, &mut ()).best.is_some()
    });
    thread::sleep(Duration::from_millis(100));
    assert!(!search.is_finished(), "it does not end by itself");
    let asked = Instant::now();
    release(&control);
    assert!(search.join().expect("the search thread"));
    asked.elapsed()
}

#[test]
fn infinite_searches_wait_to_be_stopped() {
    let limits = Limits { infinite: true, depth: Some(1), ..Limits::default() };
    assert!(released_after(limits, |control| control.stop()) < Duration::from_millis(500));
    let limits = Limits { infinite: true, ..Limits::default() };
    assert!(released_after(limits, |control| control.stop()) < Duration::from_millis(500));
}

#[test]
fn pondering_ends_with_the_clock_after_the_hit() {
    let clock = Clock {
        remaining: Duration::from_millis(500),
        increment: Duration::ZERO,
        moves_to_go: None,
    };
    let limits = Limits { ponder: true, clock: Some(clock), ..Limits::default() };
    let waited = released_after(limits.clone(), |control| control.ponderhit());
    assert!(waited < Duration::from_millis(500), "{waited:?}");
    // Reached its depth long ago: answers at the hit.
    let done = Limits { depth: Some(1), ..limits };
    assert!(released_after(done, |control| control.ponderhit()) < Duration::from_millis(200));
}

#[test]
fn the_timer_keeps_the_time() {
    for millis in [1, 20, 120] {
        let limits = Limits { movetime: Some(Duration::from_millis(millis)), ..Limits::default() };
        let start = Instant::now();
        let (outcome, _) = search_with(&position(MIDDLEGAMES[0]), &limits, 1);
        let late = start.elapsed().saturating_sub(Duration::from_millis(millis));
        assert!(outcome.best.is_some());
        assert!(late < Duration::from_millis(250), "{millis} ms: late by {late:?}");
    }
}
