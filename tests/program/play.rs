//! `lovec play`: games at a pseudo-terminal.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, tcgetattr};

use lovec::chess::notation::pgn::{PgnGame, PgnReader};
use lovec::chess::{Color, GameResult};

use crate::folder::folder;
use crate::program::{TIMEOUT, command, lovec_in, run, wait};
use crate::terminal::open_terminal;

/// A game at a terminal.
struct Table {
    child: Child,
    keys: File,
    shown: Receiver<String>,
    /// All that was shown.
    text: String,
}

impl Table {
    /// At a terminal that cannot move its cursor.
    fn sit(folder: &Path, arguments: &[&str]) -> Self {
        Self::sit_at("dumb", folder, &[&["--nodes", "2000"], arguments].concat())
    }

    fn sit_at(name: &str, folder: &Path, arguments: &[&str]) -> Self {
        let (master, path) = open_terminal();
        let terminal = || File::options().read(true).write(true).open(&path).unwrap();
        let mut command = command(&[&["play"], arguments].concat());
        command.current_dir(folder).env("TERM", name);
        command.stdin(terminal()).stdout(terminal()).stderr(terminal());
        let child = command.spawn().unwrap();
        let keys = File::from(master);
        let mut screen = keys.try_clone().unwrap();
        let (sender, shown) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = screen.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..length]).into_owned();
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        let mut table = Self { child, keys, shown, text: String::new() };
        table.until_prompt(0);
        table
    }

    /// Waits for a prompt such as `4. ` behind what stood there before.
    fn until_prompt(&mut self, from: usize) -> String {
        let is_prompt = |text: &str| {
            let last = text.rsplit('\n').next().unwrap_or_default();
            let last = last.split("\u{1b}[K").last().unwrap_or_default();
            let prompt = last.split('\r').next().unwrap_or_default();
            (prompt.ends_with(". ") || prompt.ends_with("] "))
                && prompt.starts_with(|c: char| c.is_ascii_digit())
        };
        while self.text.len() == from || !is_prompt(&self.text[from..]) {
            self.read();
        }
        self.text[from..].replace("\r\n", "\n")
    }

    /// Waits for a text.
    fn until(&mut self, wanted: &str) {
        while !self.text.contains(wanted) {
            self.read();
        }
    }

    /// Waits until something is shown.
    fn read(&mut self) {
        match self.shown.recv_timeout(TIMEOUT) {
            Ok(text) => self.text += &text,
            Err(error) => panic!("{error}: {}", self.text),
        }
    }

    /// Types a line and returns what is shown until the next prompt.
    fn type_line(&mut self, line: &str) -> String {
        let from = self.text.len();
        self.keys.write_all(format!("{line}\n").as_bytes()).unwrap();
        self.until_prompt(from)
    }

    /// Types a line, and fails unless something is shown.
    #[track_caller]
    fn expect(&mut self, line: &str, wanted: &str) {
        let shown = self.type_line(line);
        assert!(shown.contains(wanted), "{line}: {shown}");
    }

    /// Interrupts the program and returns what it shows from then to its end.
    fn interrupt(mut self) -> String {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        assert_eq!(wait(&mut self.child, TIMEOUT).expect("it ends").code(), Some(130));
        self.shown.iter().collect::<String>().replace("\r\n", "\n")
    }

    /// Waits for the end of the program; returns its status.
    fn leave(mut self) -> Option<i32> {
        wait(&mut self.child, TIMEOUT).expect("it ends").code()
    }

    fn quit(mut self) -> Option<i32> {
        self.keys.write_all(b"quit\n").unwrap();
        self.leave()
    }
}

fn game(folder: &Path, name: &str) -> PgnGame {
    let text = fs::read(folder.join(name)).unwrap();
    PgnReader::new(&text[..]).next().unwrap().unwrap()
}

#[test]
fn a_game_is_won_by_mate() {
    let folder = folder("won");
    let mut table = Table::sit(&folder, &["6k1/5ppp/8/8/8/8/7P/R6K w - - 0 1"]);
    table.expect("Ra8", "Checkmate. White wins.");
    table.expect("Kg1", "the game is over");
    assert_eq!(table.quit(), Some(0));
    let game = game(&folder, "lovec-game.pgn");
    assert_eq!(game.result(), Some(GameResult::Won(Color::White)));
    assert!(game.final_position().unwrap().is_checkmate());
    assert_eq!(game.problems(), []);
}

#[test]
fn a_game_is_drawn_by_rule() {
    let folder = folder("drawn");
    let mut table = Table::sit(&folder, &["7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "--board", "ascii"]);
    table.expect("qg6", "Stalemate: a draw.");
    assert_eq!(table.quit(), Some(0));
    assert_eq!(game(&folder, "lovec-game.pgn").result(), Some(GameResult::Drawn));
}

#[test]
fn a_game_is_resigned_after_undo_hint_save_and_load() {
    let folder = folder("resigned");
    let mut table = Table::sit(&folder, &["--elo", "1500"]);
    assert!(table.text.contains("Lovec (1500) plays Black") && table.text.contains('♜'));
    table.expect("e4", "Lovec: 1...");
    table.expect("why", "1.e4 is");
    table.expect("undo", " 2   ♙  ♙  ♙  ♙  ♙  ♙  ♙  ♙");
    table.expect("hint", "1.");
    table.expect("eval", "for White");
    table.expect("moves", "Nf3 Nh3");
    table.expect("undo 2", "did you mean `undo`?");
    table.expect("g1", "g1: Nf3 Nh3");
    table.expect("Ke2", "Ke2 is not legal here; try `moves` or `help`");
    table.expect("e4 e5", "one move at a time, such as e4");
    table.expect("d2 d4", "Lovec: 1...");
    // Which one depends on the reply.
    let opening = table.type_line("opening");
    assert!(!opening.contains("no opening"), "{opening}");
    table.expect("level 900", "a rating from 1000 to 3000");
    table.expect("save mine.pgn", "The game is in mine.pgn.");
    table.expect("save mine.pgn", "mine.pgn exists");
    table.expect("load nothing", "there is no file nothing");
    fs::write(folder.join("notes.txt"), "hello\nworld\n").unwrap();
    table.expect("load notes.txt", "notes.txt holds no game");
    table.expect("load 8/8/8/4k3/8/8/3QK3/8 w - - 0 1", "♕");
    table.expect("load mine.pgn", "2. ");
    table.expect("resign", "You resign. Black wins.");
    table.expect("e4", "the game is over");
    table.expect("switch", "the game is over");
    // It is the resignation that is taken back.
    table.expect("undo", "2. ");
    table.expect("resign", "You resign. Black wins.");
    assert_eq!(table.quit(), Some(0));
    let (saved, kept) = (game(&folder, "mine.pgn"), game(&folder, "lovec-game.pgn"));
    assert_eq!((saved.result(), kept.result()), (None, Some(GameResult::Won(Color::Black))));
    assert_eq!(saved.elements(), kept.elements());
    assert_eq!(kept.tag("White"), Some("Person"));
    assert_eq!([&saved, &kept].map(|game| game.tag("Termination")), [None, Some("normal")]);
    // Both are games for other commands.
    let ran = lovec_in(&folder, &["play", "--pgn", "mine.pgn", "--board", "none", "--nodes", "10"]);
    assert!(ran.succeeded().stdout.contains("2. "));
}

/// A game that is kept goes on with its sides and its level.
#[test]
fn a_game_goes_on_with_the_same_players() {
    let folder = folder("players");
    let options = ["--board", "none", "--book", "none", "--nodes", "10"];
    let first = ["play", "--side", "black", "--elo", "1200"];
    lovec_in(&folder, &[&first[..], &options].concat()).succeeded();
    let again = ["play", "--pgn", "lovec-game.pgn"];
    let shown = lovec_in(&folder, &[&again[..], &options].concat()).succeeded().stdout;
    assert!(shown.starts_with("You are Black; Lovec (1200) plays White."), "{shown}");
    let other = ["--side", "white", "--elo", "1300"];
    let shown = lovec_in(&folder, &[&again[..], &options, &other].concat()).succeeded().stdout;
    assert!(shown.starts_with("You are White; Lovec (1300) plays Black."), "{shown}");
    // Loaded during another game, too.
    let mut command = command(&[&["play", "--clock", "1+2"], &options[..4]].concat());
    let ran = run(command.current_dir(&*folder), "load lovec-game.pgn\nload .\n").succeeded();
    let shown = ran.stdout;
    assert!(shown.contains("You are Black; Lovec (1200) plays White."), "{shown}");
    assert!(shown.contains("\n1... ") && shown.contains("a folder, not a regular file"), "{shown}");
}

/// A game that is kept with a clock goes on with full clocks, unless a limit is given.
#[test]
fn a_game_goes_on_with_its_clocks() {
    let folder = folder("clocks");
    let play = |arguments: &[&str], input: &str| {
        let fixed = ["play", "--board", "none", "--book", "none"];
        let mut command = command(&[&fixed[..], arguments].concat());
        run(command.current_dir(&*folder), input).succeeded().stdout
    };
    let shown = play(&["--clock", "0.05+60", "--elo", "1000"], "\n\ne4\n");
    assert_eq!(shown.matches("1. [0:0").count(), 3, "no time for a line without a move: {shown}");
    assert!(shown.contains("2. [1:0"), "{shown}");
    let shown = play(&["--pgn", "lovec-game.pgn"], "");
    assert!(shown.contains("2. [0:03, Lovec 0:03] "), "{shown}");
    let shown = play(&["--pgn", "lovec-game.pgn", "--nodes", "10"], "");
    assert!(shown.contains("2. ") && !shown.contains('['), "{shown}");
}

#[test]
fn a_line_that_is_too_long_is_refused_as_a_whole() {
    let line = format!("{}e4\nd4\n", "0".repeat(64 << 10));
    let folder = folder("long");
    let mut command = command(&["play", "--board", "none", "--nodes", "10"]);
    let shown = run(command.current_dir(&*folder), &line).succeeded().stdout;
    assert!(shown.contains("is no move and no command"), "{}", shown.len());
    assert!(game(&folder, "lovec-game.pgn").to_string().contains("\n1. d4 "));
}

#[test]
fn a_board_that_is_asked_for_is_drawn_where_none_is() {
    let folder = folder("asked");
    let mut command = command(&["play", "--board", "none", "--book", "none", "--nodes", "10"]);
    let shown = run(command.current_dir(&*folder), "e4\nboard\n").succeeded().stdout;
    assert_eq!(shown.matches("P  P  P  P  .  P  P  P").count(), 1, "{shown}");
}

/// Each line counts, also if several are read at once.
#[test]
fn lines_that_are_pasted_are_read_one_after_the_other() {
    let folder = folder("pasted");
    let arguments = ["--board", "none", "--book", "none", "--nodes", "10"];
    let mut table = Table::sit_at("xterm", &folder, &arguments);
    table.keys.write_all(b"e4\rundo\rundo\r").unwrap();
    table.until("there is no move of yours to take back");
    assert_eq!(table.quit(), Some(0));
}

#[test]
fn a_game_that_is_kept_has_date_names_and_rating() {
    let text = "[White \"Novak, Jan\"]\n[Black \"Kranjc, Miha\"]\n\n1. e4 e5 2. Nf3 Nc6 0-1\n";
    let folder = folder("tags").with("a.pgn", text);
    let play = |file: &str, options: &[&str]| {
        let fixed = ["play", "--pgn", file, "--board", "none", "--nodes", "10"];
        let mut command = command(&[&fixed[..], options].concat());
        run(command.current_dir(&*folder), "moves\nBc4\nquit\n").succeeded().stdout
    };
    play("a.pgn", &["--elo", "1800"]);
    let kept = game(&folder, "lovec-game.pgn");
    let tags = ["White", "Black", "WhiteElo", "BlackElo"].map(|tag| kept.tag(tag));
    assert_eq!(tags, [Some("Novak, Jan"), Some("Lovec"), None, Some("1800")]);
    let date = kept.tag("Date").unwrap();
    assert!(date.starts_with("20") && date.len() == 10, "{date}");
    // It goes on with the same players, or the person changes sides.
    let shown = play("lovec-game.pgn", &[]);
    assert!(shown.starts_with("You are White; Lovec (1800) plays Black."), "{shown}");
    play("lovec-game.pgn", &["--side", "black"]);
    let kept = game(&folder, "lovec-game-2.pgn");
    let tags = ["White", "Black", "WhiteElo", "BlackElo"].map(|tag| kept.tag(tag));
    assert_eq!(tags, [Some("Lovec"), Some("Person"), Some("1800"), None]);
}

/// Keys that edit a line, a clock, and Ctrl-C as a key.
#[test]
fn lines_are_edited_at_a_terminal() {
    let folder = folder("edited");
    let arguments = ["--board", "none", "--elo", "1000", "--clock", "5+3"];
    let mut table = Table::sit_at("xterm", &folder, &arguments);
    let attributes = tcgetattr(&table.keys).unwrap();
    assert!(!attributes.local_modes.contains(LocalModes::ECHO), "the editor echoes");
    assert!(table.text.contains("1. [5:00, Lovec 5:00] "), "{}", table.text);
    // Tab completes up to where the moves differ, and a second one lists them.
    table.keys.write_all(b"N\t\t").unwrap();
    table.until("Na3  Nc3  Nf3  Nh3");
    table.expect("h3", "Lovec: 1...");
    table.expect("udno", "did you mean `undo`?");
    // The line above, corrected.
    table.expect("\u{1b}[A\u{8}\u{8}\u{8}ndo", "1. [");
    table.keys.write_all(b"e2e\t").unwrap();
    table.expect("4", "Lovec: 1...");
    let keys = table.keys.try_clone().unwrap();
    table.keys.write_all(b"half a li\x03").unwrap();
    assert_eq!(table.leave(), Some(130));
    let attributes = tcgetattr(&keys).unwrap();
    assert!(attributes.local_modes.contains(LocalModes::ECHO), "the terminal is left as it was");
    let game = game(&folder, "lovec-game.pgn");
    assert_eq!(game.tag("TimeControl"), Some("300+3"));
    assert_eq!(game.final_position().unwrap().plies(), 2);
}

/// The editor reads the terminal when the signal comes.
#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    let folder = folder("signal");
    let mut table = Table::sit_at("xterm", &folder, &["--nodes", "2000", "--board", "none"]);
    table.expect("e4", "Lovec: 1...");
    let keys = table.keys.try_clone().unwrap();
    kill_process(Pid::from_child(&table.child), Signal::TERM).unwrap();
    assert_eq!(table.leave(), Some(143));
    assert!(tcgetattr(&keys).unwrap().local_modes.contains(LocalModes::ECHO));
    assert_eq!(game(&folder, "lovec-game.pgn").final_position().unwrap().plies(), 2);
}

/// Without a key, and with half a move that is typed.
#[test]
fn a_flag_that_falls_is_told_at_once() {
    let folders = ["flag", "dumb flag"].map(folder);
    let mut tables = ["xterm", "dumb"].into_iter().zip(&folders).map(|(name, folder)| {
        let mut table = Table::sit_at(name, folder, &["--board", "none", "--clock", "0.05"]);
        table.expect("e4", "Lovec: 1...");
        table
    });
    let mut tables: [Table; 2] = [(); 2].map(|()| tables.next().unwrap());
    tables[0].keys.write_all(b"e").unwrap();
    let lone = ["8/8/8/4k3/8/8/3QK3/8 w - - 0 1", "--clock", "0.02", "--board", "none"];
    let drawn_folder = folder("drawn flag");
    let mut drawn = Table::sit_at("xterm", &drawn_folder, &lone);
    drawn.until("Time is over, and nobody can mate: a draw.");
    assert_eq!(drawn.quit(), Some(0));
    for (mut table, folder) in tables.into_iter().zip(&folders) {
        table.until("Your time is over. Black wins.");
        table.keys.write_all(b"4\n").unwrap();
        table.until("the game is over");
        assert_eq!(table.text.matches("Your time is over").count(), 1);
        assert_eq!(table.quit(), Some(0));
        let game = game(folder, "lovec-game.pgn");
        assert_eq!(game.result(), Some(GameResult::Won(Color::Black)));
        let tags = ["TimeControl", "Termination"].map(|tag| game.tag(tag));
        assert_eq!(tags, [Some("3"), Some("time forfeit")]);
    }
}

#[test]
fn an_interrupted_search_has_no_result_and_no_prompt() {
    let folder = folder("thinking");
    let arguments = ["--board", "none", "--book", "none", "--movetime", "100000"];
    let mut table = Table::sit_at("xterm", &folder, &arguments);
    table.keys.write_all(b"e4\n").unwrap();
    table.until("Lovec thinks");
    let shown = table.interrupt();
    assert!(shown.contains("The game is in lovec-game.pgn."), "{shown:?}");
    assert!(!shown.contains("1... ") && !shown.contains("Lovec: "), "{shown:?}");
    let mut table = Table::sit(&folder, &["--pgn", "lovec-game.pgn", "--side", "black"]);
    table.keys.write_all(b"hint\n").unwrap();
    table.until("hint");
    let shown = table.interrupt();
    assert!(!shown.contains("1...") && !shown.contains("interrupted"), "{shown:?}");
}

#[test]
fn a_terminal_that_goes_away_keeps_the_game() {
    let folder = folder("gone");
    let mut command = command(&["play", "--nodes", "2000", "--board", "none"]);
    command.current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let mut shown = child.stdout.take().unwrap();
    let mut buffer = [0; 4096];
    let mut text = String::new();
    while !text.ends_with("1. ") {
        let length = shown.read(&mut buffer).unwrap();
        text += str::from_utf8(&buffer[..length]).unwrap();
    }
    drop(shown);
    child.stdin.take().unwrap().write_all(b"e4\n").unwrap();
    wait(&mut child, TIMEOUT).expect("it ends");
    assert_eq!(game(&folder, "lovec-game.pgn").final_position().unwrap().plies(), 2);
}

#[test]
fn an_interruption_keeps_the_game() {
    let folder = folder("interrupted").with("lovec-game.pgn", "mine");
    let mut table = Table::sit(&folder, &["--side", "black"]);
    table.expect("e5", "Lovec: 2.");
    table.interrupt();
    assert_eq!(fs::read_to_string(folder.join("lovec-game.pgn")).unwrap(), "mine");
    let game = game(&folder, "lovec-game-2.pgn");
    assert_eq!((game.final_position().unwrap().plies(), game.result()), (3, None));
}

/// Also in a position that is given to it.
#[test]
fn a_draw_is_agreed_late_where_lovec_is_not_better_and_early_where_it_is_worse() {
    let folder = folder("draw");
    for (fen, answer) in [
        ("4k3/8/8/8/8/8/8/QQQ1K3 b - - 0 60", "Lovec declines the draw."),
        ("4kr2/8/8/8/8/8/8/R3K3 b - - 0 9", "Lovec declines the draw."),
        ("4kr2/8/8/8/8/8/8/R3K3 b - - 0 60", "Draw agreed."),
        ("qqq1k3/8/8/8/8/8/8/4K3 b - - 0 1", "Draw agreed."),
    ] {
        let mut table = Table::sit(&folder, &["--side", "black", fen]);
        table.expect("draw", answer);
        table.quit();
    }
}

/// As of another keyboard.
#[test]
fn bytes_that_are_not_utf8_are_asked_again() {
    let mut table = Table::sit(&folder("latin-1"), &[]);
    let from = table.text.len();
    table.keys.write_all(b"\xe9\n").unwrap();
    table.until_prompt(from);
    table.expect("opening", "no opening with a name");
    table.quit();
}

/// There is no file that could be written in this folder.
#[test]
fn a_game_that_cannot_be_kept_is_shown() {
    let mut command = command(&["play", "--board", "none", "--nodes", "100"]);
    let ran = run(command.current_dir("/proc"), "e4\nquit\n");
    assert!(ran.stdout.contains("\n1. e4 "), "{}", ran.stdout);
    ran.failed("cannot write lovec-game.pgn");
}
