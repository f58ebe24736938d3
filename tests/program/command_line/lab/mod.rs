//! `lovec lab`: the list, the laws, and known counts of comparisons.

mod uci;

use serde_json::Value;

use crate::program::lovec;

fn rows(arguments: &[&str]) -> Vec<Value> {
    let json = lovec(&[&["lab", "compare", "--json"], arguments].concat()).succeeded().json();
    json["rows"].as_array().unwrap().clone()
}

fn numbers(rows: &[Value], key: &str) -> Vec<u64> {
    rows.iter().map(|row| row[key].as_u64().unwrap()).collect()
}

#[test]
fn every_algorithm_of_the_list_runs() {
    let list = lovec(&["lab", "list", "--json"]).succeeded().json();
    let algorithms = list["algorithms"].as_array().unwrap();
    let names: Vec<&str> = algorithms.iter().map(|it| it["name"].as_str().unwrap()).collect();
    let text = lovec(&["lab", "list"]).succeeded().stdout;
    assert!(names.iter().all(|name| text.contains(&format!("  {name} "))), "{text}");
    let rows = rows(&["--algo", &names.join(","), "--depth", "2", "--nodes", "5000"]);
    assert_eq!(rows.len(), names.len());
    assert!(rows.iter().all(|row| row["move"].is_string() && row["value"].is_i64()), "{rows:?}");
}

/// The nodes of minimax are sums of perft, and alpha-beta visits the minimal tree if the
/// moves are sorted by the values of the children: the numbers of the literature.
#[test]
fn nodes_of_the_initial_position() {
    let minimax = rows(&["--algo", "minimax", "--depth", "1..3"]);
    assert_eq!(numbers(&minimax, "nodes"), [21, 421, 9323]);
    assert_eq!(numbers(&minimax, "leaves"), [20, 400, 8902]);
    let sorted = rows(&["--algo", "ab:order=value", "--depth", "2", "--eval", "material"]);
    assert_eq!(numbers(&sorted, "nodes"), [60]);
    assert_eq!(sorted[0]["first_cut"], 1.0);
}

#[test]
fn the_table_has_a_row_for_each_algorithm_and_depth() {
    let game = ["lab", "compare", "--game", "connect4:5x4", "--algo", "ab,pvs", "--depth", "1..3"];
    let text = lovec(&game).succeeded().stdout;
    assert_eq!(text.lines().count(), 7, "{text}");
    assert!(text.starts_with("depth  algorithm  value  move  nodes"), "{text}");
    let csv = lovec(&[&game[..], &["--csv"]].concat()).succeeded().stdout;
    let fields: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(fields, [15; 7], "{csv}");
}

#[test]
fn a_row_that_reaches_a_limit_ends() {
    let rows = rows(&["--algo", "minimax,ab", "--depth", "1..4", "--nodes", "3000"]);
    let of = |name: &str| rows.iter().filter(|row| row["algorithm"] == name).collect::<Vec<_>>();
    let (minimax, alpha_beta) = (of("minimax"), of("ab"));
    assert_eq!(minimax.len(), 3);
    assert_eq!((&minimax[2]["nodes"], minimax[2]["value"].is_null()), (&3000.into(), true));
    assert_eq!(minimax[2]["stopped"], "the limit of nodes");
    assert!(alpha_beta.len() >= 3 && alpha_beta[2]["stopped"].is_null(), "{rows:?}");
}

#[test]
fn suites_are_summed_up() {
    let wac = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/wac.epd");
    let rows = rows(&["--epd", wac, "--algo", "ab:leaf=captures", "--depth", "1..2"]);
    assert!(rows[0]["solved"].as_u64().unwrap() < rows[1]["solved"].as_u64().unwrap(), "{rows:?}");
    assert!(rows[0]["value"].is_null() && rows[0]["move"].is_null());
}

#[test]
fn laws_are_checked() {
    let ran = lovec(&["lab", "law", "known-value"]).succeeded();
    assert_eq!(ran.last_line(), "1 passed, 0 failed");
    let json = lovec(&["lab", "law", "minimal-tree", "--json"]).succeeded().json();
    assert_eq!(json["laws"][0]["passed"], true);
    lovec(&["lab", "law", "gravity"]).refused("is no law");
}

#[test]
fn wrong_arguments_are_explained() {
    let refused = |arguments: &[&str], text: &str| {
        lovec(&[&["lab", "compare"], arguments].concat()).refused(text);
    };
    refused(&["--algo", "alphabeta"], "is not an algorithm");
    refused(&["--algo", "ab:soft"], "ab has no setting \"soft\"; it has hard, ");
    refused(&["--algo", "ab", "--table", "many"], "the setting table takes a whole number");
    refused(&["--game", "go"], "is not a game");
    refused(&["--eval", "/does/not/exist"], "cannot read");
}
