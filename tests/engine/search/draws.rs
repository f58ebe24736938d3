//! A draw scores exactly zero: by stalemate, repetition, the fifty-move rule and insufficient
//! material, on the board already or forced.

use lovec::chess::notation::uci::parse_move;
use lovec::chess::{Move, Position};
use lovec::eval::Score;
use lovec::search::{Bound, Limits, SearchResult};

use crate::search::{MIDDLEGAMES, Reports, after, position, search_with, to_depth};

/// A score above this counts as won, below its negative as lost.
const DECISIVE: Score = Score::new(300);

/// Fails unless the result and the last report are exactly a draw.
fn assert_draw(searched: &(SearchResult, Reports), name: &str) {
    let (result, reports) = searched;
    assert_eq!(reports.last().score, Score::DRAW, "the report of {name}");
    assert_eq!(reports.last().bound, Bound::Exact, "the report of {name}");
    assert_eq!(result.score, Score::DRAW, "the result of {name}");
    assert!(result.best.is_some(), "{name}: no move");
}

/// The position after some legal moves.
fn after_moves(position: &Position, moves: &[Move]) -> Position {
    let mut position = position.clone();
    moves.iter().for_each(|&m| position.make(m));
    position
}

/// Every legal move except these.
fn without(position: &Position, moves: &[Move]) -> Option<Vec<Move>> {
    Some(position.legal_moves().into_iter().filter(|m| !moves.contains(m)).collect())
}

/// Fails unless only this move draws and the search plays it.
fn assert_only_move_draws(position: &Position, saving: &str, depth: u8) {
    let fen = position.fen();
    let searched = search_with(position, &to_depth(depth), 1);
    assert_draw(&searched, &fen);
    let saving = parse_move(position, saving).expect("a legal move");
    assert_eq!(searched.0.best, Some(saving), "{fen}");
    let limits = Limits { search_moves: without(position, &[saving]), ..to_depth(depth) };
    let (result, _) = search_with(position, &limits, 1);
    assert!(result.score < -DECISIVE, "{:?} without the saving move in {fen}", result.score);
}

#[test]
fn draws_by_rule_score_zero() {
    let draws = [
        ("bare kings", "8/8/4k3/8/8/3K4/8/8 w - - 0 1"),
        ("a knight alone", "8/8/4k3/8/8/3KN3/8/8 w - - 0 1"),
        ("bishops of one colour", "8/8/4kb2/8/8/3KB3/8/8 w - - 0 1"),
        ("the next move completes fifty moves", "7k/8/8/8/8/8/R7/K7 w - - 99 80"),
        ("fifty moves are over", "7k/8/8/8/8/8/R7/K7 w - - 100 80"),
        ("stalemate, or the last pawn falls", "k7/P7/K7/8/8/8/8/8 w - - 0 1"),
    ];
    for (name, fen) in draws {
        assert_draw(&search_with(&position(fen), &to_depth(8), 1), name);
    }
}

/// With rook pawns and a bishop of the wrong colour the stronger side can only offer a piece
/// or a promoted pawn, and the king takes it.
#[test]
fn a_king_that_holds_its_corner_is_not_lost_at_any_depth() {
    for fen in [
        "8/8/8/8/6kp/4b3/7K/8 b - - 0 1",
        "8/8/7p/7p/3bk2P/8/6K1/8 b - - 0 1",
        "8/8/8/5k2/6Bp/4b3/6K1/8 b - - 0 1",
        "8/8/8/8/8/6b1/4k1Kp/8 w - - 0 1",
        "k7/8/K7/P1B5/8/8/8/8 w - - 0 1",
        "8/8/5b1p/7p/8/8/5k1K/8 b - - 0 1",
    ] {
        let (result, reports) = search_with(&position(fen), &to_depth(16), 1);
        let scores: Vec<Score> = reports.lines.iter().map(|line| line.score).collect();
        assert!(scores.iter().all(|score| !score.is_decisive()), "{fen}: {scores:?}");
        assert!(result.score < DECISIVE && result.score > -DECISIVE, "{fen}: {scores:?}");
    }
}

#[test]
fn insufficient_material_is_reached() {
    // The last pawn is captured, or exchanged for the last piece.
    for (fen, saving) in [
        ("8/8/8/3k4/8/1n6/p7/K7 w - - 0 1", "a1a2"),
        ("8/8/8/8/4B3/8/1kp5/5K2 w - - 0 1", "e4c2"),
        ("5k2/1KP5/8/4b3/8/8/8/8 b - - 0 1", "e5c7"),
    ] {
        assert_only_move_draws(&position(fen), saving, 14);
    }
}

#[test]
fn a_stalemate_saves() {
    // White sacrifices the queen and is stalemated.
    let root = position("7k/3r4/8/p1q5/8/7p/Q6P/7K w - - 0 1");
    let check = parse_move(&root, "a2g8").expect("a legal move");
    let replies = after_moves(&root, &[check]).legal_moves();
    assert_eq!(replies.len(), 1);
    assert!(after_moves(&root, &[check, replies[0]]).is_stalemate());
    assert_only_move_draws(&root, "a2g8", 10);

    // The king retreats straight back and is stalemated in front of the pawn.
    assert_only_move_draws(&position("8/8/8/8/4k3/4p3/4K3/8 w - - 0 1"), "e2e1", 20);
    assert_only_move_draws(&position("8/4k3/4P3/4K3/8/8/8/8 b - - 0 1"), "e7e8", 20);
}

#[test]
fn a_stalemate_is_avoided() {
    // The obvious move stalemates the opponent.
    for (fen, blunder) in [
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g6"),
        ("k7/8/2K5/8/8/8/8/1Q6 w - - 0 1", "b1b6"),
        ("8/8/8/8/4k3/8/4p3/4K3 b - - 0 1", "e4e3"),
    ] {
        let root = position(fen);
        let blunder = parse_move(&root, blunder).expect("a legal move");
        assert!(after_moves(&root, &[blunder]).is_stalemate(), "{fen}");
        let (result, _) = search_with(&root, &to_depth(10), 1);
        assert_ne!(result.best, Some(blunder), "{fen}");
        assert!(result.score > DECISIVE, "{:?} in {fen}", result.score);
        // A stalemate at the horizon is seen as well.
        let limits = Limits { search_moves: Some(vec![blunder]), ..to_depth(1) };
        assert_draw(&search_with(&root, &limits, 1), fen);
    }
}

/// A rook down and about to be mated, White checks on e8 and h5 forever.
const PERPETUAL: &str = "6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1";

#[test]
fn only_a_perpetual_check_saves() {
    for fen in [
        PERPETUAL,
        "7k/QR4pp/8/8/7q/8/6P1/6K1 b - - 0 1",
        "7k/RR6/8/8/8/8/5PK1/3q4 b - - 0 1",
        "3Q4/5pk1/8/8/8/8/rr6/7K w - - 0 1",
    ] {
        let root = position(fen);
        assert_draw(&search_with(&root, &to_depth(14), 1), fen);
        let checks: Vec<Move> = root
            .legal_moves()
            .into_iter()
            .filter(|&m| after_moves(&root, &[m]).in_check())
            .collect();
        let limits = Limits { search_moves: without(&root, &checks), ..to_depth(12) };
        let (result, _) = search_with(&root, &limits, 1);
        assert!(result.score < -DECISIVE, "{:?} without a check in {fen}", result.score);
    }
}

#[test]
fn the_game_before_the_root_counts() {
    // The check on h5 has been given twice, so one ply is enough to see the draw.
    let root = after(PERPETUAL, "h5e8 g8h7 e8h5 h7g8 h5e8 g8h7 e8h5 h7g8 h5e8 g8h7");
    let with_game = search_with(&root, &to_depth(1), 1);
    assert_draw(&with_game, "the third check");
    assert_eq!(with_game.0.best, parse_move(&root, "e8h5").ok());
    let (without_game, _) = search_with(&position(&root.fen()), &to_depth(1), 1);
    assert!(without_game.score < -DECISIVE, "{without_game:?}");
}

/// The legal move that reverses the move `m` of two plies ago.
fn back(position: &Position, m: Move) -> Option<Move> {
    let goes_back =
        |other: &Move| other.is_quiet() && (other.from(), other.to()) == (m.to(), m.from());
    position.legal_moves().into_iter().find(goes_back)
}

/// The position of `root` after a game that shuffled to and fro, so that the move `m` makes
/// a threefold repetition.
fn repeated(root: &Position, m: Move) -> Option<Position> {
    let start = position(&after_moves(root, &[m]).fen());
    start.legal_moves().into_iter().find_map(|reply| {
        let away = back(&after_moves(&start, &[reply]), m)?;
        let home = back(&after_moves(&start, &[reply, away]), reply)?;
        let again = after_moves(&start, &[reply, away, home]);
        (again.key() == root.key()).then(|| after_moves(&again, &[m, reply, away, home]))
    })
}

#[test]
fn the_winning_side_does_not_repeat() {
    for fen in [
        "8/8/4k3/8/8/8/8/R3K3 w - - 0 1",
        "8/8/8/4k3/8/8/8/3QK3 w - - 0 1",
        "4r1k1/5pp1/7p/8/8/7P/5PP1/6K1 b - - 0 1",
        "6k1/5ppp/8/8/8/2N5/5PPP/3R2K1 w - - 0 1",
        "3qk3/8/8/8/8/8/4P3/4K3 b - - 0 1",
    ] {
        let fresh = position(fen);
        let reversible = fresh.legal_moves().into_iter().filter(|&m| repeated(&fresh, m).is_some());
        let limits = Limits { search_moves: Some(reversible.collect()), ..to_depth(10) };
        let favourite = search_with(&fresh, &limits, 1).0.best.expect("a move");

        let root = repeated(&fresh, favourite).expect("a game that repeats itself");
        assert!(!root.is_draw(0) && after_moves(&root, &[favourite]).is_draw(0), "{fen}");
        let (result, _) = search_with(&root, &to_depth(10), 1);
        let best = result.best.expect("a move");
        assert!(!after_moves(&root, &[best]).is_draw(0), "{best:?} in {fen}");
        assert!(result.score > DECISIVE, "{:?} in {fen}", result.score);
    }
}

/// The search adds a little noise to repetitions, which no report may show.
#[test]
fn a_draw_is_never_reported_as_one_centipawn() {
    let mut draws = 0;
    let drawn =
        [PERPETUAL, "7k/RR6/8/8/8/8/5PK1/3q4 b - - 0 1", "8/8/4k3/8/2b5/8/3PK3/8 w - - 0 1"];
    for fen in drawn.into_iter().chain(MIDDLEGAMES) {
        for multi_pv in [1, 3] {
            let (result, reports) = search_with(&position(fen), &to_depth(10), multi_pv);
            let scores = reports.lines.iter().map(|line| line.score);
            for score in scores.chain([result.score]) {
                assert_ne!(score.abs(), Score::new(1), "{fen}");
                draws += usize::from(score == Score::DRAW);
            }
        }
    }
    assert!(draws >= 20, "only {draws} draws");
}
