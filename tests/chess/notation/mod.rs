//! Laws of the notations: text is read back as the same value, no text makes a parser panic,
//! and an independent crate, shakmaty, writes every position and move of random games alike.

mod fen;
mod moves;
mod suites;

use lovec::chess::Position;
use lovec::chess::notation::epd;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

pub const STANDARD: &str = include_str!("../../data/perft/standard.epd");
pub const CHESS960: &str = include_str!("../../data/perft/chess960.epd");
const WAC: &str = include_str!("../../data/wac.epd");

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The FEN part of each line of a perft suite.
fn fens(suite: &'static str) -> impl Iterator<Item = &'static str> {
    epd::lines(suite).map(|(_, line)| line.split(';').next().unwrap_or(line).trim())
}

/// Calls `visit` with each position of random games of at most 200 plies.
fn random_games(starts: &[&str], seed: u64, mut visit: impl FnMut(&Position)) {
    let mut random = StdRng::seed_from_u64(seed);
    for start in starts {
        let mut game = position(start);
        for _ in 0..200 {
            visit(&game);
            if game.insufficient_material() {
                break;
            }
            let Some(&m) = game.legal_moves().choose(&mut random) else { break };
            game.make(m);
        }
    }
}
