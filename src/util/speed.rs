//! Speeds.

use std::time::Duration;

/// How many a second are so many in a time, which counts as a microsecond at least.
pub fn per_second(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64().max(1e-6)
}
