//! The rules of chess and their notations, against known counts and against
//! independent implementations.

mod differential;
mod notation;
mod perft;
