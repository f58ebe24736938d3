//! Layer 1: the rules of chess and Chess960, and nothing else.
//!
//! A [`Position`] is a [`State`] (bitboards, a mailbox, hash keys, checkers and
//! pins, all plain data that is copied) with the states that led to it behind
//! it. Moves are generated legal, from the state alone; making a move pushes
//! the old state and unmaking pops it. An [`Observer`], such as an incremental evaluation,
//! follows the pieces while moves are made.

pub mod adjudication;
pub mod attacks;
pub mod bitboard;
pub mod castling;
pub mod color;
mod cuckoo;
mod game_result;
pub mod movegen;
pub mod moves;
pub mod notation;
pub mod perft;
pub mod piece;
pub mod position;
pub mod see;
pub mod square;
pub mod zobrist;

pub use bitboard::Bitboard;
pub use castling::{CastlingRights, CastlingSide};
pub use color::Color;
pub use game_result::{DrawKind, GameResult};
pub use moves::{Move, MoveKind, MoveList};
pub use piece::Piece;
pub use position::{CheckInfo, FIFTY_MOVES, Observer, Position, State, Threats};
pub use square::{File, Rank, Square};
