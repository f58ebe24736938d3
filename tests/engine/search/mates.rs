//! Mates are found at their exact distance, and no false mate is reported.

use std::sync::Arc;

use lovec::chess::{Move, Position};
use lovec::eval::Score;
use lovec::search::{
    Bound, Control, Limits, Report, Reporter, SearchOptions, SearchRequest, Searcher,
};

use crate::search::{position, search_again, search_with, searcher, to_depth, to_nodes};

/// The exact distance must be found at most this many plies deeper than the mate. A
/// selective search finds the quickest mate late, because every winning line scores well.
const MARGIN: u8 = 30;

/// Whether the side to move mates within `moves`, by trying every line.
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

/// Whether the quickest mate takes `moves`.
fn mates_in(position: &Position, moves: u32) -> bool {
    let mut position = position.clone();
    mates_within(&mut position, moves) && !mates_within(&mut position, moves - 1)
}

/// `go mate` finds a mate that exists, and otherwise ends as soon as it is refuted.
#[test]
fn a_requested_mate_is_found_or_refuted() {
    let (mut found, mut refuted) = (0, 0);
    for line in include_str!("../../data/wac.epd").lines().skip(2).step_by(3) {
        let mut root = position(&line.split(' ').take(4).collect::<Vec<_>>().join(" "));
        for moves in 1..=2 {
            let limits = Limits { mate: Some(moves), ..Limits::default() };
            let (result, _) = search_with(&root, &limits, 1);
            let found_mate = result.score.mate_distance_moves();
            if mates_within(&mut root, moves.into()) {
                assert!((1..=i32::from(moves)).contains(&found_mate.unwrap()), "{line}");
                found += 1;
            } else {
                assert!(!found_mate.is_some_and(|m| (1..=i32::from(moves)).contains(&m)), "{line}");
                assert_eq!(result.depth, 2 * moves - 1, "{line}");
                refuted += 1;
            }
        }
    }
    assert!(found >= 8 && refuted >= 100, "{found} found, {refuted} refuted");
}

/// Stops the search when it reports a mate in `moves`.
struct MateReporter {
    moves: i32,
    control: Arc<Control>,
    /// Whether no report was better than the true mate.
    sound: bool,
    found: Option<Vec<Move>>,
}

impl Reporter for MateReporter {
    fn report(&mut self, report: &Report<'_>) {
        let Some(moves) = report.score.mate_distance_moves() else { return };
        let exact = report.is_final();
        self.sound &= moves >= self.moves || !exact;
        if moves == self.moves && exact && self.found.is_none() {
            self.found = Some(report.pv.to_vec());
            self.control.stop();
        }
    }
}

/// Fails unless the search finds the mate and its line ends with it.
fn assert_finds_mate(searcher: &mut Searcher, position: &Position, moves: u8) {
    let plies = 2 * moves - 1;
    let request = SearchRequest::new(position.clone(), to_depth(plies + MARGIN));
    let control = Arc::clone(&request.control);
    let mut reporter = MateReporter { moves: moves.into(), control, sound: true, found: None };
    searcher.clear();
    let result = searcher.search(request, &mut reporter);

    let fen = position.fen();
    assert!(reporter.sound, "a false mate in {fen}");
    let pv = reporter.found.unwrap_or_else(|| panic!("no mate in {moves} found in {fen}"));
    assert_eq!(result.score, Score::mate_in(plies.into()), "{fen}");
    assert_eq!(pv.len(), usize::from(plies), "the line of {fen} ends with the mate");
    let mut board = position.clone();
    pv.iter().for_each(|&m| board.make(m));
    assert!(board.is_checkmate(), "{pv:?} in {fen}");
}

#[test]
fn mating_sacrifices_are_found() {
    let mates = [
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 1),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        // The opera game.
        ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 1", 2),
        // Boden's mate.
        ("2kr1b1r/pp1npppp/2p1bn2/7q/5B2/2NB1Q1P/PPP1N1P1/2KR3R w - - 0 1", 2),
        // Legal's mate.
        ("rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P3/2N5/PPPP1PPP/R1BbK2R w KQkq - 0 6", 2),
        // Anastasia's mate.
        ("5r1k/1b2Nppp/8/2R5/4Q3/8/5PPP/6K1 w - - 0 1", 2),
        // Lucena's smothered mate.
        ("6k1/6pp/8/2q5/8/7n/6PP/5R1K b - - 0 1", 2),
        // Reti against Tartakower.
        ("rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 1", 3),
        // Philidor's legacy.
        ("5rk1/5Npp/8/8/2Q5/8/6PP/6K1 w - - 0 1", 3),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
        ("r3k2r/ppp2Npp/1b5n/4p2b/2B1P2q/BQP2P2/P5PP/RN5K w kq - 1 0", 3),
        ("r2n1rk1/1ppb2pp/1p1p4/3Ppq1n/2B3P1/2P4P/PP1N1P1K/R2Q1RN1 b - - 0 1", 3),
    ];
    let mut searcher = searcher();
    for (fen, moves) in mates {
        let position = position(fen);
        assert!(mates_in(&position, moves.into()), "a mate in {moves}: {fen}");
        assert_finds_mate(&mut searcher, &position, moves);
    }
}

#[test]
fn an_exact_mate_is_reported_with_its_line() {
    // A small table loses parts of the proofs.
    let mut searcher = searcher();
    let limits = to_nodes(300_000);
    let options = SearchOptions::default();
    let mut mates = 0;
    for fen in [
        "4k3/8/8/4K2P/8/2P5/8/8 w - - 0 1",
        "8/8/4k3/8/1P2K3/8/6P1/8 w - - 0 1",
        "8/3k4/8/8/1P2K3/7P/8/8 w - - 0 1",
        "8/8/2k5/8/3PK1P1/8/8/8 w - - 0 1",
    ] {
        searcher.clear();
        let (_, reports) = search_again(&mut searcher, &position(fen), &limits, &options);
        for entry in reports.lines.iter().filter(|entry| entry.bound == Bound::Exact) {
            let Some(plies) = entry.score.plies_to_mate() else { continue };
            let mut board = position(fen);
            entry.pv.iter().for_each(|&m| board.make(m));
            assert!(board.is_checkmate() && entry.pv.len() == plies, "{fen}: {entry:?}");
            mates += 1;
        }
    }
    assert!(mates > 0, "no mate was found");
}
