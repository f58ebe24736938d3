//! The numbers of the search, each with its unit.

/// Half the width of the first window around the previous score, centipawns.
pub(super) const ASPIRATION_DELTA: i32 = 16;
/// The first depth, in plies, that is searched with a narrow window.
pub(super) const ASPIRATION_DEPTH: i32 = 4;

/// The deepest node at which reverse futility prunes, plies.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// What the evaluation must exceed beta by for each ply, centipawns.
pub(super) const REVERSE_FUTILITY_MARGIN: i32 = 80;

/// The shallowest node at which a null move is tried, plies.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
/// The null move's reduction: a base, one ply more for so many plies of depth,
/// and one more for so many centipawns above beta, up to a bound.
pub(super) const NULL_MOVE_BASE: i32 = 3;
pub(super) const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
pub(super) const NULL_MOVE_EVAL_DIVISOR: i32 = 200;
pub(super) const NULL_MOVE_EVAL_MAX: i32 = 3;

/// The shallowest node, in plies, and the first move that are reduced.
pub(super) const LMR_DEPTH: i32 = 3;
pub(super) const LMR_MOVE: usize = 3;
/// Reduction in plies: `base + ln(depth) * ln(move) / divisor`, in hundredths.
pub(super) const LMR_BASE: i32 = 77;
pub(super) const LMR_DIVISOR: i32 = 236;
/// The history score that is worth a ply of reduction.
pub(super) const LMR_HISTORY_DIVISOR: i32 = 8_192;

/// What a capture in quiescence may fall short of alpha by, beyond the value of
/// its victim, centipawns.
pub(super) const DELTA_MARGIN: i32 = 200;

/// Scores from the table are not trusted with fewer reversible plies than this
/// left before a draw by the fifty-move rule.
pub(super) const FIFTY_MOVE_CAUTION: u16 = 90;
