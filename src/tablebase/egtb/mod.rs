//! Lovec's own endgame tables: the distance to mate in every position of up to four
//! pieces, kings included.
//!
//! A table is built by retrograde analysis: from the mates backwards, each wave of
//! positions a ply further away, until a wave is empty; the rest is drawn. The idea is
//! R. Bellman's ("On the application of dynamic programming to the determination of
//! optimal play in chess and checkers", 1965) and T. Ströhlein's (1970); K. Thompson
//! ("Retrograde analysis of certain endgames", 1986), L. Stiller and E. Nalimov extended
//! it to more pieces. Syzygy tables, which count the moves to the next capture or pawn
//! move, are smaller and respect the fifty-move rule. These tables hold the distance to
//! mate, are built by Lovec itself, and fit into memory with a byte per position.
//!
//! - A [`Material`] names an ending, such as `KRvKP`; the stronger side is White.
//! - `index` numbers its positions; equivalent positions share a number.
//! - `ending` generates its moves, forwards and backwards.
//! - [`build`] solves a [`DtmTable`], [`mod@file`] stores it, [`verify()`] checks it against the
//!   rules of chess.
//! - A [`Collection`] holds the loaded tables and answers probes. King and pawn against
//!   king, and the endings after its promotion, are embedded in the program.
//!
//! No position of a table has castling rights or a possible en-passant capture; building
//! considers the en-passant captures after a double step.

pub mod collection;
mod dtm;
mod ending;
pub mod file;
mod index;
pub mod material;
pub mod retrograde;
pub mod table;
pub mod verify;

pub use collection::{Collection, pawn_wins};
pub use dtm::DtmValue;
pub use file::FileError;
pub use material::{MAX_PIECES, Material};
pub use retrograde::build;
pub use table::{DtmTable, Statistics};
pub use verify::verify;
