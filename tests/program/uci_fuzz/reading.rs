//! What a stream asks for, read independently of the engine.

/// A line as far as the answers to it are concerned.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    Uci,
    IsReady,
    Go,
    Quit,
    /// The option's name in small letters, and its value.
    SetOption(String, Option<String>),
    /// Answered by a drawing or a table, which may be indented.
    Talk,
    /// Another that is known. Whatever it says is an `info string` or a count.
    Other,
}

/// Words that begin a command. Everything before them is skipped.
const COMMANDS: [&str; 16] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "bench",
    "perft",
    "help",
];

fn is_separator(c: char) -> bool {
    c.is_ascii_control() || c == ' '
}

/// What a line asks for, if anything.
pub fn command(line: &str) -> Option<Command> {
    let line = line.trim_start_matches('\u{feff}');
    let words: Vec<&str> = line.split(is_separator).filter(|word| !word.is_empty()).collect();
    if words.first()?.starts_with('#') {
        return None;
    }
    let place = words.iter().position(|word| COMMANDS.contains(word))?;
    let arguments = &words[place + 1..];
    Some(match words[place] {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "go" if !arguments.contains(&"perft") => Command::Go,
        "quit" => Command::Quit,
        "d" | "eval" | "help" | "bench" => Command::Talk,
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
    /// Whether lines may be blank or indented.
    pub talk: bool,
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
                Command::Talk => self.talk = true,
                Command::Quit => self.quit = true,
                Command::SetOption(..) | Command::Other => {}
            }
        }
    }
}

/// Why a line of the engine is not as it should be, if it is not.
pub fn fault(line: &str, talk: bool) -> Option<&'static str> {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["readyok"] | ["uciok"] => None,
        ["bestmove", "(none)"] => None,
        ["bestmove", best] if is_move(best) => None,
        ["bestmove", best, "ponder", ponder] if is_move(best) && is_move(ponder) => None,
        ["info", "string", _, ..] => None,
        ["info", "depth", ..] => info_fault(&words[1..]),
        ["id", "name" | "author", _, ..] => None,
        ["option", "name", _, ..] if words.contains(&"type") => None,
        // The counts of perft.
        [m, count] if is_move(m.strip_suffix(':').unwrap_or("")) && is_number(count) => None,
        ["Nodes", "searched:", count] if is_number(count) => None,
        ["bestmove" | "info" | "readyok" | "uciok" | "id" | "option", ..] => Some("malformed"),
        _ if talk => None,
        _ if line.trim().is_empty() => Some("blank"),
        _ if line.starts_with(char::is_whitespace) => Some("indented"),
        _ => Some("unknown"),
    }
}

fn is_number(word: &str) -> bool {
    word.parse::<u64>().is_ok()
}

fn is_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let square = |bytes: &[u8]| matches!(bytes, [file, rank] if (b'a'..=b'h').contains(file) && (b'1'..=b'8').contains(rank));
    (4..=5).contains(&bytes.len())
        && square(&bytes[..2])
        && square(&bytes[2..4])
        && bytes.get(4).is_none_or(|piece| b"qrbn".contains(piece))
}

/// Reads a line of the search field by field.
fn info_fault(words: &[&str]) -> Option<&'static str> {
    let mut words = words.iter().copied().peekable();
    while let Some(name) = words.next() {
        let right = match name {
            "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "hashfull" | "time" | "tbhits"
            | "currmovenumber" => words.next().is_some_and(is_number),
            "currmove" => words.next().is_some_and(is_move),
            "score" => {
                let kind = words.next().is_some_and(|kind| kind == "cp" || kind == "mate");
                let value = words.next().is_some_and(|value| value.parse::<i32>().is_ok());
                words.next_if(|&bound| bound == "lowerbound" || bound == "upperbound");
                kind && value
            }
            "wdl" => (0..3).all(|_| words.next().is_some_and(is_number)),
            "pv" => {
                let line: Vec<&str> = words.by_ref().collect();
                !line.is_empty() && line.into_iter().all(is_move)
            }
            _ => false,
        };
        if !right {
            return Some("malformed");
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_as_the_engine_reads_them() {
        assert_eq!(command("joho go depth 3"), Some(Command::Go));
        assert_eq!(command("go infinite perft 3"), Some(Command::Other));
        assert_eq!(command("# go"), None);
        assert_eq!(command("\0isready\r"), Some(Command::IsReady));
        let option = Command::SetOption("hash".to_owned(), Some("16 17".to_owned()));
        assert_eq!(command("setoption name Hash value 16\t17"), Some(option));
    }

    #[test]
    fn lines_of_the_engine() {
        for line in [
            "bestmove e2e4 ponder a7a8q",
            "info depth 0 score mate 0",
            "info depth 3 seldepth 4 multipv 1 score cp -5 upperbound nodes 9 nps 9 hashfull 0 \
             time 0 pv e2e4 e7e5",
            "info depth 3 currmove e2e4 currmovenumber 1",
            "e2e4: 20",
        ] {
            assert_eq!(fault(line, false), None, "{line}");
        }
        for line in [
            "",
            " info string x",
            "info",
            "info depth -1 score cp 0",
            "info depth 1 score cp 0 pv",
            "bestmove",
            "bestmove e2e9",
            "bestmove (none) ponder e2e4",
            "thread panicked",
        ] {
            assert!(fault(line, false).is_some(), "{line}");
        }
    }
}
