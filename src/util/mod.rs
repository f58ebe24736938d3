//! Layer 0: small tools that know nothing about chess.

pub mod intrinsics;
pub mod lock;
pub mod rng;
pub mod sync;
