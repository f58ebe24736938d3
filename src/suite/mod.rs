//! Known positions: benchmarks, test suites with solutions, perft counts, two engines compared.
//!
//! Each file runs one kind and returns the results; the callers print them.

pub mod bench;
pub mod compare;
pub mod epd;
pub mod perft;
