//! Games in PGN as people and programs write them: the reader finds their plies, and all
//! commands read the same ones.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use lovec::chess::notation::pgn::PgnReader;
use lovec::chess::notation::{san, uci};
use lovec::chess::{Move, Position};

use crate::folder::folder;
use crate::program::lovec_in;

/// Files of each kind.
const FILES: usize = 20;

/// What is unusual in the games of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Annotation glyphs in words and signs, apart and behind a move.
    Glyphs,
    /// Words that stand for nothing.
    UnknownWords,
    /// Commands outside comments.
    Commands,
    /// Passes, as PGN programs write them.
    NullMoves,
    /// Passes in words.
    WordsForNullMoves,
    /// Results in other spellings.
    Results,
    /// Moves by both squares.
    Coordinates,
    /// Comments, variations, other line ends and spaces.
    Forms,
    /// A move that is not legal.
    IllegalMoves,
    /// Words of several kinds.
    Mixed,
}

impl Kind {
    pub const ALL: [Self; 10] = [
        Self::Glyphs,
        Self::UnknownWords,
        Self::Commands,
        Self::NullMoves,
        Self::WordsForNullMoves,
        Self::Results,
        Self::Coordinates,
        Self::Forms,
        Self::IllegalMoves,
        Self::Mixed,
    ];
}

/// A file with one game, and what can be followed of it.
pub struct GameFile {
    pub kind: Kind,
    pub name: String,
    pub text: String,
    /// Up to the first move that is not legal.
    plies: Vec<Option<Move>>,
    /// Whether all of the game can be followed.
    is_whole: bool,
}

impl GameFile {
    pub fn plies(&self) -> usize {
        self.plies.len()
    }

    /// The position after this number of plies.
    fn position(&self, plies: usize) -> Position {
        let mut position = Position::startpos();
        for m in &self.plies[..plies] {
            match m {
                Some(m) => position.make(*m),
                None => position.make_null(),
            }
        }
        position
    }

    /// The number of moves in a book, which holds each move of a position once.
    fn book_moves(&self) -> usize {
        let moves = (0..self.plies()).filter_map(|ply| {
            let m = self.plies[ply]?;
            let fen = self.position(ply).fen();
            let fields: Vec<&str> = fen.split(' ').take(4).collect();
            Some((fields.join(" "), uci::format_move(m, false)))
        });
        moves.collect::<HashSet<_>>().len()
    }
}

/// [`FILES`] files of each kind, always the same.
pub fn files() -> Vec<GameFile> {
    let files = Kind::ALL.into_iter().flat_map(|kind| (0..FILES).map(move |number| (kind, number)));
    files.map(|(kind, number)| GameWriter::new(kind, number).write()).collect()
}

/// Writes a random game.
struct GameWriter {
    kind: Kind,
    number: usize,
    random: StdRng,
    position: Position,
    plies: Vec<Option<Move>>,
}

impl GameWriter {
    fn new(kind: Kind, number: usize) -> Self {
        let random = StdRng::seed_from_u64((kind as usize * FILES + number) as u64);
        Self { kind, number, random, position: Position::startpos(), plies: Vec::new() }
    }

    fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.random.random_range(0..texts.len())]
    }

    /// Whether something of a kind is due here.
    fn is_due(&mut self, kind: Kind) -> bool {
        let chance = match self.kind {
            Kind::Mixed if !matches!(kind, Kind::IllegalMoves | Kind::WordsForNullMoves) => 0.1,
            _ if self.kind == kind => 0.35,
            _ => 0.0,
        };
        self.random.random_bool(chance)
    }

    fn write(mut self) -> GameFile {
        let length = self.random.random_range(4..30);
        let end = if self.kind == Kind::IllegalMoves { length / 2 } else { length };
        let mut words = Vec::new();
        let mut is_whole = true;
        for ply in 0..length {
            if ply == end {
                words.push(self.pick(&["Ke8", "Qh9", "a1a1", "O-O-O", "Sf3", "Nd5xd9"]).to_owned());
                // The words after it are never legal.
                is_whole = false;
            }
            let moves = self.position.legal_moves();
            if moves.is_empty() {
                break;
            }
            if self.random.random_bool(0.6) {
                words.push(self.number_of_move());
            }
            if is_whole && !self.position.in_check() && self.passes(&mut words) {
                continue;
            }
            let m = moves[self.random.random_range(0..moves.len())];
            let word = self.move_word(m);
            if is_whole {
                self.position.make(m);
                self.plies.push(Some(m));
            }
            words.push(word);
            self.add_behind(&mut words);
        }
        let result = match self.kind {
            Kind::Results => self.pick(&["½-½", "1/2", "½", "1/2–1/2", "½–½"]),
            _ => "1/2-1/2",
        };
        words.push(result.to_owned());
        GameFile {
            kind: self.kind,
            name: format!("{:?}-{}.pgn", self.kind, self.number),
            text: self.text(&words),
            plies: self.plies,
            is_whole,
        }
    }

    fn number_of_move(&mut self) -> String {
        let dots = if self.plies.len().is_multiple_of(2) { "." } else { "..." };
        format!("{}{dots}", self.position.fullmove_number())
    }

    /// Passes, if that is due.
    fn passes(&mut self, words: &mut Vec<String>) -> bool {
        let word = if self.is_due(Kind::NullMoves) {
            self.pick(&["--", "Z0", "0000", "@@@@", "z0"])
        } else if self.is_due(Kind::WordsForNullMoves) {
            "null"
        } else {
            return false;
        };
        let mut next = self.position.clone();
        next.make_null();
        if next.legal_moves().is_empty() {
            return false;
        }
        words.push(word.to_owned());
        self.position = next;
        self.plies.push(None);
        true
    }

    /// A move, by both squares if that is due.
    fn move_word(&mut self, m: Move) -> String {
        let san = san::format(&self.position, m);
        if !self.is_due(Kind::Coordinates) {
            return san;
        }
        let text = uci::format_move(m, false);
        let (from, rest) = text.split_at(2);
        let (to, promotion) = rest.split_at(2);
        let letter = if m.is_castle() { "K" } else { &san[..1] };
        let letter = if letter.starts_with(char::is_uppercase) { letter } else { "" };
        let hyphen = if m.is_capture() { "x" } else { "-" };
        let wanted = ["", "=", "/"][self.random.random_range(0..3)];
        let promotion = match promotion {
            "" => String::new(),
            piece => format!("{wanted}{}", piece.to_uppercase()),
        };
        match self.random.random_range(0..4) {
            0 => text,
            1 => format!("{from}{hyphen}{to}{promotion}"),
            2 => format!("{letter}{from}{hyphen}{to}{promotion}"),
            _ => format!("{letter}{from}{to}{promotion}"),
        }
    }

    /// Adds what stands behind a move.
    fn add_behind(&mut self, words: &mut Vec<String>) {
        const GLYPHS: [&str; 18] = [
            "N", "D", "RR", "TN", "!N", "!", "?", "!!", "?!", "+-", "-+", "=", "±", "+/-", "+=",
            "∞", "$146", "□",
        ];
        const SIGNS: [&str; 8] = ["!", "??", "!?", "+-", "-+", "=", "±", "!N"];
        const WORDS: [&str; 9] =
            ["xyz", "novelty", "[", "]", "\"quoted\"", "=)", "time", "…!?x", "<>"];
        const COMMANDS: [&str; 5] = [
            "[%clk 0:10:00]",
            "[%emt 5]",
            "[%eval 0.31]",
            "[%eval #-3] [%clk 1:00:00.5]",
            "[%tqu \"En\"]",
        ];
        if self.is_due(Kind::Glyphs) {
            if self.random.random_bool(0.5) {
                words.push(self.pick(&GLYPHS).to_owned());
            } else if let Some(last) = words.last_mut() {
                let sign = SIGNS[self.random.random_range(0..SIGNS.len())];
                last.push_str(sign);
            }
        }
        if self.is_due(Kind::UnknownWords) {
            words.push(self.pick(&WORDS).to_owned());
        }
        if self.is_due(Kind::Commands) {
            words.push(self.pick(&COMMANDS).to_owned());
        }
        if self.is_due(Kind::Forms) {
            let m = self.plies.last().copied().flatten();
            let forms =
                ["{a comment}", "{e4 [%clk 0:01]}", "; to the end\n", "{ two\nlines }", "e.p."];
            let variation = m.map(|_| "(-- {threat})".to_owned());
            let form = self.pick(&forms).to_owned();
            words.push(variation.filter(|_| self.random.random_bool(0.3)).unwrap_or(form));
        }
    }

    /// The whole file.
    fn text(&mut self, words: &[String]) -> String {
        let tags = "[Event \"x\"]\n[White \"A\"]\n[Result \"1/2-1/2\"]\n\n";
        let mut text = String::from(tags);
        for word in words {
            // A bracket must not begin a line, where it would be a tag, and no line is empty.
            let is_empty_line = text.trim_end_matches(' ').ends_with('\n');
            let may_end_line = !word.starts_with('[') && !is_empty_line;
            if may_end_line && self.random.random_bool(0.1) {
                text.push('\n');
            }
            let is_number = word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with('.');
            let is_joined = is_number && self.random.random_bool(0.5);
            text.push_str(word);
            text.push_str(if is_joined { "" } else { " " });
        }
        text.push('\n');
        if self.kind == Kind::Forms && self.random.random_bool(0.5) {
            text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        }
        text
    }
}

/// The number before a unit.
fn number_before(text: &str, unit: &str) -> u64 {
    let (before, _) = text.split_once(unit).unwrap_or_else(|| panic!("no {unit:?} in {text}"));
    before.rsplit(' ').next().unwrap().parse().unwrap()
}

/// The plies that `annotate` annotates.
fn annotated_plies(folder: &Path, file: &str) -> u64 {
    let line = ["annotate", file, "-o", "o.pgn", "--force", "--nodes", "1", "--hash", "1"];
    number_before(&lovec_in(folder, &line).succeeded().stdout, " plies")
}

/// The moves in a book of the game.
fn book_moves(folder: &Path, file: &str) -> u64 {
    let build = ["book", "build", file, "-o", "b.bin", "--force", "--json"];
    let ran = lovec_in(folder, &[&build[..], &["--min-games", "1", "--max-ply", "999"]].concat());
    if ran.stderr.contains("no move with a point") {
        return 0;
    }
    ran.succeeded().json()["entries"].as_u64().unwrap()
}

/// The position that a command shows of a game.
fn shown_fen(folder: &Path, command: &str, file: &str) -> Result<String, String> {
    let ran = lovec_in(folder, &[command, "--pgn", file, "--nodes", "1", "--hash", "1", "--json"])
        .orderly();
    match ran.status {
        Some(0) => Ok(ran.json()["fen"].as_str().unwrap().to_owned()),
        _ => Err(ran.stderr),
    }
}

/// The error names the move that is not legal.
fn assert_names_the_end(error: &str, file: &GameFile, last: &Position) {
    let number = last.fullmove_number();
    let dots = if file.plies().is_multiple_of(2) { "." } else { "..." };
    assert!(error.contains(&format!(", {number}{dots}:")), "{error}: {:?}", file.text);
}

#[test]
fn the_reader_follows_each_game_to_its_end() {
    let files = files();
    assert!(files.len() >= 200);
    for file in &files {
        let context = format!("{}: {:?}", file.name, file.text);
        let games: Vec<_> = PgnReader::new(file.text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(games.len(), 1, "{context}");
        assert_eq!(games[0].moves().collect::<Vec<_>>(), file.plies, "{context}");
        let last = file.position(file.plies());
        let end = games[0].final_position().map(|position| position.fen());
        assert_eq!(end, Some(last.fen()), "{context}");
        let problem = games[0].main_line_problem();
        assert_eq!(problem.is_none(), file.is_whole, "{context}: {problem:?}");
        if let Some(problem) = problem {
            assert_names_the_end(&problem.to_string(), file, &last);
        }
    }
}

/// In two files of each kind.
#[test]
fn all_commands_read_the_same_plies() {
    let folder = folder("kinds");
    let files = files();
    for file in files.chunks(FILES).flat_map(|kind| &kind[..2]) {
        let name = &file.name;
        fs::write(folder.join(name), &file.text).unwrap();
        let context = format!("{name}: {:?}", file.text);
        assert_eq!(annotated_plies(&folder, name), file.plies() as u64, "{context}");
        assert_eq!(book_moves(&folder, name), file.book_moves() as u64, "{context}");

        let last = file.position(file.plies());
        let analysed = shown_fen(&folder, "analyse", name);
        if !file.is_whole {
            assert_names_the_end(&analysed.unwrap_err(), file, &last);
            assert!(shown_fen(&folder, "explain", name).is_err(), "{context}");
            continue;
        }
        assert_eq!(analysed, Ok(last.fen()), "{context}");
        // `explain` is about the last move, if there is one.
        let explained = match file.plies.last() {
            Some(Some(_)) => file.position(file.plies() - 1),
            _ => last,
        };
        assert_eq!(shown_fen(&folder, "explain", name), Ok(explained.fen()), "{context}");
    }
}

/// Each game of a line costs its own length, and each ply of a game the same.
#[test]
fn very_many_games_and_plies_are_read() {
    let games = 100_000;
    let folder = folder("many").with("results.pgn", "* ".repeat(games));
    let all = games.to_string();
    let last = ["eval", "--pgn", "results.pgn", "--game", &all, "--json"];
    lovec_in(&folder, &last).succeeded();
    let next = (games + 1).to_string();
    lovec_in(&folder, &["eval", "--pgn", "results.pgn", "--game", &next])
        .refused(&format!("has {games} games"));
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(20_000);
    fs::write(folder.join("long.pgn"), format!("{moves}e4 1/2-1/2\n")).unwrap();
    assert_eq!(book_moves(&folder, "long.pgn"), 4);
}
