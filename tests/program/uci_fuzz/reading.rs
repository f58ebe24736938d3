//! The answers that a stream requires, read independently of the engine.

/// A line as far as the answers to it are concerned.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    Uci,
    IsReady,
    Go,
    Quit,
    /// The option's name in small letters, and its value.
    SetOption(String, Option<String>),
    /// Answered by a diagram or a table.
    Drawing,
    /// Any other command, answered by `info string` or counts at most.
    Other,
}

/// Words that begin a command. Everything before them is skipped.
const COMMANDS: &str = "uci debug isready setoption register ucinewgame position go stop \
                        ponderhit quit d eval bench perft help";

fn is_separator(c: char) -> bool {
    c.is_ascii_control() || c == ' '
}

/// The command of a line, if there is one.
pub fn command(line: &str) -> Option<Command> {
    let line = line.trim_start_matches('\u{feff}');
    let words: Vec<&str> = line.split(is_separator).filter(|word| !word.is_empty()).collect();
    if words.first()?.starts_with('#') {
        return None;
    }
    let place = words.iter().position(|&word| COMMANDS.split(' ').any(|name| name == word))?;
    let arguments = &words[place + 1..];
    Some(match words[place] {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "go" if !arguments.contains(&"perft") => Command::Go,
        "quit" => Command::Quit,
        "d" | "eval" | "help" | "bench" => Command::Drawing,
        "setoption" => {
            let split = arguments.iter().position(|&word| word == "value");
            let name = arguments.get(1..split.unwrap_or(arguments.len()));
            let value = split.map(|place| arguments[place + 1..].join(" "));
            Command::SetOption(name.unwrap_or_default().join(" ").to_ascii_lowercase(), value)
        }
        _ => Command::Other,
    })
}

/// How often each answer must come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    pub best_moves: usize,
    pub ready: usize,
    pub uci_ok: usize,
    pub quit: bool,
    pub commands: usize,
}

impl Expected {
    pub fn add(&mut self, bytes: &[u8]) {
        for line in bytes.split(|&byte| byte == b'\n') {
            let text = String::from_utf8_lossy(line);
            let Some(command) = command(&text) else { continue };
            self.commands += 1;
            match command {
                Command::Uci => self.uci_ok += 1,
                Command::IsReady => self.ready += 1,
                Command::Go => self.best_moves += 1,
                Command::Quit => self.quit = true,
                Command::SetOption(..) | Command::Drawing | Command::Other => {}
            }
        }
    }
}
