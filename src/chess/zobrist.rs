//! Zobrist keys: a random number for each fact about a position; a position's
//! key is their exclusive or (A. Zobrist, "A new hashing method with
//! application for game playing", 1970).
//!
//! The numbers are computed at compile time and are the same in every build.

use crate::chess::castling::CastlingRights;
use crate::chess::color::Color;
use crate::chess::piece::Piece;
use crate::chess::square::{File, Square};
use crate::util::rng::SplitMix64;

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 16],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static KEYS: Keys = draw();

const fn draw() -> Keys {
    let mut random = SplitMix64::new(0x4C6F_7665_6321);
    let mut keys = Keys {
        pieces: [[[0; 64]; 6]; 2],
        castling: [0; 16],
        en_passant: [0; 8],
        black_to_move: random.next(),
    };
    let mut i = 0;
    while i < 2 * 6 * 64 {
        keys.pieces[i / 384][i / 64 % 6][i % 64] = random.next();
        i += 1;
    }
    // No rights have the key zero, so that most positions of an endgame need none.
    i = 1;
    while i < 16 {
        keys.castling[i] = random.next();
        i += 1;
    }
    i = 0;
    while i < 8 {
        keys.en_passant[i] = random.next();
        i += 1;
    }
    keys
}

/// The key of a piece on a square.
#[inline]
pub const fn piece(color: Color, piece: Piece, square: Square) -> u64 {
    KEYS.pieces[color.index()][piece.index()][square.index()]
}

/// The key of a set of castling rights.
#[inline]
pub fn castling(rights: CastlingRights) -> u64 {
    KEYS.castling[rights.index()]
}

/// The key of an en-passant capture being possible on a file.
#[inline]
pub fn en_passant(file: File) -> u64 {
    KEYS.en_passant[file.index()]
}

/// The key of Black being to move.
#[inline]
pub const fn black_to_move() -> u64 {
    KEYS.black_to_move
}
