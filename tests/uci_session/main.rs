//! UCI as clients really speak it, and everything nasty they may say, against
//! the real binary.
//!
//! The tests are named after what they send. Ground rules that hold for every
//! dialogue are checked by [`session::Session`] itself: no blank or indented
//! line, nothing after `bestmove` until the next command, no panic, a clean end.

mod clients;
mod go;
mod options;
mod positions;
mod referee;
mod session;
mod streams;
mod strength;
mod terminal;
mod threads;
