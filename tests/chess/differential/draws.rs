//! Repetition, the fifty-move rule and dead positions, computed independently.

use cozy_chess::Board;
use lovec::chess::notation::uci;
use lovec::chess::{GameResult, Move, Position};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::differential::{Game, identity, their_moves};

/// Neither side has the material to mate: bare kings, one minor piece, or
/// bishops that all stand on squares of one colour.
fn is_dead(board: &Board) -> bool {
    use cozy_chess::Piece::{Bishop, King, Knight};
    let others = board.occupied() & !board.pieces(King);
    let bishops = board.pieces(Bishop);
    let is_light =
        |square: cozy_chess::Square| (square.file() as usize + square.rank() as usize) % 2 == 1;
    let light = bishops.into_iter().filter(|&square| is_light(square)).count();
    let one_minor = others.len() == 1 && !(others & (bishops | board.pieces(Knight))).is_empty();
    others.is_empty()
        || one_minor
        || (others == bishops && (light == 0 || light == bishops.len() as usize))
}

/// Few pieces and pawns: games with many repetitions.
const SPARSE: [&str; 8] = [
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "8/8/3k4/8/8/3K4/8/8 w - - 0 1",
    "8/8/3k4/2n5/8/3K4/4B3/8 w - - 0 1",
    "8/2b5/3k4/8/8/3K4/4B3/8 b - - 0 1",
    "8/3b4/3k4/8/8/3K4/4B3/8 w - - 0 1",
    "8/8/3k4/3nn3/8/3K4/8/8 w - - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
];

#[test]
fn draws_follow_from_the_game() {
    let mut rng = StdRng::seed_from_u64(10);
    let (mut twofold, mut threefold, mut fifty, mut dead) = (0, 0, 0, 0);
    for round in 0..400 {
        let theirs: Board = SPARSE[round % SPARSE.len()].parse().unwrap();
        let ours = Position::from_fen(&theirs.to_string()).unwrap();
        let mut game = Game { ours, theirs };
        let mut past: Vec<String> = Vec::new();
        for ply in 0..120 {
            let name = identity(&game.theirs);
            let seen = past.iter().filter(|other| **other == name).count();
            past.push(name);
            let context = format!("ply {ply} of {}, {}", SPARSE[round % SPARSE.len()], game.theirs);
            // At the root only the rule counts; deep in the search once is enough.
            assert_eq!(game.ours.is_repetition(0), seen >= 2, "{context}");
            assert_eq!(game.ours.is_repetition(past.len()), seen >= 1, "{context}");
            let mated = their_moves(&game.theirs).is_empty() && !game.theirs.checkers().is_empty();
            let clock = game.ours.halfmove_clock();
            // The other board counts no further than a hundred.
            assert_eq!(clock.min(100), u16::from(game.theirs.halfmove_clock()), "{context}");
            assert_eq!(game.ours.is_fifty_move_draw(), clock >= 100 && !mated, "{context}");
            assert_eq!(game.ours.insufficient_material(), is_dead(&game.theirs), "{context}");
            let drawn = seen >= 2 || (clock >= 100 && !mated) || is_dead(&game.theirs);
            assert_eq!(game.ours.is_draw(0), drawn, "{context}");
            let stalemate = their_moves(&game.theirs).is_empty() && !mated;
            let result = match (mated, drawn || stalemate) {
                (true, _) => Some(GameResult::Won(!game.ours.side_to_move())),
                (false, is_over) => is_over.then_some(GameResult::Drawn),
            };
            assert_eq!(GameResult::by_rule(&game.ours), result, "{context}");
            twofold += usize::from(seen == 1);
            threefold += usize::from(seen == 2);
            fifty += usize::from(clock >= 100);
            dead += usize::from(is_dead(&game.theirs));
            // Often the side reverses its last move.
            let back = (past.len() >= 3 && rng.random_range(0..3) > 0)
                .then(|| reverse_of(&mut game))
                .flatten();
            match back {
                Some(m) => game.play(m),
                None if game.step(&mut rng) => {}
                None => break,
            }
        }
    }
    for (name, count) in
        [("twofold", twofold), ("threefold", threefold), ("fifty", fifty), ("dead", dead)]
    {
        assert!(count > 20, "only {count} positions for {name}");
    }
}

/// A quiet move of the side to move back to the square where the same piece stood
/// two plies ago, if the last moves allow it.
fn reverse_of(game: &mut Game) -> Option<Move> {
    let now = *game.ours.state();
    let before = {
        let mut earlier = game.ours.clone();
        earlier.unmake();
        earlier.unmake();
        *earlier.state()
    };
    let us = now.side_to_move();
    let moved_to = now.color(us).without(before.color(us)).first()?;
    let moved_from = before.color(us).without(now.color(us)).first()?;
    let is_reverse = |m: &&Move| m.from() == moved_to && m.to() == moved_from && m.is_quiet();
    now.legal_moves().iter().find(is_reverse).copied()
}

/// Mate on the hundredth ply wins; anything else on it draws.
#[test]
fn the_hundredth_ply() {
    for (fen, text, drawn) in [
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 120", "a1a8", false),
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 120", "a1a7", true),
        ("7k/8/6K1/8/8/8/8/R7 w - - 98 120", "a1a7", false),
    ] {
        let mut position = Position::from_fen(fen).unwrap();
        position.make(uci::parse_move(&position, text).unwrap());
        assert_eq!(position.is_fifty_move_draw(), drawn, "{text} in {fen}");
        assert_eq!(position.is_draw(0), drawn, "{text} in {fen}");
    }
}
