//! Time management: how long to search for a move, computed from the clock.
//!
//! The *soft* limit is the time for an ordinary move. It is scaled after each
//! iteration by the stability of the best move, its share of the nodes and the trend
//! of the score; no new iteration starts after it. The *hard* limit stops an iteration
//! in the middle; the timer thread enforces it. Scaling by these three signals follows
//! Ethereal's `timeman.c`.

use std::time::Duration;

use crate::search::clock::limits::{Clock, Limits};
use crate::search::params as p;

/// The longest share of the clock for the last move before a time control, in percent.
const MAX_LAST_SHARE: u32 = 85;
/// The reserve, in move overheads, that no move uses while the clock holds more: a
/// busy machine may wake a thread late.
const RESERVE: u32 = 10;

/// The time for one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The time for an ordinary move; `None` if there is only a hard limit.
    pub soft: Option<Duration>,
    /// The time after which the search stops at once.
    pub hard: Duration,
}

impl Budget {
    /// The budget for the limits; `None` if they contain no time. `overhead` is the
    /// time lost on each move to communication.
    pub fn new(limits: &Limits, overhead: Duration) -> Option<Self> {
        let clock = limits.clock.map(|clock| Self::from_clock(clock, overhead));
        let fixed = limits
            .movetime
            .map(|time| Self { soft: None, hard: time.saturating_sub(overhead).max(time / 2) });
        match (clock, fixed) {
            (Some(clock), Some(fixed)) => Some(Self { hard: clock.hard.min(fixed.hard), ..clock }),
            (clock, fixed) => clock.or(fixed),
        }
    }

    fn from_clock(clock: Clock, overhead: Duration) -> Self {
        // The overhead of every move to come is set aside, so that a clock which is
        // used up to its increment settles well above zero and a late wake-up does not
        // lose the game. A clock too short for that is divided by a larger number.
        let horizon = p::time_horizon().unsigned_abs();
        let moves = clock.moves_to_go.unwrap_or(horizon).clamp(1, horizon * 2);
        let spare = clock.remaining.saturating_sub(overhead);
        let income = spare + clock.increment * (moves - 1);
        let affordable = income.saturating_sub(overhead * (moves - 1)) / moves;
        let soft = affordable.max(spare / (moves * p::time_low_divisor().unsigned_abs()));

        let share = if moves == 1 { MAX_LAST_SHARE } else { p::time_max_share().unsigned_abs() };
        let kept = (overhead * RESERVE).min(spare * 4 / 5);
        let longest = (spare * share / 100).min(spare - kept);
        let hard = soft * p::time_hard().unsigned_abs() / 100;
        Self { soft: Some(soft.min(longest)), hard: hard.min(longest) }
    }

    /// The time after which no new iteration starts. A stable best move gets less time,
    /// a new one or a dropping score more.
    pub fn soft_limit(&self, progress: &Progress) -> Duration {
        match self.soft {
            None => self.hard,
            Some(soft) => soft.mul_f64(progress.factor()).min(self.hard),
        }
    }
}

/// The state of a search after an iteration, as time management needs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The number of iterations without a change of the best move.
    pub stability: u32,
    /// The share of all nodes spent on the best move, from 0 to 1.
    pub node_share: f64,
    /// The drop of the score below its recent average, in centipawns.
    pub drop: i32,
}

impl Progress {
    /// The factor of the soft limit. The next iteration often takes as long as all
    /// before it together, so it is usually below 1.
    fn factor(&self) -> f64 {
        let percent = |number: i32| f64::from(number) / 100.0;
        let linear = |base, slope, x: f64| (percent(base) + percent(slope) * x).max(0.0);
        let stable = f64::from(self.stability.min(p::time_max_stability().unsigned_abs()));
        let stability = linear(p::time_stability_base(), -p::time_stability_slope(), stable);
        let effort = linear(p::time_nodes_base(), -p::time_nodes_slope(), self.node_share);
        let drop = self.drop.clamp(-p::time_max_rise(), p::time_max_drop());
        let trend = linear(100, p::time_trend(), f64::from(drop) / 100.0);
        percent(p::time_optimum()) * stability * effort * trend
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::{Budget, Progress, RESERVE};
    use crate::search::clock::limits::{Clock, Limits};
    use crate::search::params::PARAMETERS_IN_TEST;
    #[cfg(feature = "spsa")]
    use crate::search::params::{PARAMETERS, Parameter};
    use crate::util::sync::lock;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn clocks() -> impl Strategy<Value = Clock> {
        let moves_to_go = proptest::option::of(0u32..100_000);
        (0u64..1_000_000_000, 0u64..1_000_000_000, moves_to_go).prop_map(
            |(remaining, increment, moves_to_go)| Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            },
        )
    }

    fn budget_of(clock: Clock, overhead: Duration) -> Budget {
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        Budget::new(&limits, overhead).unwrap()
    }

    fn assert_within_the_clock(clock: Clock, overhead: Duration) {
        let budget = budget_of(clock, overhead);
        let Clock { remaining, .. } = clock;
        assert!(budget.hard <= remaining.mul_f64(0.85));
        assert!(budget.hard + overhead.min(remaining) <= remaining.max(overhead));
        assert!(budget.soft.unwrap() <= budget.hard);
        let spare = remaining.saturating_sub(overhead);
        assert!(remaining - budget.hard >= (overhead * RESERVE).min(spare * 4 / 5));
    }

    proptest! {
        #[test]
        fn a_budget_never_exceeds_the_clock(clock in clocks(), overhead in 0u64..5_000) {
            assert_within_the_clock(clock, Duration::from_millis(overhead));
        }
    }

    /// The clock after `moves` moves that each use their whole soft limit.
    fn clock_after(start: u64, increment: u64, moves: u32) -> Duration {
        let increment = Duration::from_millis(increment);
        let mut remaining = Duration::from_millis(start);
        for _ in 0..moves {
            let clock = Clock { remaining, increment, moves_to_go: None };
            let budget = budget_of(clock, OVERHEAD);
            remaining = remaining - budget.soft.unwrap() + increment;
        }
        remaining
    }

    #[test]
    fn a_clock_with_an_increment_settles_at_a_reserve() {
        let _lock = lock(&PARAMETERS_IN_TEST);
        for (start, increment) in [(1_000, 10), (5_000, 50), (60_000, 600)] {
            let left = clock_after(start, increment, 200);
            let reserve = OVERHEAD * 15;
            assert!(left > reserve, "{start}+{increment}: {left:?}");
            let idle = Duration::from_millis(30 * increment.max(10));
            assert!(left < idle, "{start}+{increment}: {left:?} unused");
        }
    }

    #[test]
    fn a_clock_without_increment_lasts() {
        let _lock = lock(&PARAMETERS_IN_TEST);
        assert!(clock_after(1_000, 0, 150) > Duration::from_millis(10));
        assert!(clock_after(60_000, 0, 150) > Duration::from_millis(100));
    }

    #[test]
    fn a_stable_best_move_takes_less_time_and_a_new_one_more() {
        let _lock = lock(&PARAMETERS_IN_TEST);
        let budget =
            Budget { soft: Some(Duration::from_millis(100)), hard: Duration::from_millis(500) };
        let ordinary = Progress { stability: 2, node_share: 0.6, drop: 0 };
        let allowed = |progress: Progress| budget.soft_limit(&progress).as_millis();
        let time = allowed(ordinary);
        assert!((20..=200).contains(&time), "{time}");
        assert!(allowed(Progress { stability: 9, ..ordinary }) < time);
        assert!(allowed(Progress { stability: 0, ..ordinary }) > time);
        assert!(allowed(Progress { node_share: 0.95, ..ordinary }) < time);
        assert!(allowed(Progress { node_share: 0.2, ..ordinary }) > time);
        assert!(allowed(Progress { drop: 40, ..ordinary }) > time);
        assert!(allowed(Progress { drop: -15, ..ordinary }) < time);
        let worst = Progress { stability: 0, node_share: 0.0, drop: 10_000 };
        assert!(allowed(worst) <= 500, "never beyond the hard limit");
    }

    #[cfg(feature = "spsa")]
    proptest! {
        #[test]
        fn the_laws_hold_for_all_parameters(
            shares in proptest::collection::vec(0.0..=1.0, PARAMETERS.len()),
            clock in clocks(),
            overhead in 0u64..5_000,
            (stability, node_share) in (0u32..200, 0.0..=1.0),
            drop in -60_000..60_000,
        ) {
            let _lock = lock(&PARAMETERS_IN_TEST);
            let _defaults = set_time_parameters(&shares);
            let overhead = Duration::from_millis(overhead);
            assert_within_the_clock(clock, overhead);
            let budget = budget_of(clock, overhead);
            let progress = Progress { stability, node_share, drop };
            let time = budget.soft_limit(&progress);
            assert!(time <= budget.hard);
            let worse = Progress { drop: drop + 10, ..progress };
            assert!(budget.soft_limit(&worse) >= time);
            for (start, increment) in [(1_000, 10), (5_000, 50), (60_000, 600)] {
                assert!(clock_after(start, increment, 200) > OVERHEAD * RESERVE);
            }
            assert!(clock_after(1_000, 0, 200) > Duration::ZERO);
        }
    }

    /// Sets the parameters of the clock, each to a share of its range, until the returned
    /// value is dropped.
    #[cfg(feature = "spsa")]
    fn set_time_parameters(shares: &[f64]) -> impl Drop {
        struct Defaults;
        impl Drop for Defaults {
            fn drop(&mut self) {
                time_parameters().for_each(|parameter| assert!(parameter.set(parameter.default)));
            }
        }
        for (parameter, share) in time_parameters().zip(shares) {
            let range = f64::from(parameter.max - parameter.min);
            assert!(parameter.set(parameter.min + (range * share).round() as i32));
        }
        Defaults
    }

    #[cfg(feature = "spsa")]
    fn time_parameters() -> impl Iterator<Item = &'static Parameter> {
        PARAMETERS.iter().filter(|parameter| parameter.needs_clock())
    }
}
