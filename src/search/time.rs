//! How long to think: pure arithmetic on the clock.
//!
//! The *optimum* is what an ordinary move deserves; how the search goes decides
//! after which part or multiple of it no new iteration is begun. The *maximum*
//! is the hard deadline, which the timer thread enforces in the middle of one.

use std::time::Duration;

use crate::search::limits::{Clock, Limits};
use crate::search::params::{
    time_nodes_base, time_nodes_slope, time_optimum, time_stability_base, time_stability_slope,
    time_trend,
};

/// Moves that a game is assumed to last when nobody says.
const HORIZON: u32 = 25;
/// The share of the clock that one move may take, in percent, with many moves
/// to go and with one.
const LARGEST_SHARE: u32 = 60;
const LARGEST_LAST_SHARE: u32 = 85;
/// Overheads that no move touches as long as the clock holds more: a machine may
/// leave a thread asleep for longer than usual, at times.
const RESERVE: u32 = 10;
/// The part of an even share that each move gets of a clock that cannot afford
/// the overhead of all of them.
const SPARING: u32 = 3;
/// The maximum in optima.
const STRETCH: u32 = 5;
/// Iterations after which an unchanged best move counts as settled.
const MAX_STABILITY: u32 = 6;
/// The rise and fall of the score, in centipawns, beyond which they say no more.
const MAX_RISE: i32 = 20;
const MAX_DROP: i32 = 60;

/// The time for one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// What an ordinary move deserves; `None` if only the maximum counts.
    pub optimum: Option<Duration>,
    /// When to stop at once.
    pub maximum: Duration,
}

impl Budget {
    /// The budget that the limits imply, `None` if they say nothing of time.
    /// `overhead` is lost to communication on every move.
    pub fn new(limits: &Limits, overhead: Duration) -> Option<Self> {
        let clock = limits.clock.map(|clock| Self::from_clock(clock, overhead));
        let fixed = limits.movetime.map(|time| Self {
            optimum: None,
            maximum: time.saturating_sub(overhead).max(time / 2),
        });
        match (clock, fixed) {
            (Some(clock), Some(fixed)) => {
                Some(Self { maximum: clock.maximum.min(fixed.maximum), ..clock })
            }
            (clock, fixed) => clock.or(fixed),
        }
    }

    fn from_clock(clock: Clock, overhead: Duration) -> Self {
        // The overhead is set aside for every move to come, not just for this
        // one. A clock that lives on its increment so settles well above zero,
        // where a slow moment of the machine does not cost the game; one that
        // cannot afford the reserve is shared out sparingly.
        let moves = clock.moves_to_go.unwrap_or(HORIZON).clamp(1, HORIZON * 2);
        let spare = clock.remaining.saturating_sub(overhead);
        let income = spare + clock.increment * (moves - 1);
        let affordable = income.saturating_sub(overhead * (moves - 1)) / moves;
        let optimum = affordable.max(spare / (moves * SPARING));

        let share = if moves == 1 { LARGEST_LAST_SHARE } else { LARGEST_SHARE };
        let kept = (overhead * RESERVE).min(spare * 4 / 5);
        let largest = (spare * share / 100).min(spare - kept);
        Self { optimum: Some(optimum.min(largest)), maximum: (optimum * STRETCH).min(largest) }
    }

    /// After how much time a search that stands as `progress` tells should begin
    /// no new iteration. A choice that is settled deserves less time, one that is
    /// in doubt or in trouble more.
    pub fn deserved(&self, progress: &Progress) -> Duration {
        match self.optimum {
            None => self.maximum,
            Some(optimum) => optimum.mul_f64(progress.factor()).min(self.maximum),
        }
    }
}

/// How a search stands after an iteration, as far as time is concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Iterations for which the best move has stayed the same.
    pub stability: u32,
    /// The share of all nodes that were spent on the best move, from 0 to 1.
    pub node_share: f64,
    /// By how many centipawns the score has fallen from its average of late.
    pub drop: i32,
}

impl Progress {
    /// The part of the optimum after which to end. The next iteration will
    /// often cost as much as all before it, so that this is less than one.
    fn factor(&self) -> f64 {
        let percent = |number: i32| f64::from(number) / 100.0;
        let settled = f64::from(self.stability.min(MAX_STABILITY));
        let stability = percent(time_stability_base()) - percent(time_stability_slope()) * settled;
        let effort = percent(time_nodes_base()) - percent(time_nodes_slope()) * self.node_share;
        let drop = f64::from(self.drop.clamp(-MAX_RISE, MAX_DROP));
        let trend = 1.0 + percent(time_trend()) * drop / 100.0;
        percent(time_optimum()) * stability * effort * trend
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::{Budget, Progress};
    use crate::search::limits::{Clock, Limits};

    proptest! {
        #[test]
        fn a_budget_never_exceeds_the_clock(
            remaining in 0u64..1_000_000_000,
            increment in 0u64..1_000_000_000,
            moves_to_go in proptest::option::of(0u32..100_000),
            overhead in 0u64..5_000,
        ) {
            let clock = Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let budget = Budget::new(&limits, Duration::from_millis(overhead)).unwrap();
            prop_assert!(budget.maximum <= clock.remaining.mul_f64(0.85));
            prop_assert!(budget.maximum + Duration::from_millis(overhead.min(remaining)) <= clock.remaining.max(Duration::from_millis(overhead)));
            prop_assert!(budget.optimum.unwrap() <= budget.maximum);
            let spare = remaining.saturating_sub(overhead);
            let kept = clock.remaining - budget.maximum;
            prop_assert!(kept >= Duration::from_millis((10 * overhead).min(spare * 4 / 5)));
        }
    }

    /// Plays moves that take all of their optimum from a clock, and gives what
    /// is left of it.
    fn after_moves(start: u64, increment: u64, moves: u32) -> Duration {
        let increment = Duration::from_millis(increment);
        let mut remaining = Duration::from_millis(start);
        for _ in 0..moves {
            let clock = Clock { remaining, increment, moves_to_go: None };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let budget = Budget::new(&limits, Duration::from_millis(10)).unwrap();
            remaining = remaining - budget.optimum.unwrap() + increment;
        }
        remaining
    }

    #[test]
    fn a_clock_with_an_increment_settles_at_a_reserve() {
        for (start, increment) in [(1_000, 10), (5_000, 50), (60_000, 600)] {
            let left = after_moves(start, increment, 200);
            let reserve = Duration::from_millis(10 * 15);
            assert!(left > reserve, "{start}+{increment}: {left:?}");
            let idle = Duration::from_millis(30 * increment.max(10));
            assert!(left < idle, "{start}+{increment}: {left:?} unused");
        }
    }

    #[test]
    fn a_clock_without_increment_lasts() {
        assert!(after_moves(1_000, 0, 150) > Duration::from_millis(10));
        assert!(after_moves(60_000, 0, 150) > Duration::from_millis(100));
    }

    #[test]
    fn settled_moves_take_less_time_and_doubtful_ones_more() {
        let budget = Budget {
            optimum: Some(Duration::from_millis(100)),
            maximum: Duration::from_millis(500),
        };
        let ordinary = Progress { stability: 2, node_share: 0.6, drop: 0 };
        let allowed = |progress: Progress| budget.deserved(&progress).as_millis();
        let time = allowed(ordinary);
        assert!((20..=200).contains(&time), "{time}");
        assert!(allowed(Progress { stability: 9, ..ordinary }) < time);
        assert!(allowed(Progress { stability: 0, ..ordinary }) > time);
        assert!(allowed(Progress { node_share: 0.95, ..ordinary }) < time);
        assert!(allowed(Progress { node_share: 0.2, ..ordinary }) > time);
        assert!(allowed(Progress { drop: 40, ..ordinary }) > time);
        assert!(allowed(Progress { drop: -15, ..ordinary }) < time);
        let worst = Progress { stability: 0, node_share: 0.0, drop: 10_000 };
        assert!(allowed(worst) <= 500, "never beyond the maximum");
    }
}
