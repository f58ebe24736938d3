//! The tables of R. de Man ("Syzygy"), read by the crate shakmaty-syzygy.
//!
//! For each set of men there is a file that says who wins (WDL) and one that says
//! after how many plies the winner captures or moves a pawn (DTZ, the distance to
//! zeroing the fifty-move counter). Both count the fifty-move rule.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};
use std::{env, fmt, fs, mem};

use shakmaty::{Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup};
use shakmaty_syzygy::{SyzygyError, Tablebase};
use thiserror::Error;

use crate::chess::position::State;
use crate::chess::{Bitboard, Color, Piece};
use crate::tablebase::Wdl;
use crate::tablebase::chunks::{self, Chunks};

/// The most men, kings included, of which there are tables.
pub const MAX_PIECES: u32 = 7;

/// Complaints that wait to be told. Whoever has more of them knows enough.
const MAX_COMPLAINTS: usize = 20;

/// A directory or a file of it that is of no use.
#[derive(Debug, Error)]
#[error("{}: {cause}", path.display())]
pub struct PathError {
    pub path: PathBuf,
    pub cause: io::Error,
}

/// The tables of some directories. They are opened when they are first needed, and
/// asked by all threads at once.
pub struct Syzygy {
    tables: Tablebase<Chess>,
    files: usize,
    /// Whether any table was found that cannot be read.
    is_damaged: AtomicBool,
    damage: RwLock<Damage>,
}

/// What was found to be wrong with the tables.
#[derive(Default)]
struct Damage {
    /// The sets of men that are not looked up any more.
    men: BTreeSet<u64>,
    /// What was said of it, each thing once.
    told: BTreeSet<String>,
    /// What nobody has been told yet.
    waiting: Vec<String>,
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} Syzygy tables of up to {} men", self.files, self.max_pieces())
    }
}

impl Syzygy {
    /// The tables of several directories, separated as the system separates paths
    /// (`:`, or `;` on Windows). What cannot be used is told and left out.
    pub fn open(directories: &str) -> (Self, Vec<PathError>) {
        let mut syzygy = Self {
            tables: Tablebase::with_filesystem(Arc::new(Chunks::new())),
            files: 0,
            is_damaged: AtomicBool::new(false),
            damage: RwLock::default(),
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
            match self.tables.add_file(&path) {
                Ok(()) => self.files += 1,
                Err(cause) => errors.push(PathError { path, cause }),
            }
        }
    }

    /// How many files there are.
    pub fn files(&self) -> usize {
        self.files
    }

    /// The most men, kings included, for which there is any table.
    pub fn max_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// The outcome, as if a capture or a pawn move had just been made. `None` if
    /// there is no table, it cannot be read, or somebody may castle.
    pub fn wdl(&self, state: &State) -> Option<Wdl> {
        let wdl = self.read(state, |position| self.tables.probe_wdl_after_zeroing(position))?;
        Some(match wdl {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        })
    }

    /// The plies to the next capture or pawn move of the winner, if that keeps the
    /// win; negative when the side to move loses, 0 for a draw. A table may round it
    /// to a full move. `None` as for [`Syzygy::wdl`].
    pub fn dtz(&self, state: &State) -> Option<i32> {
        let dtz = self.read(state, |position| self.tables.probe_dtz(position))?;
        Some(i32::from(dtz.ignore_rounding()))
    }

    /// What could not be read since the last call, each table once.
    pub fn take_warnings(&self) -> Vec<String> {
        if !self.is_damaged.load(Ordering::Relaxed) {
            return Vec::new();
        }
        mem::take(&mut self.damage_mut().waiting)
    }

    fn damage_mut(&self) -> RwLockWriteGuard<'_, Damage> {
        self.damage.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The position as the tables' crate sees it, if there can be a table.
    fn convert(&self, state: &State) -> Option<Chess> {
        let known = state.castling().is_empty() && state.occupied().len() <= self.max_pieces();
        if !known {
            return None;
        }
        // Whatever has been played on so far may be asked for.
        Chess::from_setup(setup(state), CastlingMode::Standard)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_invalid_ep_square)
            .ok()
    }

    /// What a probe reads. A set of men whose table fails is not looked up again;
    /// but a table that is not there is no cause for complaint: few have all.
    fn read<T>(
        &self,
        state: &State,
        probe: impl FnOnce(&Chess) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        let position = self.convert(state)?;
        if self.is_damaged.load(Ordering::Relaxed) && self.is_known_as_damaged(state) {
            return None;
        }
        chunks::begin_probe();
        probe(&position)
            .inspect_err(|error| {
                if let SyzygyError::ProbeFailed { .. } = error {
                    self.give_up(state, &error.to_string());
                }
            })
            .ok()
    }

    fn is_known_as_damaged(&self, state: &State) -> bool {
        let damage = self.damage.read().unwrap_or_else(PoisonError::into_inner);
        damage.men.contains(&signature(state))
    }

    fn give_up(&self, state: &State, cause: &str) {
        let mut damage = self.damage_mut();
        damage.men.insert(signature(state));
        if damage.told.len() < MAX_COMPLAINTS && damage.told.insert(cause.to_owned()) {
            log::warn!("{cause}");
            damage.waiting.push(cause.to_owned());
        }
        self.is_damaged.store(true, Ordering::Relaxed);
    }
}

/// The files of a directory that are Syzygy tables by their names, in the order of these.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn table_files(directory: &Path) -> Result<Vec<PathBuf>, PathError> {
    let entries =
        fs::read_dir(directory).map_err(|cause| PathError { path: directory.to_owned(), cause })?;
    let is_table =
        |path: &PathBuf| path.extension().is_some_and(|end| end == "rtbw" || end == "rtbz");
    let mut files: Vec<_> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_table).collect();
    files.sort();
    Ok(files)
}

/// The numbers of men of each kind and colour in one word.
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
