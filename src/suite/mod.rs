//! Known positions: benchmarks, test suites with solutions, perft counts.
//!
//! Each file runs one kind and returns what happened; printing is left to the
//! callers.

pub mod bench;
pub mod epd;
pub mod perft;
pub mod speedtest;
mod stop;

pub use stop::Stop;
