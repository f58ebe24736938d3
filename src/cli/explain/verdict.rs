//! What is said of a move besides the lines.

use crate::insight::mark::Thresholds;
use crate::insight::reasons::Reasons;

/// Why a move is good or bad, by searches that were not stopped.
pub struct Verdict {
    pub reasons: Reasons,
    pub thresholds: Thresholds,
}
