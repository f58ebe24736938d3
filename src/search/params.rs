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
    // Aspiration windows.
    /// The first depth that is searched with a narrow window.
    aspiration_depth = 4 in 1..=12, step 1;
    /// Half the width of the first window round the previous score, which grows with the
    /// square of the score divided by `square`.
    aspiration_delta = 6 in 2..=60, step 1;
    aspiration_square = 8450 in 2000..=60000, step 1000;
    /// Growth of the window after a score outside it, in percent.
    aspiration_growth = 33 in 10..=200, step 5;

    /// The improvement of a side whose last two moves were in check, or came before the root.
    default_improvement = 92 in 0..=300, step 15;

    // Reverse futility pruning.
    rfp_depth = 8 in 0..=16, step 1;
    rfp_margin = 75 in 20..=200, step 11;
    /// The history of the move before the node, less `history_offset`, that equals a centipawn
    /// of the margin.
    rfp_history = 572 in 100..=3000, step 75;

    // Razoring.
    razor_base = 244 in 0..=800, step 25;
    razor_margin = 135 in 50..=600, step 20;

    // Null-move pruning.
    /// The static evaluation exceeds beta by `base - depth * slope` at least.
    nmp_eval_base = 138 in 0..=400, step 16;
    nmp_eval_slope = 11 in 0..=50, step 2;
    /// Centipawns of improvement that equal one of the evaluation.
    nmp_improvement = 13 in 2..=60, step 2;
    /// The history of the move before the node, less `history_offset`, must be lower.
    nmp_history = 17329 in 0..=40000, step 2000;
    /// Plies of reduction: `base + depth / 3 + (eval - beta) / eval_divisor`, the last at
    /// most `eval_max`.
    nmp_base = 4 in 1..=8, step 1;
    nmp_eval_divisor = 92 in 50..=500, step 12;
    nmp_eval_max = 6 in 0..=10, step 1;
    /// The first depth at which a fail high is verified.
    nmp_verify_depth = 14 in 6..=100, step 1;

    // Internal iterative reduction of cut nodes.
    iir_depth = 8 in 2..=100, step 1;

    // ProbCut.
    probcut_depth = 4 in 3..=100, step 1;
    probcut_margin = 90 in 40..=500, step 12;
    probcut_improving = 33 in 0..=150, step 5;
    /// For a capture in check, by its entry in the transposition table.
    probcut_check_margin = 221 in 50..=600, step 20;
    probcut_reduction = 4 in 2..=6, step 1;
    /// The values of an exchange in percent of those of the evaluation.
    exchange_unit = 75 in 30..=150, step 10;

    // Pruning of single moves.
    /// Late move pruning: moves searched, in hundredths, at depth 0 and for each
    /// squared ply.
    lmp_base = 300 in 100..=900, step 30;
    lmp_factor = 100 in 20..=300, step 15;
    /// Futility pruning of quiet moves.
    futility_depth = 11 in 0..=16, step 1;
    futility_base = 60 in 0..=400, step 8;
    futility_margin = 74 in 20..=250, step 9;
    /// Futility pruning of captures: margins, and the capture history that equals a
    /// centipawn.
    capture_depth = 6 in 0..=16, step 1;
    capture_base = 105 in 0..=400, step 15;
    capture_margin = 133 in 20..=400, step 15;
    capture_history = 13 in 2..=100, step 2;
    /// Pruning of quiet moves by the depth that is left for them: the history score that
    /// adds a ply.
    prune_history = 7011 in 1000..=30000, step 800;
    /// History pruning of quiet moves.
    history_depth = 5 in 0..=12, step 1;
    history_base = 213 in -5000..=5000, step 300;
    history_margin = 3832 in 500..=12000, step 450;
    /// Pruning of moves that lose material: centipawns for each squared ply and each ply of
    /// a quiet move, for each ply of a capture.
    see_quiet_margin = 11 in 0..=80, step 2;
    see_quiet_slope = 7 in 0..=80, step 2;
    see_noisy_margin = 82 in 20..=250, step 11;

    // Late move reductions, in 1024ths of a ply.
    /// `base + ln(depth) * ln(move) * slope`.
    lmr_base = 1372 in 0..=3000, step 100;
    lmr_slope = 423 in 200..=900, step 40;
    /// Less by the share that the window has of the one at the root.
    lmr_window = 1073 in 0..=3000, step 130;
    /// More for a side that is not improving, if the product exceeds this.
    lmr_not_improving = 936 in 0..=3000, step 100;
    /// Less where the node is, or once was, part of a principal variation.
    lmr_pv = 1024 in 0..=3500, step 130;
    lmr_was_pv = 2048 in 0..=3500, step 200;
    lmr_late_parent = 1024 in 0..=2048, step 130;
    lmr_singular = 1024 in 0..=2048, step 130;
    lmr_tt_move = 1024 in 0..=2048, step 130;
    lmr_cut_node = 2048 in 0..=3500, step 200;
    lmr_tt_noisy = 1024 in 0..=2048, step 130;
    lmr_cutoffs = 1024 in 0..=2048, step 130;
    /// History score that equals a ply, more of it at medium depth, and the score that
    /// equals none.
    lmr_history = 11124 in 2000..=30000, step 1200;
    lmr_history_deep = 4740 in 0..=20000, step 600;
    history_offset = 4219 in 0..=10000, step 500;
    /// A reduced move that exceeds the best score by more than `deeper + deeper_ply *
    /// reduction` is searched a ply deeper, alpha by more than `much_deeper` another ply.
    lmr_deeper = 34 in 5..=200, step 5;
    lmr_deeper_ply = 6 in 0..=50, step 2;
    lmr_much_deeper = 380 in 50..=1000, step 40;

    // Singular extensions.
    singular_depth = 4 in 4..=100, step 1;
    /// How much less deep than the node the entry of the table may be.
    singular_tt_depth = 3 in 1..=8, step 1;
    /// Centipawns below the table's score for each 64 plies of depth, and how many more at
    /// a node that once was part of a principal variation.
    singular_margin = 44 in 16..=320, step 6;
    singular_former_pv = 35 in -48..=320, step 6;
    singular_double = 11 in 0..=100, step 2;
    /// A line with more double extensions gets no other.
    singular_double_limit = 11 in 0..=20, step 1;
    /// A quiet move of the transposition table in the principal variation is extended if
    /// its continuation history is at least this.
    quiet_extension_history = 5168 in 0..=20000, step 600;

    // Updates of the histories.
    bonus_slope = 336 in 20..=800, step 35;
    bonus_offset = 547 in -200..=1500, step 60;
    bonus_max = 1561 in 400..=4000, step 150;
    /// Centipawns above beta for a larger bonus.
    bonus_margin = 78 in 0..=400, step 10;
    /// Centipawns for each ply by which a node fails low, for a bonus of the move before it.
    prior_margin = 60 in 0..=300, step 8;
    /// For the quiet move before a node, by its change of the evaluation: the bonus for a
    /// hundred centipawns, and the maximum.
    eval_bonus = 3370 in 0..=10000, step 300;
    eval_bonus_max = 1817 in 100..=5000, step 200;

    // Order of quiet moves: the weight of each history, in 128ths.
    order_butterfly = 256 in 0..=768, step 26;
    order_continuation_1 = 256 in 0..=768, step 26;
    order_continuation_2 = 128 in 0..=512, step 16;
    order_continuation_4 = 128 in 0..=512, step 16;
    order_continuation_6 = 128 in 0..=512, step 16;
    /// A direct check.
    order_check = 16384 in 0..=60000, step 1600;
    /// For each centipawn of the victim, in percent of the capture history's unit.
    order_victim = 1708 in 200..=4000, step 150;
    /// A capture is good if its exchange loses at most `score / good_capture`
    /// centipawns.
    good_capture = 40 in 10..=1000, step 4;

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

    // The fifty-move rule: from this many reversible plies on, scores of the transposition
    // table do not end a node, but for proven mates.
    fifty_move_caution = 90 in 60..=100, step 2;

    // Quiescence.
    /// Delta pruning: margin in addition to the value of the victim.
    delta_margin = 107 in 30..=500, step 14;
    /// A quiet move is searched if one of its continuation histories is at least this.
    quiescence_history = 71 in -5000..=5000, step 300;
    /// What a move may lose in the exchange.
    quiescence_see = 38 in 0..=200, step 8;

    // Time management.
    /// The assumed number of moves left when the client gives none.
    time_horizon = 25 in 15..=60, step 2;
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
    /// `base - slope * share` of the nodes spent on the best move.
    time_nodes_base = 205 in 110..=300, step 8;
    time_nodes_slope = 150 in 0..=250, step 8;
    /// For a drop of the score by 100 centipawns below the last iterations; rises are
    /// negative drops. The largest rise and drop that count, in centipawns.
    time_trend = 100 in 0..=400, step 12;
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
