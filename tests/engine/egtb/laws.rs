//! Properties of every table: consistent distances, the longest mates of the
//! literature.

use lovec::tablebase::egtb::{Collection, DtmValue, Material, file, verify};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rayon::prelude::*;

use crate::egtb::{FOUR_PIECES, TABLES, material, pieces, random_setup, solve, state};
use crate::positions::position;

#[test]
fn tables_of_three_pieces_follow_the_rules() {
    for material in Material::all(3) {
        let table = TABLES.table(&material).unwrap();
        let positions = verify(table, &TABLES, |_| ());
        assert_eq!(positions, Ok(table.statistics().positions), "{material}");
    }
}

/// Each value follows from the values after the moves.
fn assert_consistent(tables: &Collection, material: &Material, count: u64) {
    let pieces = pieces(material);
    (0..count).into_par_iter().for_each(|seed| {
        let state = state(&random_setup(&pieces, &mut StdRng::seed_from_u64(seed)));
        assert_eq!(tables.probe(&state), tables.best_of_moves(&state), "{}", state.fen());
    });
}

#[test]
fn a_table_of_four_pieces_follows_the_rules() {
    assert_consistent(&TABLES, &material(FOUR_PIECES), 50_000);
}

#[test]
#[ignore = "solving and verifying all endings of four pieces takes minutes"]
fn all_tables_of_four_pieces_follow_the_rules() {
    let materials = Material::all(4);
    let tables = solve(&materials);
    for material in &materials {
        let positions = verify(tables.table(material).unwrap(), &tables, |_| ());
        println!("{material}: {} positions", positions.unwrap());
    }
    assert_longest(
        &tables,
        &[
            ("KBBvK", 19, 0),
            ("KBNvK", 33, 0),
            ("KRvKN", 40, 1),
            ("KRvKP", 26, 43),
            ("KPvKP", 33, 33),
            ("KQvKP", 28, 29),
            ("KQvKQ", 13, 13),
        ],
    );
}

/// The longest mates that White and Black can force, in moves.
fn assert_longest(tables: &Collection, known: &[(&str, u8, u8)]) {
    for &(name, win, loss) in known {
        let statistics = tables.table(&material(name)).unwrap().statistics();
        for (longest, moves) in [(statistics.longest_win, win), (statistics.longest_loss, loss)] {
            let found = longest.map_or(0, |(plies, _)| plies.div_ceil(2));
            assert_eq!(found, moves, "{name}");
            if let Some((plies, state)) = longest {
                assert_eq!(tables.probe(&state), Some(DtmValue::Win(plies)), "{name}");
            }
        }
    }
}

#[test]
fn the_longest_mates_equal_the_literature() {
    assert_longest(&TABLES, &[("KQvK", 10, 0), ("KRvK", 16, 0), ("KPvK", 28, 0), ("KRvKB", 29, 0)]);
}

#[test]
fn the_embedded_tables_are_up_to_date() {
    let embedded = Collection::embedded();
    let names: Vec<String> = embedded.materials().map(Material::to_string).collect();
    assert_eq!(names, ["KQvK", "KRvK", "KPvK"]);
    assert_eq!(embedded.max_pieces(), 3);
    for material in embedded.materials() {
        let [built, kept] = [&TABLES, &embedded].map(|tables| tables.table(material).unwrap());
        assert!(file::encode(built) == file::encode(kept), "{material} is out of date");
    }
}

#[test]
fn positions_without_a_table_have_no_value() {
    let tables = Collection::embedded();
    for fen in [
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "8/8/8/8/8/4k3/4p3/4K1R1 w - - 0 1",
        "8/8/8/8/8/4k3/8/BN2K3 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert_eq!(tables.probe(&position(fen)), None, "{fen}");
    }
    let en_passant = position("8/8/8/8/1pP5/8/8/k1K5 b - c3 0 1");
    assert_eq!(TABLES.probe(&en_passant), None);
}

#[test]
fn insufficient_material_is_a_draw() {
    for tables in [Collection::empty(), Collection::embedded(), TABLES.clone()] {
        for fen in [
            "8/8/8/4k3/8/8/8/4K3 w - - 0 1",
            "8/8/8/4k3/8/8/8/4KB2 b - - 0 1",
            "8/8/8/4k1n1/8/8/8/4K3 w - - 0 1",
            "8/8/3b4/4k3/8/8/8/2B1K3 w - - 0 1",
        ] {
            assert_eq!(tables.probe(&position(fen)), Some(DtmValue::Draw), "{fen}");
        }
        // A bishop can mate a king that its own knight blocks.
        assert_eq!(tables.probe(&position("8/8/8/4k1n1/8/8/8/4KB2 w - - 0 1")), None);
    }
}
