//! Layer 0: small tools that know nothing about chess.

pub mod line_queue;
pub mod lock;
pub mod logging;
pub mod memory;
pub mod pool;
pub mod prefetch;
pub mod rng;
pub mod stream;
pub mod sync;
pub mod thread;
