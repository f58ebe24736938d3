//! `lovec bench` in builds with and without the feature `statistics`.

use crate::program::lovec;

#[cfg(not(feature = "statistics"))]
#[test]
fn an_ordinary_build_shows_no_counts() {
    assert_eq!(lovec(&["bench", "2"]).succeeded().stdout.lines().count(), 1);
    assert!(lovec(&["bench", "2", "--json"]).succeeded().json().get("statistics").is_none());
}

#[cfg(feature = "statistics")]
#[test]
fn the_counts_add_up() {
    let result = lovec(&["bench", "7", "--json"]).succeeded().json();
    let rows = result["statistics"].as_array().unwrap();
    let mut nodes = 0;
    for row in rows {
        let count = |name: &str| row[name].as_u64().unwrap_or_else(|| panic!("{name}: {row}"));
        let ends = [
            "table_cutoffs",
            "reverse_futility",
            "razoring",
            "null_moves",
            "probcuts",
            "multi_cuts",
            "fail_highs",
            "fail_lows",
            "exact",
        ];
        assert_eq!(ends.map(count).iter().sum::<u64>(), count("nodes"), "{row}");
        assert!(count("first_moves") <= count("fail_highs"), "{row}");
        assert!(count("raised") <= count("late_moves"), "{row}");
        assert!(count("extended") <= count("singular_searches"), "{row}");
        nodes += count("nodes");
    }
    // Nodes of quiescence are not counted, nor are draws.
    assert!(0 < nodes && nodes < result["nodes"].as_u64().unwrap());
    let sum = |name: &str| rows.iter().map(|row| row[name].as_u64().unwrap()).sum::<u64>();
    for name in ["table_cutoffs", "null_moves", "first_moves", "late_moves", "singular_searches"] {
        assert!(sum(name) > 0, "no {name}");
    }
}

#[cfg(feature = "statistics")]
#[test]
fn each_number_of_pieces_has_a_table() {
    let text = lovec(&["bench", "4"]).succeeded();
    let positions = |line: &str| text.stdout.lines().position(|other| other == line);
    let tables = ["more than 20 pieces", "12 to 20 pieces", "fewer than 12 pieces"].map(positions);
    assert!(tables.iter().all(Option::is_some) && tables.is_sorted(), "{text:?}");
    assert!(text.last_line().ends_with(" nps"), "{text:?}");
}
