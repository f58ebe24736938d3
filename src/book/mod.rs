//! Layer 2: opening books in the Polyglot format, and the names of openings.
//!
//! A Polyglot book is a file of entries of sixteen bytes, each with the hash key of a
//! position, a move and its weight, sorted by key. Most interfaces and engines support
//! the format; Fabien Letouzey made it for his adapter Polyglot, and Michel Van den Bergh
//! described it ("The Polyglot book format").
//!
//! | file | contents |
//! |---|---|
//! | [`mod@key`] | the hash key of a position |
//! | [`entry`] | an entry in its sixteen bytes, and the encoding of moves |
//! | [`book_move`] | the choice of a book move |
//! | [`polyglot`] | looks up positions in a book file |
//! | [`builder`], [`games`] | builds a book from games |
//! | [`opening_names`] | the names of openings and their ECO codes |
//!
//! The format has the castling moves of standard chess only, so positions of Chess960
//! have no key and no book moves.

pub mod book_move;
pub mod builder;
pub mod entry;
pub mod games;
pub mod key;
pub mod opening_names;
pub mod polyglot;

pub use book_move::{BookMove, best, draw};
pub use builder::Builder;
pub use entry::{BookEntry, BookResults, EncodedMove};
pub use key::key;
pub use opening_names::{
    Continuation, OpeningName, continuations, named_lines, opening, opening_of_game,
};
pub use polyglot::{Book, BookError};
