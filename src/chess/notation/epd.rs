//! Extended Position Description (S. J. Edwards, PGN standard, 1994, section 16.2): a
//! position and named facts about it.
//!
//! A line holds the first four fields of a FEN and then operations, each an
//! opcode with operands and a semicolon:
//!
//! ```text
//! 1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400
//! ```
//!
//! The second line is of a perft suite, where the counters of a FEN stand before
//! operations named `D` and a depth; a number cannot be an opcode, so one reader
//! does for both. [`Epd`] reads the counters from `hmvc` and `fmvn` where they do not
//! stand before the operations, and the opcodes of test suites (`bm`, `am`, `dm`, and
//! points for moves in `c0`), [`PerftEntry`] the opcodes of perft suites. Suites of mates
//! have `dm 3;` or, instead of a move, `bm #3;`.

use std::str::FromStr;

use thiserror::Error;

use crate::chess::moves::Move;
use crate::chess::notation::excerpt;
use crate::chess::notation::fen::{FenError, FenWarning};
use crate::chess::notation::quoted;
use crate::chess::notation::san::{self, SanError};
use crate::chess::perft::MAX_DEPTH;
use crate::chess::position::Position;

/// The operations that hold the counters, with the number of fields before each in a FEN.
const COUNTERS: [(usize, &str); 2] = [(4, "hmvc"), (5, "fmvn")];

/// What stands before the number of moves to mate among the operands of `bm`.
const MATE_SIGN: char = '#';

/// The longest line, in bytes. Its operations take some fifty times as much memory.
const MAX_LINE_BYTES: usize = 64 << 10;

/// Why a line is not an EPD, or not one of the kind wanted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EpdError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("a game in PGN begins here; a FEN or an EPD on each line is expected")]
    Game,
    #[error("EPD: {length} bytes long, more than {MAX_LINE_BYTES}")]
    TooLong { length: usize },
    #[error("operation {opcode}: a quotation mark is not closed")]
    OpenQuotation { opcode: String },
    #[error("operation {opcode}: {cause}")]
    Move { opcode: String, cause: SanError },
    #[error("operation {opcode}: {operand:?} is not a number of moves to mate")]
    Mate { opcode: String, operand: String },
    #[error("operation {opcode}: {operand:?} is not a node count")]
    NodeCount { opcode: String, operand: String },
    #[error("operation {opcode}: a depth is at most {MAX_DEPTH}")]
    Depth { opcode: String },
    #[error("no node counts (D1 20; D2 400; …)")]
    NoNodeCounts,
}

/// One line of a test suite.
///
/// ```
/// use lovec::chess::notation::epd::Epd;
/// let epd: Epd = "6k1/5ppp/8/8/8/8/8/K6R w - - bm Rd1; id \"x\";".parse().unwrap();
/// assert_eq!(epd.id(), Some("x"));
/// assert_eq!(epd.best_moves().unwrap().len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Epd {
    pub position: Position,
    pub operations: Vec<Operation>,
}

/// A named fact about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    pub opcode: String,
    /// Words, or the texts that stood in quotation marks.
    pub operands: Vec<String>,
}

/// One line of a perft suite.
///
/// ```
/// use lovec::chess::notation::epd::PerftEntry;
/// let entry: PerftEntry = "8/8/8/8/8/8/8/K1k5 w - - ;D1 1 ;D2 4".parse().unwrap();
/// assert_eq!(entry.counts, [(1, 1), (2, 4)]);
/// ```
#[derive(Clone, Debug)]
pub struct PerftEntry {
    pub position: Position,
    /// Depths and the number of leaves expected at each, in the order given.
    pub counts: Vec<(u32, u64)>,
}

/// The lines of a suite that hold an entry, with their numbers from 1. Empty
/// lines and lines that begin with `#` are left out.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines().map(str::trim_ascii))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

impl FromStr for Epd {
    type Err = EpdError;

    /// Reads a line and ignores the warnings.
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Self::parse_with_warnings(line).map(|(epd, _)| epd)
    }
}

impl Epd {
    /// Reads a line, and says what was changed in the position to make it valid.
    pub fn parse_with_warnings(line: &str) -> Result<(Self, Vec<FenWarning>), EpdError> {
        if line.starts_with('[') {
            return Err(EpdError::Game);
        }
        if line.len() > MAX_LINE_BYTES {
            return Err(EpdError::TooLong { length: line.len() });
        }
        let (fen, operations) = split_position(line);
        let operations = parse_operations(operations);
        let mut fen = fen.to_owned();
        for (fields, opcode) in COUNTERS {
            if fen.split_ascii_whitespace().count() == fields {
                let operands = operations.as_ref().ok().and_then(|all| operands(all, opcode));
                fen.push(' ');
                fen += operands.and_then(<[String]>::first).map_or("0", String::as_str);
            }
        }
        let (position, warnings) = Position::from_fen_with_warnings(&fen)?;
        Ok((Self { position, operations: operations? }, warnings))
    }

    /// The operands of the first operation of this name.
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        operands(&self.operations, opcode)
    }

    /// Forgets all operations except the name: a suite may have very many of them.
    #[must_use]
    pub fn with_name_alone(mut self) -> Self {
        let name = self.id().map(str::to_owned);
        let operation = |name| Operation { opcode: "id".to_owned(), operands: vec![name] };
        self.operations = name.into_iter().map(operation).collect();
        self
    }

    /// The name of the position.
    pub fn id(&self) -> Option<&str> {
        self.operands("id")?.first().map(String::as_str)
    }

    /// The moves that solve the position (`bm`), empty without this operation. A
    /// [mate](Epd::mate) is none.
    pub fn best_moves(&self) -> Result<Vec<Move>, EpdError> {
        self.moves("bm", |text| !text.starts_with(MATE_SIGN))
    }

    /// The moves to avoid (`am`), empty without this operation.
    pub fn avoid_moves(&self) -> Result<Vec<Move>, EpdError> {
        self.moves("am", |_| true)
    }

    /// The number of moves in which the side to move mates (`dm 3` or `bm #3`), negative if it
    /// is mated (`bm #-3`).
    pub fn mate(&self) -> Result<Option<i32>, EpdError> {
        let direct = self.operands("dm").map(|it| ("dm", it.first().map_or("", String::as_str)));
        let mut best = self.operands("bm").unwrap_or_default().iter();
        let in_best = || best.find_map(|text| Some(("bm", text.strip_prefix(MATE_SIGN)?)));
        let Some((opcode, text)) = direct.or_else(in_best) else { return Ok(None) };
        match text.parse() {
            Ok(moves) if moves != 0 => Ok(Some(moves)),
            _ => Err(EpdError::Mate { opcode: opcode.to_owned(), operand: excerpt(text) }),
        }
    }

    /// Moves and their points, from a comment such as `c0 "f5=10, Be5+=2"`. A
    /// comment of any other form gives none.
    pub fn points(&self) -> Result<Vec<(Move, u32)>, EpdError> {
        let Some(comment) = self.operands("c0").and_then(<[String]>::first) else {
            return Ok(Vec::new());
        };
        // From the last sign on: a promotion has one of its own.
        let split = |entry: &str| {
            let (san, points) = entry.trim_ascii().rsplit_once('=')?;
            Some((san.trim_ascii().to_owned(), points.trim_ascii().parse::<u32>().ok()?))
        };
        let Some(entries) = comment.split(',').map(split).collect::<Option<Vec<_>>>() else {
            return Ok(Vec::new());
        };
        entries.into_iter().map(|(san, points)| Ok((self.legal("c0", &san)?, points))).collect()
    }

    fn moves(&self, opcode: &str, is_move: fn(&str) -> bool) -> Result<Vec<Move>, EpdError> {
        let operands = self.operands(opcode).unwrap_or_default();
        let moves = operands.iter().filter(|text| is_move(text));
        moves.map(|san| self.legal(opcode, san)).collect()
    }

    fn legal(&self, opcode: &str, text: &str) -> Result<Move, EpdError> {
        san::parse(&self.position, text)
            .map_err(|cause| EpdError::Move { opcode: opcode.to_owned(), cause })
    }
}

impl FromStr for PerftEntry {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let epd: Epd = line.parse()?;
        let mut counts = Vec::new();
        for Operation { opcode, operands } in epd.operations {
            let depth: Option<u32> = opcode.strip_prefix('D').and_then(|depth| depth.parse().ok());
            let Some(depth) = depth else { continue };
            if depth > MAX_DEPTH {
                return Err(EpdError::Depth { opcode: excerpt(&opcode) });
            }
            let operand = operands.first().map_or("", String::as_str);
            let nodes = operand.parse().map_err(|_| EpdError::NodeCount {
                opcode: excerpt(&opcode),
                operand: excerpt(operand),
            })?;
            counts.push((depth, nodes));
        }
        if counts.is_empty() {
            return Err(EpdError::NoNodeCounts);
        }
        Ok(Self { position: epd.position, counts })
    }
}

fn operands<'a>(operations: &'a [Operation], opcode: &str) -> Option<&'a [String]> {
    let operation = operations.iter().find(|operation| operation.opcode == opcode)?;
    Some(&operation.operands)
}

/// Splits a line into the FEN at its beginning and the operations: after the fourth
/// field, or after the counters if some follow.
fn split_position(line: &str) -> (&str, &str) {
    let limit = line.find(';').unwrap_or(line.len());
    let mut end = 0;
    for place in 0..6 {
        let rest = &line[end..limit];
        let field = rest.trim_ascii_start();
        let start = end + (rest.len() - field.len());
        let length = field.find(|c: char| c.is_ascii_whitespace()).unwrap_or(field.len());
        let field = &field[..length];
        let is_counter = field.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
        if field.is_empty() || place >= 4 && !is_counter {
            break;
        }
        end = start + length;
    }
    line.split_at(end)
}

fn parse_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut words = Vec::new();
    let mut rest = text.trim_ascii_start();
    while let Some(first) = rest.chars().next() {
        rest = match first {
            ';' => {
                operations.extend(operation(&mut words));
                &rest[1..]
            }
            '"' => {
                let Some((text, after)) = quoted::split(&rest[1..]) else {
                    let opcode = words.first().map_or_else(String::new, |word| excerpt(word));
                    return Err(EpdError::OpenQuotation { opcode });
                };
                words.push(quoted::read(text));
                after
            }
            _ => {
                let ends = |c: char| c.is_ascii_whitespace() || matches!(c, ';' | '"');
                let (word, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
                words.push(word.to_owned());
                after
            }
        }
        .trim_ascii_start();
    }
    operations.extend(operation(&mut words));
    Ok(operations)
}

/// The words up to a semicolon; nothing between two semicolons is no operation.
fn operation(words: &mut Vec<String>) -> Option<Operation> {
    let mut words = std::mem::take(words).into_iter();
    Some(Operation { opcode: words.next()?, operands: words.collect() })
}
