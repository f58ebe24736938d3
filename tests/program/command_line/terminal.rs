//! On a terminal only colours and progress are different.

use std::fs::{self, File};
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;

use rustix::termios::{Winsize, tcsetwinsize};

use crate::command_line::file;
use crate::folder::{Folder, folder};
use crate::program::{command, lovec, run};
use crate::terminal::open_terminal;

/// Which of the streams is a terminal; the other one is the null device.
#[derive(Clone, Copy)]
enum Stream {
    Output,
    Error,
}

/// The width of the terminal.
const COLUMNS: u16 = 80;

/// Runs a command with a stream on a terminal and returns what was shown there.
fn on_terminal(mut command: Command, stream: Stream) -> String {
    let (master, path) = open_terminal();
    let size = Winsize { ws_row: 24, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&master, size).unwrap();
    let terminal = File::options().read(true).write(true).open(path).unwrap();
    match stream {
        Stream::Output => command.stdout(terminal).stderr(Stdio::null()),
        Stream::Error => command.stdout(Stdio::null()).stderr(terminal),
    };
    let mut child = command.env("TERM", "xterm").spawn().unwrap();
    // The terminal is closed when its last handle is.
    drop(command);
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        // Reading a closed terminal is an error.
        let _ = File::from(master).read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    child.wait().unwrap();
    reader.join().unwrap().replace("\r\n", "\n")
}

/// The text without colours.
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain += part.split_once('m').unwrap().1;
    }
    plain
}

fn is_coloured(text: &str) -> bool {
    text.contains("\u{1b}[")
}

#[test]
fn colours_are_for_terminals() {
    let folder = folder("colours");
    let suite = file(
        &folder,
        "suite.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20\n",
    );
    for arguments in [&["eval"][..], &["perft-suite", &suite]] {
        let piped = lovec(arguments).succeeded().stdout;
        let shown = on_terminal(command(arguments), Stream::Output);
        assert!(!is_coloured(&piped) && is_coloured(&shown), "{shown}");
        assert_eq!(plain(&shown), piped);
    }
    let shown = on_terminal(command(&["analyse", "startpos", "--depth", "2"]), Stream::Output);
    assert!(is_coloured(&shown), "{shown}");
    assert!(plain(&shown).contains(" r  n  b  q "), "{shown}");
    let json = on_terminal(command(&["eval", "--json"]), Stream::Output);
    assert!(!is_coloured(&json), "{json}");
}

#[test]
fn the_user_can_override_colours() {
    let mut no_color = command(&["eval"]);
    no_color.env("NO_COLOR", "1");
    assert!(!is_coloured(&on_terminal(no_color, Stream::Output)));
    let never = command(&["eval", "--color", "never"]);
    assert!(!is_coloured(&on_terminal(never, Stream::Output)));
    assert!(is_coloured(&lovec(&["eval", "--color", "always"]).succeeded().stdout));
    let forced = run(command(&["eval"]).env("CLICOLOR_FORCE", "1"), "");
    assert!(is_coloured(&forced.stdout));
}

/// The text without what Lovec itself writes to a terminal: colours, and the end, the
/// beginning and the lines before for a progress bar.
fn without_own_sequences(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap();
        assert!(["m", "K", "A", "G"].contains(&&part[end..=end]), "{part:?}");
        rest += &part[end + 1..];
    }
    rest.replace('\r', "\n")
}

/// A text that would act on a terminal in each of the known ways: a colour, a title, a control
/// of 8 bits, the reading direction, the end of a line, a cleared screen. It is short enough for
/// a name in a table, which is cut after 24 characters.
const HOSTILE: &str = "\u{1b}[31m\u{1b}]0;P\u{7}\u{9b}3m\u{202e}\u{7f}\u{8}\rx\u{1b}[2J";

/// How its colour and its title are shown.
const SHOWN: [&str; 2] = [r"\u{1b}[31m", r"\u{1b}]0;P"];

/// Writes what the hostile text can stand in: games, suites and engines. Returns the commands
/// of an engine that ends early and of one that complains before.
fn hostile_inputs(folder: &Folder) -> [String; 2] {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    let game = |white: &str, black: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n")
    };
    write("data.txt", format!("{START} 0 1 | 7 | 0.5\n"));
    write("white.pgn", game(HOSTILE, "Black"));
    write("black.pgn", game("White", HOSTILE));
    write("suite.epd", format!("{START} bm e4; id \"{HOSTILE}\";\n"));
    write("mate.epd", format!("6k1/5ppp/8/8/8/8/8/R5K1 w - - dm 1; id \"{HOSTILE}\";\n"));
    let complains = format!("printf '%s\\n' '{HOSTILE}' >&2; sleep .2; exit 3");
    [("ends", "exit 3"), ("complains", &complains)].map(|(name, more)| {
        let script = format!(
            "#!/bin/sh\nwhile read -r line; do case $line in uci) printf '%s\\n' \
             'id name {HOSTILE}' uciok;; isready) echo readyok;; go*) {more};; esac; done\n"
        );
        format!("sh '{}'", file(folder, name, &script))
    })
}

#[test]
fn text_from_outside_has_no_effect_on_a_terminal() {
    let folder = folder("foreign text");
    let [ends, complains] = hostile_inputs(&folder);
    let absent = format!("./{HOSTILE}");
    let option = format!("{HOSTILE}=1");
    let label = |engine| ["label", "data.txt", "-o", "out", "--nodes", "9", "--engine", engine];
    let annotate =
        |name, nodes| ["annotate", name, "--force", "-o", "1", "--hash", "1", "--nodes", nodes];
    let rows: [(&[&str], Stream); 20] = [
        (&annotate("white.pgn", "100"), Stream::Output),
        (&annotate("black.pgn", "100"), Stream::Output),
        (&annotate("white.pgn", "3000"), Stream::Error),
        (&annotate("black.pgn", "3000"), Stream::Error),
        (&["epd", "suite.epd", "--nodes", "100"], Stream::Output),
        (&["lab", "solve", "--epd", "mate.epd"], Stream::Output),
        (&["lab", "solve", "--epd", "suite.epd", "--nodes", "30000"], Stream::Error),
        (&label(&ends), Stream::Error),
        (&label(&complains), Stream::Error),
        (&["annotate", "white.pgn", "--force", "-o", "5", "--engine", &ends], Stream::Error),
        (&label(&absent), Stream::Error),
        (&[&label(&ends)[..], &["--option", &option]].concat(), Stream::Error),
        (&["compare", &absent, "./absent", "suite.epd"], Stream::Error),
        (&["epd", HOSTILE], Stream::Error),
        (&["annotate", HOSTILE, "--force", "-o", "6"], Stream::Error),
        (&["analyse", "--pgn", HOSTILE], Stream::Error),
        (&["analyse", HOSTILE], Stream::Error),
        (&["tune", HOSTILE], Stream::Error),
        (&["bench", HOSTILE], Stream::Error),
        (&[HOSTILE], Stream::Error),
    ];
    for (arguments, stream) in rows {
        let mut command = command(arguments);
        command.current_dir(&folder);
        let text = without_own_sequences(&on_terminal(command, stream));
        let raw = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..'\u{2070}').contains(&c);
        assert!(!text.contains(raw), "{arguments:?}: {text:?}");
        // The messages on wrong usage are coloured, and a colour in an argument may be one of
        // theirs.
        let is_usage = arguments.len() < 3 && ["bench", HOSTILE].contains(&arguments[0]);
        let shown = &SHOWN[usize::from(is_usage)..];
        assert!(shown.iter().all(|part| text.contains(part)), "{arguments:?}: {text:?}");
    }
    // JSON has the text itself, in its own escapes.
    let mut json = command(&["epd", "suite.epd", "--nodes", "100", "--json"]);
    json.current_dir(&folder);
    let text = on_terminal(json, Stream::Output);
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(json.to_string().contains(&serde_json::to_string(HOSTILE).unwrap()), "{text}");
}

#[test]
fn progress_is_for_terminals_and_stays_on_its_line() {
    let folder = folder("bar");
    let name = "a long name ".repeat(20);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let suite = file(&folder, "suite.epd", &format!("{start} bm e4; id \"{name}\";\n").repeat(3));
    let game = format!("[White \"{name}\"]\n[Black \"王{name}\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n");
    let games = file(&folder, "game.pgn", &game);
    let output = folder.join("out.pgn");
    let perft = ["perft", "4", "--divide"];
    for (arguments, words) in [
        (&["lab", "solve", "--epd", &suite, "--nodes", "50000"][..], " left"),
        (&["annotate", &games, "-o", output.to_str().unwrap(), "--nodes", "10000"], " left"),
        (&perft, "million nodes/s"),
        (&["explain", "startpos", "a3", "--nodes", "200000"], "searching"),
        (&["analyse", "startpos", "--movetime", "500", "--json"], "searching"),
    ] {
        let shown = without_own_sequences(&on_terminal(command(arguments), Stream::Error));
        let widths = shown.lines().map(|line| line.chars().count());
        assert!(widths.max() <= Some(COLUMNS.into()), "{arguments:?}: {shown:?}");
        assert!(shown.contains(words), "{arguments:?}: {shown:?}");
        // How long the searches of an explanation take is not known.
        let is_known = arguments[0] != "explain";
        assert_eq!(shown.contains(" left"), is_known, "{arguments:?}: {shown:?}");
    }
    let ran = lovec(&perft).succeeded();
    assert_eq!((&*ran.stderr, ran.last_line()), ("", "Nodes searched: 197281"));
}
