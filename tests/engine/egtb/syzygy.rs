//! Win, draw or loss: the Syzygy tables of R. de Man, made by another program with another
//! metric, agree in every position.
//!
//! They count the fifty-move rule, which turns some wins into draws; such wins count as
//! wins here.

use lovec::chess::position::setup::Setup;
use lovec::chess::{Color, Piece, Rank, Square, State};
use lovec::tablebase::Wdl;
use lovec::tablebase::egtb::{Collection, DtmValue, Material};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use crate::egtb::{FOUR_PIECES, TABLES, pieces, random_setup, solve, state};
use crate::positions::{ColoredPiece, place, random_color, random_squares};

/// 1 if the side to move wins, -1 if it loses.
fn by_syzygy(state: &State) -> i32 {
    match crate::syzygy::TABLES.wdl(state).expect("a Syzygy table") {
        Wdl::Win | Wdl::CursedWin => 1,
        Wdl::Draw => 0,
        Wdl::Loss | Wdl::BlessedLoss => -1,
    }
}

fn by_lovec(state: &State, tables: &Collection) -> i32 {
    match tables.value(state).expect("a Lovec table") {
        DtmValue::Win(_) => 1,
        DtmValue::Draw => 0,
        DtmValue::Loss(_) => -1,
    }
}

/// Fails unless both tables have the same outcome.
fn assert_same(setup: &Setup, tables: &Collection) {
    let state = state(setup);
    assert_eq!(by_lovec(&state, tables), by_syzygy(&state), "{}", state.fen());
}

/// Compares every `step`-th placement of three pieces, with either side to move. Returns the
/// number of positions.
fn compare_three(pieces: &[ColoredPiece], step: u32) -> usize {
    let compare = |n: u32| {
        let squares = [n / 4096, n / 64, n].map(|n| Square::new((n % 64) as u8));
        let mut compared = 0;
        for setup in Color::ALL.into_iter().filter_map(|side| place(pieces, &squares, side)) {
            assert_same(&setup, &TABLES);
            compared += 1;
        }
        compared
    };
    let placements = 64_u32.pow(3).div_ceil(step);
    (0..placements).into_par_iter().map(|n| compare(n * step)).sum()
}

/// Compares an ending of three pieces with either side as the stronger. Returns the
/// numbers of positions.
fn assert_three_agree(material: &Material, step: u32) -> [usize; 2] {
    [false, true].map(|flipped| {
        let flip = |(color, piece): ColoredPiece| (if flipped { !color } else { color }, piece);
        let pieces: Vec<ColoredPiece> = pieces(material).into_iter().map(flip).collect();
        compare_three(&pieces, step)
    })
}

/// The step has no common factor with 64, so that every square occurs.
#[test]
fn some_positions_of_three_pieces_agree() {
    for material in Material::all(3) {
        let positions = assert_three_agree(&material, 37);
        assert!(positions.iter().all(|&count| count > 8_000), "{material}: {positions:?}");
    }
}

#[test]
#[ignore = "comparing two million positions takes minutes"]
fn every_position_of_three_pieces_agrees() {
    let counts = [368_452, 399_112, 331_352];
    for (material, count) in Material::all(3).into_iter().zip(counts) {
        assert_eq!(assert_three_agree(&material, 1), [count; 2], "{material}");
        println!("{material}: {count} positions of either colour, 0 differ");
    }
}

/// Compares random positions of an ending; with pawns on both sides, a tenth of them
/// have an en-passant capture. Returns the number of positions.
fn assert_agrees(material: &Material, count: usize, tables: &Collection) -> usize {
    const SHARE: usize = 1_000;
    let pieces = pieces(material);
    let shares = count.div_ceil(SHARE);
    (0..shares).into_par_iter().for_each(|seed| {
        let mut random = StdRng::seed_from_u64(seed as u64);
        for n in 0..SHARE {
            let setup = if n % 10 == 0 && has_pawns_on_both_sides(&pieces) {
                random_en_passant_setup(&pieces, &mut random)
            } else {
                random_setup(&pieces, &mut random)
            };
            assert_same(&setup, tables);
        }
    });
    println!("{material}: {} positions, 0 differ", shares * SHARE);
    shares * SHARE
}

fn has_pawns_on_both_sides(pieces: &[ColoredPiece]) -> bool {
    Color::ALL.into_iter().all(|color| pieces.contains(&(color, Piece::Pawn)))
}

/// A random position in which a pawn can be captured en passant.
fn random_en_passant_setup(pieces: &[ColoredPiece], random: &mut StdRng) -> Setup {
    loop {
        let side = random_color(random);
        let mut squares = random_squares(pieces.len(), random);
        let file = squares[0].file();
        let neighbours = file.adjacent() & side.relative_rank(Rank::Fifth).bitboard();
        for (square, piece) in squares.iter_mut().zip(pieces) {
            if *piece == (side, Piece::Pawn) {
                *square = neighbours
                    .into_iter()
                    .nth(random.random_range(0..2))
                    .unwrap_or(neighbours.lowest());
            } else if piece.1 == Piece::Pawn {
                *square = Square::at(file, side.relative_rank(Rank::Fifth));
            }
        }
        squares[0] = Square::new(random.random_range(0..64));
        let target = Square::at(file, side.relative_rank(Rank::Sixth));
        if let Some(setup) = place(pieces, &squares, side) {
            let setup = Setup { en_passant: Some(target), ..setup };
            if state(&setup).en_passant().is_some() {
                return setup;
            }
        }
    }
}

#[test]
fn some_positions_of_four_pieces_agree() {
    assert_agrees(&crate::egtb::material(FOUR_PIECES), 5_000, &TABLES);
}

#[test]
#[ignore = "takes minutes and all Syzygy tables of four pieces, which LOVEC_SYZYGY names"]
fn two_million_positions_of_four_pieces_agree() {
    crate::complete_syzygy_directory();
    let materials = Material::all(4);
    let tables = solve(&materials);
    let positions: usize =
        materials.iter().map(|material| assert_agrees(material, 70_000, &tables)).sum();
    println!("{positions} positions of four pieces, 0 differ");
    assert!(positions >= 2_000_000);
}
