//! The rules of chess and their notations, against known counts and against
//! independent implementations.
// The rules for threads hold for the program, not for its tests.
#![allow(clippy::disallowed_methods)]

mod differential;
mod notation;
mod perft;
