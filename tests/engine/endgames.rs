//! The known endgames against the smaller Syzygy tables in `tests/data/syzygy`, which hold the
//! result of every position under the fifty-move rule. Exact knowledge must agree everywhere,
//! rules of thumb in a given percentage of quiet positions.

use lovec::chess::{Color, File, Piece, Position, Square};
use lovec::eval::{Score, evaluate_fresh, trace};
use lovec::tablebase::Wdl;
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::positions::{ColoredPiece, of_setup, place, place_randomly};
use crate::syzygy::TABLES;

/// The winner according to the tables.
fn winner(position: &Position) -> Option<Color> {
    let side = position.side_to_move();
    match TABLES.wdl(position).expect("a table") {
        Wdl::Win => Some(side),
        Wdl::Loss => Some(!side),
        _ => None,
    }
}

/// Both kings and some other pieces, named as in a FEN.
fn pieces(names: &str) -> Vec<ColoredPiece> {
    let piece = |name: char| {
        let color = if name.is_ascii_uppercase() { Color::White } else { Color::Black };
        (color, Piece::from_letter(name).expect("a piece"))
    };
    "Kk".chars().chain(names.chars()).map(piece).collect()
}

/// The evaluation from White's side.
fn white_score(position: &Position) -> Score {
    evaluate_fresh(position) * position.side_to_move().sign()
}

/// Random positions of the pieces without a check, a capture or a promotion.
fn quiet_positions(names: &str, count: usize) -> Vec<Position> {
    let pieces = pieces(names);
    let mut random = StdRng::seed_from_u64(1);
    let next = || {
        let quiet = |position: &Position| {
            let moves = position.legal_moves();
            !position.in_check() && moves.into_iter().all(|m| m.is_quiet())
        };
        Some(place_randomly(&pieces, &mut random).map(of_setup).filter(quiet))
    };
    std::iter::from_fn(next).flatten().take(count).collect()
}

/// Every `step`-th placement of king and pawn against king, with either side to move.
fn pawn_endings(strong: Color, step: usize, mut visit: impl FnMut(&Position)) {
    let pieces = pieces(if strong == Color::White { "P" } else { "p" });
    for n in (0..64_u32.pow(3)).step_by(step) {
        let squares = [n / 4096, n / 64, n].map(|n| Square::new((n % 64) as u8));
        for side in Color::ALL {
            if let Some(setup) = place(&pieces, &squares, side) {
                visit(&of_setup(setup));
            }
        }
    }
}

#[test]
fn king_and_pawn_against_king_is_known_exactly() {
    let mut won = 0;
    // The step has no common factor with 64, so that every square occurs.
    for (strong, step) in [(Color::White, 1), (Color::Black, 37)] {
        pawn_endings(strong, step, |position| {
            let fen = position.fen();
            assert!(trace(position).known_endgame.is_some(), "{fen}");
            let score = white_score(position) * strong.sign();
            match winner(position) {
                Some(winner) => {
                    assert_eq!(winner, strong);
                    assert!(score > Score::KNOWN_WIN && !score.is_mate(), "{score:?}: {fen}");
                    won += 1;
                }
                None => assert_eq!(score, Score::DRAW, "{fen}"),
            }
        });
    }
    assert!(won > 200_000, "only {won} won positions");
}

/// The percentage of White wins in the quiet positions that `claim` accepts.
fn share_won(names: &str, count: usize, claim: impl Fn(&Position) -> bool) -> f64 {
    let mut positions = quiet_positions(names, count);
    positions.retain(claim);
    assert!(positions.len() >= 50, "only {} of {names}", positions.len());
    let won = positions.iter().filter(|position| winner(position) == Some(Color::White));
    100.0 * won.count() as f64 / positions.len() as f64
}

#[test]
fn a_winning_pawn_wins_with_other_pieces_as_well() {
    for names in ["PP", "BP"] {
        let certain = |position: &Position| white_score(position) > Score::KNOWN_WIN;
        assert!(share_won(names, 20_000, certain) > 99.9, "{names}");
    }
}

#[test]
fn rook_pawns_do_not_win_against_a_king_in_their_corner() {
    let on_one_file = |position: &Position| {
        let pawns = position.pieces(Piece::Pawn);
        [File::A, File::H].iter().any(|file| pawns.is_subset(file.bitboard()))
    };
    let drawn = |position: &Position| white_score(position) == Score::DRAW && on_one_file(position);
    assert_eq!(share_won("PP", 60_000, drawn), 0.0);
    let nearly = |position: &Position| {
        let trace = trace(position);
        trace.known_endgame.is_none() && trace.factors.scale < 8
    };
    assert!(share_won("BP", 20_000, nearly) < 3.0);
}

#[test]
fn a_knight_that_guards_its_rook_pawn_does_not_win_against_a_king_in_front() {
    let drawn = |position: &Position| white_score(position) == Score::DRAW;
    assert_eq!(share_won("NP", 200_000, drawn), 0.0);
}

#[test]
fn a_queen_usually_wins() {
    let better = |position: &Position| white_score(position) > Score::new(250);
    let drawish = |position: &Position| white_score(position) < Score::new(100);
    assert!(share_won("Qp", 20_000, better) > 99.0);
    assert!(share_won("Qp", 60_000, drawish) < 35.0);
    assert!(share_won("Qr", 20_000, better) > 95.0);
    assert!(share_won("Qb", 20_000, better) > 99.0);
    assert!(share_won("Qn", 20_000, better) > 97.0);
}

#[test]
fn a_rook_rarely_beats_a_bishop_and_usually_a_pawn() {
    let small = |position: &Position| white_score(position).abs() < Score::new(100);
    assert!(share_won("Rb", 20_000, small) < 15.0);
    assert!(share_won("Rp", 20_000, small) < 25.0);
    let won = |position: &Position| white_score(position) > Score::new(350);
    assert!(share_won("Rp", 20_000, won) > 98.0);
}

/// Only a certain win may have a decisive score, so that the search prefers it.
#[test]
fn uncertain_endings_are_not_decisive() {
    for names in ["Qr", "Qb", "Qn", "Qp", "Rb", "Rn", "Rp", "NNp", "Pp", "RPr"] {
        for position in quiet_positions(names, 2_000) {
            assert!(!evaluate_fresh(&position).is_decisive(), "{}", position.fen());
        }
    }
}
