//! The laboratory: classic search algorithms, side by side, on the same positions.
//!
//! The playing search is one algorithm with many refinements. Here each algorithm of the
//! literature is a short file of its own, and all of them run on the same games with the
//! same evaluation, so that their values, nodes and times can be compared. The playing
//! search does not know this module.
//!
//! | to read | what it holds |
//! |---|---|
//! | [`game`] | what an algorithm sees of a game, and five games |

pub mod game;
