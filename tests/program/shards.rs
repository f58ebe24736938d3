//! `--shard K/N`: the joined results of any number of parts are the same, byte for byte.

use std::fs;
use std::path::Path;

use crate::folder::folder;
use crate::program::{lovec, lovec_in};

const SUITE: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"start\";
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; c0 \"Bb5=10, Bc4=8\";
8/8/8/8/4k3/8/4p3/4K3 w - - am Kf2;
8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - bm Kb1;
";

const GAMES: &str = "\
[White \"A\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n
[White \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n
[White \"C\"]\n\n1. d4 d5 2. c4 *\n";

/// Joins what the parts of a job give, for 1, 2 and 7 parts, and fails unless all are equal.
fn assert_joined(name: &str, part: impl Fn(&str) -> String) {
    assert_joined_of(name, [2, 7], part);
}

fn assert_joined_of(name: &str, counts: [u32; 2], part: impl Fn(&str) -> String) {
    let joined = |count: u32| -> String {
        (1..=count).map(|number| part(&format!("{number}/{count}"))).collect()
    };
    let whole = joined(1);
    assert!(whole.lines().count() > 2, "{name}: {whole}");
    for count in counts {
        assert_eq!(joined(count), whole, "{name}: {count} parts");
    }
}

/// The file that a command writes to its `-o`.
fn written(folder: &Path, arguments: &[&str], shard: &str) -> String {
    let output = shard.replace('/', " of ");
    lovec_in(folder, &[arguments, &["-o", &output, "--shard", shard]].concat()).succeeded();
    fs::read_to_string(folder.join(output)).unwrap()
}

#[test]
fn self_play_is_the_same_in_any_number_of_parts() {
    let folder = folder("games");
    let arguments = ["datagen", "--games", "5", "--nodes", "60", "--seed", "7"];
    assert_joined("datagen", |shard| written(&folder, &arguments, shard));
    // It is also what a run without parts gives.
    let whole = written(&folder, &arguments, "1/1");
    lovec_in(&folder, &[&arguments[..], &["-o", "whole"]].concat()).succeeded();
    assert_eq!(fs::read_to_string(folder.join("whole")).unwrap(), whole);
}

/// Parts of which one has gone on as another would overlap.
#[test]
fn a_part_stays_the_same_part() {
    let folder = folder("same");
    let play = |games: &str, output: &str, shard: &str| {
        let arguments = ["datagen", "--nodes", "60", "--games", games, "-o", output];
        lovec_in(&folder, &[&arguments[..], &["--shard", shard]].concat())
    };
    for (output, shard) in [("first", "1/2"), ("second", "2/2"), ("whole", "1/1")] {
        play("4", output, shard).succeeded();
    }
    for (games, output, shard, changed) in [
        ("6", "first", "1/2", r#"shard "1/2 of 4 games", not "1/2 of 6 games""#),
        ("6", "second", "2/2", r#"shard "2/2 of 4 games", not "2/2 of 6 games""#),
        ("4", "first", "1/1", r#"shard "1/2 of 4 games", not "1/1""#),
        ("8", "whole", "1/2", r#"shard "1/1", not "1/2 of 8 games""#),
    ] {
        play(games, output, shard).refused(&format!("{output} was begun with {changed}; "));
    }
    play("5", "whole", "1/1").succeeded();
}

#[test]
fn suites_are_the_same_in_any_number_of_parts() {
    let folder = folder("suite").with("suite.epd", SUITE);
    for (format, fifth) in [(&[][..], "#5"), (&["--json"], "\"number\":5,")] {
        let arguments = [&["epd", "suite.epd", "--nodes", "500", "--hash", "1"], format].concat();
        let part = |shard: &str| {
            lovec_in(&folder, &[&arguments[..], &["--shard", shard]].concat()).succeeded().stdout
        };
        assert_joined("epd", part);
        assert!(part("2/2").contains(fifth), "positions keep their numbers");
    }
}

#[test]
fn annotated_games_are_the_same_in_any_number_of_parts() {
    let folder = folder("annotated").with("games.pgn", GAMES);
    let arguments = ["annotate", "games.pgn", "--nodes", "300", "--hash", "1"];
    // A part without games is an error.
    assert_joined_of("annotate", [2, 3], |shard| written(&folder, &arguments, shard));
}

#[test]
fn a_wrong_shard_is_an_error() {
    lovec(&["epd", "a.epd", "--shard", "3/2"]).refused("K/N with K from 1 to N");
    let solved = ["epd", "a.epd", "--shard", "1/2", "--min-solved", "1"];
    lovec(&solved).refused("cannot be used with");
}

/// A part that is empty, since there are more parts than items, says so.
#[test]
fn an_empty_part_is_named() {
    let folder = folder("empty").with("suite.epd", SUITE);
    let warning = |shard: &str| format!("warning: --shard {shard}: this part is empty");
    for (index, shard) in ["1/7", "4/12"].into_iter().enumerate() {
        let output = index.to_string();
        let datagen = ["datagen", "--games", "4", "--nodes", "60", "-o", &output, "--shard", shard];
        for _ in 0..2 {
            let ran = lovec_in(&folder, &datagen).succeeded();
            assert!(ran.stderr.contains(&warning(shard)), "{ran:?}");
            assert!(!ran.stdout.contains("has its games"), "{ran:?}");
            assert_eq!(fs::read(folder.join(&output)).unwrap(), b"");
        }
        let epd = ["epd", "suite.epd", "--nodes", "500", "--shard", shard];
        let ran = lovec_in(&folder, &epd).succeeded();
        assert!(ran.stdout.is_empty() && ran.stderr.contains(&warning(shard)), "{ran:?}");
    }
    // A part with something in it does not.
    let ran = lovec_in(&folder, &["epd", "suite.epd", "--nodes", "500", "--shard", "5/5"]);
    assert_eq!(ran.succeeded().stderr, "");
}
