//! Endings of Lovec's own tables: the search reports the exact mate with its line, unless the
//! fifty-move rule comes first.

use lovec::chess::{Color, Piece, Position};
use lovec::eval::Score;
use lovec::search::{ProbeOptions, SearchOptions};
use lovec::tablebase::egtb::{Collection, DtmValue};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::positions::{of_setup, place_randomly, position, random_color};
use crate::search::{search_again, search_with, searcher, to_depth};

/// Random positions of a king and one piece against a king, with a legal move.
fn random_positions() -> impl Iterator<Item = Position> {
    let mut random = StdRng::seed_from_u64(1);
    let next = move || {
        let piece = [Piece::Pawn, Piece::Rook, Piece::Queen][random.random_range(0..3)];
        let kings = Color::ALL.map(|color| (color, Piece::King));
        let pieces = [kings[0], kings[1], (random_color(&mut random), piece)];
        let position = place_randomly(&pieces, &mut random).map(of_setup);
        Some(position.filter(|position| !position.legal_moves().is_empty()))
    };
    std::iter::from_fn(next).flatten()
}

fn score_of(value: DtmValue) -> Score {
    match value {
        DtmValue::Win(plies) => Score::mate_in(plies.into()),
        DtmValue::Loss(plies) => Score::mated_in(plies.into()),
        DtmValue::Draw => Score::DRAW,
    }
}

#[test]
fn the_exact_mate_is_reported_with_its_line() {
    let tables = Collection::embedded();
    let mut mates = 0;
    for position in random_positions().take(300) {
        let expected = score_of(tables.probe(&position).expect("a table"));
        let (_, reports) = search_with(&position, &to_depth(2), 1);
        let last = reports.last();
        assert_eq!(last.score, expected, "{}", position.fen());
        if let Some(plies) = expected.plies_to_mate() {
            assert_eq!(last.pv.len(), plies, "{}: {:?}", position.fen(), last.pv);
            let mut end = position.clone();
            last.pv.iter().for_each(|&m| end.make(m));
            assert!(end.is_checkmate(), "{}", position.fen());
            mates += 1;
        }
    }
    assert!(mates > 100, "only {mates} mates");
}

#[test]
fn the_fifty_move_rule_comes_first() {
    // Mate in at least nine moves.
    let start = "8/8/8/4k3/8/8/8/KQ6 w - -";
    let score = |clock: u32, fifty_moves: bool| {
        let options = SearchOptions {
            probe: ProbeOptions { fifty_moves, ..ProbeOptions::default() },
            ..SearchOptions::default()
        };
        let position = position(&format!("{start} {clock} 100"));
        search_again(&mut searcher(), &position, &to_depth(3), &options).0.score
    };
    assert!(score(0, true).is_mate());
    assert_eq!(score(83, true), score(0, true), "just in time");
    assert!(!score(84, true).is_mate(), "a ply too late");
    assert_eq!(score(84, false), score(0, true), "without the rule");
}
