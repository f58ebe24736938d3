//! The boundary of the fifty-move rule: no win is claimed that comes too late, and none thrown
//! away that comes in time.
//!
//! The truth is from Syzygy tables as the crate reads them, and from a search of (position,
//! counter) where the rounding of their distances leaves the last ply open.

use std::collections::{BTreeMap, HashMap};
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Role, Setup,
    Square,
};
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use shakmaty_syzygy::{Tablebase, Wdl};

use crate::folder::folder;
use crate::program::lovec;
use crate::session::{Answer, Session};

/// A score beyond this claims a win.
const CLAIM: i64 = 500;
/// How many positions may be visited for one answer.
const MAX_VISITED: u32 = 300_000;
/// The endings that only a mate wins: the loser's capture draws, and there is no other move
/// that starts the count again. The last ply is the winner's.
const MATES_ONLY: [&str; 4] = ["KRvK", "KQvK", "KBNvK", "KBBvK"];

/// Wins under the fifty-move rule.
struct Truth {
    tables: Tablebase<Chess>,
    /// By position; the plies that are left follow from the table.
    known: HashMap<u64, bool>,
    visited: u32,
    ending: String,
}

/// Files that are read whole.
struct Whole;

struct Bytes(Vec<u8>);

impl Filesystem for Whole {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        Ok(fs::metadata(path)?.len())
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        Ok(Box::new(Bytes(fs::read(path)?)))
    }
}

impl RandomAccessFile for Bytes {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let rest = self.0.get(offset as usize..).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}

impl Truth {
    fn new(directory: &Path) -> Self {
        let mut tables = Tablebase::with_filesystem(Arc::new(Whole));
        tables.add_directory(directory).unwrap();
        Self { tables, known: HashMap::new(), visited: 0, ending: String::new() }
    }

    /// Whether `winner` wins, after `made` plies without a capture or pawn move. `None` if too
    /// many positions would have to be visited.
    fn wins(&mut self, position: &Chess, made: i32, winner: Color) -> Option<bool> {
        if position.is_checkmate() {
            return Some(position.turn() != winner);
        }
        if made >= 100 || position.legal_moves().is_empty() {
            return Some(false);
        }
        let sign = if position.turn() == winner { 1 } else { -1 };
        if made == 0 {
            let wdl = self.tables.probe_wdl_after_zeroing(position).unwrap();
            return Some(if sign > 0 { wdl == Wdl::Win } else { wdl == Wdl::Loss });
        }
        // A distance may be a ply longer than the tables say, unless the last ply must be the
        // winner's.
        let distance = self.tables.probe_dtz(position).unwrap();
        let mut least = sign * i32::from(distance.ignore_rounding());
        let mates_only = MATES_ONLY.contains(&self.ending.as_str());
        if mates_only && least > 0 && (least % 2 == 1) != (sign > 0) {
            least += 1;
        }
        let left = 100 - made;
        let is_exact = mates_only || (sign > 0 && distance.precise().is_some());
        if least <= 0 || least != left || is_exact {
            return Some((1..=left).contains(&least));
        }
        let key = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        self.visited += 1;
        if self.visited > MAX_VISITED {
            return None;
        }
        let is_winners = sign > 0;
        let mut wins = !is_winners;
        for m in position.legal_moves() {
            let made = if m.is_zeroing() { 0 } else { made + 1 };
            if self.wins(&position.clone().play(m).unwrap(), made, winner)? == is_winners {
                wins = is_winners;
                break;
            }
        }
        self.known.insert(key, wins);
        Some(wins)
    }
}

fn pieces(side: &str, color: Color) -> impl Iterator<Item = Piece> {
    side.chars().map(move |c| Role::from_char(c).unwrap().of(color))
}

/// A random legal position of an ending such as `KRvKP`.
fn random_position(ending: &str, random: &mut StdRng) -> Option<Chess> {
    let (strong, weak) = ending.split_once('v').unwrap();
    let color = *[Color::White, Color::Black].choose(random).unwrap();
    let mut squares: Vec<Square> = Square::ALL.to_vec();
    squares.shuffle(random);
    let mut board = Board::empty();
    for (square, piece) in squares.iter().zip(pieces(strong, color).chain(pieces(weak, !color))) {
        board.set_piece_at(*square, piece);
    }
    let turn = *[Color::White, Color::Black].choose(random).unwrap();
    let setup = Setup { board, turn, ..Setup::empty() };
    let position = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    (!position.legal_moves().is_empty()).then_some(position)
}

/// A position whose distance and counter add up to 99, 100 or 101, its counter and winner.
struct Boundary {
    position: Chess,
    made: i32,
    winner: Color,
}

impl Boundary {
    fn random(ending: &str, truth: &Truth, random: &mut StdRng) -> Option<Self> {
        for _ in 0..3_000 {
            let Some(position) = random_position(ending, random) else { continue };
            let dtz = i32::from(truth.tables.probe_dtz(&position).unwrap().ignore_rounding());
            let made = 99 + random.random_range(0..3) - dtz.abs();
            if dtz.abs() > 1 && (1..100).contains(&made) {
                let winner = if dtz > 0 { position.turn() } else { !position.turn() };
                return Some(Self { position, made, winner });
            }
        }
        None
    }

    fn fen(&self) -> String {
        let setup = self.position.to_setup(EnPassantMode::Legal);
        let setup = Setup { halfmoves: self.made as u32, ..setup };
        Fen::try_from(setup).unwrap().to_string()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    positions: u32,
    won: u32,
    /// With too many positions to visit for an answer.
    unknown: u32,
    false_wins: u32,
    lost_wins: u32,
    lost_draws: u32,
}

/// The score of the winner of the table, in centipawns.
fn score_of(answer: &Answer, sign: i64) -> i64 {
    let text = answer.score();
    let (kind, number) = text.split_once(' ').unwrap();
    let number: i64 = number.parse().unwrap();
    sign * if kind == "mate" { number.signum() * 30_000 } else { number }
}

/// Plays a move in random positions of an ending, and compares it with the truth.
fn try_ending(ending: &str, count: u32, truth: &mut Truth, session: &mut Session) -> Counts {
    let seed = ending.bytes().fold(0, |seed, byte| seed * 31 + u64::from(byte));
    let mut random = StdRng::seed_from_u64(seed);
    let mut counts = Counts::default();
    let nodes = env::var("LOVEC_NODES").unwrap_or_else(|_| "2000".to_owned());
    truth.known.clear();
    ending.clone_into(&mut truth.ending);
    for _ in 0..count {
        let Some(boundary) = Boundary::random(ending, truth, &mut random) else { break };
        let &Boundary { ref position, made, winner } = &boundary;
        truth.visited = 0;
        let Some(won) = truth.wins(position, made, winner) else {
            counts.unknown += 1;
            continue;
        };
        let fen = boundary.fen();
        session.send("ucinewgame");
        session.position(&format!("fen {fen}"));
        let answer = session.go(&format!("go nodes {nodes}"));
        let is_winners = position.turn() == winner;
        let score = score_of(&answer, if is_winners { 1 } else { -1 });
        let m = answer.best.parse::<UciMove>().unwrap().to_move(position).unwrap();
        let after = position.clone().play(m).unwrap();
        let made = if m.is_zeroing() { 0 } else { made + 1 };
        let Some(still_won) = truth.wins(&after, made, winner) else { continue };
        let certain = answer.field("wdl", 3)[if is_winners { 0 } else { 2 }] == "1000";
        // The loser's move that fails low says nothing of the others.
        let is_bound = !is_winners && answer.last().contains(" upperbound ");
        let is_false_win = !won && !is_bound && (score >= CLAIM || certain);
        let is_lost_win = won && is_winners && !still_won;
        let is_lost_draw = !won && !is_winners && still_won;
        if is_false_win || is_lost_win || is_lost_draw {
            println!("{ending}: {fen}: {} {score}, won {won}, then {still_won}", answer.best);
        }
        counts.positions += 1;
        counts.won += u32::from(won);
        counts.false_wins += u32::from(is_false_win);
        counts.lost_wins += u32::from(is_lost_win);
        counts.lost_draws += u32::from(is_lost_draw);
    }
    counts
}

/// A session with the tables to try.
fn start(directory: &Path, own: Option<&Path>) -> Session {
    let mut session = Session::start();
    session.set("UCI_ShowWDL", "true");
    session.set("Hash", "1");
    match own {
        Some(own) => session.send(&format!("setoption name EgtbPath value {}", own.display())),
        None => session.send(&format!("setoption name SyzygyPath value {}", directory.display())),
    }
    session.sync();
    session
}

fn try_endings(directory: &Path, own: Option<&Path>, endings: &[&str], count: u32) {
    let mut truth = Truth::new(directory);
    let mut faults = BTreeMap::new();
    for &ending in endings {
        // A session lives for ten minutes.
        let mut session = start(directory, own);
        let counts = try_ending(ending, count, &mut truth, &mut session);
        println!("{ending}: {counts:?}");
        let Counts { false_wins, lost_wins, lost_draws, .. } = counts;
        if [false_wins, lost_wins, lost_draws] != [0; 3] {
            faults.insert(ending, counts);
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

fn test_tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy")
}

/// The endings with distances among the tables of the tests.
#[test]
fn syzygy_tables_at_the_boundary() {
    let endings = ["KRvK", "KQvK", "KPvK", "KQvKR", "KRvKB", "KRvKP", "KPvKP"];
    try_endings(&test_tables(), None, &endings, 5);
}

/// Own tables know the draws exactly where only a mate could win.
#[test]
fn own_tables_at_the_boundary() {
    let folder = folder("own tables at the boundary");
    lovec(&["egtb", "build", "KRK", "KQK", "-o", folder.to_str().unwrap()]).succeeded();
    try_endings(&test_tables(), Some(&folder), &["KRvK", "KQvK", "KPvK"], 40);
}

/// All endings of a directory, or those in `LOVEC_ENDINGS`: `LOVEC_SYZYGY` names one with
/// Syzygy tables, `LOVEC_OWN_TABLES` perhaps one with own tables, which are then tried,
/// `LOVEC_POSITIONS` the number of positions of each ending, `LOVEC_NODES` the nodes of each
/// search. The forced sacrifices that win with own tables need more nodes than 2 000.
#[test]
#[ignore = "needs all tables of three and four pieces, in the directory LOVEC_SYZYGY"]
fn all_endings_at_the_boundary() {
    let directory = PathBuf::from(env::var_os("LOVEC_SYZYGY").expect("LOVEC_SYZYGY"));
    let own = env::var_os("LOVEC_OWN_TABLES").map(PathBuf::from);
    let count = env::var("LOVEC_POSITIONS").map_or(1000, |count| count.parse().unwrap());
    let wanted = env::var("LOVEC_ENDINGS").ok();
    let names = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = names
        .filter(|path| path.extension().is_some_and(|end| end == "rtbz"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| {
            name.len() <= 5 && wanted.as_ref().is_none_or(|it| it.split(' ').any(|it| it == name))
        })
        .collect();
    names.sort();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    try_endings(&directory, own.as_deref(), &names, count);
}
