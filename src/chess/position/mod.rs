//! A position and the game before it.
//!
//! [`State`] is everything about one position, plain data of some two hundred
//! bytes. [`Position`] keeps the states of the whole game: making a move pushes
//! a copy, unmaking pops it, and repetition finds the keys of past positions
//! there. There is no undo code that could disagree with the code that makes moves.

mod check;
mod check_info;
mod draw;
mod game;
mod legality;
mod make;
pub mod setup;
mod state;
mod threats;

pub use check_info::CheckInfo;
pub use draw::FIFTY_MOVES;
pub use game::Position;
pub use make::Observer;
pub use state::State;
pub use threats::Threats;
