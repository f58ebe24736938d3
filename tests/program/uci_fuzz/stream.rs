//! A stream: what is sent, and where the sender pauses.

use std::fmt;
use std::fs;
use std::sync::LazyLock;

use lovec::book::{BookEntry, EncodedMove, builder, key};
use lovec::chess::Position;

use crate::session::Session;
use crate::uci_fuzz::reading::{Command, Expected, command};

/// Some bytes, usually a line with its end.
#[derive(Clone, Debug)]
pub struct Piece {
    pub bytes: Vec<u8>,
    /// Whether the sender reads for a moment before it goes on, as most clients do.
    pub pause: bool,
}

/// Pieces to be sent one after the other, none of them harmful.
#[derive(Clone)]
pub struct Stream {
    pub pieces: Vec<Piece>,
    pub expected: Expected,
}

impl Stream {
    /// Drops harmful commands and everything after `quit`. Ends the last line.
    pub fn new(pieces: Vec<Piece>) -> Self {
        let mut bytes = Vec::new();
        // Where the pauses are; a piece need not end where a line does.
        let mut pauses = Vec::new();
        for piece in pieces {
            bytes.extend(piece.bytes);
            if piece.pause {
                pauses.push(bytes.len());
            }
        }
        let mut pauses = pauses.into_iter().peekable();
        let mut stream = Self { pieces: Vec::new(), expected: Expected::default() };
        let mut seen = 0;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let start = seen;
            seen += line.len();
            let harmless = is_harmless(&String::from_utf8_lossy(line));
            let mut sent = start;
            while let Some(pause) = pauses.next_if(|&pause| pause <= seen) {
                if harmless && pause > sent {
                    stream.push(&bytes[sent..pause], true);
                    sent = pause;
                }
            }
            if harmless {
                stream.push(&bytes[sent..seen], false);
                stream.expected.add(line);
            }
            if stream.expected.quit {
                break;
            }
        }
        stream.push(b"\n", false);
        stream
    }

    fn push(&mut self, bytes: &[u8], pause: bool) {
        if !bytes.is_empty() {
            self.pieces.push(Piece { bytes: bytes.to_vec(), pause });
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.pieces {
            let end = if piece.pause { "  ...\n" } else { "\n" };
            write!(f, "    \"{}\"{end}", piece.bytes.escape_ascii())?;
        }
        Ok(())
    }
}

/// Log files: one to which all streams append, and others that are refused.
pub const LOG_FILES: [&str; 6] = [
    "",
    "<empty>",
    concat!(env!("CARGO_TARGET_TMPDIR"), "/uci_fuzz.log"),
    "/dev/null",
    "/",
    "/nowhere/to/be/found",
];

/// Opening books: one with the first moves of a game and an illegal move, and files that
/// are not books.
pub fn book_files() -> &'static [String] {
    static FILES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let position = Position::startpos();
        let moves = position.legal_moves().into_iter().map(EncodedMove::from);
        let key = key(&position).unwrap();
        let entries: Vec<BookEntry> = moves
            .chain([EncodedMove(0)])
            .map(|m| BookEntry { key, m, weight: 1, learn: 0 })
            .collect();
        let book = concat!(env!("CARGO_TARGET_TMPDIR"), "/uci_fuzz_book.bin");
        fs::write(book, builder::to_bytes(&entries)).unwrap();
        let none = ["", "<empty>", "/", "/dev/zero", "/nowhere/to/be/found"];
        [book, book].into_iter().chain(none).map(str::to_owned).collect()
    });
    &FILES
}

/// Whether a line writes no file and takes little memory and few threads.
fn is_harmless(line: &str) -> bool {
    let Some(Command::SetOption(name, value)) = command(line) else { return true };
    let number = value.as_ref().and_then(|value| value.parse::<i64>().ok());
    match name.as_str() {
        "hash" => number.is_none_or(|mib| !(65..1 << 20).contains(&mib)),
        "threads" => number.is_none_or(|threads| !(5..=1024).contains(&threads)),
        "debug log file" => value.is_none_or(|path| LOG_FILES.contains(&path.as_str())),
        _ => true,
    }
}

/// An option in the answer to `uci`.
#[derive(Clone, Debug)]
pub struct EngineOption {
    pub name: String,
    pub kind: String,
    pub bounds: Option<(i64, i64)>,
}

/// The options of the engine.
pub fn engine_options() -> &'static [EngineOption] {
    static OPTIONS: LazyLock<Vec<EngineOption>> = LazyLock::new(|| {
        let mut session = Session::start();
        session.uci().iter().filter_map(|line| parse_option(line)).collect()
    });
    &OPTIONS
}

fn parse_option(line: &str) -> Option<EngineOption> {
    let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
    let words: Vec<&str> = rest.split(' ').collect();
    let bound = |name| {
        let place = words.iter().position(|&word| word == name)?;
        words.get(place + 1)?.parse().ok()
    };
    let bounds = bound("min").zip(bound("max"));
    Some(EngineOption { name: name.to_owned(), kind: words[0].to_owned(), bounds })
}
