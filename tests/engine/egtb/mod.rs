//! Lovec's own endgame tables: compared with Syzygy and the rules, and as files.
//!
//! A release build compares millions of positions of all endings of four pieces:
//!
//! ```sh
//! LOVEC_SYZYGY=/tables cargo test --release --test engine egtb:: -- --ignored --nocapture
//! ```
//!
//! `LOVEC_SYZYGY` names a directory with all Syzygy tables of three and four pieces.

mod files;
mod laws;
mod syzygy;

use std::sync::LazyLock;

use lovec::chess::position::setup::Setup;
use lovec::chess::{Color, Piece, State};
use lovec::tablebase::egtb::{Collection, Material, build};
use rand::RngExt;
use rand::rngs::StdRng;

use crate::positions::{ColoredPiece, place_randomly};

/// The pieces of an ending by side, kings first, White the stronger side.
pub fn pieces(material: &Material) -> Vec<ColoredPiece> {
    let name = material.to_string();
    let (white, black) = name.split_once('v').unwrap();
    let side = |names: &str, color: Color| -> Vec<ColoredPiece> {
        names.chars().map(|name| (color, Piece::from_letter(name).unwrap())).collect()
    };
    [side(white, Color::White), side(black, Color::Black)].concat()
}

/// A random legal setup of an ending, with either side as White.
pub fn random_setup(pieces: &[ColoredPiece], random: &mut StdRng) -> Setup {
    loop {
        let turned: Vec<_> = if random.random_bool(0.5) {
            pieces.iter().map(|&(color, piece)| (!color, piece)).collect()
        } else {
            pieces.to_vec()
        };
        if let Some(setup) = place_randomly(&turned, random) {
            return setup;
        }
    }
}

pub fn state(setup: &Setup) -> State {
    setup.clone().validate().expect("a position").0
}

pub fn material(name: &str) -> Material {
    name.parse().unwrap()
}

/// Solves endings and their conversions.
pub fn solve(materials: &[Material]) -> Collection {
    let mut tables = Collection::empty();
    for material in Material::build_order(materials) {
        let table = build(&material, &tables).unwrap();
        tables.insert(table);
    }
    tables
}

/// An ending of four pieces whose Syzygy tables are in `tests/data`.
const FOUR_PIECES: &str = "KRvKB";

/// All endings of three pieces and [`FOUR_PIECES`].
static TABLES: LazyLock<Collection> = LazyLock::new(|| {
    let mut materials = Material::all(3);
    materials.push(material(FOUR_PIECES));
    solve(&materials)
});
