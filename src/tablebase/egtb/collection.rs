//! The loaded tables, and how a position is looked up in them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::chess::{Color, Piece, Square, State};
use crate::tablebase::egtb::dtm::{Code, DRAW, DtmValue, decode, is_loss, is_win};
use crate::tablebase::egtb::file::{self, FileError};
use crate::tablebase::egtb::index::Placement;
use crate::tablebase::egtb::material::{ColoredPiece, MAX_NON_KINGS, Material};
use crate::tablebase::egtb::table::DtmTable;
use crate::tablebase::files_of;
use crate::util::array_list::ArrayList;

/// The tables embedded in the program: king and pawn against king, and the endings after
/// its promotion that are not drawn.
static EMBEDDED: LazyLock<Collection> = LazyLock::new(|| {
    let files: [&[u8]; 3] = [
        include_bytes!("embedded/KQvK.ltb"),
        include_bytes!("embedded/KRvK.ltb"),
        include_bytes!("embedded/KPvK.ltb"),
    ];
    let mut collection = Collection::empty();
    // A test checks that all of them can be read.
    for table in files.into_iter().filter_map(|bytes| file::decode(bytes).ok()) {
        collection.insert(table);
    }
    collection
});

/// Number of kinds of pieces other than kings, of both colours.
const KINDS: usize = 2 * Piece::King.index();
/// The kind of an absent piece.
const NO_PIECE: usize = KINDS;

/// Where a set of pieces is looked up.
#[derive(Clone, Copy)]
struct Slot {
    /// Index of the table.
    table: u8,
    /// The colours are exchanged in the table.
    flipped: bool,
    /// The pieces have the other order in the table.
    swapped: bool,
}

/// The loaded tables.
///
/// Probing needs only `&self`, takes no lock and allocates nothing; clones share the
/// tables.
#[derive(Clone)]
pub struct Collection {
    tables: Vec<Arc<DtmTable>>,
    /// By the kinds of the two pieces other than kings, in either order.
    slots: [[Option<Slot>; KINDS + 1]; KINDS + 1],
}

/// The pieces of a position without the kings.
type Placed = ArrayList<(ColoredPiece, Square), MAX_NON_KINGS>;

impl Collection {
    /// No tables.
    pub fn empty() -> Self {
        Self { tables: Vec::new(), slots: [[None; KINDS + 1]; KINDS + 1] }
    }

    /// The embedded tables: king and pawn, king and queen, and king and rook against king.
    pub fn embedded() -> Self {
        EMBEDDED.clone()
    }

    /// The embedded tables and these of [`table_files`], each of which replaces an embedded
    /// one. All files are read into memory: the endings of four pieces take 170 MB.
    ///
    /// Files that cannot be read are left out and returned as errors, in their order.
    pub fn open(files: &[PathBuf]) -> (Self, Vec<FileError>) {
        let mut collection = Self::embedded();
        let mut errors = Vec::new();
        for path in files {
            match file::read(path) {
                Ok(table) => collection.insert(table),
                Err(error) => errors.push(error),
            }
        }
        (collection, errors)
    }

    /// Adds a table, or replaces the table of the same ending.
    pub fn insert(&mut self, table: impl Into<Arc<DtmTable>>) {
        let table = table.into();
        let material = table.material().clone();
        if let Some(old) = self.tables.iter_mut().find(|old| *old.material() == material) {
            *old = table;
            return;
        }
        let number = self.tables.len() as u8;
        self.tables.push(table);
        for flipped in [true, false] {
            let mut kinds = [NO_PIECE; MAX_NON_KINGS];
            for (kind, piece) in kinds.iter_mut().zip(material.non_kings()) {
                *kind = kind_of(piece.flip_if(flipped));
            }
            let [a, b] = kinds;
            self.slots[b][a] = Some(Slot { table: number, flipped, swapped: true });
            self.slots[a][b] = Some(Slot { table: number, flipped, swapped: false });
        }
    }

    /// The table of an ending, if it is loaded.
    pub fn table(&self, material: &Material) -> Option<&DtmTable> {
        self.tables.iter().find(|table| table.material() == material).map(Arc::as_ref)
    }

    /// The endings of the loaded tables.
    pub fn materials(&self) -> impl Iterator<Item = &Material> {
        self.tables.iter().map(|table| table.material())
    }

    /// The number of pieces of the largest table, kings included; 0 without tables.
    pub fn max_pieces(&self) -> u32 {
        self.materials().map(Material::piece_count).max().unwrap_or(0)
    }

    /// The value of a position without the fifty-move rule.
    ///
    /// Positions with [insufficient material](State::insufficient_material) are draws,
    /// with or without a table. `None` if there is no table of these pieces, or if a side
    /// may castle or capture en passant.
    #[inline]
    pub fn probe(&self, state: &State) -> Option<DtmValue> {
        if state.en_passant().is_some() || !state.castling().is_empty() {
            return None;
        }
        if state.insufficient_material() {
            return Some(DtmValue::Draw);
        }
        let mut pieces = Placed::new();
        for square in state.occupied().without(state.pieces(Piece::King)) {
            let color = if state.color(Color::White).contains(square) {
                Color::White
            } else {
                Color::Black
            };
            let piece = ColoredPiece { color, piece: state.piece_on(square)? };
            if !pieces.try_push((piece, square)) {
                return None;
            }
        }
        let kings = Color::ALL.map(|color| state.king(color));
        decode(self.code(kings, &pieces, state.side_to_move())?)
    }

    /// As [`Collection::probe`], but searches one ply if an en-passant capture is
    /// possible, since such positions are in no table.
    pub fn value(&self, state: &State) -> Option<DtmValue> {
        if state.en_passant().is_none() {
            return self.probe(state);
        }
        self.best_of_moves(state)
    }

    /// The value of the best legal move, which defines the value of the position; `None`
    /// if the value of any move is not known.
    pub fn best_of_moves(&self, state: &State) -> Option<DtmValue> {
        let mut best: Option<DtmValue> = None;
        for m in state.legal_moves() {
            let after = state.after(m);
            let value = self.value(&after)?.for_mover();
            if best.is_none_or(|best| value.preference() > best.preference()) {
                best = Some(value);
            }
        }
        let no_move = if state.in_check() { DtmValue::Loss(0) } else { DtmValue::Draw };
        Some(best.unwrap_or(no_move))
    }

    /// The code of pieces on different squares, with the kings of White and Black. Bare
    /// kings and a lone bishop or knight are drawn and need no table.
    #[inline]
    pub(super) fn code(&self, kings: [Square; 2], pieces: &Placed, side: Color) -> Option<Code> {
        if let [] | [(ColoredPiece { piece: Piece::Bishop | Piece::Knight, .. }, _)] = **pieces {
            return Some(DRAW);
        }
        let mut kinds = [NO_PIECE; MAX_NON_KINGS];
        let mut squares = [Square::A1; MAX_NON_KINGS];
        for (n, &(piece, square)) in pieces.iter().enumerate() {
            (kinds[n], squares[n]) = (kind_of(piece), square);
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
        let side = if slot.flipped { !side } else { side };
        Some(self.tables[usize::from(slot.table)].code(&Placement { squares, side }))
    }
}

/// Whether `pawn`, one of `strong`, wins against the bare king if it and the kings are
/// alone on the board.
pub fn pawn_wins(state: &State, strong: Color, pawn: Square) -> bool {
    let piece = ColoredPiece { color: strong, piece: Piece::Pawn };
    let kings = Color::ALL.map(|color| state.king(color));
    let side = state.side_to_move();
    let code = EMBEDDED.code(kings, &Placed::from_iter([(piece, pawn)]), side);
    code.is_some_and(if side == strong { is_win } else { is_loss })
}

#[inline]
fn kind_of(piece: ColoredPiece) -> usize {
    piece.color.index() * Piece::King.index() + piece.piece.index()
}

/// The table files of a folder, sorted by name.
pub fn table_files(directory: &Path) -> Result<Vec<PathBuf>, FileError> {
    files_of(directory, &[file::EXTENSION]).map_err(|error| FileError::read(directory, error))
}
