//! Layer 0: small tools that know nothing about chess.

pub mod lock;
pub mod memory;
pub mod pool;
pub mod prefetch;
pub mod rng;
pub mod sync;
pub mod thread;
