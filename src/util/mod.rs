//! Layer 0: small tools that know nothing about chess.

mod file_kind;
pub mod input_file;
pub mod output_file;
pub mod prefetch;
pub mod reserved_file;
pub mod rng;
pub mod sync;
