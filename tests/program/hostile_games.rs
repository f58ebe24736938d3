//! `lovec annotate` on random and hostile games: nothing of them is lost.

use std::fs;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use lovec::chess::Position;
use lovec::chess::notation::san;

use crate::annotate::{assert_kept, games};
use crate::folder::folder;
use crate::program;

/// How many problems of a game are named.
const NAMED_PROBLEMS: usize = 3;

/// Words that stand anywhere in hostile games.
#[rustfmt::skip]
const NOISE: [&str; 46] = [
    "{a comment}", "{}", "{ } }", "{ { nested } {", "; to the end\n", "$1", "$139", "$999", "$x",
    "$", "(", "(", "((", ")", ")))", "( 1. e4 )", "(1. e4 (1. d4 (1. c4 {deep} (1. Nf3))) e5)",
    "--", "Z0", "xyz", "e4", "Nf3", "Qxh7#", "e8=K", "O-O", "0-0-0", "1-0", "*", "%\n",
    "\n% skipped\n", "{not closed", "[Event \"x\"]", "[Event \"not closed", "\n\n", "\r\n", "\0",
    "{[%clk 0:01:00]}", "{[%clk -1:99:99.9] [%emt ]}", "{[%eval 0.1,3]}",
    "{[%eval #-0,]} {[%eval 99999999999999999999,300] [%eval nan,-1]}", "{[%csl Ra1",
    "{[%cal Zz9z9,,] [%lovec] [%lovec x y z]}", "?!", "♞f3", "17...", "99999999999.",
];

/// Tags that are broken or unusual.
const TAGS: [&str; 14] = [
    "[White \"A",
    "[White A]",
    "[White \"A\\\"]",
    "[White \"<script>alert(1)</script> & 'quoted'\"]",
    "[]",
    "[\"only a value\"]",
    "[White]",
    "[White \"A\"] [Black \"B\"] trailing",
    "[White \"A\"]\n[White \"again\"]",
    "[Result \"2-0\"]",
    "[SetUp \"1\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]",
    "[Variant \"Crazyhouse\"]",
    "[TimeControl \"40/x:9+\"]",
    "[\u{0}\u{202e}\"x\"]",
];

/// Chess960 positions, with castling rights by file and without.
const CHESS960: [&str; 3] = [
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
    "rkbnqbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBNQBNR w KQkq - 0 1",
    "4k2r/8/8/8/8/8/8/RK6 w Ah - 0 1",
];

/// Writes hostile games, which have words that stand nowhere else: marks.
struct Hostile {
    random: StdRng,
    marks: u32,
    text: Vec<u8>,
}

impl Hostile {
    fn new(seed: u64) -> Self {
        Self { random: StdRng::seed_from_u64(seed), marks: 0, text: Vec::new() }
    }

    fn push(&mut self, text: &str) {
        self.text.extend(text.as_bytes());
    }

    fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.random.random_range(0..texts.len())]
    }

    /// The next mark.
    fn mark(&mut self) -> String {
        self.marks += 1;
        format!("mark{}", self.marks)
    }

    /// A game with at most this number of random moves.
    fn game(&mut self, plies: usize) {
        let mark = self.mark();
        self.push(&format!("[White \"{mark}\"]\n"));
        let mut position = Position::startpos();
        if self.random.random_bool(0.2) {
            let fen = self.pick(&CHESS960);
            position = Position::from_fen(fen).unwrap();
            self.push(&format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n"));
        }
        while self.random.random_bool(0.2) {
            let tag = self.pick(&TAGS);
            self.push(&format!("{tag}\n"));
        }
        if self.random.random_bool(0.05) {
            let huge = "x".repeat(100_000);
            self.push(&format!("[Event \"{huge}\"]\n"));
        }
        self.push("\n");
        let noise = [0.0, 0.05, 0.3][self.random.random_range(0..3)];
        for _ in 0..self.random.random_range(0..=plies) {
            let moves = position.legal_moves();
            let Some(&m) = moves.get(self.random.random_range(0..moves.len().max(1))) else {
                break;
            };
            let san = san::format(&position, m);
            self.push(&format!("{san} "));
            position.make(m);
            while self.random.random_bool(noise) {
                self.noise();
            }
        }
        let end = self.pick(&["*", "1-0", "0-1", "1/2-1/2", ""]);
        self.push(&format!("{end}\n\n"));
    }

    fn noise(&mut self) {
        let mark = self.mark();
        match self.random.random_range(0..20) {
            0 => self.push(&format!("{{{mark}}} ")),
            1 => self.push(&format!("({mark}) ")),
            2 => self.push(&format!("{mark} ")),
            3 => self.push(&format!("; {mark} }}\n")),
            4 if self.random.random_bool(0.1) => {
                let huge = "word ".repeat(40_000);
                self.push(&format!("{{{huge} {mark}}} "));
            }
            5 if self.random.random_bool(0.1) => {
                let deep = self.random.random_range(1..500);
                self.push(&format!("{}{mark}{}", "(1. e4 ".repeat(deep), ") ".repeat(deep / 2)));
            }
            6 => {
                self.text.extend([b' ', 0xff, 0xc0, 0x80, b'\n']);
                self.push(&format!("{{{mark}}} "));
            }
            _ => {
                let noise = self.pick(&NOISE);
                self.push(&format!("{noise} "));
            }
        }
    }

    /// A game that goes on and on.
    fn long_game(&mut self, plies: usize) {
        let mark = self.mark();
        self.push(&format!("[White \"{mark}\"]\n\n"));
        for ply in 0..plies {
            self.push(["Nf3 ", "Nf6 ", "Ng1 ", "Ng8\n"][ply % 4]);
        }
        self.push("*\n\n");
    }
}

/// The marks of a text, sorted.
fn marks(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let mut marks: Vec<String> = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| word.starts_with("mark"))
        .map(str::to_owned)
        .collect();
    marks.sort_unstable();
    marks
}

/// Annotates `count` hostile games, of which `long` are very long.
fn annotate(name: &str, seed: u64, count: usize, long: usize) {
    let folder = folder(name);
    let mut hostile = Hostile::new(seed);
    for number in 0..count {
        if number < long {
            hostile.long_game(10_000);
        } else {
            hostile.game(if number % 10 == 0 { 300 } else { 30 });
        }
    }
    fs::write(folder.join("in.pgn"), &hostile.text).unwrap();
    let arguments =
        ["annotate", "in.pgn", "-o", "out.pgn", "--json", "a.json", "--nodes", "30", "--hash", "1"];
    let mut command = program::command(&arguments);
    command.current_dir(&folder);
    let ran = program::run_for(&mut command, "", 10 * program::TIMEOUT).succeeded();
    let text = fs::read(folder.join("out.pgn")).unwrap();
    assert_eq!(marks(&hostile.text), marks(&text));
    let (before, after) = (games(&hostile.text), games(&text));
    // A result or a tag in the middle of a game divides it.
    assert!(before.len() >= count);
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        assert_kept(before.elements(), after.elements());
        assert_eq!(before.final_position(), after.final_position());
        assert_eq!(before.result(), after.result());
        for problem in before.problems().iter().take(NAMED_PROBLEMS) {
            let expected = format!("game {}, {problem}", before.number);
            assert!(ran.stderr.contains(&expected), "{expected} in {}", ran.stderr);
        }
    }
}

#[test]
fn nothing_is_lost_of_hostile_games() {
    annotate("few", 24, 100, 0);
}

#[test]
#[ignore = "takes minutes"]
fn nothing_is_lost_of_a_thousand_hostile_games() {
    annotate("many", 1, 1000, 5);
}
