//! Random numbers: a generator that runs at compile time, and one for each of many tasks.
//!
//! The Zobrist keys must be the same in every build and ready before `main`, so
//! they are drawn during constant evaluation. What needs random numbers at run time
//! uses the `rand` crate.

use rand::SeedableRng;
use rand::rngs::StdRng;

/// The random numbers of a task, which depend only on the seed and the number of the
/// task, not on the tasks before it.
pub fn numbered(seed: u64, number: u64) -> StdRng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    StdRng::from_seed(bytes)
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014): a counter and a mixing function, period 2^64.
#[derive(Clone, Copy)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}
