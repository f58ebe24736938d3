//! R. de Man's Syzygy tables, read by the crate shakmaty-syzygy.
//!
//! Each ending has a file with the outcome (WDL) and one with the plies to the winner's
//! next capture or pawn move (DTZ, the distance to zeroing the fifty-move counter).
//! Both respect the fifty-move rule.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::{env, fmt, mem};

#[cfg(unix)]
use rustix::process::{Resource, getrlimit, setrlimit};
use shakmaty::{Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup};
use shakmaty_syzygy::{Material, Metric, ProbeError, SyzygyError, Tablebase};
use thiserror::Error;

use crate::chess::position::State;
use crate::chess::{Bitboard, Color, Piece};
use crate::tablebase::chunks::{self, Chunks};
use crate::tablebase::{Wdl, files_of};
use crate::util::sync::lock;

/// The number of pieces, kings included, of the largest Syzygy tables.
pub const MAX_PIECES: u32 = 7;

const WDL_EXTENSION: &str = "rtbw";
const DTZ_EXTENSION: &str = "rtbz";

/// More than there are tables of up to seven pieces.
#[cfg(unix)]
const MAX_FILES: u64 = 4096;

/// Maximum number of warnings about unreadable tables.
const MAX_WARNINGS: usize = 20;

/// A directory or file that cannot be used.
#[derive(Debug, Error)]
#[error("{}: {cause}", path.display())]
pub struct PathError {
    pub path: PathBuf,
    pub cause: io::Error,
}

/// A distance to the winner's next capture or pawn move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dtz {
    pub plies: i32,
    /// Otherwise it may be a ply longer: most tables count in moves.
    pub is_exact: bool,
}

/// The tables of some directories. Files are opened when first needed; all threads may
/// probe at once.
pub struct Syzygy {
    tables: Tablebase<Chess>,
    /// By ending and kind, as [`table_name`] names them.
    files: BTreeMap<String, PathBuf>,
    /// Whether any table could not be read.
    is_damaged: AtomicBool,
    damage: Mutex<Damage>,
}

/// The tables that could not be read.
#[derive(Default)]
struct Damage {
    /// The [signatures](signature) of the endings that are no longer probed, by what is
    /// probed.
    endings: HashSet<(Metric, u64)>,
    /// All warnings so far, without duplicates.
    warnings: BTreeSet<String>,
    /// Warnings that [`Syzygy::take_warnings`] has not yet returned.
    pending: Vec<String>,
}

/// `Syzygy: 35 WDL and 35 DTZ tables of up to 4 pieces`.
impl fmt::Display for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcomes = self.files.keys().filter(|name| name.ends_with(WDL_EXTENSION)).count();
        let distances = self.files() - outcomes;
        let pieces = self.max_pieces();
        write!(f, "Syzygy: {outcomes} WDL and {distances} DTZ tables of up to {pieces} pieces")
    }
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Syzygy {
    /// The tables of several directories, separated by the system's separator for paths
    /// (`:`, or `;` on Windows). Of several files of one table the first is used.
    /// Directories and files that cannot be used are left out and returned as errors.
    pub fn open(directories: &str) -> (Self, Vec<PathError>) {
        #[cfg(unix)]
        allow_open_files();
        let mut syzygy = Self {
            tables: Tablebase::with_filesystem(Arc::new(Chunks::new())),
            files: BTreeMap::new(),
            is_damaged: AtomicBool::new(false),
            damage: Mutex::default(),
        };
        let mut errors = Vec::new();
        for directory in env::split_paths(directories).filter(|path| !path.as_os_str().is_empty()) {
            syzygy.add_directory(&directory, &mut errors);
        }
        (syzygy, errors)
    }

    fn add_directory(&mut self, directory: &Path, errors: &mut Vec<PathError>) {
        let files = match table_files(directory) {
            Ok(files) => files,
            Err(error) => return errors.push(error),
        };
        for path in files {
            let name = table_name(&path);
            if self.files.contains_key(&name) {
                continue;
            }
            match self.tables.add_file(&path) {
                Ok(()) => {
                    self.files.insert(name, path);
                }
                Err(cause) => errors.push(PathError { path, cause }),
            }
        }
    }

    /// The number of files in use, one for each table.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// The number of pieces of the largest table, kings included; 0 without tables.
    pub fn max_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// The outcome, assuming that the last move was a capture or pawn move. `None` if
    /// there is no table, it cannot be read, or a side may castle.
    pub fn wdl(&self, state: &State) -> Option<Wdl> {
        let probe = |position: &Chess| self.tables.probe_wdl_after_zeroing(position);
        let wdl = self.probe(state, Metric::Wdl, probe)?;
        Some(match wdl {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        })
    }

    /// The plies to the winner's next capture or pawn move that keeps the win; negative
    /// if the side to move loses, 0 for a draw. `None` as for [`Syzygy::wdl`].
    pub fn dtz(&self, state: &State) -> Option<Dtz> {
        let dtz = self.probe(state, Metric::Dtz, |position| self.tables.probe_dtz(position))?;
        let plies = i32::from(dtz.ignore_rounding());
        if state.wins_only_by_mate() {
            // The winner makes the last move.
            let is_longer = (plies > 0) == (plies % 2 == 0) && plies != 0;
            let plies = plies + plies.signum() * i32::from(is_longer);
            return Some(Dtz { plies, is_exact: true });
        }
        // Of several moves of the loser, rounded or not, the crate returns the first.
        let is_exact = plies >= 0 && dtz.precise().is_some();
        Some(Dtz { plies, is_exact })
    }

    /// Warnings about unreadable tables since the last call, one for each cause.
    pub fn take_warnings(&self) -> Vec<String> {
        if !self.is_damaged.load(Ordering::Relaxed) {
            return Vec::new();
        }
        mem::take(&mut lock(&self.damage).pending)
    }

    /// The position as a type of the crate; `None` if there can be no table.
    fn convert(&self, state: &State) -> Option<Chess> {
        if !state.castling().is_empty() || state.occupied().len() > self.max_pieces() {
            return None;
        }
        // Positions that no game can reach may be probed as well.
        Chess::from_setup(setup(state), CastlingMode::Standard)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_invalid_ep_square)
            .ok()
    }

    /// Probes a position. An ending whose table cannot be read is not probed again, but its
    /// other table is; a missing table causes no warning, since few users have all tables.
    fn probe<T>(
        &self,
        state: &State,
        probed: Metric,
        probe: impl FnOnce(&Chess) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        let position = self.convert(state)?;
        if self.is_given_up(probed, state) {
            return None;
        }
        chunks::begin_probe();
        probe(&position)
            .inspect_err(|error| {
                if let SyzygyError::ProbeFailed { metric, material, error } = error {
                    let warning = self.warning(*metric, material, error);
                    self.give_up(probed, state, warning);
                }
            })
            .ok()
    }

    /// The warning about a table that cannot be read.
    fn warning(&self, metric: Metric, material: &Material, error: &ProbeError) -> String {
        let extension = match metric {
            Metric::Wdl => WDL_EXTENSION,
            Metric::Dtz => DTZ_EXTENSION,
        };
        let name = PathBuf::from(format!("{material}.{extension}"));
        let file = self.files.get(&table_name(&name)).unwrap_or(&name).display();
        match error {
            ProbeError::Read { error } => format!("cannot read table {file}: {error}"),
            // They display bytes or a backtrace.
            ProbeError::Magic { .. } | ProbeError::CorruptedTable { .. } => {
                format!("damaged table {file} is not used")
            }
        }
    }

    fn is_given_up(&self, probed: Metric, state: &State) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
            && lock(&self.damage).endings.contains(&(probed, signature(state)))
    }

    fn give_up(&self, probed: Metric, state: &State, cause: String) {
        let mut damage = lock(&self.damage);
        damage.endings.insert((probed, signature(state)));
        if damage.warnings.len() < MAX_WARNINGS && damage.warnings.insert(cause.clone()) {
            log::warn!("{cause}");
            damage.pending.push(cause);
        }
        self.is_damaged.store(true, Ordering::Relaxed);
    }
}

/// The files of a directory that end in `.rtbw` or `.rtbz`, sorted by name.
pub fn table_files(directory: &Path) -> Result<Vec<PathBuf>, PathError> {
    files_of(directory, &[WDL_EXTENSION, DTZ_EXTENSION])
        .map_err(|cause| PathError { path: directory.to_owned(), cause })
}

/// One name for all names that a file of a table can have: the stronger side need not be
/// White.
fn table_name(path: &Path) -> String {
    let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let ending = part(path.file_stem());
    let mut sides: Vec<&str> = ending.split('v').collect();
    sides.sort_unstable();
    format!("{}.{}", sides.join("v"), part(path.extension()))
}

/// The number of pieces of each kind and colour, four bits each.
fn signature(state: &State) -> u64 {
    let kinds = Color::ALL.into_iter().flat_map(|color| Piece::ALL.map(|piece| (color, piece)));
    kinds.fold(0, |word, (color, piece)| word << 4 | u64::from(state.colored(color, piece).len()))
}

fn setup(state: &State) -> Setup {
    let set = |bits: Bitboard| shakmaty::Bitboard(bits.0);
    let roles = ByRole {
        pawn: set(state.pieces(Piece::Pawn)),
        knight: set(state.pieces(Piece::Knight)),
        bishop: set(state.pieces(Piece::Bishop)),
        rook: set(state.pieces(Piece::Rook)),
        queen: set(state.pieces(Piece::Queen)),
        king: set(state.pieces(Piece::King)),
    };
    let colors =
        ByColor { white: set(state.color(Color::White)), black: set(state.color(Color::Black)) };
    Setup {
        board: Board::try_from_bitboards(roles, colors).unwrap_or_else(|_| Board::empty()),
        turn: shakmaty::Color::from_white(state.side_to_move() == Color::White),
        ep_square: state.en_passant().map(|square| shakmaty::Square::new(square.index() as u32)),
        ..Setup::empty()
    }
}

/// Raises the limit on open files to [`MAX_FILES`], or as far as it may be raised: a table that
/// was probed stays open, and by default macOS allows 256 files.
#[cfg(unix)]
fn allow_open_files() {
    let mut limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(MAX_FILES, |maximum| maximum.min(MAX_FILES));
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(wanted);
        // Without it, the tables that cannot be opened are named when they are probed.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}
