//! `lovec annotate` on the command line.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use lovec::chess::notation::pgn::{Element, PgnGame, PgnReader};

use crate::folder::folder;
use crate::program::{self, Ran};

/// Enough to see a mate in two.
const LIMITS: [&str; 4] = ["--nodes", "3000", "--hash", "1"];

/// A short game with a blunder, and much that others wrote.
const GAME: &str = r#"[Event "Club"]
[White "Novak, Ana"]
[Black "Kos, Jan"]
[Result "1-0"]
[Annotator "Müller"]
[TimeControl "300+2"]

{Before the game.} 1. e4 $1 {[%clk 0:05:02] best by test} 1... e5 {[%clk 0:05:01]}
2. Qh5 $5 (2. Nf3 {the main line} 2... Nc6 (2... d6 $6)) 2... Nc6 {[%clk
0:04:00]} 3. Bc4 {[%eval 0.10]} 3... Nf6 {oh [%clk 0:00:20]} 4. Qxf7# {[%clk 0:04:50]}
1-0
"#;

/// A second game, without tags or comments.
const QUIET: &str = "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O *\n";

/// Games that cannot be followed to the end, or are unusual in other ways.
pub const HOSTILE: [&str; 10] = [
    "1. e4 e5 2. Ke3 Nf6 {still there} (2... d5) 3. xyz $4 *\n",
    "[FEN \"not a position\"]\n\n1. e4 {kept} e5 *\n",
    "[Variant \"Atomic\"]\n\n1. e4 e5 *\n",
    "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
     [FEN \"nrbqknbr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKNBR w HBhb - 0 1\"]\n\n1. e4 e5 2. Nb3 *\n",
    "1. e4 -- 2. d4 {after a null move} *\n",
    "*\n",
    "[White \"no moves\"]\n\n{only a comment} 1-0\n",
    "[FEN \"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\"]\n\n{stalemate} 1/2-1/2\n",
    "1. e4 (1. d4 (1. c4 (1. Nf3))) e5 ((1... c5)) 2. Nf3 ) } $256 {a ; b} ;c } d\n *\n",
    "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 *\n",
];

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = program::command(&[&["annotate"], arguments, &LIMITS[..]].concat());
    command.current_dir(folder);
    command
}

pub fn annotate(folder: &Path, arguments: &[&str]) -> Ran {
    program::run(&mut command(folder, arguments), "")
}

pub fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// A text as one line.
pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn games(text: &(impl AsRef<[u8]> + ?Sized)) -> Vec<PgnGame> {
    PgnReader::new(text.as_ref()).map(Result::unwrap).collect()
}

/// Fails unless `parts` are in `all` in the same order, perhaps with others between them.
/// Glyphs and comments between two moves may change places, and comments may be parts of one
/// comment.
#[track_caller]
pub fn assert_kept(parts: &[Element], all: &[Element]) {
    let is_note = |element: &Element| matches!(element, Element::Nag(_) | Element::Comment(_));
    let mut start = 0;
    for group in parts.chunk_by(|left, right| is_note(left) && is_note(right)) {
        let mut end = start;
        for part in group {
            let found = all[start..].iter().position(|element| match (part, element) {
                (Element::Comment(part), Element::Comment(whole)) => whole.contains(&**part),
                _ => part == element,
            });
            let found = start + found.unwrap_or_else(|| panic!("{part:?} is lost in {all:?}"));
            end = end.max(found + usize::from(!is_note(part)));
        }
        start = end;
    }
}

#[test]
fn faults_are_marked_and_all_else_is_kept() {
    let folder = folder("marks").with("in.pgn", GAME);
    let ran = annotate(&folder, &["in.pgn", "-o", "out.pgn"]).succeeded();
    assert!(ran.stdout.contains("Novak, Ana") && ran.stdout.contains("3...Nf6??"), "{ran:?}");
    assert_eq!(ran.stderr, "");
    let text = read(&folder, "out.pgn");
    let (before, after) = (&games(GAME)[0], &games(&text)[0]);
    assert_kept(before.elements(), after.elements());
    assert_eq!(after.problems(), []);
    assert_eq!(before.final_position(), after.final_position());
    for tag in &before.tags {
        if tag.name != "Annotator" {
            assert_eq!(after.tag(&tag.name), Some(tag.value()));
        }
    }
    assert!(after.tag("Annotator").unwrap().starts_with("Müller; Lovec "), "{text}");
    for name in ["ECO", "Opening", "WhiteAccuracy", "BlackAccuracy"] {
        assert!(after.tag(name).is_some(), "{name}: {text}");
    }
    let text = flat(&text);
    assert!(text.contains("3... Nf6 $4 {Blunder ("), "{text}");
    assert!(text.contains("[%csl Rf6] [%cal Rh5f7]"), "{text}");
    assert!(text.contains("-> 0 %). It allows mate in 1, 4.Qxf7#. [%eval #1,"), "{text}");
    assert!(!folder.join("out.pgn.progress").exists());
    for (options, wanted) in [
        (&["--comments", "short"][..], "-> 0 %). It allows mate in 1, 4.Qxf7#. [%eval #1,"),
        (&["--variations", "none"], "-> 0 %). It allows mate in 1, 4.Qxf7#. Best was "),
    ] {
        annotate(&folder, &[&["in.pgn", "-o", "out.pgn", "--force"], options].concat()).succeeded();
        let text = flat(&read(&folder, "out.pgn"));
        assert!(text.contains(wanted), "{text}");
    }
}

/// The first game of a program that is recorded: its last move loses the queen.
#[test]
fn the_game_of_the_paper_machine() {
    let folder = folder("paper-machine");
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/games/turing-glennie-1952.pgn");
    let ran = annotate(&folder, &[game, "-o", "out.pgn"]).succeeded();
    assert!(ran.stdout.contains(" 29.Qxd6?? ("), "{ran:?}");
    let (before, after) = (fs::read(game).unwrap(), fs::read(folder.join("out.pgn")).unwrap());
    let (before, after) = (&games(&before)[0], &games(&after)[0]);
    let moves = |game: &PgnGame| game.moves().flatten().count();
    assert_eq!((before.problems(), moves(before), moves(after)), (&[][..], 58, 58));
    assert_eq!(before.final_position(), after.final_position());
    let last = before.final_position().unwrap();
    assert!(last.fen().starts_with("1r1r2k1/p4ppp/3Q4/1q2p2b/4P2P/2B2PR1/1PPK1P2/3R4 w"));
}

#[test]
fn annotating_twice_is_annotating_once() {
    let folder = folder("twice").with("in.pgn", [GAME, "\n", QUIET].concat());
    for (name, options) in [
        ("default", &[][..]),
        ("all", &["--variations", "all", "--line", "3"][..]),
        ("none", &["--comments", "none", "--variations", "none"][..]),
        ("short", &["--comments", "short"][..]),
    ] {
        let [once, twice, kept] = ["once", "twice", "kept"].map(|n| format!("{name}-{n}.pgn"));
        annotate(&folder, &[&["in.pgn", "-o", &once], options].concat()).succeeded();
        annotate(&folder, &[&[&once, "-o", &twice], options].concat()).succeeded();
        assert_eq!(read(&folder, &once), read(&folder, &twice), "{name}");
        assert!(!read(&folder, &once).contains("[%lovec"), "a comment is for Lovec only");
        annotate(&folder, &[&[&once, "-o", &kept, "--keep"], options].concat()).succeeded();
        assert_kept(
            games(&read(&folder, &once))[0].elements(),
            games(&read(&folder, &kept))[0].elements(),
        );
    }
    // What a person has added to Lovec's comment stays.
    let edited = read(&folder, "default-once.pgn").replace("{Blunder", "{Oh! Blunder");
    fs::write(folder.join("edited.pgn"), edited).unwrap();
    annotate(&folder, &["edited.pgn", "-o", "again.pgn"]).succeeded();
    let text = flat(&read(&folder, "again.pgn"));
    assert_eq!(text.matches(" Oh! Blunder (").count(), 1, "{text}");
    assert_eq!(
        (text.matches("$4").count(), text.matches("$4 {Blunder (").count()),
        (1, 1),
        "{text}"
    );
}

#[test]
fn a_run_is_continued_only_with_its_settings() {
    let folder = folder("settings").with("in.pgn", GAME.repeat(200));
    let mut child = command(&folder, &["in.pgn", "-o", "out.pgn", "--confirm", "5"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let path = folder.join("out.pgn.progress");
    let lines = || fs::read_to_string(&path).unwrap_or_default().lines().count();
    program::wait_until(&mut child, |_| lines() >= 5);
    annotate(&folder, &["in.pgn", "-o", "out.pgn"]).refused("another annotate");
    child.kill().unwrap();
    child.wait().unwrap();
    let before = fs::read(&path).unwrap();
    for (options, expected) in [
        (&["--confirm", "6"][..], "begun with confirm 5, not 6"),
        (&["--confirm", "5", "--skip-book", "8"], "begun with skip-book 0, not 8"),
        (&["--confirm", "5", "--side", "white"], "begun with side \"both\", not \"white\""),
    ] {
        let arguments = [&["in.pgn", "-o", "out.pgn"], options].concat();
        annotate(&folder, &arguments).refused(expected);
        assert_eq!(fs::read(&path).unwrap(), before);
    }
    fs::write(&path, "nonsense\n").unwrap();
    annotate(&folder, &["in.pgn", "-o", "out.pgn"]).refused("was not written by annotate");
    fs::remove_file(&path).unwrap();
    fs::write(folder.join("in.pgn"), GAME).unwrap();
    annotate(&folder, &["in.pgn", "-o", "out.pgn", "--force"]).succeeded();
    assert!(!path.exists());
}

#[test]
fn an_absent_file_is_named_and_nothing_is_written() {
    let folder = folder("absent");
    annotate(&folder, &["absent.pgn", "-o", "out.pgn"]).refused("absent.pgn");
    assert!(folder.names().is_empty());
}

#[test]
fn nothing_is_lost_of_games_that_cannot_be_followed() {
    let text = HOSTILE.join("\n");
    let folder = folder("hostile").with("in.pgn", &text);
    let ran = annotate(&folder, &["in.pgn", "-o", "out.pgn", "--variations", "all"]).succeeded();
    for problem in
        ["game 1, line 1, 2.: ", "game 2, line 3: tag FEN", "game 3, line 7: the variant"]
    {
        assert!(ran.stderr.contains(problem), "{problem} in {}", ran.stderr);
    }
    let (before, after) = (games(&text), games(&read(&folder, "out.pgn")));
    assert_eq!(before.len(), HOSTILE.len());
    assert_eq!(after.len(), before.len());
    for (before, after) in before.iter().zip(&after) {
        assert_kept(before.elements(), after.elements());
        assert_eq!(before.result(), after.result());
        assert_eq!(before.final_position(), after.final_position());
    }
}

#[test]
fn the_report_has_each_move() {
    let folder = folder("report").with("in.pgn", [GAME, "\n", QUIET].concat());
    let arguments = ["in.pgn", "-o", "out.pgn", "--json", "report.json", "--player", "kos"];
    annotate(&folder, &arguments).succeeded();
    let report: Value = serde_json::from_str(&read(&folder, "report.json")).unwrap();
    assert_eq!(report["schema"], "lovec.annotate/2");
    assert_eq!(report["settings"]["nodes"], 3000);
    let game = &report["games"][0];
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 7);
    let blunder = &moves[5];
    assert_eq!((&blunder["san"], &blunder["mark"]), (&"Nf6".into(), &"blunder".into()));
    assert_eq!(blunder["confirmed"], true);
    assert_eq!(blunder["after"]["white_score"]["mate"], 1);
    assert_eq!(blunder["after"]["white_wdl"], serde_json::json!([1000, 0, 0]));
    assert_eq!(blunder["expected_after"], 0.0);
    assert_eq!(blunder["reply"]["san"][0], "Qxf7#");
    assert_eq!(blunder["clock"]["used_milliseconds"], 222_000);
    assert_eq!(moves[6]["after"]["white_score"]["mate"], 0);
    assert_eq!(game["black"]["blunders"], 1);
    assert!(game["black"]["accuracy"].is_f64() && game["white"]["accuracy"].is_null());
    assert_eq!((&game["turning_point"], &game["key_moments"][0]), (&6.into(), &6.into()));
    let story = game["story"].as_array().unwrap();
    assert!(story[0].as_str().unwrap().starts_with("It turned with 3...Nf6?? ("), "{story:?}");
    assert_eq!(story[1], "From 3...Nf6?? on White was winning.");
    for m in moves.iter().filter(|m| m["color"] == "white") {
        assert_eq!(m["mark"], Value::Null, "the moves of the other player have no marks");
    }
    // Kos does not play the second game.
    assert_eq!(games(&read(&folder, "out.pgn"))[1].elements(), games(QUIET)[0].elements());
}

#[test]
fn a_player_of_several_games_has_a_summary() {
    let folder = folder("players").with("in.pgn", [GAME, "\n", QUIET, "\n", GAME].concat());
    let arguments = ["in.pgn", "-o", "out.pgn", "--json", "a.json", "--player", "kos"];
    annotate(&folder, &arguments).succeeded();
    let report: Value = serde_json::from_str(&read(&folder, "a.json")).unwrap();
    let players = report["players"].as_array().unwrap();
    assert_eq!(players.len(), 1, "{players:?}");
    let kos = &players[0];
    assert_eq!((&kos["games"], &kos["losses"], &kos["wins"]), (&2.into(), &2.into(), &0.into()));
    for phase in ["opening", "middlegame", "endgame"] {
        let sum = report["games"]
            .as_array()
            .unwrap()
            .iter()
            .map(|game| game["black"][phase]["blunders"].as_u64().unwrap());
        assert_eq!(kos[phase]["blunders"], sum.sum::<u64>(), "{phase}");
    }
    let faults = kos["themes"][0]["faults"].as_array().unwrap();
    assert_eq!(kos["themes"][0]["theme"], "allowed_mate");
    assert_eq!((&faults[0]["game"], &faults[1]["game"]), (&1.into(), &3.into()));
    assert_eq!((&faults[0]["mark"], &faults[0]["ply"]), (&"blunder".into(), &6.into()));
}

#[test]
fn exercises_are_solved_by_lovec() {
    // White takes the queen, but not here.
    let text = "[White \"C\\A\"]\n[Black \"\\\"B\\\"\"]\n\n\
        1. e4 e5 2. Nf3 Qg5 3. h3 d6 4. Nxg5 Be7 5. h4 *\n";
    let folder = folder("exercises").with("in.pgn", text);
    let arguments = ["in.pgn", "-o", "out.pgn", "--exercises", "a.epd"];
    let ran = annotate(&folder, &arguments).succeeded();
    assert!(ran.stdout.contains("1 exercise in a.epd\n"), "{ran:?}");
    let epd = read(&folder, "a.epd");
    let name =
        r#" w KQkq - bm Nxg5; id "game 1, C\\A - \"B\", 3.h3"; c0 "It misses 3.Nxg5, which wins "#;
    assert!(epd.contains(name) && epd.ends_with(", and nothing can take back.\";\n"), "{epd}");
    let solved = program::lovec_in(&folder, &["epd", "a.epd", "--nodes", "3000"]).succeeded();
    assert!(solved.stdout.contains("a.epd 1/1"), "{solved:?}");
    // The page asks for the same moves.
    let arguments = ["in.pgn", "-o", "all.pgn", "--exercises", "all.epd", "--html", "a.html"];
    annotate(&folder, &arguments).succeeded();
    let questions = read(&folder, "a.html").matches("Find the best move for ").count();
    assert_eq!(questions, read(&folder, "all.epd").lines().count());
    assert_ne!(questions, 0);
    // Neither a position comes twice, nor a move that is missed again.
    let again = text.replace("d6 4. Nxg5", "a6 4. a3 d6 5. Nxg5").replace("5. h4", "6. h4");
    fs::write(folder.join("twice.pgn"), [text, &again, &again].join("\n")).unwrap();
    annotate(&folder, &["twice.pgn", "-o", "d.pgn", "--exercises", "d.epd"]).succeeded();
    let twice = read(&folder, "d.epd");
    assert_eq!(twice.matches("bm Nxg5;").count(), 1, "{twice}");
    fs::write(folder.join("none.pgn"), QUIET).unwrap();
    let ran = annotate(&folder, &["none.pgn", "-o", "c.pgn", "--exercises", "c.epd"]);
    let reason = "no exercises in c.epd: before no fault was one move clearly best\n";
    assert!(ran.succeeded().stdout.contains(reason));
}

#[test]
fn tables_show_who_throws_an_ending_away() {
    let text = "[SetUp \"1\"]\n[FEN \"8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\"]\n\n\
                1. Kd4 Kd6 2. e4 Ke6 3. e5 Ke7 4. Kd5 Kd7 5. e6+ Kd8 1/2-1/2\n";
    let folder = folder("tables").with("in.pgn", text);
    annotate(&folder, &["in.pgn", "-o", "out.pgn", "--json", "a.json"]).succeeded();
    let text = flat(&read(&folder, "out.pgn"));
    // Without another reason nothing more is said.
    let won = "2. e4 $4 {Blunder (100 % -> 50 %). It draws a won ending. [%eval ";
    assert!(text.contains(won), "{text}");
    assert!(
        text.contains("5... Kd8 $4 {Blunder (50 % -> 0 %). It loses a drawn ending. "),
        "{text}"
    );
    let report: Value = serde_json::from_str(&read(&folder, "a.json")).unwrap();
    let verdicts = &report["games"][0]["moves"][2]["tables"];
    assert_eq!(*verdicts, serde_json::json!({ "before": "win", "after": "draw" }));
}

#[test]
fn a_problem_is_named_by_its_file_where_there_are_several() {
    let wrong = "1. e4 *\n\n1. e4\ne5 2. Ke3 *\n";
    let folder = folder("several").with("a.pgn", "1. d4 *\n").with("b.pgn", wrong);
    for (files, warning) in [
        (&["b.pgn"][..], "warning: game 2, line 4, 2.: Ke3 is not legal here\n"),
        (&["a.pgn", "b.pgn"], "warning: b.pgn, game 3, line 4, 2.: Ke3 is not legal here\n"),
    ] {
        let ran = annotate(&folder, &[files, &["-o", "out.pgn", "--force"]].concat());
        assert_eq!(ran.succeeded().stderr, warning);
    }
}

/// What club players and their teacher held against the marks and words.
#[test]
fn marks_and_words_are_those_of_a_teacher() {
    let folder = folder("teacher");
    for (name, game, wanted, unwanted) in [
        // A mate in one given up for an open game is no inaccuracy.
        ("mate", "1. f3 e5 2. g4 d5 *", &["2... d5 $4 {Blunder ("][..], &[][..]),
        // A greedy move, a mate in one, a recapture and a move of an opening need no praise.
        (
            "praise",
            "[FEN \"r2qkb1r/ppp2ppp/2nPb3/8/2P1Q1n1/8/PP2PPPP/RNB1KBNR w KQkq - 1 7\"]\n\n7. dxc7 *",
            &[],
            &["$1", "$3"],
        ),
        ("quick", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", &[], &["$1", "$3"]),
        ("scandinavian", "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 *", &[], &["$1", "$2", "$6"]),
        // A gambit with a name is no fault.
        ("budapest", "1. d4 Nf6 2. c4 e5 3. dxe5 Ng4 *", &[], &["$6", "$2", "$4", "$1"]),
        // The sacrifice is followed by what it wins.
        (
            "lure",
            "1. d4 Nf6 2. c4 e5 3. d5 Bc5 4. Bg5 *",
            &[
                "4. Bg5 $4 {Blunder (",
                "It loses a pawn: 4...Bxf2+ lures the king to f2; ",
                " uncovers an attack of the queen on d8 against the bishop on g5",
            ],
            &["draws the king"],
        ),
        // The stalemate comes before the mate that was missed.
        (
            "stalemate",
            "[FEN \"7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\"]\n\n1. Qg6 *",
            &["1. Qg6 $4", "It draws by stalemate. It misses mate in 1, 1.Qg7#."],
            &[],
        ),
        // One mark of quality, the author's, before one comment.
        (
            "author",
            "1. f3 e5 2. g4 d5 {in a hurry} $5 *",
            &["2... d5 $5 {Blunder ("],
            &["$5 $4", "$4 $5", "hurry} {"],
        ),
    ] {
        let [input, output] = ["in", "out"].map(|end| format!("{name}-{end}.pgn"));
        fs::write(folder.join(&input), game).unwrap();
        let arguments = ["annotate", &input, "-o", &output, "--nodes", "10000", "--hash", "1"];
        program::run(program::command(&arguments).current_dir(&folder), "").succeeded();
        let text = flat(&read(&folder, &output));
        for part in wanted {
            assert!(text.contains(part), "{name}: {part} is not in {text}");
        }
        for part in unwanted {
            assert!(!text.contains(part), "{name}: {part} is in {text}");
        }
    }
    let arguments = ["author-in.pgn", "-o", "replaced.pgn", "--replace-marks"];
    annotate(&folder, &arguments).succeeded();
    let text = read(&folder, "replaced.pgn");
    assert!(text.contains("d5 $4 {") && !text.contains("$5"), "{text}");
}
