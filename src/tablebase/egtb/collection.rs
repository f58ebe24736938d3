//! The tables at hand, and how a position finds its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use arrayvec::ArrayVec;

use crate::chess::{Color, Piece, Square, State};
use crate::tablebase::egtb::file::{self, FileError};
use crate::tablebase::egtb::index::Placement;
use crate::tablebase::egtb::material::{ColoredPiece, Material, flip_if};
use crate::tablebase::egtb::table::DtmTable;
use crate::tablebase::egtb::{Code, DRAW, DtmValue, MAX_NON_KINGS, decode};

/// The tables that are part of the program: king and pawn against king, and what a
/// promotion leads to.
const EMBEDDED: [&[u8]; 3] = [
    include_bytes!("embedded/KQvK.ltb"),
    include_bytes!("embedded/KRvK.ltb"),
    include_bytes!("embedded/KPvK.ltb"),
];

/// Kinds of men, with their colours.
const KINDS: usize = 2 * Piece::King.index();
/// The slot of a man that is not there.
const NO_PIECE: usize = KINDS;

/// Where the men of a position are looked up.
#[derive(Clone, Copy)]
struct Slot {
    /// Which of the tables.
    table: u8,
    /// White's men are Black's in the table.
    flipped: bool,
    /// The men have the other order in the table.
    swapped: bool,
}

/// The tables at hand.
///
/// Probing needs `&self` only, takes no lock and allocates nothing; clones share the
/// tables.
#[derive(Clone)]
pub struct Collection {
    tables: Vec<Arc<DtmTable>>,
    /// By the kinds of the two men besides the kings, in any order.
    slots: [[Option<Slot>; KINDS + 1]; KINDS + 1],
}

/// What a position has besides its kings.
type Men = ArrayVec<(ColoredPiece, Square), MAX_NON_KINGS>;

impl Collection {
    /// No tables at all.
    pub fn empty() -> Self {
        Self { tables: Vec::new(), slots: [[None; KINDS + 1]; KINDS + 1] }
    }

    /// King and pawn against king, and what a promotion leads to: queen and rook
    /// against king.
    pub fn embedded() -> Self {
        static TABLES: LazyLock<Collection> = LazyLock::new(|| {
            let mut collection = Collection::empty();
            // That they can be read is a matter of tests.
            for table in EMBEDDED.into_iter().filter_map(|bytes| file::decode(bytes).ok()) {
                collection.insert(table);
            }
            collection
        });
        TABLES.clone()
    }

    /// The embedded tables and all of a folder, in files that end in `.ltb`; a table
    /// of the folder takes the place of an embedded one. Everything is read at once:
    /// all endings of four men take 170 MB of memory.
    ///
    /// A file that cannot be read is left out, and so is the folder if it cannot be
    /// read itself; each is named in the errors, which come in the order of the names.
    pub fn open(directory: &Path) -> (Self, Vec<FileError>) {
        let mut collection = Self::embedded();
        let mut errors = Vec::new();
        match table_files(directory) {
            Ok(paths) => {
                for path in paths {
                    match file::read(&path) {
                        Ok(table) => collection.insert(table),
                        Err(error) => errors.push(error),
                    }
                }
            }
            Err(error) => errors.push(error),
        }
        (collection, errors)
    }

    /// Adds a table, in place of another one of the same ending.
    pub fn insert(&mut self, table: DtmTable) {
        let material = table.material().clone();
        if let Some(old) = self.tables.iter_mut().find(|old| *old.material() == material) {
            *old = Arc::new(table);
            return;
        }
        let number = self.tables.len() as u8;
        self.tables.push(Arc::new(table));
        for flipped in [true, false] {
            let mut kinds = [NO_PIECE; MAX_NON_KINGS];
            for (kind, man) in kinds.iter_mut().zip(material.non_kings()) {
                *kind = kind_of(ColoredPiece { color: flip_if(man.color, flipped), ..*man });
            }
            let [a, b] = kinds;
            self.slots[b][a] = Some(Slot { table: number, flipped, swapped: true });
            self.slots[a][b] = Some(Slot { table: number, flipped, swapped: false });
        }
    }

    /// The table of an ending, if it is here.
    pub fn table(&self, material: &Material) -> Option<&DtmTable> {
        self.tables.iter().find(|table| table.material() == material).map(Arc::as_ref)
    }

    /// The endings that are here.
    pub fn materials(&self) -> impl Iterator<Item = &Material> {
        self.tables.iter().map(|table| table.material())
    }

    /// How many men the largest table has, kings included; 0 if there is none.
    pub fn max_pieces(&self) -> u32 {
        self.materials().map(Material::piece_count).max().unwrap_or(0)
    }

    /// What best play leads to in this position, the fifty-move rule aside.
    ///
    /// Where neither side can ever mate, [`State::insufficient_material`], that is a
    /// draw, whether or not there is a table. Otherwise `None` if there is no table of
    /// these men, and where somebody may castle or capture en passant.
    #[inline]
    pub fn probe(&self, state: &State) -> Option<DtmValue> {
        if state.en_passant().is_some() || !state.castling().is_empty() {
            return None;
        }
        if state.insufficient_material() {
            return Some(DtmValue::Draw);
        }
        let others = state.occupied().without(state.pieces(Piece::King));
        let mut men = Men::new();
        for square in others {
            let color = if state.color(Color::White).contains(square) {
                Color::White
            } else {
                Color::Black
            };
            men.try_push((ColoredPiece { color, piece: state.piece_on(square)? }, square)).ok()?;
        }
        let kings = Color::ALL.map(|color| state.king(color));
        decode(self.code(kings, &men, state.side_to_move())?)
    }

    /// Like [`Collection::probe`], but looks a move ahead if an en-passant capture is
    /// possible, where no table has the position itself.
    pub fn value(&self, state: &State) -> Option<DtmValue> {
        if state.en_passant().is_none() {
            return self.probe(state);
        }
        self.best_of_moves(state)
    }

    /// The best that a legal move leads to, which is how the outcome of a position
    /// is defined; `None` if that of a move is not known.
    pub fn best_of_moves(&self, state: &State) -> Option<DtmValue> {
        let mut best = if state.in_check() { DtmValue::Loss(0) } else { DtmValue::Draw };
        for (n, &m) in state.legal_moves().iter().enumerate() {
            let mut after = *state;
            after.make(m, &mut ());
            let outcome = self.value(&after)?.for_mover();
            if n == 0 || outcome.preference() > best.preference() {
                best = outcome;
            }
        }
        Some(best)
    }

    /// The code of men on different squares, with the kings of White and Black.
    /// Nobody can mate with a bishop or a knight alone or with nothing.
    #[inline]
    pub(super) fn code(&self, kings: [Square; 2], men: &Men, side: Color) -> Option<Code> {
        let mut kinds = [NO_PIECE; MAX_NON_KINGS];
        let mut squares = [Square::A1; MAX_NON_KINGS];
        for (n, &(man, square)) in men.iter().enumerate() {
            (kinds[n], squares[n]) = (kind_of(man), square);
        }
        match **men {
            [] | [(ColoredPiece { piece: Piece::Bishop | Piece::Knight, .. }, _)] => {
                return Some(DRAW);
            }
            _ => {}
        }
        let slot = self.slots[kinds[0]][kinds[1]]?;
        let [mut white, mut black] = kings;
        if slot.flipped {
            (white, black) = (black.flip(), white.flip());
            squares = squares.map(Square::flip);
        }
        if slot.swapped {
            squares.swap(0, 1);
        }
        let squares = [white, black, squares[0], squares[1]];
        let side = flip_if(side, slot.flipped);
        Some(self.tables[usize::from(slot.table)].code(&Placement { squares, side }))
    }
}

#[inline]
fn kind_of(man: ColoredPiece) -> usize {
    man.color.index() * Piece::King.index() + man.piece.index()
}

/// The files of tables in a folder, by name.
///
/// # Errors
///
/// [`FileError::Read`] if the folder cannot be read.
pub fn table_files(directory: &Path) -> Result<Vec<PathBuf>, FileError> {
    let failed = |error| FileError::read(directory, error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == file::EXTENSION) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
