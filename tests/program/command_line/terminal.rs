//! On a terminal only colours and progress are different.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;

use crate::command_line::file;
use crate::folder::folder;
use crate::program::{command, lovec, run};
use crate::terminal::open_terminal;

/// Which of the streams is a terminal; the other one is the null device.
#[derive(Clone, Copy)]
enum Stream {
    Output,
    Error,
}

/// Runs a command with a stream on a terminal and returns what was shown there.
fn on_terminal(mut command: Command, stream: Stream) -> String {
    let (master, path) = open_terminal();
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
    assert!(plain(&shown).contains("| r | n | b | q |"), "{shown}");
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

#[test]
fn progress_is_for_terminals() {
    let arguments = ["perft", "4", "--divide"];
    let shown = on_terminal(command(&arguments), Stream::Error);
    assert!(shown.contains("million nodes/s") && shown.contains(" left"), "{shown:?}");
    let ran = lovec(&arguments).succeeded();
    assert_eq!(ran.stderr, "");
    assert_eq!(ran.last_line(), "Nodes searched: 197281");
}
