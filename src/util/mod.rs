//! Layer 0: small tools that know nothing about chess.

pub mod array_list;
pub mod checksum;
pub mod confidence;
pub mod counted;
pub mod foreign_text;
pub mod gzip;
pub mod input_file;
pub mod likeness;
pub mod line_queue;
pub mod logging;
pub mod memory;
pub mod output_file;
pub mod pool;
mod progress_file;
pub mod reserved_file;
pub mod rng;
pub mod speed;
pub mod state_file;
pub mod store;
pub mod stream;
pub mod sync;
pub mod tasks;
pub mod thread;
pub mod timeouts;
pub mod unsafe_ops;
pub mod writer;
