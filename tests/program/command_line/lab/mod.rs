//! `lovec lab`: the list, the laws, and known counts of comparisons.

mod matches;
mod solve;
mod uci;

use std::fs;

use serde_json::Value;

use crate::command_line::file;
use crate::folder::folder;
use crate::program::lovec;

fn rows(arguments: &[&str]) -> Vec<Value> {
    let json = lovec(&[&["lab", "compare", "--json"], arguments].concat()).succeeded().json();
    json["rows"].as_array().unwrap().clone()
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
    assert!(
        rows.iter().all(|row| row["line"]["san"][0].is_string() && row["value"].is_i64()),
        "{rows:?}"
    );
}

#[test]
fn the_table_has_a_row_for_each_algorithm_and_depth() {
    let game = ["lab", "compare", "--game", "connect4:5x4", "--algo", "ab,pvs", "--depth", "1..3"];
    let text = lovec(&game).succeeded().stdout;
    assert_eq!(text.lines().count(), 7, "{text}");
    assert!(text.starts_with("depth  algorithm  value  kind      move  nodes"), "{text}");
    // A long name takes the place of other columns.
    let row = "ab:leaf=turbulence:turbulence=0";
    let fen = "6k1/8/3p4/4p3/8/8/4Q3/4K3 w - - 0 1";
    let long = lovec(&["lab", "compare", fen, "--depth", "1", "--algo", row]).succeeded().stdout;
    let head: Vec<&str> = long.lines().next().unwrap().split_whitespace().collect();
    assert!(head.contains(&"kind") && !head.contains(&"ratio"), "{long}");
    let csv = lovec(&[&game[..], &["--csv"]].concat()).succeeded().stdout;
    let fields: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(fields, [18; 7], "{csv}");
}

/// A row says what its value is, and how deep a tree that ends before the depth has grown.
#[test]
fn a_row_says_what_its_value_is() {
    let algo = "ab,product,m-n,mcts:visits=100,pn:at-least=-500,pn:at-least=500,best-first";
    let rows = rows(&["--algo", algo, "--depth", "3", "--nodes", "10000"]);
    let kinds: Vec<&str> = rows.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    let expected = ["complete", "chance", "mean", "chance", "proved", "disproved", "complete"];
    assert_eq!(kinds, expected);
    assert_eq!([&rows[0]["deepest"], &rows[3]["deepest"]], [3, 2]);
    let row = &self::rows(&["--algo", "pn", "--depth", "9", "--nodes", "300"])[0];
    assert_eq!((&row["kind"], &row["stopped"]), (&"open".into(), &"the limit of nodes".into()));
}

#[test]
fn a_row_that_reaches_a_limit_ends() {
    let rows = rows(&["--algo", "minimax,ab", "--depth", "1..4", "--nodes", "3000"]);
    let of = |name: &str| rows.iter().filter(|row| row["algorithm"] == name).collect::<Vec<_>>();
    let (minimax, alpha_beta) = (of("minimax"), of("ab"));
    assert_eq!(minimax.len(), 3);
    assert_eq!((&minimax[2]["nodes"], minimax[2]["value"].is_null()), (&3000.into(), true));
    assert_eq!(minimax[2]["stopped"], "the limit of nodes");
    assert!(alpha_beta.len() == 4 && alpha_beta[2]["stopped"].is_null(), "{rows:?}");
    // Minimax has no nodes at this depth.
    assert!(alpha_beta[2]["ratio"].is_f64() && alpha_beta[3]["ratio"].is_null(), "{rows:?}");
}

/// A table says what a limit has left out; what grows a tree has an answer at each depth.
#[test]
fn a_stopped_search_says_how_deep_it_came() {
    let compare = ["--algo", "ab:deepen,mcts", "--depth", "2..3", "--nodes", "500"];
    let rows = rows(&compare);
    assert!(rows.iter().all(|row| row["value"].is_i64()), "{rows:?}");
    let completed: Vec<_> = rows.iter().map(|row| row["completed_depth"].as_u64()).collect();
    assert_eq!(completed, [Some(2), None, Some(2), None]);
    let nodes = "the limit of nodes";
    let csv = lovec(&[&["lab", "compare", "--csv"], &compare[..]].concat()).succeeded().stdout;
    let last: Vec<&str> = csv.lines().map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!(last, ["stopped", "-", nodes, nodes, nodes]);
}

#[test]
fn more_memory_than_the_limit_is_refused() {
    let rows = ["lab", "compare", "--memory", "1", "--depth", "5", "--algo"];
    for row in ["ab:table=1000000", "sss"] {
        let text = lovec(&[&rows[..], &[row]].concat()).succeeded().stdout;
        let line = format!("{row} depth 5: needs more memory than the 1 MiB of --memory");
        assert!(text.lines().any(|it| it == line), "{text}");
    }
}

#[test]
fn a_chart_has_a_line_for_each_algorithm() {
    let folder = folder("lab-chart");
    let path = folder.join("chart.svg");
    let svg = path.to_str().unwrap();
    let arguments = ["lab", "compare", "--algo", "minimax,ab:order=mvv", "--depth", "1..3"];
    lovec(&[&arguments[..], &["--svg", svg]].concat()).succeeded();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"), "{text}");
    // A circle and a square for each depth and in the legend.
    assert_eq!(text.matches("m-4 0a").count(), 4);
    assert_eq!(text.matches("m-3.5 -3.5h").count(), 4);
    assert!(text.contains(">minimax<") && text.contains(">ab:order=mvv<"));
    // Minimax has no cutoffs.
    lovec(&[&arguments[..], &["--svg", svg, "--plot", "first-cut", "--force"]].concat())
        .succeeded();
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains(">minimax<") && text.contains(">ab:order=mvv<"));
    lovec(
        &[&arguments[..], &["--svg", svg, "--plot", "ratio", "--title", "A < B", "--force"]]
            .concat(),
    )
    .succeeded();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(">A &lt; B<") && text.contains(">nodes per node of minimax<"), "{text}");
    lovec(&[&arguments[..], &["--plot", "nodes"]].concat()).refused("--svg");
}

#[test]
fn suites_are_summed_up() {
    let wac = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/wac.epd");
    let rows = rows(&["--epd", wac, "--algo", "ab:leaf=captures", "--depth", "1..2"]);
    assert!(rows[0]["solved"].as_u64().unwrap() < rows[1]["solved"].as_u64().unwrap(), "{rows:?}");
    assert!(rows[0]["value"].is_null() && rows[0]["line"].is_null());
}

/// The settings of the last line are the ones of a row, and prune by the fit.
#[test]
fn a_fit_gives_the_settings_of_probcut() {
    let wac = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/wac.epd");
    let text = fs::read_to_string(wac).unwrap();
    let few: Vec<&str> = text.lines().take(30).collect();
    let folder = folder("lab-fit");
    let suite = file(&folder, "few.epd", &few.join("\n"));
    let fit = |more: &[&str]| {
        lovec(&[&["lab", "fit", &suite, "--shallow", "1", "--deep", "2"], more].concat())
    };
    let json = fit(&["--json"]).succeeded().json();
    let number = |key: &str| json["fit"][key].as_f64().unwrap();
    assert!(number("slope") > 0.0 && number("error") > 0.0, "{json}");
    assert!(number("correlation") > 0.3 && number("correlation") < 1.0, "{json}");
    let ran = fit(&["--algo", "ab"]).succeeded();
    let row = ran.last_line();
    assert!(row.starts_with("ab:probcut=2:probcutshallow=1:probcutslope="), "{row}");
    let rows = rows(&["--algo", &format!("ab,{row}"), "--depth", "4"]);
    assert_ne!(rows[0]["nodes"], rows[1]["nodes"], "{rows:?}");
    let reason = "ProbCut cannot use this line: minimax has no setting \"probcut\"";
    let ran = fit(&["--algo", "minimax"]).succeeded();
    assert!(ran.last_line().starts_with(reason), "{}", ran.stdout);
    let one = file(&folder, "one.epd", few[0]);
    lovec(&["lab", "fit", &one]).failed("too few");
    lovec(&["lab", "fit", &suite, "--shallow", "3"]).refused("--shallow must be less than --deep");
}

#[test]
fn boards_count_the_same_positions() {
    let ran = lovec(&["lab", "boards", "--depth", "3", "--json"]).succeeded().json();
    let boards = ran["boards"].as_array().unwrap();
    let names = ["bitboards", "8x8", "10x10", "10x12", "0x88"];
    assert!(names.iter().all(|name| boards.iter().any(|board| board["board"] == *name)), "{ran}");
    assert!(boards.iter().all(|board| board["nodes"] == 8902), "{ran}");
    let text = lovec(&["lab", "boards", "--depth", "2"]).succeeded().stdout;
    assert_eq!(text.lines().count(), boards.len() + 1, "{text}");
    lovec(&["lab", "boards", "--fen", "7k/8/8/8/8/8/8/RK6 w A - 0 1"]).refused("Chess960");
}

#[test]
fn tables_show_reported_and_measured_figures() {
    let text = lovec(&["lab", "table", "t1", "--depth", "3"]).succeeded().stdout;
    assert!(text.starts_with("T1: nodes of negamax"), "{text}");
    let fields = |start: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(start)).unwrap();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(fields("2 ")[1..3], ["421", "421"]);
    assert_eq!(fields("3 ")[1..3], ["9323", "9323"]);
    assert!(text.contains("holds:          the nodes of negamax are sums of perft"), "{text}");
    assert!(!text.contains("does not hold"), "{text}");
    let json = lovec(&["lab", "table", "T12", "--json"]).succeeded().json();
    assert_eq!(json["tables"][0]["shapes"][0]["holds"], true);
    let list = lovec(&["lab", "table"]).succeeded().stdout;
    assert!(["T1 ", "T3 ", "T12"].iter().all(|name| list.contains(name)), "{list}");
    lovec(&["lab", "table", "T99"]).refused("is no table");
    lovec(&["lab", "table", "T1", "--games", "2"]).refused("--games does nothing in T1");
    lovec(&["lab", "table", "T10", "--games", "3"]).refused("must be even");
}

#[test]
fn laws_are_checked() {
    let ran = lovec(&["lab", "law", "known-value"]).succeeded();
    assert_eq!(ran.last_line(), "1 passed, 0 failed");
    let json = lovec(&["lab", "law", "minimal-tree", "--json"]).succeeded().json();
    assert!(json["laws"][0]["error"].is_null() && json["passed"] == 1, "{json}");
    lovec(&["lab", "law", "gravity"]).refused("is no law");
    lovec(&["lab", "law", "minimal"]).refused("did you mean `minimal-tree`?");
}

#[test]
fn wrong_arguments_are_explained() {
    let refused = |arguments: &[&str], text: &str| {
        lovec(&[&["lab", "compare"], arguments].concat()).refused(text);
    };
    refused(&["--algo", "alphabeta"], "is not an algorithm");
    refused(&["--algo", "alphabeta"], "there are minimax, negamax, ab, ");
    refused(&["--algo", "ab:order=tt,killers"], "words are joined by +, not by commas");
    refused(&["--algo", "ab:soft"], "ab has no setting \"soft\"; it has hard, ");
    refused(&["--algo", "ab", "--table", "many"], "the setting table takes a whole number");
    // A word that needs another one, and what does nothing in any of the algorithms.
    lovec(&["lab", "compare", "--order", "refutation,iid", "--depth", "1"]).succeeded();
    refused(&["--order", "mvv,tt"], "the setting order=tt does nothing without table or moves");
    refused(&["--algo", "lovec,ab", "--order", "tt"], "the setting order=tt does nothing without");
    refused(&["--aspiration", "50"], "the setting aspiration does nothing without deepen");
    refused(&["--algo", "sss,mcts", "--table", "9"], "mcts has no setting \"table\"");
    refused(&["--game", "go"], "is not a game");
    refused(&["--eval", "/does/not/exist"], "cannot read");
    refused(&["--eval", "plan", "--board", "8x8"], "the evaluation plan is not for a --board");
}

/// A finesse wins half of the time; sampling misses what the trees
/// of its faults hide.
#[test]
fn games_with_hidden_cards_are_solved() {
    let solve = |arguments: &[&str]| lovec(&[&["lab", "hidden", "--json"], arguments].concat());
    let json = solve(&["AQ/32/KT98", "--tricks", "2"]).succeeded().json();
    let game = &json["games"][0];
    let exact = &game["methods"][0];
    assert_eq!((&exact["chance"], &exact["best_chance"]), (&0.5.into(), &0.5.into()), "{json}");
    assert_eq!((&game["worlds"], game["positions"]["partition"].is_u64()), (&16.into(), true));
    let json = solve(&[]).succeeded().json();
    assert_eq!(json["games"].as_array().unwrap().len(), 3);
    for game in json["games"].as_array().unwrap() {
        let chance = |method: usize| game["methods"][method]["chance"].as_f64().unwrap();
        assert!(chance(1) < chance(0) && chance(2) < chance(0), "{game}");
    }
    let text = lovec(&["lab", "hidden", "--deals", "3", "--cards", "2"]).succeeded().stdout;
    assert!(text.contains("\nexact             100.0 %"), "{text}");
    // Deals in which no world allows the tricks would say nothing.
    let json = solve(&["--deals", "20", "--tricks", "3"]).succeeded().json();
    let games = json["games"].as_array().unwrap();
    assert!(games.iter().all(|game| game["open_chance"].as_f64() > Some(0.0)), "{json}");
    let few = solve(&["--deals", "2", "--tricks", "3", "--cards", "2"]);
    few.refused("hands of 2 cards do not take so many --tricks");
    solve(&["AQ/32"]).refused("\"AQ/32\" is no deal; it is the cards of North");
    solve(&["[[10 1]]"]).refused("\"[[10 1]]\" is no tree; it is a list of moves");
    solve(&["AJ98/KT32/Q7654"]).refused("the game is too large");
    solve(&["--deals", "2", "--cards", "4"]).refused("--cards");
    solve(&["fusion", "--tricks", "2"]).refused("--tricks is for deals, not for trees");
}

/// The game that MANIAC I won in 1956: all moves are legal, and the last one mates.
#[test]
fn a_historic_game_is_replayed() {
    let text = include_str!("../../../data/games/maniac-1956.txt");
    let moves: Vec<&str> = text.lines().skip(3).flat_map(str::split_whitespace).collect();
    assert_eq!(moves.len(), 45);
    let compare = |plies: usize, algorithm: &str| {
        let game = format!("los-alamos/{}", moves[..plies].join(","));
        let rows = ["--algo", algorithm, "--depth", "1", "--csv"];
        lovec(&[&["lab", "compare", "--game", &game][..], &rows].concat()).succeeded().stdout
    };
    for algorithm in ["ab", "minimax", "pn"] {
        let found = compare(44, algorithm);
        assert!(found.contains("win 1") && found.contains("f3e5"), "{found}");
    }
    let over = compare(45, "ab");
    assert!(over.contains("loss 0"), "{over}");
}
