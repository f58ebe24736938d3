//! Every result in JSON begins with the name and version of its form, which docs/json describes
//! by a schema. [`RUNS`] has command lines of every form.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use clap::CommandFactory;
use lovec::cli::Cli;
use serde_json::{Deserializer, Value};

use crate::folder::{Folder, folder};
use crate::program::{binary, lovec_in, other_version};
use crate::samples::SAMPLES;

pub const SCHEMAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/json");
const ENDING: &str = ".schema.json";

/// Ways to learn side by side, a form of `tune`.
const METHODS: &str = "tune-methods";
/// The command that only builds with a feature have.
const SPSA: &str = "spsa";

/// Each form with command lines that write it, `--json` left out. Words in capitals are names
/// of programs and of [`NAMES`].
#[rustfmt::skip]
const RUNS: &[(&str, &[&str])] = &[
    ("analyse", &["analyse startpos --depth 4 --multipv 2", "analyse MATE --depth 3", "analyse MATED"]),
    ("annotate", &[
        "annotate g.pgn -o all.pgn --nodes 400 --hash 1 --force",
        "annotate g.pgn -o some.pgn --depth 2 --hash 1 --player A --games 1-4 --force",
    ]),
    ("bench", &["bench 1"]),
    ("book-build", &["book build g.pgn -o b.bin --min-games 1"]),
    ("book-show", &["book show b.bin", "book show b.bin startpos moves e2e4"]),
    ("book-openings", &["book openings -o own.bin --nodes 1 --max-ply 1"]),
    ("compare", &["compare LOVEC LOVEC s.epd --nodes 50", "compare LOVEC OTHER s.epd --nodes 3000"]),
    ("datagen", &["datagen -o new.txt --games 1 --nodes 50"]),
    ("egtb-build", &["egtb build KQK -o tables", "egtb build KRK KQK -o tables"]),
    ("egtb-probe", &["egtb probe 4k3/8/8/8/8/8/8/4KQ2 w - - 0 1 --dir tables", "egtb probe 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]),
    ("egtb-verify", &["egtb verify tables", "egtb verify broken"]),
    ("epd", &["epd s.epd s.epd --nodes 100"]),
    ("eval", &["eval", "eval MATED", "eval 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "eval 4k3/8/8/8/8/8/8/R3K3 w - - 0 1"]),
    ("explain", &[
        "explain startpos --nodes 500 --hash 1",
        "explain startpos g4 --nodes 500 --hash 1",
        "explain KNIGHTS Nxe5 --nodes 3000 --hash 1",
        "explain MATE --nodes 500 --hash 1",
        "explain ONLY --nodes 500 --hash 1",
        "explain 7k/P7/8/8/8/8/p7/K7 w - - 0 1 --nodes 500 --hash 1",
        "explain r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 3 a6 --nodes 3000 --hash 1",
        "explain r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 3 g6 --nodes 3000 --hash 1",
    ]),
    ("lab-boards", &["lab boards --depth 2"]),
    ("lab-compare", &[
        "lab compare --algo ab,mcts --depth 2 --nodes 500",
        "lab compare MATE --algo ab --depth 2",
        "lab compare --epd s.epd --algo ab --depth 1",
        "lab compare --game tictactoe --algo ab --depth 3",
    ]),
    ("lab-fit", &["lab fit DATA/wac.epd --algo ab --shallow 0 --deep 1"]),
    ("lab-hidden", &["lab hidden", "lab hidden AQT/432/KJ98 --tricks 2", "lab hidden --deals 2 --cards 2"]),
    ("lab-law", &["lab law minimal-tree"]),
    ("lab-list", &["lab list"]),
    ("lab-match", &["lab match ab mcts --games 4 --nodes 50"]),
    ("lab-solve", &["lab solve MATE --depth 3", "lab solve --game tictactoe", "lab solve startpos --nodes 100"]),
    ("lab-table", &["lab table", "lab table T12"]),
    ("label", &["label d.txt -o labels.txt --engine LOVEC --nodes 50"]),
    ("perft", &["perft 2", "perft 2 --divide"]),
    ("perft-suite", &["perft-suite right.epd", "perft-suite wrong.epd"]),
    ("spsa", &["spsa --openings s.epd --state a.json --games 2 --nodes 50 --hash 1 --parameter rfp_margin"]),
    ("terms", &["terms", "terms --data d.txt"]),
    ("tune", &["tune d.txt --epochs 0", "tune d.txt --test d.txt --epochs 2 --ablate -o w.rs"]),
    ("tune-methods", &["tune d.txt --test d.txt --method hill,td --terms material --passes 20 --games 1"]),
    ("wdl", &["wdl d.txt"]),
];

/// A queen is lost, an ending is drawn and a mate is allowed, by players of several games; a
/// move is illegal.
const GAMES: &str = "\
[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n[TimeControl \"180\"]\n
1. e4 {[%clk 0:03:00]} d5 {[%clk 0:02:58.5]} 2. Qg4 {Well.} Nf6 3. Qxc8 Qxc8 0-1\n
[White \"B\"]\n[Black \"A\"]\n[Result \"1/2-1/2\"]\n[SetUp \"1\"]
[FEN \"8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\"]\n
1. Kd4 Kd6 2. e4 Ke6 3. e5 Ke7 1/2-1/2\n
[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n
1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n
[White \"A\"]\n[Black \"C\"]\n[Result \"*\"]\n
1. e4 e5 2. Ke3 *\n
";

const SUITE: &str = "\
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"mate\";
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5;
";

const NAMES: [(&str, &str); 5] = [
    ("MATED", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"),
    ("MATE", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"),
    ("ONLY", "7k/8/8/8/8/8/6r1/7K w - - 0 1"),
    ("KNIGHTS", "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"),
    ("DATA", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data")),
];

/// A folder with what the command lines read.
fn inputs() -> Folder {
    let folder = folder("json");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (name, text) in [
        ("d.txt", SAMPLES),
        ("g.pgn", GAMES),
        ("s.epd", SUITE),
        ("right.epd", &format!("{start} ;D1 20")),
        ("wrong.epd", &format!("{start} ;D1 21")),
        ("broken/KQvK.ltb", "no table"),
    ] {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::write(folder.join(name), text).unwrap();
    }
    other_version(&folder.join("other"));
    folder
}

/// The words of a command line, with what their names stand for.
fn words(line: &str) -> Vec<String> {
    let program = binary();
    let names = [("LOVEC", program.as_str()), ("OTHER", "./other")].into_iter().chain(NAMES);
    let named = |word: &str| {
        names.clone().fold(word.to_owned(), |word, (name, text)| word.replace(name, text))
    };
    line.split(' ').map(named).collect()
}

/// The results of a run, each of a form.
fn results(folder: &Path, line: &str) -> Vec<Value> {
    let mut words = words(line);
    words.push("--json".to_owned());
    let annotates = words[0] == "annotate";
    if annotates {
        words.push("annotated.json".to_owned());
    }
    let ran = lovec_in(folder, &words.iter().map(String::as_str).collect::<Vec<_>>()).orderly();
    // A table, or a count, may be wrong.
    assert!(matches!(ran.status, Some(0 | 1)), "{line}: {ran:?}");
    let written = if annotates {
        fs::read_to_string(folder.join("annotated.json")).unwrap()
    } else {
        ran.stdout
    };
    Deserializer::from_str(&written)
        .into_iter()
        .map(|result| result.unwrap_or_else(|error| panic!("{line}: {error}: {written}")))
        .collect()
}

/// The results of all runs that this build has, each with its form.
pub fn all_results() -> Vec<(&'static str, Value)> {
    let folder = inputs();
    let mut found = Vec::new();
    let is_run = |form: &str| form != SPSA || cfg!(feature = "spsa");
    for (form, lines) in RUNS.iter().filter(|(form, _)| is_run(form)) {
        let results = lines.iter().flat_map(|line| results(&folder, line));
        found.extend(results.map(|result| (*form, result)));
    }
    found
}

/// The commands that do something, with their names joined by `-`.
fn add_commands(command: clap::Command, path: &str, commands: &mut Vec<(String, clap::Command)>) {
    for below in command.get_subcommands() {
        let path = format!("{path}-{}", below.get_name());
        add_commands(below.clone(), path.trim_matches('-'), commands);
    }
    if !command.has_subcommands() {
        commands.push((path.to_owned(), command));
    }
}

/// The names of the commands with `--json`, and of those without.
fn commands_by_json() -> [BTreeSet<String>; 2] {
    let mut commands = Vec::new();
    add_commands(Cli::command(), "", &mut commands);
    let has_json = |(_, command): &&(String, clap::Command)| {
        command.get_arguments().any(|argument| argument.get_id() == "json")
    };
    let (with, without): (Vec<_>, Vec<_>) = commands.iter().partition(has_json);
    [with, without].map(|commands| commands.into_iter().map(|(name, _)| name.clone()).collect())
}

#[test]
fn the_readme_names_the_commands_without_json() {
    let [_, without] = commands_by_json();
    let readme = include_str!("../../README.md");
    let (_, names) = readme.split_once("Each command has `--help`; all but ").unwrap();
    let (names, _) = names.split_once(" have `--json`").unwrap();
    let named = names.split('`').skip(1).step_by(2).map(|name| name.replace(' ', "-"));
    assert_eq!(named.collect::<BTreeSet<_>>(), without);
}

#[test]
fn every_command_has_a_schema_and_runs() {
    let [mut forms, _] = commands_by_json();
    forms.extend([METHODS, SPSA].map(str::to_owned));
    let names = fs::read_dir(SCHEMAS).unwrap().map(|it| it.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    let mut schemas: BTreeSet<String> =
        names.map(|name| name.strip_suffix(ENDING).unwrap().to_owned()).collect();
    assert!(schemas.remove("common"));
    assert_eq!(schemas, forms);
    let run: BTreeSet<String> = RUNS.iter().map(|(form, _)| (*form).to_owned()).collect();
    assert_eq!(run, forms);
}

#[test]
fn results_begin_with_the_name_of_their_form() {
    for (form, result) in all_results() {
        let schema = fs::read_to_string(Path::new(SCHEMAS).join(form.to_owned() + ENDING)).unwrap();
        let schema: Value = serde_json::from_str(&schema).unwrap();
        let name = &schema["properties"]["schema"]["const"];
        assert!(name.as_str().unwrap().starts_with(&format!("lovec.{form}/")), "{name}");
        assert_eq!(result["schema"], *name, "{form}");
    }
}
