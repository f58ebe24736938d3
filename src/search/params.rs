//! The numbers of the search, each declared once with its range and step.
//!
//! In an ordinary build every number is a constant. With the cargo feature `spsa` it
//! is a variable and a UCI option of the same name, for tuners that play games, such as
//! [`spsa`](mod@crate::spsa).
//!
//! Margins are in centipawns, depths in plies, reductions in 1024ths of a ply,
//! history scores in the units of [`history`](crate::search::ordering::history).

#[cfg(feature = "spsa")]
use std::sync::atomic::{AtomicI32, Ordering};

/// A number of the search as a tuner sees it.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
    /// The smallest change that a tuner should try.
    pub step: i32,
    #[cfg(feature = "spsa")]
    value: &'static AtomicI32,
}

impl Parameter {
    /// Whether the parameter has an effect only in games on the clock.
    pub fn needs_clock(&self) -> bool {
        self.name.starts_with("time_")
    }
}

#[cfg(feature = "spsa")]
impl Parameter {
    /// Sets the value; `false` if it is out of range.
    pub fn set(&self, value: i32) -> bool {
        let fits = (self.min..=self.max).contains(&value);
        if fits {
            self.value.store(value, Ordering::Relaxed);
        }
        fits
    }

    /// The current value.
    pub fn get(&self) -> i32 {
        self.value.load(Ordering::Relaxed)
    }
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal..=$max:literal, step $step:literal;)*) => {
        /// Every number, in the order of this file.
        pub static PARAMETERS: &[Parameter] = &[
            $(Parameter {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
                #[cfg(feature = "spsa")]
                value: &values::$name,
            },)*
        ];

        $(
            $(#[$doc])*
            #[cfg(not(feature = "spsa"))]
            #[inline(always)]
            pub(super) const fn $name() -> i32 {
                $default
            }
        )*

        #[cfg(feature = "spsa")]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(#[allow(non_upper_case_globals)] pub static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        $(
            $(#[$doc])*
            #[cfg(feature = "spsa")]
            #[inline(always)]
            pub(super) fn $name() -> i32 {
                values::$name.load(Ordering::Relaxed)
            }
        )*
    };
}

parameters! {
    // The unit of margins.
    /// What a margin grows to with all pieces on the board, and with kings and pawns only,
    /// in percent.
    unit_opening = 100 in 30..=250, step 13;
    unit_endgame = 100 in 30..=250, step 13;

    // Aspiration windows.
    /// The first depth that is searched with a narrow window.
    aspiration_depth = 4 in 1..=12, step 1;
    /// Half the width of the first window round the previous score.
    aspiration_delta = 15 in 4..=60, step 3;
    /// Growth of the window after a score outside it, in percent.
    aspiration_growth = 61 in 10..=200, step 12;

    // Reverse futility pruning.
    rfp_depth = 8 in 0..=16, step 1;
    rfp_margin = 82 in 20..=200, step 11;
    /// The margin is smaller by this if the side to move is improving.
    rfp_improving = 53 in 0..=200, step 7;
    /// The margin is larger by this at a node that once was part of a principal variation,
    /// in percent.
    rfp_former_pv = 0 in -80..=300, step 25;

    // Razoring.
    razor_depth = 6 in 0..=8, step 1;
    razor_base = 228 in 0..=800, step 25;
    razor_margin = 156 in 50..=600, step 20;

    // Null-move pruning.
    nmp_depth = 3 in 1..=10, step 1;
    /// The static evaluation may lie below beta by `base - depth * slope`.
    nmp_eval_base = 118 in 0..=400, step 16;
    nmp_eval_slope = 18 in 0..=50, step 2;
    /// Plies of reduction: `base + depth / depth_divisor + (eval - beta) / eval_divisor`,
    /// the last at most `eval_max`; all but `eval_divisor` in hundredths.
    nmp_base = 400 in 100..=800, step 50;
    nmp_depth_divisor = 300 in 150..=1000, step 40;
    nmp_eval_divisor = 184 in 50..=500, step 25;
    nmp_eval_max = 400 in 0..=800, step 50;
    /// The first depth at which a fail high is verified.
    nmp_verify_depth = 14 in 6..=100, step 1;

    // Internal iterative reduction.
    iir_depth = 4 in 2..=100, step 1;

    // ProbCut.
    probcut_depth = 5 in 3..=100, step 1;
    probcut_margin = 160 in 40..=500, step 21;
    probcut_improving = 51 in 0..=150, step 6;
    probcut_reduction = 4 in 2..=6, step 1;
    /// The gain that a capture needs: 0 percent for the distance to the raised beta as it
    /// is, 100 for the same in the values of an exchange.
    probcut_phase = 0 in -50..=150, step 25;

    // Pruning of single moves.
    /// Late move pruning: moves searched, in hundredths, at depth 0 and for each
    /// squared ply.
    lmp_base = 419 in 100..=900, step 30;
    lmp_factor = 116 in 20..=300, step 15;
    /// Futility pruning of quiet moves.
    futility_depth = 11 in 0..=16, step 1;
    futility_base = 60 in 0..=400, step 8;
    futility_margin = 66 in 20..=250, step 9;
    /// Pruning of quiet moves by the depth that is left for them: the reduction in addition
    /// to the table of reductions, and the history score that adds a ply.
    prune_reduction = 600 in 0..=2048, step 80;
    prune_history = 6000 in 1000..=30000, step 800;
    /// History pruning of quiet moves.
    history_depth = 5 in 0..=12, step 1;
    history_margin = 2600 in 500..=12000, step 350;
    /// Pruning of moves that lose material: centipawns for each squared ply of a
    /// quiet move, for each ply of a capture.
    see_quiet_depth = 8 in 0..=16, step 1;
    see_quiet_margin = 25 in 5..=80, step 3;
    see_noisy_depth = 7 in 0..=16, step 1;
    see_noisy_margin = 84 in 20..=250, step 11;
    /// Capture history that equals a centipawn of the margin.
    see_noisy_history = 108 in 20..=1000, step 15;

    // Late move reductions.
    /// `base + ln(depth) * ln(move) * slope`, for quiet moves and for captures.
    lmr_base = 751 in 0..=2000, step 100;
    lmr_slope = 428 in 200..=900, step 55;
    lmr_noisy_base = -450 in -2000..=1500, step 60;
    lmr_noisy_slope = 299 in 100..=900, step 20;
    lmr_root = 1024 in 0..=2048, step 80;
    lmr_not_improving = 587 in 0..=2048, step 80;
    lmr_not_pv = 911 in 0..=2048, step 80;
    /// Less in the principal variation, and at a node that once was part of one.
    lmr_pv = 751 in 0..=3500, step 100;
    lmr_former_pv = 751 in 0..=2500, step 100;
    lmr_cut_node = 1397 in 0..=3500, step 180;
    lmr_tt_noisy = 986 in 0..=2048, step 130;
    lmr_killer = 1202 in 0..=3000, step 100;
    lmr_check = 160 in 0..=2048, step 80;
    /// For each centipawn of the correction history.
    lmr_correction = 10 in 0..=60, step 4;
    /// With more than `many_cutoffs` cutoffs among the children of a node, its moves are
    /// easy to refute.
    lmr_many_cutoffs = 3 in 0..=8, step 1;
    lmr_cutoffs = 972 in 0..=2048, step 130;
    /// History score that equals a ply.
    lmr_history = 9409 in 2000..=30000, step 1200;
    lmr_noisy_history = 9498 in 2000..=40000, step 600;
    /// How many plies a negative reduction may extend a move.
    lmr_ceiling = 0 in 0..=2, step 1;
    /// A reduced move that exceeds the best score by more than `deeper` is searched a ply
    /// deeper, by less than `shallower` a ply less deep.
    lmr_deeper = 36 in 5..=200, step 5;
    lmr_shallower = 5 in 0..=60, step 2;

    // Singular extensions.
    singular_depth = 5 in 4..=100, step 1;
    /// How much less deep than the node the entry of the table may be.
    singular_tt_depth = 3 in 1..=8, step 1;
    /// The depth of the singular search, in percent.
    singular_share = 50 in 20..=80, step 6;
    /// Centipawns below the table's score for each 64 plies of depth, and how many more at
    /// a node that once was part of a principal variation.
    singular_margin = 64 in 16..=320, step 8;
    singular_former_pv = 0 in -48..=320, step 16;
    singular_double = 11 in 0..=100, step 2;
    /// Double extensions allowed in one line.
    singular_double_limit = 7 in 0..=20, step 1;
    /// Plies by which a move that is not singular is reduced: if the table's score exceeds
    /// beta, and the same in the principal variation; otherwise in a cut node.
    negative_extension = 2 in 0..=4, step 1;
    negative_extension_pv = 1 in 0..=4, step 1;
    negative_extension_cut = 1 in 0..=4, step 1;

    // The neighbourhood of the principal variation.
    /// 1 if a node that fails low takes over from its parent that it once was part of a
    /// principal variation.
    inherit_pv = 0 in 0..=1, step 1;
    /// Plies less for the other moves after one raised alpha.
    alpha_raised = 0 in 0..=2, step 1;

    // Updates of the histories after a cutoff.
    bonus_slope = 161 in 20..=500, step 15;
    bonus_offset = 80 in -200..=500, step 20;
    bonus_max = 1393 in 400..=4000, step 100;
    malus_slope = 197 in 20..=500, step 15;
    malus_offset = 30 in -200..=500, step 20;
    malus_max = 1060 in 400..=4000, step 100;
    /// For the quiet move before a node that fails low, in percent of the bonus.
    prior_bonus = 81 in 0..=300, step 10;
    /// For the quiet move before a node, by its change of the evaluation: percent of a
    /// centipawn, and the maximum.
    eval_bonus = 300 in 0..=2000, step 60;
    eval_bonus_max = 800 in 100..=3000, step 60;

    // Order of quiet moves: percent of each history.
    order_butterfly = 99 in 0..=300, step 10;
    order_pawn = 105 in 0..=300, step 10;
    order_continuation_1 = 163 in 0..=400, step 12;
    order_continuation_2 = 106 in 0..=400, step 12;
    order_continuation_4 = 47 in 0..=400, step 12;
    /// A direct check that loses nothing.
    order_check = 6514 in 0..=20000, step 600;
    /// For each centipawn of a piece that escapes from a less valuable attacker, in
    /// percent of the histories' unit.
    order_escape = 600 in 0..=3000, step 60;
    /// For each centipawn of the victim, in percent of the capture history's unit.
    order_victim = 1537 in 200..=4000, step 100;
    /// A capture is good if its exchange loses at most `score / good_capture`
    /// centipawns.
    good_capture = 283 in 60..=3000, step 25;

    // Correction of the static evaluation: weight of each history, in 1024ths of a
    // centipawn per unit.
    correct_pawn = 40 in 0..=200, step 6;
    correct_minor = 35 in 0..=200, step 6;
    correct_non_pawn = 42 in 0..=200, step 6;
    correct_continuation = 43 in 0..=200, step 6;
    /// What an error adds to them: 1024ths of a unit for each centipawn and ply of depth,
    /// and the maximum in units.
    correct_rate = 128 in 16..=512, step 16;
    correct_max = 256 in 32..=1024, step 32;

    // The fifty-move rule: with more reversible plies, scores of the transposition table
    // are not used.
    fifty_move_caution = 90 in 60..=100, step 2;

    // Quiescence.
    /// Delta pruning: margin in addition to the value of the victim.
    delta_margin = 220 in 30..=500, step 28;
    /// The value of the victim: 0 percent for the one in an exchange, 100 for the one in
    /// the evaluation.
    delta_phase = 0 in -50..=150, step 25;
    /// Quiet checks are tried if the evaluation is this close to alpha.
    check_margin = 450 in 0..=2000, step 60;

    // Time management.
    /// The assumed number of moves left when the client gives none.
    time_horizon = 25 in 15..=60, step 2;
    /// Its growth with every move of the game up to move 40, in hundredths of a move.
    time_horizon_growth = 0 in -20..=50, step 3;
    /// Divides the even share of a move when the clock is too short for the overhead of
    /// all moves.
    time_low_divisor = 3 in 1..=10, step 1;
    /// The hard limit in percent of the time for an ordinary move.
    time_hard = 500 in 100..=1000, step 30;
    /// The longest share of the clock for one of several moves, in percent.
    time_max_share = 60 in 10..=80, step 4;
    /// The soft limit in percent of the time for an ordinary move, and its factors in
    /// percent.
    time_optimum = 90 in 20..=150, step 5;
    /// `base - slope * iterations` without a change of the best move, at most
    /// `max_stability` of them.
    time_stability_base = 150 in 80..=250, step 6;
    time_stability_slope = 12 in 0..=40, step 2;
    time_max_stability = 6 in 1..=15, step 1;
    /// For a change of the best move; half as much with each iteration after it.
    time_changes = 0 in 0..=200, step 8;
    /// `base - slope * share` of the nodes spent on the best move.
    time_nodes_base = 205 in 110..=300, step 8;
    time_nodes_slope = 150 in 0..=250, step 8;
    /// For a drop of the score by 100 centipawns below the last iterations and below the
    /// last search of the game; rises are negative drops. The longest rise and drop that
    /// count, in centipawns.
    time_trend = 100 in 0..=400, step 12;
    time_game_trend = 0 in 0..=400, step 12;
    time_max_rise = 20 in 0..=100, step 4;
    time_max_drop = 60 in 0..=200, step 6;
}

/// Held by tests that set parameters or need their defaults.
#[cfg(test)]
pub static PARAMETERS_IN_TEST: std::sync::Mutex<()> = std::sync::Mutex::new(());

#[cfg(test)]
mod tests {
    use super::PARAMETERS;

    #[test]
    fn every_number_lies_in_its_range_and_has_a_name_of_its_own() {
        for (index, parameter) in PARAMETERS.iter().enumerate() {
            let name = parameter.name;
            assert!((parameter.min..=parameter.max).contains(&parameter.default), "{name}");
            assert!(
                parameter.step > 0 && parameter.step <= parameter.max - parameter.min,
                "{name}"
            );
            assert!(PARAMETERS[..index].iter().all(|other| other.name != name), "{name} twice");
        }
    }

    #[cfg(feature = "spsa")]
    #[test]
    fn what_is_set_is_read_back() {
        let _lock = crate::util::sync::lock(&super::PARAMETERS_IN_TEST);
        for parameter in PARAMETERS {
            let name = parameter.name;
            for value in [parameter.min, parameter.max, parameter.default] {
                assert!(parameter.set(value), "{name} = {value}");
                assert_eq!(parameter.get(), value, "{name}");
            }
            assert!(!parameter.set(parameter.max + 1), "{name} out of range");
            assert_eq!(parameter.get(), parameter.default, "{name}");
        }
    }
}
