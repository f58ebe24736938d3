//! `lovec compare`: the engines are this program, also changed by a shell script, and
//! scripts that are no engines.

use crate::command_line::file;
use crate::folder::folder;
use crate::program::{binary, lovec, other_version, script};

const SUITE: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id \"Spanish\";
1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1
7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
";

#[test]
fn an_engine_does_not_differ_from_itself() {
    let folder = folder("same");
    let suite = file(&folder, "suite.epd", SUITE);
    let (this, limit) = (binary(), ["--nodes", "3000"]);
    let arguments = ["compare", &this, &this, &suite, limit[0], limit[1]];
    let text = lovec(&arguments).succeeded();
    let summary = text.last_line();
    assert!(summary.starts_with("0 of 4 moves and 0 scores differ; "), "{text:?}");
    assert_eq!(text.stdout.lines().count(), 1);
    let json = lovec(&[&arguments[..], &["--json"]].concat()).succeeded().json();
    assert_eq!((&json["positions"], &json["differ_in_move"]), (&4.into(), &0.into()));
    assert!(json["old"]["nodes"].as_u64().unwrap() >= 3 * 2900, "{json}");
    assert_eq!(json["old"]["nodes"], json["new"]["nodes"]);
}

#[test]
fn differences_are_shown_with_their_terms() {
    let folder = folder("terms");
    let suite = file(&folder, "suite.epd", SUITE);
    let this = binary();
    let changed = folder.join("changed");
    other_version(&changed);
    let changed = changed.to_str().unwrap();
    let arguments = ["compare", &this, changed, &suite, "--nodes", "3000"];
    let text = lovec(&arguments).succeeded().stdout;
    assert!(text.contains("\nSpanish  r1bqkbnr/") && text.contains("\n  new "), "{text}");
    assert!(text.contains("added -0.12") || text.contains("added -0.13"), "{text}");
    let json = lovec(&[&arguments[..], &["--json"]].concat()).succeeded().json();
    let differences = json["differences"].as_array().unwrap();
    let spanish = differences.iter().find(|it| it["id"] == "Spanish").unwrap();
    assert_eq!(spanish["number"], 2);
    assert_eq!(spanish["evaluations"][0]["terms"]["added"], -12.5);
    assert_eq!(spanish["evaluations"][0]["place"], "position");
    assert!(spanish["old"]["depth"].as_u64() > spanish["new"]["depth"].as_u64());
    // The stalemate has no move and no difference.
    assert!(differences.iter().all(|it| it["number"] != 4), "{json}");
}

#[test]
fn an_engine_has_arguments_and_what_came_before_its_end_is_written() {
    let folder = folder("arguments");
    let suite = file(&folder, "suite.epd", SUITE);
    let engine = "n=0; while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                  go*) n=$((n+1)); [ $n = $1 ] && exit 3; echo \"info score cp $2\"; \
                  case $n in 1) echo bestmove e2e4;; *) echo bestmove f1b5;; esac;; esac; done";
    let path = folder.join("engine");
    script(&path, engine);
    let [old, new] = ["9 10", "2 20"].map(|more| format!("'{}' {more}", path.display()));
    let ran = lovec(&["compare", &old, &new, &suite, "--json"]);
    let json = ran.json();
    assert_eq!((&json["positions"], &json["differ_in_score"]), (&1.into(), &1.into()), "{json}");
    assert_eq!(json["new"]["command"], *new);
    ran.failed("has ended (exit status: 3)");
    let text = lovec(&["compare", &old, &new, &suite]);
    assert!(text.stdout.contains("\n  old e4 ") && text.stdout.lines().count() == 3, "{text:?}");
    text.failed("has ended (exit status: 3)");
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let folder = folder("refused");
    let suite = file(&folder, "suite.epd", SUITE);
    let this = binary();
    let unknown = ["compare", &this, &this, &suite, "--option", "Style=Risky"];
    lovec(&unknown).refused("there is no option \"Style\"");
    let empty = file(&folder, "empty.epd", "# nothing\n");
    lovec(&["compare", &this, &this, &empty]).refused("has no position");
}
