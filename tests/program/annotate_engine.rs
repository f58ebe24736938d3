//! `lovec annotate --engine`: another engine searches.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::folder::folder;
use crate::program::{Ran, binary, lovec_in};

const GAMES: &str = "[White \"A\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
                     [White \"B\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 *\n\n\
                     [FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Rh7 Kb8 2. Rh8# *\n\n\
                     [Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                     [FEN \"nrbqknbr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKNBR w HBhb - 0 1\"]\n\n1. e4 e5 *\n";

fn annotate(folder: &Path, options: &[&str]) -> Ran {
    let arguments = [
        "annotate", "in.pgn", "-o", "out.pgn", "--json", "out.json", "--nodes", "2000", "--hash",
        "1",
    ];
    lovec_in(folder, &[&arguments[..], options].concat())
}

/// The annotated games as data and as text, which are removed.
fn take(folder: &Path) -> (Value, String) {
    let [json, pgn] = ["out.json", "out.pgn"].map(|name| {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        fs::remove_file(folder.join(name)).unwrap();
        text
    });
    (serde_json::from_str(&json).unwrap(), pgn)
}

fn lovec_command() -> String {
    format!("\"{}\"", binary())
}

#[test]
fn lovec_as_another_engine_finds_what_lovec_finds() {
    let folder = folder("other").with("in.pgn", GAMES);
    annotate(&folder, &[]).succeeded();
    let (own, own_text) = take(&folder);
    let page = ["--html", "page.html", "--threads", "2"];
    annotate(&folder, &[&["--engine", &lovec_command()], &page[..]].concat()).succeeded();
    let (other, other_text) = take(&folder);
    assert_eq!(own["games"], other["games"]);
    let name = other["settings"]["engine"].as_str().unwrap();
    assert!(name.starts_with("Lovec ") && own["settings"]["engine"].is_null(), "{name}");
    let with_engine = format!(" with {name}\"]");
    assert!(other_text.contains(&with_engine), "{other_text}");
    assert_eq!(other_text.replace(&with_engine, "\"]"), own_text);
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.contains(&format!("{name} searched")), "{page}");
}

/// An engine whose input ends after some lines, so that it ends too.
#[cfg(unix)]
#[test]
fn an_engine_that_dies_loses_nothing() {
    let folder = folder("dies").with("in.pgn", GAMES);
    annotate(&folder, &["--engine", &lovec_command()]).succeeded();
    let (whole, _) = take(&folder);
    let script = format!(
        "lines=0; while [ $lines -lt 60 ] && read -r line; do echo \"$line\"; \
         lines=$((lines+1)); done | '{}'",
        binary()
    );
    fs::write(folder.join("engine.sh"), script).unwrap();
    let mut deaths = 0;
    loop {
        let ran = annotate(&folder, &["--engine", "sh engine.sh"]);
        if ran.status == Some(0) {
            break;
        }
        ran.refused("has ended");
        deaths += 1;
        assert!(deaths < 50, "each run goes on where the last one ended");
        let progress = fs::read_to_string(folder.join("out.pgn.progress")).unwrap();
        assert!(progress.lines().count() > deaths, "{progress}");
        assert!(!folder.join("out.pgn").exists());
    }
    assert!(deaths > 1);
    assert_eq!(take(&folder).0["games"], whole["games"]);
}

#[test]
fn an_engine_that_is_none_is_refused_before_anything_is_written() {
    let folder = folder("none").with("in.pgn", GAMES);
    annotate(&folder, &["--engine", "/no/such/engine"]).refused("/no/such/engine: cannot start: ");
    annotate(&folder, &["--engine", "'x"]).failed("a quotation mark is not closed");
    #[cfg(unix)]
    annotate(&folder, &["--engine", "false"])
        .refused("false: has ended (exit status: 1) after \"uci\"");
    assert_eq!(folder.names().len(), 1);
}
