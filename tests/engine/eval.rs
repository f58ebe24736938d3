//! Laws of the evaluation, over random games.

use std::collections::BTreeSet;

use lovec::chess::{Color, Position};
use lovec::eval::{
    Accumulator, EvalTables, PieceValues, Score, Tenths, WEIGHTS, evaluate, evaluate_fresh,
    explain, trace,
};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use crate::positions::{flipped, mirrored, position};

const GAMES: u64 = 100;
const PLIES: usize = 160;

/// Plays random games and visits every position, with the incremental accumulator.
fn random_positions(mut visit: impl FnMut(&Position, &Accumulator)) {
    for seed in 0..GAMES {
        let mut random = StdRng::seed_from_u64(seed);
        let mut position = Position::startpos();
        let mut accumulator = Accumulator::from_state(&position);
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            let Some(&chosen) = moves.choose(&mut random) else { break };
            position.make_observed(chosen, &mut accumulator);
            visit(&position, &accumulator);
        }
    }
}

/// Nor does the score depend on the tables and the accumulator, which follow a game.
#[test]
fn exchanging_colours_changes_nothing_for_the_side_to_move() {
    let mut tables = EvalTables::new().expect("a little memory");
    random_positions(|position, accumulator| {
        assert_eq!(*accumulator, Accumulator::from_state(position), "{}", position.fen());
        let score = evaluate(position, accumulator, &mut tables);
        assert_eq!(score, evaluate_fresh(&flipped(position)), "{}", position.fen());
        assert!(score < Score::MAX_EVAL && -score < Score::MAX_EVAL, "{}", position.fen());
    });
}

#[test]
fn mirroring_the_board_changes_nothing() {
    random_positions(|position, _| {
        let image = mirrored(position);
        let score = evaluate_fresh(&image);
        assert_eq!(score, evaluate_fresh(&mirrored(&image)), "{}", position.fen());
    });
}

#[test]
fn trace_times_weights_is_the_score() {
    let mut tables = EvalTables::new().expect("a little memory");
    random_positions(|position, accumulator| {
        let trace = trace(position);
        if trace.known_endgame.is_some() {
            return;
        }
        let score = trace.total(&WEIGHTS).taper(trace.factors).clamp_eval();
        let sign = position.side_to_move().sign();
        assert_eq!(
            score * sign,
            evaluate(position, accumulator, &mut tables),
            "{}",
            position.fen()
        );
    });
}

#[test]
fn the_explanation_adds_up() {
    let mut tables = EvalTables::new().expect("a little memory");
    let mut visited = 0;
    random_positions(|position, accumulator| {
        // An explanation takes time, and successive positions are similar.
        visited += 1;
        if visited % 17 != 0 && !position.legal_moves().is_empty() {
            return;
        }
        let explanation = explain(position);
        let score = evaluate(position, accumulator, &mut tables);
        assert_eq!(explanation.white_score * position.side_to_move().sign(), score);
        if explanation.standing.is_game_over() {
            assert!(explanation.result().is_some(), "{}", position.fen());
            return;
        }
        if explanation.known_endgame.is_none() {
            let total = explanation.total().taper(explanation.factors);
            assert_eq!(total, explanation.white_score, "{}", position.fen());
            // The shown values add up, to a tenth of a centipawn.
            let tenths = |value: Tenths| (10.0 * value.centipawns()).round() as i32;
            let shares = explanation.rows.iter().map(|row| tenths(explanation.shown_share(row)));
            let rounding = tenths(explanation.rounding());
            assert_eq!(shares.sum::<i32>() + rounding, 10 * total.cp(), "{}", position.fen());
            // The score is rounded twice, and each term once.
            assert!(rounding.abs() < 20 + explanation.rows.len() as i32 / 2, "{explanation}");
        }
    });
}

#[test]
fn scores_stay_below_mates() {
    for fen in [
        "6rk/6pp/8/8/QQQQQQQQ/Q7/8/K7 w - - 0 1",
        "qqqqqqqk/qq6/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
    ] {
        assert!(!evaluate_fresh(&position(fen)).is_mate(), "{fen}");
    }
}

#[test]
fn an_advantage_shrinks_towards_the_fifty_move_rule() {
    let score = |clock: u16| {
        let fen = format!("6k1/5ppp/8/8/8/8/PPP2PPP/1R4K1 w - - {clock} 80");
        evaluate_fresh(&position(&fen))
    };
    for clock in 1..100 {
        assert!(score(clock) <= score(clock - 1) && score(clock) > Score::ZERO, "{clock}");
    }
    assert!(score(99) < score(0) - score(0) / 4);
}

#[test]
fn a_better_position_scores_more() {
    let better_first = [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("7k/8/8/8/8/2R5/8/K7 w - - 0 1", "8/8/8/4k3/8/2R5/8/K7 w - - 0 1"),
        ("4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/2P5/8/8/8/4K3 w - - 0 1"),
    ];
    for (better, worse) in better_first {
        let [better, worse] = [better, worse].map(|fen| evaluate_fresh(&position(fen)));
        assert!(better > worse);
    }
    let start = evaluate_fresh(&Position::startpos());
    assert!(start > Score::ZERO && start < Score::new(80));
}

#[test]
fn the_reasons_are_the_largest_terms() {
    let position = position("6k1/5ppp/8/8/8/8/PPP2PPP/1R4K1 w - - 0 1");
    let explanation = explain(&position);
    let reasons = explanation.reasons(Color::White);
    assert_eq!(reasons[0].0.name, "material");
    assert!(reasons.iter().all(|(_, share)| *share > 0.0));
    assert!(reasons.is_sorted_by(|(_, more), (_, less)| more >= less));
    let against = explanation.reasons(Color::Black);
    assert!(against.iter().all(|(row, _)| reasons.iter().all(|(other, _)| other.name != row.name)));
    assert!(explanation.to_string().contains("For White            material +"));
}

/// The value of a piece is a difference of evaluations and is the same for both colours.
#[test]
fn the_value_of_a_piece_is_the_loss_without_it() {
    let mut seen = 0;
    random_positions(|position, _| {
        seen += 1;
        if seen % 50 != 0 {
            return;
        }
        let values = PieceValues::of(position);
        assert_eq!(values.pieces.len(), position.occupied().len() as usize);
        for piece in &values.pieces {
            let is_king = piece.piece == lovec::chess::Piece::King;
            assert!(!is_king || piece.value.is_none());
        }
        let mut mirrored: Vec<_> = PieceValues::of(&flipped(position)).pieces;
        mirrored.iter_mut().for_each(|piece| {
            piece.square = piece.square.flip();
            piece.color = !piece.color;
        });
        mirrored.sort_by_key(|piece| piece.square);
        assert_eq!(values.pieces, mirrored, "{}", position.fen());
    });

    let value = |fen: &str| {
        let position = position(fen);
        evaluate_fresh(&position) * position.side_to_move().sign()
    };
    let with = "r1b1k2r/ppppqppp/2n2n2/8/1bPNP3/2N5/PP3PPP/R1BQKB1R w KQkq - 0 7";
    let without = "r1b1k2r/ppppqppp/2n2n2/8/1bP1P3/2N5/PP3PPP/R1BQKB1R w KQkq - 0 7";
    let values = PieceValues::of(&position(with));
    let knight = values.pieces.iter().find(|piece| piece.square.to_string() == "d4").unwrap();
    assert_eq!(knight.value, Some((value(with) - value(without)).cp()));
}

/// The sum of the counts of one term over its indices, for White.
fn white_counts(fen: &str, term: &str) -> i32 {
    let trace = trace(&position(fen));
    assert!(trace.known_endgame.is_none(), "{fen}");
    let tables = trace.counts(Color::White).tables();
    let table = tables.iter().find(|table| table.name == term).expect("a term");
    table.values.iter().map(|&count| i32::from(count)).sum()
}

#[test]
fn a_piece_without_a_safe_square_is_trapped_if_it_is_attacked_and_not_defended() {
    let trapped = |fen| white_counts(fen, "trapped_piece");
    // The king attacks the knight on a8 and both of its squares.
    assert_eq!(trapped("N7/1k4pp/8/8/8/8/6PP/6K1 w - - 0 1"), 1);
    assert_eq!(trapped("N7/1k4pp/8/8/8/8/6PP/6K1 b - - 0 1"), 1);
    // The king does not attack the knight.
    assert_eq!(trapped("N7/3k2pp/8/8/8/8/6PP/6K1 w - - 0 1"), 0);
    // The knight is defended.
    assert_eq!(trapped("N7/1k4pp/8/8/8/8/6PP/R5K1 w - - 0 1"), 0);
    // Another knight defends both squares.
    assert_eq!(trapped("N7/1k4pp/8/3N4/8/8/6PP/6K1 w - - 0 1"), 0);
}

#[test]
fn a_piece_attacked_by_a_less_valuable_one_is_trapped_even_if_it_is_defended() {
    let trapped = |fen| white_counts(fen, "trapped_piece");
    // A pawn attacks the bishop, and pawns guard both of its squares.
    assert_eq!(trapped("6k1/8/7p/6p1/5p1B/8/5PPP/6K1 w - - 0 1"), 1);
    // The square g3 is safe.
    assert_eq!(trapped("6k1/8/7p/6p1/7B/5p2/5PPP/6K1 w - - 0 1"), 0);
    // The pawn on g5 is not defended.
    assert_eq!(trapped("6k1/8/8/6p1/5p1B/8/5PPP/6K1 w - - 0 1"), 0);
}

#[test]
fn a_piece_alone_between_its_queen_and_a_rook_is_pinned_to_the_queen() {
    let pinned = |fen| white_counts(fen, "pinned_to_queen");
    assert_eq!(pinned("3r2k1/6pp/8/8/3N4/8/6PP/3Q2K1 w - - 0 1"), 1);
    // Two pieces stand between them.
    assert_eq!(pinned("3r2k1/3p2pp/8/8/3N4/8/6PP/3Q2K1 w - - 0 1"), 0);
    assert_eq!(pinned("3r2k1/6pp/8/8/3N4/8/3P2PP/3Q2K1 w - - 0 1"), 0);
}

/// A word in italics begins the names up to the next semicolon.
#[test]
fn the_documents_list_every_term_in_its_group() {
    let text = include_str!("../../docs/evaluation.md");
    let section = text.split("\n## ").find(|section| section.starts_with("Terms")).unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let mut listed = BTreeSet::new();
    for (group, terms) in rows.skip(1).filter_map(|row| row.split_once(" | ")) {
        for part in terms.split("; ") {
            let begun = part.strip_prefix('*').and_then(|part| part.split_once("*: "));
            let (word, names) = begun.unwrap_or(("", part));
            let name = |name| format!("{word} {name}").trim_start().to_owned();
            listed.extend(names.split(", ").map(|it| (group.to_owned(), name(it))));
        }
    }
    let tables = WEIGHTS.tables();
    let declared = tables.iter().map(|it| (it.group.to_owned(), it.name.replace('_', " ")));
    assert_eq!(listed, declared.collect());
}
